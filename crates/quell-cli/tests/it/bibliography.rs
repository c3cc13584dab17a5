//! Every key by which a comment or a page names a work stands in the bibliography, and every work
//! there is named somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The sources and pages under a folder.
fn texts(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let files = paths.flat_map(|path| match path.extension().and_then(|end| end.to_str()) {
        Some("rs" | "md") => vec![path],
        None if path.is_dir() && !["target", "corpus"].iter().any(|name| path.ends_with(name)) => {
            texts(&path)
        }
        _ => Vec::new(),
    });
    files.collect()
}

/// The keys in a text: a name in small letters, a hyphen and a year.
fn keys(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    text.split(move |letter| !is_part(letter)).filter_map(|word| {
        let mut parts = word.splitn(3, '-');
        let (name, year) = (parts.next()?, parts.next()?);
        let named = name.len() > 1 && name.bytes().all(|letter| letter.is_ascii_lowercase());
        let dated = year.len() == 4 && matches!(&year[..2], "19" | "20");
        let dated = dated && year.bytes().all(|digit| digit.is_ascii_digit());
        (named && dated).then(|| &word[..name.len() + 1 + year.len()])
    })
}

/// The keys that stand in the bibliography.
fn known(root: &Path) -> BTreeSet<String> {
    let page = fs::read_to_string(root.join("docs/bibliography.md")).expect("the bibliography");
    let key = |line: &str| Some(line.strip_prefix("| `")?.split('`').next()?.to_owned());
    page.lines().filter_map(key).collect()
}

/// The keys that are used in the sources and the pages.
fn used(root: &Path) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    let folders = ["crates", "bench", "docs", "cases", "examples", "fuzz", "python"];
    let mut files: Vec<PathBuf> = folders.iter().flat_map(|part| texts(&root.join(part))).collect();
    files.extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|page| root.join(page)));
    for file in files {
        if !file.ends_with("bibliography.md") {
            let text = fs::read_to_string(&file).expect("a text");
            used.extend(keys(&text).map(str::to_owned));
        }
    }
    used
}

#[test]
fn the_works_that_are_named_are_those_of_the_bibliography() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (known, used) = (known(&root), used(&root));
    assert!(known.len() > 40, "{known:?}");
    let unknown: Vec<&String> = used.difference(&known).collect();
    assert!(unknown.is_empty(), "not in docs/bibliography.md: {unknown:?}");
    let idle: Vec<&String> = known.difference(&used).collect();
    assert!(idle.is_empty(), "in docs/bibliography.md, but followed nowhere: {idle:?}");
}
