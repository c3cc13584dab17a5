//! Batches of τ-ARGUS as jobs: the same tables, or an error that says what a job cannot.

use std::fs;
use std::path::Path;

use quell::argus::{self, BatchOptions};
use quell::{Context, ContributorAttackers, Job, SumsBy, TableVerdict};
use tempfile::TempDir;

const METADATA: &str = "\
Region 1 2
  <RECODEABLE>
  <HIERARCHICAL>
  <HIERCODELIST> \"region.hrc\"
  <HIERLEADSTRING> \"@\"
Size 3 1
  <RECODEABLE>
Turnover 4 6
  <NUMERIC>
Weight 10 1
  <WEIGHT>
";

const BATCH: &str = "\
<OPENMICRODATA> \"data.asc\"
<OPENMETADATA> \"data.rda\"
<SPECIFYTABLE> \"Size\"\"Region\"|\"Turnover\"||
<SAFETYRULE> P(15,1)|FREQ(3,20)
<READMICRODATA>
<APRIORI> \"by hand.hst\",1,\";\"
<SUPPRESS> MOD(1,5,1,1,1)
<WRITETABLE> (1,3,FL+,\"out.txt\")
<WRITETABLE> (1,4,,\"out.sbs\")
<WRITETABLE> (1,5,,\"out.tab\")
<WRITETABLE> (1,6,,\"out.jj\")
<LOGBOOK> \"log.txt\"
<CLEAR>
<GOINTERACTIVE>
";

/// Records of a region, a size class, a turnover and a weight.
fn records() -> String {
    let mut text = String::new();
    for (number, region) in ["11", "12", "21", "22"].into_iter().enumerate() {
        for (class, size) in ["a", "b", "c"].into_iter().enumerate() {
            for firm in 0..4 {
                let turnover = 100 + 37 * number + 11 * class + 300 * firm * (2 - class.min(1));
                let weight = 1 + (number + firm) % 3;
                text.push_str(&format!("{region}{size}{turnover:>6}{weight}\n"));
            }
        }
    }
    text
}

fn folder(batch: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("data.asc", &records());
    write("data.rda", METADATA);
    write("region.hrc", "N\n@11\n@12\nS\n@21\n@22\n");
    write("by hand.hst", "a;21;u\n");
    write("job.arb", batch);
    folder
}

/// Runs a batch both ways; the folder holds its files and, below `release`, those of the job.
fn both_ways(batch: &str) -> TempDir {
    let folder = folder(batch);
    let context = Context::default();
    let options = BatchOptions::default();
    let mut run = argus::run(&folder.path().join("job.arb"), &options, &context).unwrap();
    assert!(run.not_proven().is_empty());
    run.write(&context).unwrap();
    let job = Job::from_arb(batch, folder.path()).unwrap();
    let release = quell::run(&job, &context).unwrap();
    assert_eq!(release.tables_verdict(), TableVerdict::Safe);
    release.write(folder.path().join("release")).unwrap();
    folder
}

fn assert_same(folder: &Path, batch: &str, job: &str) {
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read(batch), read(&format!("release{job}")), "{batch}");
}

#[test]
fn a_batch_and_its_job_make_the_same_files() {
    let folder = both_ways(BATCH);
    assert_same(folder.path(), "out.txt", "/table-1.code-value.txt");
    assert_same(folder.path(), "out.sbs", "-office/table-1.sbs.txt");
    assert_same(folder.path(), "out.tab", "-office/table-1.tab");
    assert_same(folder.path(), "out.jj", "-office/system.jj");
    let shown = fs::read_to_string(folder.path().join("out.txt")).unwrap();
    assert!(shown.contains(",x\r\n"), "{shown}");
}

#[test]
fn a_job_has_the_attackers_of_its_batch() {
    let attackers = |suppress: &str| {
        let batch = BATCH.replace("MOD(1,5,1,1,1)", suppress);
        let folder = folder(&batch);
        let job = Job::from_arb(&batch, folder.path()).unwrap();
        // The file says it, too.
        let again = Job::from_toml(job.to_toml(), folder.path()).unwrap();
        let said = (job.contributor_attackers(), job.sums());
        assert_eq!((again.contributor_attackers(), again.sums()), said, "{suppress}");
        said
    };
    let (known, no) = (ContributorAttackers::IfKnown, ContributorAttackers::No);
    assert_eq!(attackers("MOD(1,5,1,1,1)"), (known, SumsBy::Frequency));
    assert_eq!(attackers("MOD(1,5,0,0,0)").0, no);
    assert_eq!(attackers("OPT(1,5)"), (known, SumsBy::Rules));
    assert_eq!(attackers("GH(1,75,0,0)").0, no);
}

#[test]
fn weighted_tables_that_are_linked_are_the_same_too() {
    let batch = "\
<OPENMICRODATA> \"data.asc\"
<OPENMETADATA> \"data.rda\"
<SPECIFYTABLE> \"Size\"\"Region\"|\"Turnover\"||-1,0.5
<SAFETYRULE> NK(2,85)|FREQ(3,20)|WGT(1)
<SPECIFYTABLE> \"region\"|\"Turnover\"||-1,0.5
<SAFETYRULE> NK(2,85)|FREQ(3,20)|WGT(1)
<READMICRODATA>
<SUPPRESS> GH(0,50)
<WRITETABLE> (1,3,FL+,\"one.txt\")
<WRITETABLE> (2,3,FL+,\"two.txt\")
";
    let folder = both_ways(batch);
    assert_same(folder.path(), "one.txt", "/table-1.code-value.txt");
    assert_same(folder.path(), "two.txt", "/table-2.code-value.txt");
}

#[test]
fn a_job_of_a_batch_can_be_kept_in_a_file() {
    let folder = folder(BATCH);
    let job = Job::from_arb(BATCH, folder.path()).unwrap();
    fs::write(folder.path().join("job.toml"), job.to_toml()).unwrap();
    assert!(job.to_toml().contains("knows = \"tau-argus\""), "{}", job.to_toml());
    let again = Job::read(&folder.path().join("job.toml")).unwrap();
    let jj = |job: &Job, name: &str| {
        let place = folder.path().join(name);
        quell::run(job, &Context::default()).unwrap().write(&place).unwrap();
        fs::read(
            place
                .with_file_name(format!("{}-office", place.file_name().unwrap().to_str().unwrap()))
                .join("system.jj"),
        )
        .unwrap()
    };
    assert_eq!(jj(&job, "one"), jj(&again, "two"));
}

#[test]
fn what_has_no_form_in_a_job_is_named_with_its_line() {
    let refused = |from: &str, to: &str, line: usize, words: &str| {
        let batch = BATCH.replace(from, to);
        assert_ne!(batch, BATCH, "{from}");
        let folder = folder(&batch);
        let error = Job::from_arb(&batch, folder.path()).unwrap_err();
        let (message, advice) = (error.to_string(), error.advice().unwrap_or_default());
        assert!(message.starts_with(&format!("line {line} of the batch: ")), "{message}");
        assert!(message.contains(words), "{message}");
        assert!(advice.contains("argus::run"), "{advice}");
    };
    let suppress = "<SUPPRESS> MOD(1,5,1,1,1)";
    refused(suppress, "<RECODE> 1, Region, 2\n<SUPPRESS> MOD(1)", 7, "<RECODE>");
    refused(suppress, "<SUPPRESS> CTA(1)", 7, "this method");
    refused(suppress, "<SUPPRESS> OPT(1)\n<SUPPRESS> MOD(1)", 8, "one by one");
    refused("FL+", "AS+", 8, "this format with these options");
    refused("(1,3,FL+", "(1,1,", 8, "this format with these options");
    refused("<APRIORI>", "<APRIORI> \"by hand.hst\",1,\";\"\n<APRIORI>", 7, "a second <APRIORI>");
    let again = "<CLEAR>\n<OPENMICRODATA> \"data.asc\"";
    refused("<CLEAR>", again, 14, "one source of data");
    let metadata = METADATA.replace("Size 3 1", "Size 3 1 z");
    let folder = folder(BATCH);
    fs::write(folder.path().join("data.rda"), metadata).unwrap();
    let error = Job::from_arb(BATCH, folder.path()).unwrap_err().to_string();
    assert!(error.contains("the code z of Size"), "{error}");
}

#[test]
fn a_batch_that_protects_nothing_is_no_job() {
    let batch: String = BATCH.lines().take(5).map(|line| format!("{line}\n")).collect();
    let folder = folder(&batch);
    let error = Job::from_arb(&batch, folder.path()).unwrap_err();
    assert_eq!(error.to_string(), "the batch protects no table");
    let error = Job::from_arb("<NONSENSE>\n", folder.path()).unwrap_err().to_string();
    assert!(error.contains("batch.arb"), "{error}");
}
