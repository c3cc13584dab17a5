//! Tables read from a file instead of records.

use std::path::Path;

use quell_formats::argus::rda::Metadata;
use quell_formats::argus::{CellStatus, arb, tab};
use quell_formats::{Exact, Text};
use quell_model::{Decimals, Dimension, Protection, Reason, Status, Value};
use quell_tabulate::{
    Additivity, Assessment, CellSummary, GivenRow, GivenTable, Response, Rules, Table, assess_all,
};

use super::classification::{self, Folders};
use crate::failure::Failure;

/// A table from a file, with what its rows say of its cells.
#[derive(Debug)]
pub struct GivenCells {
    /// The table.
    pub table: Table,
    /// What the file, or else the rules, say of each cell.
    pub assessments: Vec<Assessment>,
    /// What the file says suppression costs, a cell.
    pub costs: Vec<Option<f64>>,
}

/// Reads a table as a batch specifies it.
///
/// # Errors
/// If the file is wrong, or its totals do not add up although they should.
pub fn read(
    path: &Path,
    metadata: &Metadata,
    folders: &Folders,
    name: &str,
    spec: &arb::TableSpec,
    given: (&arb::SafetyRules, &Rules),
    totals: (arb::Totals, bool),
) -> Result<GivenCells, Failure> {
    let cost = match &spec.cost {
        arb::Cost::Variable(name) => Some(name.as_str()),
        _ => None,
    };
    let wanted =
        tab::Wanted { response: spec.response.as_deref(), shadow: spec.shadow.as_deref(), cost };
    let text = Text::read(path)?;
    let rows = tab::parse(&text, metadata, wanted)?;
    let dimensions = dimensions(metadata, folders, spec, &rows)?;
    let order: Vec<usize> = spec
        .explanatory
        .iter()
        .filter_map(|name| {
            rows.dimensions.iter().position(|other| other.eq_ignore_ascii_case(name))
        })
        .collect();
    let decimals = decimals(&rows);
    let table = GivenTable {
        name: name.to_owned(),
        dimensions,
        response: spec.response.clone().map_or(Response::Frequency, Response::Variable),
        decimals,
        cost_decimals: Decimals(0),
        rows: rows.rows.iter().map(|row| given_row(row, &order, decimals)).collect(),
    };
    let additivity = match totals.0 {
        arb::Totals::Check => Additivity::Check,
        arb::Totals::Recompute => Additivity::Recompute,
        arb::Totals::NotRequired => Additivity::Allow,
    };
    let (table, from) = table.build(additivity).map_err(|error| {
        Failure::arguments(format!("{}: {error}", path.display()), "see <READTABLE> 0, 1 and 2")
    })?;
    let mut assessments = assess_all(&table, given.1);
    let is_total = |cell: usize| !table.cube.is_base(quell_model::CellId::from_index(cell));
    let recomputed = additivity == Additivity::Recompute && !totals.1;
    if given.0.use_given_status() {
        for (cell, row) in from.iter().enumerate() {
            let Some(row) = row.map(|row| &rows.rows[row]) else { continue };
            if !(recomputed && is_total(cell)) {
                assessments[cell] = assessment(row, &table.cells[cell], given.1, decimals);
            }
        }
    }
    let costs = from.iter().map(|row| row.and_then(|row| rows.rows[row].cost)).collect();
    Ok(GivenCells { table, assessments, costs })
}

fn dimensions(
    metadata: &Metadata,
    folders: &Folders,
    spec: &arb::TableSpec,
    rows: &tab::Table,
) -> Result<Vec<Dimension>, Failure> {
    let mut dimensions = Vec::new();
    for name in &spec.explanatory {
        let variable = metadata.variable(name).ok_or_else(|| unknown(name))?;
        let column = rows
            .dimensions
            .iter()
            .position(|other| other.eq_ignore_ascii_case(name))
            .ok_or_else(|| unknown(name))?;
        let mut codes: Vec<String> = rows
            .rows
            .iter()
            .map(|row| row.codes[column].clone())
            .filter(|code| code.trim() != variable.total() && !code.trim().is_empty())
            .collect();
        codes.sort();
        codes.dedup();
        let hierarchy = classification::hierarchy(variable, &codes, folders)?;
        dimensions.push(Dimension::new(name, hierarchy));
    }
    Ok(dimensions)
}

/// A variable that the metadata do not have.
pub fn unknown(name: &str) -> Failure {
    Failure::arguments(
        format!("the metadata have no spanning variable \"{name}\""),
        "see <SPECIFYTABLE> and the .rda file",
    )
}

/// The decimals that all numbers of a table need.
fn decimals(table: &tab::Table) -> Decimals {
    let numbers = table.rows.iter().flat_map(|row| {
        let levels = [row.value, row.shadow, row.lower, row.upper];
        levels.into_iter().flatten().chain(row.tops.iter().copied())
    });
    Decimals(numbers.map(|number| number.decimals).max().unwrap_or(0))
}

fn units(number: Exact, decimals: Decimals) -> Option<Value> {
    let finer = decimals.0.checked_sub(number.decimals)?;
    number.digits.checked_mul(Decimals(finer).scale())
}

fn given_row(row: &tab::Row, order: &[usize], decimals: Decimals) -> GivenRow {
    let units = |number: Exact| units(number, decimals);
    GivenRow {
        line: row.line as u64,
        codes: order.iter().map(|&column| row.codes[column].clone()).collect(),
        value: row.value.and_then(units),
        frequency: row.frequency.map(u64::from),
        shadow: row.shadow.and_then(units),
        top: row.tops.iter().copied().filter_map(units).collect(),
        ..GivenRow::default()
    }
}

/// What a row says of its cell.
fn assessment(
    row: &tab::Row,
    summary: &CellSummary,
    rules: &Rules,
    decimals: Decimals,
) -> Assessment {
    let status = match row.status {
        Some(status) if status.is_unsafe() => Status::Primary(Reason::Given),
        Some(CellStatus::Protected | CellStatus::Empty | CellStatus::EmptyNonStructural) => {
            Status::Protected
        }
        Some(CellStatus::Secondary | CellStatus::SecondaryManual) => Status::Secondary,
        _ => Status::Safe,
    };
    let size = summary.value.unsigned_abs().min(Value::MAX as u64) as f64;
    // τ-ARGUS: levels that are not given are the manual margin, at most the value itself.
    let usual = ((size * rules.manual_margin / 100.0).ceil()).min(size).max(1.0) as Value;
    let level =
        |given: Option<Exact>| given.and_then(|level| units(level, decimals)).unwrap_or(usual);
    let protection = match status {
        Status::Primary(_) => {
            Protection { lower: level(row.lower), upper: level(row.upper), sliding: 0 }
        }
        _ => Protection::default(),
    };
    Assessment { status, by_hand: false, protection, violated: Vec::new() }
}
