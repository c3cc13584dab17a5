//! Tabulating a file of generated records: branch × region × size × form, with the two largest
//! contributions to every cell and total. `bench/tabulate_peers.py` makes the file and runs the
//! same by hand in Polars and DuckDB.

use std::error::Error;
use std::path::PathBuf;

use clap::Args;
use quell_data::Records;
use quell_model::{Budget, Decimals, Dimension, Hierarchy};
use quell_tabulate::{Axis, CodeMatch, Resources, Response, Spec, Table, TableSpec, tabulate};

use crate::measure::{measured, peak_memory};
use crate::results::{self, Circumstances, grouped};

/// Tabulate a file made by `tabulate_peers.py`.
#[derive(Debug, Args)]
pub struct TabulateArguments {
    /// The file: Parquet, or CSV with a header.
    data: PathBuf,
    /// Threads; all processors if not given.
    #[arg(long)]
    threads: Option<usize>,
    /// Merge records by this variable.
    #[arg(long)]
    respondent: Option<String>,
}

const COLUMNS: [&str; 10] = [
    "file",
    "respondents",
    "records",
    "cells",
    "seconds",
    "cpu",
    "peak_mib",
    "value",
    "first",
    "second",
];

/// Runs the measurement.
pub fn run(arguments: &TabulateArguments) -> Result<(), Box<dyn Error>> {
    let circumstances = Circumstances::now();
    let mut budget = Budget::default();
    if let Some(threads) = arguments.threads {
        budget = budget.with_threads(threads);
    }
    let spec = spec(arguments)?;
    let resources = Resources { budget, ..Resources::default() };
    let (tabulated, cost) = measured(|| tabulate(&spec, &resources));
    let tabulated = tabulated?;
    let table = &tabulated.tables[0];
    let [value, first, second] = checksums(table);
    let name = arguments.data.extension().unwrap_or_default().to_string_lossy().into_owned();
    let row = vec![
        name,
        arguments.respondent.clone().unwrap_or_else(|| "records".to_owned()),
        tabulated.records.to_string(),
        table.cells.len().to_string(),
        format!("{:.2}", cost.wall),
        format!("{:.2}", cost.cpu),
        format!("{:.0}", peak_memory()),
        value.to_string(),
        first.to_string(),
        second.to_string(),
    ];
    println!("{}\n", circumstances.describe());
    println!(
        "{} records, {} cells",
        grouped(tabulated.records as usize),
        grouped(table.cells.len())
    );
    results::print(&COLUMNS, std::slice::from_ref(&row));
    results::log("tabulate", &COLUMNS, [row], &circumstances)
}

/// Sums over all cells, to compare with others: values, largest and second largest.
fn checksums(table: &Table) -> [i128; 3] {
    let mut sums = [0_i128; 3];
    for summary in &table.cells {
        sums[0] += i128::from(summary.value);
        for (sum, entry) in sums[1..].iter_mut().zip(summary.respondents.top.entries()) {
            *sum += i128::from(entry.value);
        }
    }
    sums
}

fn spec(arguments: &TabulateArguments) -> Result<Spec, Box<dyn Error>> {
    let mut records = Records::open(&arguments.data)?;
    records.variable_mut("turnover")?.decimals = Some(Decimals(2));
    let axis = |name: &str, hierarchy: Hierarchy| Axis {
        dimension: Dimension::new(name, hierarchy),
        variable: name.to_owned(),
        codes: CodeMatch::Exact,
    };
    let axes = vec![
        axis("branch", by_digits(&[letters(20), digits(6), digits(5)])?),
        axis("region", by_digits(&[letters(10), letters(20)])?),
        axis("size", by_digits(&[digits(6)])?),
        axis("form", by_digits(&[digits(4)])?),
    ];
    Ok(Spec {
        records,
        tables: vec![TableSpec {
            name: "turnover".to_owned(),
            dimensions: axes.iter().map(|axis| axis.dimension.name.clone()).collect(),
            response: Response::Variable("turnover".to_owned()),
            shadow: None,
            cost: None,
            weighted: false,
            top: 2,
        }],
        axes,
        respondent: arguments.respondent.clone(),
        holding: None,
        request: None,
        waiver: None,
        weight: None,
    })
}

fn letters(count: u8) -> Vec<char> {
    (0..count).map(|letter| char::from(b'A' + letter)).collect()
}

fn digits(count: u8) -> Vec<char> {
    (0..count).map(|digit| char::from(b'0' + digit)).collect()
}

/// A classification in which every character is a level.
fn by_digits(levels: &[Vec<char>]) -> Result<Hierarchy, Box<dyn Error>> {
    let (mut codes, mut parents) = (vec!["Total".to_owned()], vec![None]);
    let mut above = vec![(String::new(), 0)];
    for level in levels {
        let mut next = Vec::new();
        for (prefix, parent) in &above {
            for digit in level {
                next.push((format!("{prefix}{digit}"), codes.len() as u32));
                codes.push(format!("{prefix}{digit}"));
                parents.push(Some(*parent));
            }
        }
        above = next;
    }
    Ok(Hierarchy::from_parents(codes, &parents)?)
}
