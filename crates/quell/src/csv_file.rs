//! Results as CSV files, each whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

use quell_attack::{Interval, Unpicked};
use quell_formats::{Error as FileError, write_whole};
use quell_model::{CellId, Decimals, Problem, Value};

use crate::Error;

/// Ends of intervals are printed to this many digits beyond the table's decimals: in
/// three and more dimensions they may be fractions of a unit.
const MORE_DIGITS: u8 = 3;

/// Writes a file through `content`.
///
/// # Errors
/// If it cannot be written.
pub fn write(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), Error> {
    let failed = |source| FileError::Write { file: path.to_owned(), source };
    write_whole(path, |out| content(out).map_err(failed)).map_err(Error::from)
}

/// Writes the intervals of hidden cells: `cell,name,value,lower,upper`.
///
/// # Errors
/// If the file cannot be written.
pub fn write_intervals(
    path: &Path,
    problem: &Problem,
    intervals: &[Interval],
) -> Result<(), Error> {
    let rows = intervals.iter().map(|interval| {
        let value = problem.value(interval.cell);
        let end = |distance: f64| end(problem.decimals(), value, distance);
        [end(-interval.down), end(interval.up)]
    });
    write_bounds(path, problem, intervals.iter().map(|interval| interval.cell).zip(rows))
}

/// Writes the bounds that unpicking gives: `cell,name,value,lower,upper`.
///
/// # Errors
/// If the file cannot be written.
pub fn write_unpicked(path: &Path, problem: &Problem, unpicked: &Unpicked) -> Result<(), Error> {
    let amount = |value| problem.decimals().format(value);
    let rows = unpicked.rooms.iter().map(|&(cell, down, up)| {
        let value = problem.value(cell);
        let lower = if down == Value::MAX { "-inf".to_owned() } else { amount(value - down) };
        let upper = if up == Value::MAX { "inf".to_owned() } else { amount(value + up) };
        (cell, [lower, upper])
    });
    write_bounds(path, problem, rows)
}

fn write_bounds(
    path: &Path,
    problem: &Problem,
    rows: impl Iterator<Item = (CellId, [String; 2])>,
) -> Result<(), Error> {
    write(path, |out| {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(["cell", "name", "value", "lower", "upper"])?;
        for (cell, [lower, upper]) in rows {
            let value = problem.decimals().format(problem.value(cell));
            let name = problem.cell_name(cell);
            writer.write_record([cell.0.to_string(), name, value, lower, upper])?;
        }
        writer.flush()
    })
}

/// `value` plus a distance that need not be a whole number of units, with the table's
/// decimals where those suffice.
fn end(decimals: Decimals, value: Value, distance: f64) -> String {
    if distance.is_infinite() {
        return if distance < 0.0 { "-inf" } else { "inf" }.to_owned();
    }
    let fine = i64::from(10_u16.pow(u32::from(MORE_DIGITS)));
    let whole = distance.round();
    if (distance - whole).abs() * fine as f64 >= 0.5 && decimals.0 + MORE_DIGITS <= Decimals::MOST {
        // Fractions of a unit belong to small numbers: large ones have no such digits.
        let distance = (distance * fine as f64).round() as i64;
        let scaled = value.checked_mul(fine).and_then(|value| value.checked_add(distance));
        if let Some(scaled) = scaled {
            return Decimals(decimals.0 + MORE_DIGITS).format(scaled);
        }
    }
    decimals.format(value.saturating_add(whole as i64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_have_the_decimals_they_need() {
        assert_eq!(end(Decimals(1), 100, -25.0), "7.5");
        assert_eq!(end(Decimals(1), 100, 0.5), "10.0500");
        assert_eq!(end(Decimals(0), 10, 1.0 / 3.0), "10.333");
        assert_eq!(end(Decimals(0), 10, 2.000_000_1), "12");
        assert_eq!(end(Decimals(0), 10, -0.000_000_1), "10");
        assert_eq!(end(Decimals(2), 10, f64::INFINITY), "inf");
        assert_eq!(end(Decimals(2), 10, f64::NEG_INFINITY), "-inf");
    }
}
