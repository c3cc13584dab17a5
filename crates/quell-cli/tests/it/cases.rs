//! The tables in the folder `cases/` with their expected verdicts: whoever adds a table
//! and a text file there adds a test. `cases/README.md` says how.

use std::path::{Path, PathBuf};

use crate::runner::Folder;

/// The folder with the cases.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases")
}

/// Copies all cases into a folder, or into one of its own there.
pub fn copy_into(target: &Folder, name: &str) {
    let target = target.path(name);
    std::fs::create_dir_all(&target).unwrap();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            std::fs::copy(&path, target.join(path.file_name().unwrap())).unwrap();
        }
    }
}

/// What a case expects.
#[derive(Debug, Default, PartialEq)]
struct Expected {
    /// Cells by number or name, each with its verdict.
    verdicts: Vec<(String, String)>,
    /// Cells in the order they fall, round by round, if it says so.
    unpicked: Option<Vec<Vec<String>>>,
}

fn expected(text: &str) -> Expected {
    let mut expected = Expected::default();
    let lines = text.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(cells) = line.strip_prefix("unpicked:") {
            let round = |cells: &str| cells.split_whitespace().map(String::from).collect();
            let rounds: Vec<Vec<String>> = cells.split('/').map(round).collect();
            let none = rounds.iter().all(Vec::is_empty);
            expected.unpicked = Some(if none { Vec::new() } else { rounds });
        } else {
            let (cell, verdict) = line.rsplit_once(char::is_whitespace).expect("cell verdict");
            expected.verdicts.push((cell.trim().to_owned(), verdict.to_owned()));
        }
    }
    expected
}

/// A cell as a case calls it: by its number in JJ files, else by its name.
fn call(table: &str, number: &str, name: &str) -> String {
    if table.ends_with(".jj") { number.to_owned() } else { name.to_owned() }
}

fn found(folder: &Folder, table: &str) -> Expected {
    let outcome = folder.quell(&format!("audit {table} --csv found"));
    assert_eq!(outcome.err, "", "{table}");
    let text = folder.read("found");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let verdicts: Vec<(String, String)> = reader
        .records()
        .map(|record| record.unwrap())
        .map(|record| (call(table, &record[0], &record[1]), record[2].to_owned()))
        .collect();
    let safe = verdicts.iter().all(|(_, verdict)| verdict == "safe");
    assert_eq!(outcome.code, if safe { 0 } else { 2 }, "{table}: exit code");
    let unpicked = folder.done(&format!("unpick {table} --json"));
    let unpicked: serde_json::Value = serde_json::from_str(&unpicked).unwrap();
    let mut rounds: Vec<(u64, Vec<String>)> = Vec::new();
    for exposure in unpicked["exposures"].as_array().unwrap() {
        let round = exposure["round"].as_u64().unwrap();
        let name = exposure["name"].as_str().unwrap();
        let cell = call(table, &exposure["cell"].to_string(), name);
        match rounds.last_mut() {
            Some((last, cells)) if *last == round => cells.push(cell),
            _ => rounds.push((round, vec![cell])),
        }
    }
    Expected { verdicts, unpicked: Some(rounds.into_iter().map(|(_, cells)| cells).collect()) }
}

#[test]
fn every_case_has_its_expected_verdicts() {
    let folder = Folder::new();
    copy_into(&folder, "");
    let names = folder.names();
    let mut cases = 0;
    for name in names.iter().filter_map(|name| name.strip_suffix(".expected")) {
        let table = match names.contains(&format!("{name}.jj")) {
            true => format!("{name}.jj"),
            false => format!("{name}.csv"),
        };
        let expected = expected(&folder.read(&format!("{name}.expected")));
        let mut found = found(&folder, &table);
        if expected.unpicked.is_none() {
            found.unpicked = None;
        }
        assert_eq!(found, expected, "{name}: found on the left, expected on the right");
        cases += 1;
    }
    let tables = names.iter().filter(|name| name.ends_with(".jj") || name.ends_with(".cells.csv"));
    assert_eq!(tables.count(), cases, "a table without expected verdicts");
    assert!(cases >= 12, "the cases are gone");
}
