//! Every key by which a comment or a page names a work stands in the bibliography.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The sources and pages under a folder.
fn texts(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let files = paths.flat_map(|path| match path.extension().and_then(|end| end.to_str()) {
        Some("rs" | "md") => vec![path],
        None if path.is_dir() && !path.ends_with("target") => texts(&path),
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

#[test]
fn every_work_that_is_named_by_its_key_stands_in_the_bibliography() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/bibliography.md")).expect("the bibliography");
    let known: BTreeSet<&str> =
        page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    assert!(known.len() > 40, "{known:?}");
    let mut used = BTreeSet::new();
    for file in ["crates", "bench", "docs"].into_iter().flat_map(|part| texts(&root.join(part))) {
        if file.ends_with("bibliography.md") {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a text");
        used.extend(keys(&text).map(str::to_owned));
    }
    let unknown: Vec<&String> = used.iter().filter(|key| !known.contains(key.as_str())).collect();
    assert!(unknown.is_empty(), "not in docs/bibliography.md: {unknown:?}");
}
