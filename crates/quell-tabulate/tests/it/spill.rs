//! Merging by respondent within little memory goes to disk and changes nothing.

use std::fmt::Write as _;

use quell_model::Budget;
use quell_tabulate::{Error, Resources, Tabulated, tabulate};

use crate::survey::{file, spec, table};

/// A hundred thousand records of 65,003 firms, in no order.
fn records() -> String {
    let mut text = String::from("firm,group,branch,town,turnover,domestic,export,weight\n");
    let (branches, towns) = (["11", "12", "21"], ["N1", "N2", "S1"]);
    for record in 0..100_000_usize {
        let firm = record * 7_919 % 65_003;
        let (branch, town) = (branches[firm % 3], towns[(firm / 3 + record / 65_000) % 3]);
        let value = 1 + firm * 31 % 977;
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "a firm with a rather long name {firm:06},g{},{branch},{town},{value},{value},0,1",
            firm / 3
        );
    }
    text
}

fn within(text: &str, memory: usize, threads: usize) -> Result<Tabulated, Error> {
    let file = file(text);
    let mut spec = spec(file.path(), vec![table("turnover", &["branch", "town"], "turnover")]);
    spec.weight = None;
    let budget = Budget::default().with_threads(threads);
    tabulate(&spec, &Resources { budget, memory, ..Resources::default() })
}

#[test]
fn little_memory_means_the_disk_and_the_same_tables() {
    let text = records();
    let ample = within(&text, 1 << 30, 2).unwrap();
    assert_eq!(ample.spilled, 0);
    for threads in [1, 4] {
        let little = within(&text, 8 << 20, threads).unwrap();
        assert!(little.spilled > 1 << 20, "{} bytes went to disk", little.spilled);
        assert_eq!(little.tables, ample.tables);
    }
}

#[test]
fn too_little_memory_is_said() {
    let error = within(&records(), 1 << 10, 1).unwrap_err();
    assert!(matches!(error, Error::Resources(_)), "{error}");
}
