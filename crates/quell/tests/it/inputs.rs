//! Inputs that change while they are read.

use std::path::Path;

use quell::{Context, Error, Job, Progress};

const FIRMS: &str = "region,turnover\nN,900\nN,20\nN,30\nS,30\nS,40\nS,50\n";

const TABLE: &str = "\
data = { file = \"firms.csv\" }
dimension = [{ name = \"region\" }]
rules = { frequency = { minimum = 3 } }
[[table]]
name = \"Turnover\"
dimensions = [\"region\"]
response = \"turnover\"
";

const PEOPLE: &str = "town,job\nA,clerk\nA,clerk\nB,clerk\nB,clerk\nB,mayor\n";

const MICRO: &str = "\
[micro]
file = \"people.csv\"
keys = [\"town\", \"job\"]
threshold = 2
";

/// Saves a file when a stage begins.
struct Saves<'a> {
    stage: &'static str,
    file: &'a Path,
    text: &'static str,
}

impl Progress for Saves<'_> {
    fn stage(&self, name: &str, _total: Option<u64>) {
        if name == self.stage {
            std::fs::write(self.file, self.text).unwrap();
        }
    }

    fn advance(&self, _steps: u64) {}
}

fn changed(error: &Error, name: &str) -> bool {
    error.to_string().contains(&format!("{name} changed while it was read"))
}

#[test]
fn records_saved_while_they_are_tabulated_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("firms.csv");
    // Other values, and the same ones in another order, of the same length.
    for text in [FIRMS.replace("900", "800"), FIRMS.replace("S,30\nS,40", "S,40\nS,30")] {
        std::fs::write(&file, FIRMS).unwrap();
        let job = Job::from_toml(TABLE, folder.path()).unwrap();
        let text: &'static str = Box::leak(text.into_boxed_str());
        let saves = Saves { stage: "applying the rules", file: &file, text };
        let context = Context { progress: &saves, ..Context::default() };
        let error = quell::run(&job, &context).unwrap_err();
        assert!(changed(&error, "firms.csv"), "{error}");
    }
}

#[test]
fn records_saved_before_they_are_released_are_noticed_and_the_old_release_stays() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("people.csv"), folder.path().join("out"));
    std::fs::write(&file, PEOPLE).unwrap();
    let job = Job::from_toml(MICRO, folder.path()).unwrap();
    quell::run(&job, &Context::default()).unwrap().write(&out).unwrap();
    let old = std::fs::read_to_string(out.join("people.csv")).unwrap();
    assert!(!old.contains("mayor") || !old.contains("B,mayor"), "{old}");
    let release = quell::run(&job, &Context::default()).unwrap();
    // The same records in another order: the third would lose its value, and the mayor not.
    let (head, rest) = PEOPLE.split_once('\n').unwrap();
    let turned: Vec<&str> = rest.lines().rev().collect();
    std::fs::write(&file, format!("{head}\n{}\n", turned.join("\n"))).unwrap();
    let error = release.write(&out).unwrap_err();
    assert!(changed(&error, "people.csv"), "{error}");
    assert_eq!(std::fs::read_to_string(out.join("people.csv")).unwrap(), old);
    let names = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 3, "the records, and the old release in two folders");
}

#[test]
fn a_marker_that_is_a_code_is_refused_before_the_search() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("people.csv"), PEOPLE).unwrap();
    let job = Job::from_toml(format!("{MICRO}marker = \"B\"\n"), folder.path()).unwrap();
    let error = quell::run(&job, &Context::default()).unwrap_err().to_string();
    assert!(error.contains("cannot be marked \"B\": that is one of its codes"), "{error}");
}
