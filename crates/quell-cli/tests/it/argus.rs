//! `quell argus run`: batch files as they are.

use crate::runner::Folder;

const METADATA: &str = "\
Region 1 2 99
  <RECODEABLE>
  <HIERARCHICAL>
  <HIERCODELIST> \"region.hrc\"
  <HIERLEADSTRING> \"@\"
Size 3 1
  <RECODEABLE>
Turnover 4 6
  <NUMERIC>
";

/// Records of a region, a size class and a turnover.
fn records() -> String {
    let mut text = String::new();
    let mut add = |region: &str, size: &str, amounts: &[u32]| {
        for amount in amounts {
            text.push_str(&format!("{region:>2}{size}{amount:>6}\n"));
        }
    };
    add("1", "a", &[900, 20, 10]);
    add("1", "b", &[310, 300, 290]);
    add("1", "c", &[210, 200, 190]);
    add("2", "a", &[120, 110, 100]);
    add("2", "b", &[330, 320, 310]);
    add("2", "c", &[230, 220, 210]);
    add("11", "a", &[150, 140, 130]);
    add("11", "b", &[350, 340, 330]);
    add("11", "c", &[250, 240, 230]);
    add("12", "a", &[160, 150, 140]);
    add("12", "b", &[360, 350, 340]);
    add("12", "c", &[260, 250, 240]);
    text
}

pub const BATCH: &str = "\
// A comment
<OPENMICRODATA> \"data.asc\"
<OPENMETADATA> \"data.rda\"
<SPECIFYTABLE> \"Size\"\"Region\"|\"Turnover\"||
<SAFETYRULE> P(15,1)|FREQ(3,20)
<READMICRODATA>
<SUPPRESS> MOD(1,5,1,1,1)
<WRITETABLE> (1,3,AS+,\"out.txt\")
<WRITETABLE> (1,3,AS-,\"public.txt\")
<WRITETABLE> (1,5,,\"out.tab\")
<WRITETABLE> (1,6,,\"out.jj\")
";

pub fn batch(text: &str) -> Folder {
    let folder = Folder::new();
    folder.write("data.asc", &records());
    folder.write("data.rda", METADATA);
    folder.write("region.hrc", "N\n@ 1\n@ 2\nS \n@11\n@12");
    folder.write("job.arb", text);
    folder
}

#[test]
fn a_batch_runs_from_microdata_to_tables() {
    let folder = batch(BATCH);
    folder.done("argus run job.arb log.txt");
    let table = folder.read("out.txt");
    // Three sizes and their total, by two parts of the country, four regions, not known, and all.
    assert_eq!(table.lines().count(), 4 * 8, "{table}");
    assert!(table.contains("\"a\",\" 1\",930,3\r\n"), "{table}");
    assert!(table.contains(",11\r\n"), "{table}");
    assert!(table.contains("\"Total\",\"99\",-,14\r\n"), "{table}");
    assert!(folder.read("public.txt").contains("\"a\",\" 1\",x\r\n"));
    let log = folder.read("log.txt");
    assert!(log.contains("line 7: modular") || log.contains("modular is not there yet"), "{log}");
    assert!(log.contains("SAFE"), "{log}");
    assert!(log.contains("not for publication"), "{log}");
    folder.done("audit out.jj");
}

#[test]
fn what_was_written_is_read_again() {
    let folder = batch(BATCH);
    folder.done("argus run job.arb");
    folder.write(
        "again.arb",
        "<OPENTABLEDATA> \"out.tab\"\n<OPENMETADATA> \"out.rda\"\n\
         <SPECIFYTABLE> \"Size\"\"Region\"|\"Turnover\"||\n<READTABLE>\n\
         <SUPPRESS> OPT(1)\n<WRITETABLE> (1,3,AS+,\"again.txt\")\n",
    );
    folder.done("argus run again.arb");
    let values = |name: &str| -> Vec<String> {
        let text = folder.read(name);
        text.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned()).collect()
    };
    assert_eq!(values("again.txt"), values("out.txt"));
}

#[test]
fn recodes_fold_levels_and_groups() {
    let recoded = BATCH
        .replace("<SUPPRESS>", "<RECODE> 1, Region, 2\n<RECODE> 1, Size, \"size.grc\"\n<SUPPRESS>");
    let folder = batch(&recoded);
    folder.write("size.grc", "a:a-b\nc:c\n");
    folder.done("argus run job.arb");
    let table = folder.read("out.txt");
    assert_eq!(table.lines().count(), 3 * 4, "{table}");
    assert!(table.contains("\"a\",\"N\",3120,1\r\n"), "{table}");
}

#[test]
fn several_tables_are_protected_as_one() {
    let linked = BATCH
        .replace(
            "<READMICRODATA>",
            "<SPECIFYTABLE> \"Region\"|\"Turnover\"||\n<SAFETYRULE> P(15,1)|FREQ(3,20)\n<READMICRODATA>",
        )
        .replace("MOD(1,5,1,1,1)", "GH(0,50)")
        .replace("<WRITETABLE> (1,6,,\"out.jj\")", "<WRITETABLE> (2,2,AS+,\"second.txt\")");
    let folder = batch(&linked);
    folder.done("argus run job.arb");
    let status = |text: &str, start: &str| {
        let line = text.lines().find(|line| line.starts_with(start)).unwrap_or_default().to_owned();
        line.rsplit(',').next().unwrap_or_default().to_owned()
    };
    let (first, second) = (folder.read("out.txt"), folder.read("second.txt"));
    for region in ["N", " 1", "12"] {
        let one = status(&first, &format!("\"Total\",\"{region}\""));
        assert_eq!(one, status(&second, &format!("\"{region}\"")), "{region}\n{first}\n{second}");
    }
}

#[test]
fn a_batch_becomes_the_job_that_does_the_same() {
    let folder = batch(&BATCH.replace("AS+", "FL+").replace("AS-", "FL+"));
    let refused = folder.quell("init job.arb");
    assert_eq!(refused.code, 1);
    assert!(refused.words().contains("the code 99 of Region"), "{}", refused.err);
    folder.write("data.rda", &METADATA.replace("1 2 99", "1 2"));
    folder.done("argus run job.arb");
    let out = folder.done("init job.arb");
    assert!(out.contains("wrote job.toml: the tables of job.arb"), "{out}");
    folder.done("protect job.toml");
    assert_eq!(folder.read("public.txt"), folder.read("release/table-1.code-value.txt"));
    let elsewhere = folder.quell("init job.arb --out other/job.toml");
    assert_eq!(elsewhere.code, 1);
    assert!(elsewhere.words().contains("from the batch's folder"), "{}", elsewhere.err);
}

#[test]
fn what_cannot_be_done_is_said_with_its_line() {
    for (from, to, words) in [
        ("<SUPPRESS> MOD(1,5,1,1,1)", "<SUPPRESS> RND(1,5)", "line 7: controlled rounding (RND)"),
        ("<SUPPRESS> MOD(1,5,1,1,1)", "<SUPPRESS> CKM(1)", "line 7: the cell key method"),
        ("<SUPPRESS> MOD(1,5,1,1,1)", "<SUPRESS> MOD(1)", "line 7"),
        ("data.asc", "date.asc", "line 2: there is no file date.asc"),
        ("\"Size\"", "\"Sise\"", "Sise"),
        ("(1,3,AS+,\"out.txt\")", "(3,3,AS+,\"out.txt\")", "line 8"),
    ] {
        let folder = batch(&BATCH.replace(from, to));
        let outcome = folder.quell("argus run job.arb");
        assert_eq!(outcome.code, 1, "{to}: {}", outcome.err);
        assert!(outcome.words().contains(words), "{to}: {}", outcome.err);
        assert!(!folder.path("out.txt").exists(), "{to}");
    }
}

#[test]
fn cta_moves_values_and_hides_none() {
    let folder = batch(&BATCH.replace("<SUPPRESS> MOD(1,5,1,1,1)", "<SUPPRESS> CTA(1)"));
    let text = folder.done("argus run job.arb --time 3s");
    assert!(text.contains("adjusted") && text.contains("SAFE"), "{text}");
    assert_ne!(folder.read("out.txt"), "");
}

#[test]
fn a_priori_files_set_statuses() {
    let text = BATCH.replace("<SUPPRESS>", "<APRIORI> \"a.hst\",1,\";\",0,0\n<SUPPRESS>");
    let folder = batch(&text);
    folder.write("a.hst", "b;12;U\nc;11;P\n");
    folder.done("argus run job.arb");
    let table = folder.read("out.txt");
    assert!(table.contains("\"b\",\"12\",1050,9\r\n"), "{table}");
    assert!(table.contains("\"c\",\"11\",720,10\r\n"), "{table}");
}

#[test]
fn outputs_of_drives_that_are_not_there_go_beside_the_batch() {
    let batch_text = BATCH
        .replace("\"public.txt\"", "\"D:\\Tau\\public.txt\"")
        .replace("// A comment\n", "<LOGBOOK> \"D:\\Tau\\job.log\"\n");
    let folder = batch(&batch_text);
    let out = folder.done("argus run job.arb");
    assert!(folder.read("public.txt").contains("\"a\",\" 1\",x\r\n"));
    let words = "there is no folder for D:\\Tau\\public.txt here: it is ./public.txt";
    assert!(out.contains(words), "{out}");
    assert_eq!(folder.read("job.log").lines().last(), Some("7 files written"));
    // Two that would be one are refused, and nothing is written.
    let folder = batch(&batch_text.replace("\"out.txt\"", "\"E:\\public.txt\""));
    let before = folder.names();
    let outcome = folder.quell("argus run job.arb");
    assert_eq!(outcome.code, 1, "{}", outcome.out);
    assert!(outcome.words().contains("would both be ./public.txt"), "{}", outcome.err);
    assert!(folder.read("job.log").contains("stopped: line 9"), "{}", folder.read("job.log"));
    let after: Vec<String> = folder.names().into_iter().filter(|name| name != "job.log").collect();
    assert_eq!(after, before);
}

#[test]
fn outputs_appear_together_or_not_at_all() {
    let folder = batch(BATCH);
    // The last of them cannot be put into its place.
    std::fs::create_dir_all(folder.path("out.tab/in the way")).unwrap();
    folder.write("out.txt", "old");
    let before = folder.names();
    let outcome = folder.quell("argus run job.arb log.txt");
    assert_eq!(outcome.code, 1, "{}", outcome.out);
    assert_eq!(folder.read("out.txt"), "old");
    assert!(folder.read("log.txt").contains("no table was written"), "{}", folder.read("log.txt"));
    let after: Vec<String> = folder.names().into_iter().filter(|name| name != "log.txt").collect();
    assert_eq!(after, before);
}

#[test]
fn jj_files_have_contributors_and_holdings_beside_them() {
    let folder = batch(&BATCH.replace("out.jj", "OUT.JJ"));
    folder.write("data.rda", &format!("{METADATA}Group 10 2\n  <HOLDING>\n"));
    let records: String = records().lines().map(|line| format!("{line}g1\n")).collect();
    folder.write("data.asc", &records);
    // Contributors of a table that was there before would be read with this one.
    folder.write("OUT.frq", "1 1\n");
    folder.done("argus run job.arb");
    assert!(!folder.path("OUT.frq").exists());
    let counts = folder.read("OUT.JJ.frq");
    assert!(counts.lines().any(|line| line == "36 1"), "{counts}");
    assert!(counts.lines().any(|line| line == "3 1"), "{counts}");
    let out = folder.quell("audit OUT.JJ").out;
    assert!(out.contains("tested against: the outsider; contributors"), "{out}");
}

#[test]
fn unsafe_cells_of_a_table_that_is_read_are_counted() {
    let folder = batch(BATCH);
    let made = folder.done("argus run job.arb");
    let count = |log: &str| {
        let line = log.lines().find(|line| line.contains(" unsafe")).unwrap_or_default();
        line.split_once("table 1: ").map(|(_, count)| count.to_owned()).unwrap()
    };
    folder.write(
        "again.arb",
        "<OPENTABLEDATA> \"out.tab\"\n<OPENMETADATA> \"out.rda\"\n\
         <SPECIFYTABLE> \"Size\"\"Region\"|\"Turnover\"||\n<READTABLE>\n<SUPPRESS> OPT(1)\n",
    );
    let read = folder.done("argus run again.arb");
    let last = |text: String| text.rsplit(' ').take(2).collect::<Vec<_>>().join(" ");
    assert_eq!(last(count(&read)), last(count(&made)), "{read}");
}

#[test]
fn tables_that_tau_argus_wrote_are_audited() {
    let folder = batch(&BATCH.replace(
        "<WRITETABLE> (1,6,,\"out.jj\")",
        "<WRITETABLE> (1,6,,\"out.jj\")\n<WRITETABLE> (1,4,,\"out.sbs\")\n<WRITETABLE> (1,4,HL+,\"levels.sbs\")",
    ));
    folder.done("argus run job.arb");
    let counted = |out: &str| out.lines().nth(1).unwrap_or_default().to_owned();
    let jj = counted(&folder.done("audit out.jj --contributors=no"));
    let hidden = jj.rsplit(", ").take(2).collect::<Vec<_>>();
    for arguments in [
        "out.tab",
        "out.sbs --metadata out.rda",
        "levels.sbs --metadata data.rda --dimensions Size,Region",
    ] {
        let out = folder.quell(&format!("audit {arguments} --contributors=no"));
        let own = counted(&out.out);
        assert_eq!(
            own.rsplit(", ").take(2).collect::<Vec<_>>(),
            hidden,
            "{arguments}: {}",
            out.err
        );
        assert!(out.code == 0, "{arguments}: {}", out.out);
    }
    // Before protection it was not safe.
    assert_eq!(folder.quell("audit out.tab --primaries-only").code, 2);
    let outcome = folder.quell("audit levels.sbs");
    assert_eq!(outcome.code, 1);
    assert!(outcome.words().contains("cannot read levels.rda"), "{}", outcome.err);
    let outcome = folder.quell("audit out.jj --metadata out.rda");
    assert!(outcome.words().contains("are for .tab and .sbs files"), "{}", outcome.err);
}
