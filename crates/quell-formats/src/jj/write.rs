//! The JJ writer.

use std::io::Write;
use std::path::Path;

use quell_model::{Problem, Status, UNBOUNDED_ABOVE, UNBOUNDED_BELOW, Value};

use super::frequencies;
use crate::number::{print_value, print_weight, print_whole};
use crate::{Error, write_whole};

/// Bytes collected before they go out.
const CHUNK: usize = 1 << 16;

/// Writes a problem as a JJ file, whole or not at all, and its contributors, if known,
/// into the `.frq` file beside it. To write a pattern, give the problem its statuses:
/// `problem.with_statuses(pattern.statuses(&problem))`.
///
/// # Errors
/// If the file cannot be written, or a cost is not a finite number.
pub fn write(path: &Path, problem: &Problem) -> Result<(), Error> {
    write_whole(path, |out| print(out, problem).map_err(|error| at_path(error, path)))?;
    // An old one would be read with the new table.
    while let Some(old) = frequencies::find_beside(path) {
        std::fs::remove_file(&old).map_err(|error| Error::write(&old, error))?;
    }
    match problem.contributors() {
        Some(contributors) => frequencies::write(&frequencies::beside(path), contributors),
        None => Ok(()),
    }
}

/// An error of a writer without a name, as one of a file.
fn at_path(error: Error, path: &Path) -> Error {
    match error {
        Error::Write { source, .. } => Error::write(path, source),
        other => other,
    }
}

/// Prints a problem in the JJ format. The same problem always gives the same bytes.
///
/// # Errors
/// If `out` fails, or a cost is not a finite number.
pub fn print(out: &mut impl Write, problem: &Problem) -> Result<(), Error> {
    let mut text = Vec::with_capacity(CHUNK + 1024);
    let failed = |source| Error::write(Path::new("the output"), source);
    let mut send = |text: &mut Vec<u8>, at_least: usize| {
        if text.len() < at_least {
            return Ok(());
        }
        let result = out.write_all(text).map_err(failed);
        text.clear();
        result
    };
    text.extend_from_slice(b"0\n");
    print_whole(&mut text, problem.cell_count() as u64);
    text.push(b'\n');
    for cell in problem.system().cells() {
        print_cell(&mut text, problem, cell)?;
        send(&mut text, CHUNK)?;
    }
    let system = problem.system();
    print_whole(&mut text, system.equation_count() as u64);
    text.push(b'\n');
    for equation in system.equations() {
        print_value(&mut text, system.right_hand_side(equation), problem.decimals());
        text.push(b' ');
        let cells = system.cells_of(equation);
        print_whole(&mut text, cells.len() as u64);
        text.extend_from_slice(b" :");
        for (cell, coefficient) in cells {
            text.push(b' ');
            print_whole(&mut text, u64::from(cell.0));
            text.extend_from_slice(if coefficient < 0 { b" (-" } else { b" (" });
            print_whole(&mut text, u64::from(coefficient.unsigned_abs()));
            text.push(b')');
            send(&mut text, CHUNK)?;
        }
        text.push(b'\n');
    }
    send(&mut text, 0)
}

fn print_cell(text: &mut Vec<u8>, problem: &Problem, id: quell_model::CellId) -> Result<(), Error> {
    let cell = problem.cell(id);
    let decimals = problem.decimals();
    print_whole(text, u64::from(id.0));
    text.push(b' ');
    print_value(text, cell.value, decimals);
    text.push(b' ');
    if !cell.weight.is_finite() {
        let what = format!("the weight {} of {}", cell.weight, problem.cell_name(id));
        let advice = "a cost is a finite number";
        return Err(Error::Unwritable { what, format: "JJ", advice });
    }
    print_weight(text, cell.weight);
    text.extend_from_slice(match cell.status {
        Status::Safe => b" s ",
        Status::Protected => b" z ",
        Status::Primary(_) => b" u ",
        Status::Secondary => b" m ",
    });
    let bound = |text: &mut Vec<u8>, bound: Value| {
        match bound {
            UNBOUNDED_BELOW => text.extend_from_slice(b"-1e30"),
            UNBOUNDED_ABOVE => text.extend_from_slice(b"1e30"),
            _ => print_value(text, bound, decimals),
        }
        text.push(b' ');
    };
    bound(text, cell.lower_bound);
    bound(text, cell.upper_bound);
    print_value(text, cell.protection.lower, decimals);
    text.push(b' ');
    print_value(text, cell.protection.upper, decimals);
    text.push(b' ');
    print_value(text, cell.protection.sliding, decimals);
    text.push(b'\n');
    Ok(())
}
