//! `quell compare` and `quell suppress` on one table.

use serde_json::Value;

use crate::runner::Folder;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.done("generate ons --dims 7,6,5 --primary-share 0.15 --seed 3 --out t.jj");
    folder
}

#[test]
fn a_method_that_declines_does_not_end_the_comparison() {
    let folder = folder();
    let out = folder.done("compare t.jj --methods heurgene,hypercube,gensup --time 60s");
    assert!(out.contains("heurgene declined: "), "{out}");
    assert!(out.contains("gensup declined: ") && out.contains("two-way"), "{out}");
    let json = folder.done("compare t.jj --methods heurgene,hypercube --json");
    let rows: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(rows[0]["method"], "heurgene");
    assert!(rows[0]["declined"].as_str().unwrap().contains("two-way"), "{json}");
    assert_eq!((&rows[1]["method"], &rows[1]["safe"]), (&"hypercube".into(), &true.into()));
}

#[test]
fn without_time_nothing_is_called_safe_and_nothing_written() {
    let folder = folder();
    let outcome = folder.quell("suppress t.jj --method hypercube --time 0s --out safe.jj");
    assert_eq!(outcome.code, 2, "{}", outcome.err);
    // What is found exposed in no time is not safe, the rest is not proven.
    assert!(outcome.out.contains(": nothing was written"), "{}", outcome.out);
    assert!(!folder.names().contains(&"safe.jj".to_owned()));
    let outcome = folder.quell("suppress t.jj --method hypercube --time 0s --json");
    let summary: Value = serde_json::from_str(&outcome.out).unwrap();
    assert_eq!(summary["safe"], false);
    assert_ne!(summary["verdict"], "safe");
}

#[test]
fn a_name_that_is_no_method_is_told_before_any_work() {
    let outcome = folder().quell("compare t.jj --methods hypercube,nonsense");
    assert_eq!((outcome.code, outcome.out.as_str()), (1, ""));
    assert!(outcome.words().contains("there is no method \"nonsense\""), "{}", outcome.err);
}
