//! `quell adjust`, jobs that adjust, and CTA in batch files.

use crate::job;
use crate::runner::Folder;

fn table() -> Folder {
    let folder = Folder::new();
    folder.done("generate cta --sizes 4,4 --seed 2 --out t.jj");
    folder
}

#[test]
fn an_adjusted_table_is_safe_and_tells_nothing_else() {
    let folder = table();
    let text = folder.done("adjust t.jj --time 2s --out a.csv --attack --report r.html --json");
    let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(summary["safe"], true);
    assert_eq!(summary["breaches"], 0);
    assert!(summary["cost"].as_f64().unwrap() >= summary["lower_bound"].as_f64().unwrap());
    assert!(summary["attack"]["attacked"].as_u64().unwrap() > 0);
    let cells = folder.read("a.cells.csv");
    assert!(!cells.contains(",u,") && !cells.contains("primary"), "{cells}");
    assert!(folder.read("r.html").contains("How much the table has changed"));
    assert!(folder.done("adjust t.jj --check a.csv").contains("SAFE"));
}

#[test]
fn an_unadjusted_table_fails_the_check() {
    let folder = table();
    let outcome = folder.quell("adjust t.jj --check t.jj");
    assert_eq!(outcome.code, 2);
    assert!(outcome.words().contains("not a safe distance"), "{}", outcome.err);
}

#[test]
fn wrong_options_are_told() {
    let folder = table();
    for (options, words) in [
        ("--method best", "there is no method \"best\""),
        ("--keep mode=1", "is no statistic to keep"),
        ("--fixed 9999", "does not exist"),
        ("--limit-percent 0", "no adjusted table keeps all that is asked"),
    ] {
        let outcome = folder.quell(&format!("adjust t.jj --time 2s {options}"));
        assert_eq!(outcome.code, 1, "{options}: {}", outcome.err);
        assert!(outcome.words().contains(words), "{options}: {}", outcome.err);
    }
}

#[test]
fn limits_of_single_cells_come_from_a_file() {
    let folder = table();
    // Cell 0 is the grand total of this table: without a limit it moves.
    folder.write("limits.csv", "cell,name,limit\n0,total,0\n");
    folder.done("adjust t.jj --time 1s --limits limits.csv --out a.csv");
    let total = |file: &str| folder.read(file).lines().nth(1).unwrap().to_owned();
    folder.done("convert t.jj true.csv");
    let value = |line: String| line.split(',').nth(1).unwrap().to_owned();
    assert_eq!(value(total("a.cells.csv")), value(total("true.cells.csv")));
    for (text, words) in [
        ("cell,amount\n0,1\n", "columns named cell and limit"),
        ("cell,limit\nnowhere,1\n", "line 2: there is no cell \"nowhere\""),
        ("cell,limit\n0,1\n3,-1\n", "line 3: \"-1\" is no limit"),
    ] {
        folder.write("limits.csv", text);
        let outcome = folder.quell("adjust t.jj --time 1s --limits limits.csv");
        assert_eq!(outcome.code, 1, "{}", outcome.err);
        assert!(outcome.words().contains(words), "{text}: {}", outcome.err);
    }
}

#[test]
fn a_job_that_adjusts_publishes_every_cell() {
    let formats = "formats = [\"csv\"]\n[protect]\napproach = \"adjust\"\ntime = \"2s\"\n";
    let from = job::JOB.lines().find(|line| line.starts_with("formats")).unwrap();
    let folder = job::changed(from, formats);
    let text = folder.done("protect job.toml");
    assert!(text.contains("SAFE"), "{text}");
    let table = folder.read("out/turnover.csv");
    assert!(table.lines().skip(1).all(|line| line.contains("published")), "{table}");
    assert!(folder.read("out-office/report.html").contains("Adjustment report"));
}

#[test]
fn a_job_that_adjusts_refuses_formats_with_true_contributions() {
    let folder = job::changed("[release]", "[protect]\napproach = \"adjust\"\n\n[release]");
    job::refused(&folder, &["csv, xlsx or parquet"]);
}
