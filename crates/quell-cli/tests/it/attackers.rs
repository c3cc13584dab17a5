//! Against whom jobs, tables and batches are tested; nobody learns who contributes.

use std::io::Read;
use std::path::{Path, PathBuf};

use arrow::array::{Array, AsArray};
use arrow::datatypes::DataType;

use crate::argus::{BATCH, batch};
use crate::given::{CELLS, JOB as GIVEN, given};
use crate::job::{JOB, changed, refused, small};
use crate::report::survey;
use crate::runner::Folder;

const CONTRIBUTORS: &str = "tested against: the outsider; contributors (a holding is one of them)";
const NOT_ASKED: &str = "not tested against contributors: this was not asked for";
const NOT_KNOWN: &str = "not tested against contributors: the data do not say how many contribute";

/// The small job with this in `[attacker]`.
fn with_attacker(text: &str) -> Folder {
    changed("[release]\n", &format!("[attacker]\n{text}\n\n[release]\n"))
}

/// What a command says, whatever comes of the table.
fn said(folder: &Folder, arguments: &str) -> String {
    let outcome = folder.quell(arguments);
    assert_ne!(outcome.code, 1, "{}", outcome.err);
    outcome.out
}

#[test]
fn contributors_to_records_are_attackers_unless_the_job_says_no() {
    let usual = said(&small(), "protect job.toml");
    assert!(usual.contains(CONTRIBUTORS), "{usual}");
    let yes = said(&with_attacker("contributors = true"), "protect job.toml");
    assert!(yes.contains(CONTRIBUTORS), "{yes}");
    let folder = with_attacker("contributors = false");
    let no = said(&folder, "protect job.toml");
    assert!(no.contains(NOT_ASKED), "{no}");
    let report = folder.read("out-office/report.html");
    assert!(report.contains(NOT_ASKED), "the report does not say it");
    // Whoever runs the job has the last word.
    let asked = said(&folder, "protect job.toml --contributors");
    assert!(asked.contains(CONTRIBUTORS), "{asked}");
    let left = said(&small(), "protect job.toml --contributors=no");
    assert!(left.contains(NOT_ASKED), "{left}");
}

#[test]
fn what_an_attacker_knows_and_who_attacks_are_two_things() {
    let folder = with_attacker("knows = \"nothing\"\ncontributors = true");
    let out = said(&folder, "protect job.toml");
    assert!(out.contains(CONTRIBUTORS), "{out}");
    refused(&with_attacker("contributors = \"some\""), &["contributors"]);
}

#[test]
fn sums_are_judged_by_rules_by_numbers_or_not_at_all() {
    for (sums, words) in [
        ("rules", "; sums of hidden cells\n"),
        ("frequency", "; sums of hidden cells with too few contributors\n"),
        ("none", "; not tested against sums of hidden cells: this was not asked for\n"),
    ] {
        let out = said(&with_attacker(&format!("sums = \"{sums}\"")), "protect job.toml");
        assert!(out.contains(&format!("{CONTRIBUTORS}{words}")), "{sums}: {out}");
    }
    refused(&with_attacker("sums = \"all\""), &["sums"]);
    let alone = said(&with_attacker("parts = false"), "protect job.toml");
    assert!(alone.contains("contributors who are alone in a cell"), "{alone}");
    let folder = small();
    folder.done("tabulate job.toml --out T.jj");
    let job = "[system]\nfile = \"T.jj\"\n[release]\nfolder = \"out\"\nformats = [\"csv\"]\n";
    folder.write("job.toml", &format!("{job}[attacker]\nsums = \"none\"\n"));
    let out = said(&folder, "protect job.toml");
    assert!(out.contains("not tested against sums"), "{out}");
}

#[test]
fn a_given_table_must_say_how_many_contribute() {
    let out = said(&given(GIVEN, CELLS), "protect job.toml");
    assert!(out.contains(CONTRIBUTORS), "{out}");
    // Without the column, and with statuses instead of rules.
    let lines = CELLS.lines().enumerate().map(|(number, line)| {
        let fields: Vec<&str> = line.split(',').collect();
        let status = match (number, fields[3]) {
            (0, _) => "status",
            (_, "2") => "U",
            _ => "S",
        };
        format!("{},{},{},{status}\n", fields[0], fields[1], fields[2])
    });
    let cells: String = lines.collect();
    let columns = "frequency = \"firms\", top = [\"first\", \"second\"]";
    let job = GIVEN.replace(columns, "status = \"status\"").replace(", \"intermediate\"", "");
    let folder = given(&job, &cells);
    let out = said(&folder, "protect job.toml");
    assert!(out.contains(NOT_KNOWN), "{out}");
    std::fs::remove_dir_all(folder.path("out")).unwrap();
    folder.write("job.toml", &format!("{job}\n[attacker]\ncontributors = true\n"));
    refused(&folder, &["\"Turnover\" does not say how many contribute", "frequency ="]);
}

#[test]
fn a_whole_system_may_say_how_many_contribute() {
    let folder = small();
    folder.done("tabulate job.toml --out T.jj");
    let job = "[system]\nfile = \"T.jj\"\n[release]\nfolder = \"out\"\nformats = [\"csv\"]\n";
    folder.write("job.toml", job);
    let out = said(&folder, "protect job.toml");
    assert!(out.contains(CONTRIBUTORS), "{out}");
    folder.write("job.toml", &format!("{job}[attacker]\ncontributors = false\n"));
    let out = said(&folder, "protect job.toml");
    assert!(out.contains(NOT_ASKED), "{out}");
    std::fs::remove_dir_all(folder.path("out")).unwrap();
    std::fs::remove_file(folder.path("T.frq")).unwrap();
    folder.write("job.toml", &format!("{job}[attacker]\ncontributors = true\n"));
    refused(&folder, &["T.jj does not say how many contributed", "T.frq"]);
}

#[test]
fn adjusted_tables_are_not_tested_against_contributors() {
    let job = JOB.replace("\"csv\", \"parquet\", \"xlsx\", \"code-value\", \"pivot\", \"sbs\", \"intermediate\", \"jj\"", "\"csv\"");
    let folder = small();
    folder.write("job.toml", &format!("{job}\n[protect]\napproach = \"adjust\"\n"));
    let out = said(&folder, "protect job.toml");
    assert!(out.contains("not tested against contributors"), "{out}");
    std::fs::remove_dir_all(folder.path("out")).unwrap();
    let job = format!("{job}\n[protect]\napproach = \"adjust\"\n[attacker]\ncontributors = true\n");
    folder.write("job.toml", &job);
    refused(&folder, &["adjusted tables are not tested against contributors"]);
}

#[test]
fn every_command_on_a_table_takes_the_same_word() {
    let folder = small();
    folder.done("tabulate job.toml --out T.jj");
    for command in ["suppress T.jj", "compare T.jj --methods hypercube", "audit T.jj"] {
        for when in ["", " --contributors=auto", " --contributors", " --contributors=yes"] {
            let out = said(&folder, &format!("{command}{when}"));
            assert!(out.contains(CONTRIBUTORS), "{command}{when}: {out}");
        }
        let out = said(&folder, &format!("{command} --contributors=no"));
        assert!(out.contains(NOT_ASKED), "{command}: {out}");
    }
    std::fs::remove_file(folder.path("T.frq")).unwrap();
    for command in ["suppress T.jj", "compare T.jj --methods hypercube", "audit T.jj"] {
        let out = said(&folder, command);
        assert!(out.contains(NOT_KNOWN), "{command}: {out}");
        let outcome = folder.quell(&format!("{command} --contributors"));
        assert_eq!(outcome.code, 1, "{command}");
        assert!(outcome.words().contains("T.jj does not say how many contributed"));
        assert!(outcome.words().contains("put the contributors of T.jj into T.frq"));
    }
}

#[test]
fn parameters_of_a_batch_for_singletons_are_honoured() {
    let log = |suppress: &str| {
        let folder = batch(&BATCH.replace("MOD(1,5,1,1,1)", suppress));
        folder.quell("argus run job.arb log.txt");
        folder.read("log.txt")
    };
    for suppress in ["MOD(1,5,1,1,1)", "MOD(1)", "MOD(1,5,0,1,0)", "GH(1,75,0,1)", "OPT(1,5)"] {
        let log = log(suppress);
        assert!(log.contains(&format!("line 7: {CONTRIBUTORS}")), "{suppress}: {log}");
    }
    for suppress in ["MOD(1,5,0,0,0)", "GH(1,75,0,0)"] {
        let log = log(suppress);
        assert!(
            log.contains("line 7: tested against: the outsider; not tested"),
            "{suppress}: {log}"
        );
    }
}

/// All files in a folder and the folders in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(self::files(&path)) } else { files.push(path) }
    }
    files
}

/// What a file says, unpacked.
fn unpacked(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap();
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("xlsx") => unzipped(&bytes),
        Some("parquet") => parquet_texts(path),
        _ => bytes,
    }
}

/// The parts of a zip file, by its directory at the end.
fn unzipped(bytes: &[u8]) -> Vec<u8> {
    let number = |at: usize, length: usize| {
        bytes[at..at + length].iter().rev().fold(0, |all, &byte| all << 8 | usize::from(byte))
    };
    let mut parts = Vec::new();
    for at in 0..bytes.len() - 46 {
        if bytes[at..].starts_with(b"PK\x01\x02") {
            let (packed, local) = (number(at + 20, 4), number(at + 42, 4));
            let start = local + 30 + number(local + 26, 2) + number(local + 28, 2);
            let data = &bytes[start..start + packed];
            match number(at + 10, 2) {
                0 => parts.extend_from_slice(data),
                _ => {
                    let mut part = flate2::read::DeflateDecoder::new(data);
                    part.read_to_end(&mut parts).unwrap();
                }
            }
        }
    }
    assert!(parts.len() > 1000, "a workbook without content");
    parts
}

/// The texts and the schema of a Parquet file.
fn parquet_texts(path: &Path) -> Vec<u8> {
    let file = std::fs::File::open(path).unwrap();
    let reader = parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file);
    let reader = reader.unwrap();
    let mut texts = format!("{:?}", reader.schema());
    for batch in reader.build().unwrap() {
        for column in batch.unwrap().columns() {
            let column = arrow::compute::cast(column, &DataType::Utf8).unwrap();
            let column = column.as_string::<i32>();
            (0..column.len()).for_each(|row| texts.push_str(column.value(row)));
        }
    }
    texts.into_bytes()
}

#[test]
fn no_file_of_the_example_says_who_contributes() {
    let folder = survey();
    let job = folder.read("examples/survey/job.toml");
    let formats = "[\"csv\", \"parquet\", \"xlsx\", \"code-value\", \"jj\"]";
    assert!(job.contains(formats));
    let all = "[\"csv\", \"parquet\", \"xlsx\", \"code-value\", \"pivot\", \"sbs\", \"intermediate\", \"jj\"]";
    folder.write("examples/survey/job.toml", &job.replace(formats, all));
    let outcome = folder.quell("protect examples/survey/job.toml --out out --release-unsafe");
    folder.done("tabulate examples/survey/job.toml --out out/tables.csv");
    let system = folder.quell("suppress out/tables.csv --method hypercube --out out/again.csv");
    // A search leaves its state behind, and an audit tells all it knows.
    folder.quell("suppress out/tables.csv --method local-lp --work 5 --checkpoint out/state");
    assert!(folder.path("out/state").is_file());
    let audit = folder.quell("audit out/tables.csv --json");
    let files = files(&folder.path("out"));
    assert!(files.len() > 12, "{files:?}");
    let mut said =
        vec![("the command".to_owned(), format!("{outcome:?}{system:?}{audit:?}").into_bytes())];
    said.extend(files.iter().map(|path| (path.display().to_string(), unpacked(path))));
    // Firms and holdings are called F and six digits.
    for (name, bytes) in said {
        let found = bytes
            .windows(7)
            .find(|seven| seven[0] == b'F' && seven[1..].iter().all(u8::is_ascii_digit));
        let found = found.map(String::from_utf8_lossy);
        assert_eq!(found, None, "{name} tells a contributor");
    }
    let survey = folder.read("examples/survey/survey.csv");
    assert!(
        survey.lines().skip(1).all(|line| line.starts_with('F') && line[7..].starts_with(",F"))
    );
}
