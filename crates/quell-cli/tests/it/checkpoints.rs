//! Searches that stop and go on.

use crate::runner::Folder;

/// A table whose search takes some rounds.
fn folder() -> Folder {
    let folder = Folder::new();
    let made = folder.quell("generate ons --dims 9,8,7 --primary-share 0.15 --seed 3 --out t.jj");
    assert_eq!(made.code, 0, "{}", made.err);
    folder
}

fn cost(folder: &Folder, arguments: &str) -> f64 {
    let done = folder.quell(&format!("suppress t.jj --method local-lp --json {arguments}"));
    assert_eq!(done.code, 0, "{}", done.err);
    let summary: serde_json::Value = serde_json::from_str(&done.out).expect("JSON");
    assert_eq!(summary["safe"], true);
    summary["cost"].as_f64().expect("a cost")
}

#[test]
fn a_search_goes_on_from_its_checkpoint() {
    let folder = folder();
    let first = cost(&folder, "--work 8 --checkpoint state");
    let left = folder.read("state");
    assert!(
        left.starts_with("quell checkpoint 2\nmethod local-lp\ntable ")
            && left.ends_with("\nend\n")
    );
    let further = cost(&folder, "--work 80 --checkpoint state --resume --out safe.jj");
    assert!(further < first, "{further} after {first}");
    assert_ne!(folder.read("state"), left);
    assert_eq!(folder.quell("audit safe.jj").code, 0);
    // Nothing is left to save in no steps: what the checkpoint had, it has.
    assert!(cost(&folder, "--work 1 --checkpoint state --resume") <= further);
}

#[test]
fn hybrid_leaves_what_it_has_tried() {
    let folder = Folder::new();
    let made = folder.quell("generate ons --dims 6,5,4 --primary-share 0.15 --seed 3 --out t.jj");
    assert_eq!(made.code, 0, "{}", made.err);
    let suppress = |arguments: &str| {
        folder.quell(&format!("suppress t.jj --method hybrid --checkpoint state {arguments}"))
    };
    let first = suppress("--work 200");
    assert_eq!(first.code, 0, "{}", first.err);
    let left = folder.read("state");
    assert_eq!(suppress("--work 1000 --resume").code, 0);
    let further = folder.read("state");
    let tried = |state: &str| -> Vec<String> {
        state.lines().filter(|line| line.starts_with("tried ")).map(str::to_owned).collect()
    };
    let (before, after) = (tried(&left), tried(&further));
    assert!(!before.is_empty() && after.len() > before.len() && after.starts_with(&before));
    folder.write("state", &left.replacen("tried ", "tried x", 1));
    let refused = suppress("--resume");
    assert_eq!(refused.code, 1, "{}", refused.out);
    assert!(refused.words().contains("damaged at line"), "{}", refused.err);
}

#[test]
fn a_checkpoint_that_is_not_there_is_begun() {
    let folder = folder();
    cost(&folder, "--work 8 --checkpoint state --resume");
    assert!(folder.names().contains(&"state".to_owned()));
}

#[test]
fn checkpoints_are_neither_lost_nor_mistaken() {
    let folder = folder();
    cost(&folder, "--work 8 --checkpoint state");
    let refused = |arguments: &str, says: &str| {
        let before = folder.read("state");
        let done = folder.quell(&format!("suppress {arguments}"));
        assert_eq!(done.code, 1, "{}", done.out);
        assert!(done.words().contains(says), "{}", done.err);
        assert_eq!(folder.read("state"), before);
    };
    refused("t.jj --method local-lp --checkpoint state", "add --resume");
    refused("t.jj --method hypercube --checkpoint state --resume", "keeps no checkpoints");
    refused("t.jj --method hybrid --checkpoint state --resume", "of local-lp, not of hybrid");
    let other = folder.quell("generate ons --dims 9,8,7 --primary-share 0.15 --seed 4 --out o.jj");
    assert_eq!(other.code, 0, "{}", other.err);
    refused("o.jj --method local-lp --checkpoint state --resume", "another table");
    let whole = folder.read("state");
    for (text, place) in [
        (whole.replace("\nend\n", "\n"), "damaged at its end"),
        (whole.replacen("proof ", "proof 99999:1 ", 1), "damaged at line 6"),
        (whole.replacen("hidden ", "hidden x", 1), "damaged at line 5"),
        ("something else".to_owned(), "damaged at line 1"),
        (String::new(), "damaged at its end"),
    ] {
        folder.write("state", &text);
        refused("t.jj --method local-lp --checkpoint state --resume", place);
    }
    let done = folder.quell("suppress t.jj --checkpoint no/such/folder/state");
    assert_eq!(done.code, 1, "{}", done.out);
}
