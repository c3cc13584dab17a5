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
fn a_job_that_adjusts_publishes_every_cell() {
    let formats = "formats = [\"csv\"]\n[protect]\napproach = \"adjust\"\ntime = \"2s\"\n";
    let from = job::JOB.lines().find(|line| line.starts_with("formats")).unwrap();
    let folder = job::changed(from, formats);
    let text = folder.done("protect job.toml");
    assert!(text.contains("SAFE"), "{text}");
    let table = folder.read("out/turnover.csv");
    assert!(table.lines().skip(1).all(|line| line.contains("published")), "{table}");
    assert!(folder.read("out/office/report.html").contains("Adjustment report"));
}

#[test]
fn a_job_that_adjusts_refuses_formats_with_true_contributions() {
    let folder = job::changed("[release]", "[protect]\napproach = \"adjust\"\n\n[release]");
    job::refused(&folder, &["csv, xlsx or parquet"]);
}
