//! A CSV file that says how far single cells may move, such as by their sampling errors.
//!
//! Columns `cell` and `limit`; others are ignored. A cell is given by its name, as reports
//! show it, or by its number; a limit as an amount in the table's values.

use std::collections::BTreeMap;
use std::path::Path;

use quell_formats::Error as FileError;
use quell_model::{CellId, Problem, Value};

use crate::Error;

/// The cells of a file of limits, each with its limit in the table's units, rounded down.
///
/// # Errors
/// If the file cannot be read, or a line names no cell or no limit.
pub fn read(path: &Path, problem: &Problem) -> Result<Vec<(CellId, Value)>, Error> {
    let bytes =
        std::fs::read(path).map_err(|source| FileError::Read { file: path.to_owned(), source })?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes.as_slice());
    let wrong = |line: u64, message: String| {
        Error::arguments(
            format!("{}, line {line}: {message}", path.display()),
            "a file of limits is a CSV file with the columns cell (a name or number) and limit (an amount)",
        )
    };
    let header = reader.headers().map_err(|error| wrong(1, error.to_string()))?;
    let column = |name: &str| header.iter().position(|column| column == name);
    let (Some(cell), Some(limit)) = (column("cell"), column("limit")) else {
        return Err(wrong(1, "there must be columns named cell and limit".to_owned()));
    };
    let names: BTreeMap<String, CellId> =
        problem.system().cells().map(|cell| (problem.cell_name(cell), cell)).collect();
    let find = |text: &str| {
        let numbered = || {
            let number = text.parse().ok().map(CellId)?;
            (number.index() < problem.cell_count()).then_some(number)
        };
        names.get(text).copied().or_else(numbered)
    };
    let mut limits = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| {
            wrong(error.position().map_or(0, csv::Position::line), error.to_string())
        })?;
        let line = record.position().map_or(0, csv::Position::line);
        let text = |column: usize| record.get(column).unwrap_or_default();
        let found = find(text(cell))
            .ok_or_else(|| wrong(line, format!("there is no cell \"{}\"", text(cell))))?;
        let amount = text(limit).parse::<f64>().ok().filter(|amount| *amount >= 0.0);
        let amount = amount.ok_or_else(|| {
            wrong(line, format!("\"{}\" is no limit: a number of at least 0", text(limit)))
        })?;
        // A product a hair below a whole number is that number: 0.29 · 100.
        let units = amount * problem.decimals().scale() as f64;
        limits.push((found, (units * (1.0 + f64::EPSILON)).floor() as Value));
    }
    Ok(limits)
}
