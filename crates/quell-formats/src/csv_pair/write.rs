//! The writer of both files.

use std::io::Write;
use std::path::Path;

use quell_model::{CellId, Labels, Problem, Status, UNBOUNDED_ABOVE, UNBOUNDED_BELOW, Value};
use rustc_hash::FxHashSet;

use super::Pair;
use super::cells::{COLUMNS, STATUSES};
use crate::number::{print_value, print_weight, print_whole};
use crate::{Error, write_whole};

const FORMAT: &str = "a CSV pair";

/// Writes a problem as a pair of files, each whole or not at all.
///
/// # Errors
/// If a file cannot be written, a weight is not a finite number, or names of cells are
/// empty or not unique.
pub fn write(pair: &Pair, problem: &Problem) -> Result<(), Error> {
    let named = |path: &Path, error| match error {
        Error::Write { source, .. } => Error::write(path, source),
        other => other,
    };
    write_whole(&pair.cells, |out| {
        print_cells(out, problem).map_err(|error| named(&pair.cells, error))
    })?;
    write_whole(&pair.equations, |out| {
        print_equations(out, problem).map_err(|error| named(&pair.equations, error))
    })
}

/// Prints the cells file. The same problem always gives the same bytes.
///
/// # Errors
/// See [`write`](write()).
pub fn print_cells(out: &mut impl Write, problem: &Problem) -> Result<(), Error> {
    check_names(problem)?;
    let mut line = Vec::new();
    let columns = if problem.contributors().is_some() { 10 } else { 9 };
    line.extend_from_slice(COLUMNS[..columns].join(",").as_bytes());
    line.push(b'\n');
    for id in problem.system().cells() {
        send(out, &mut line)?;
        print_cell(&mut line, problem, id)?;
        if let Some(contributors) = problem.contributors() {
            line.push(b',');
            print_whole(&mut line, u64::from(contributors[id.index()]));
        }
        line.push(b'\n');
    }
    send(out, &mut line)
}

fn print_cell(line: &mut Vec<u8>, problem: &Problem, id: CellId) -> Result<(), Error> {
    let cell = problem.cell(id);
    let decimals = problem.decimals();
    print_name(line, problem, id);
    line.push(b',');
    print_value(line, cell.value, decimals);
    line.push(b',');
    if !cell.weight.is_finite() {
        let what = format!("the weight {} of {}", cell.weight, problem.cell_name(id));
        return Err(Error::Unwritable {
            what,
            format: FORMAT,
            advice: "a weight is a finite number",
        });
    }
    print_weight(line, cell.weight);
    line.push(b',');
    line.extend_from_slice(status_word(cell.status).as_bytes());
    line.push(b',');
    let bound = |line: &mut Vec<u8>, bound: Value| match bound {
        UNBOUNDED_BELOW => line.extend_from_slice(b"-inf"),
        UNBOUNDED_ABOVE => line.extend_from_slice(b"inf"),
        _ => print_value(line, bound, decimals),
    };
    bound(line, cell.lower_bound);
    line.push(b',');
    bound(line, cell.upper_bound);
    for level in [cell.protection.lower, cell.protection.upper, cell.protection.sliding] {
        line.push(b',');
        print_value(line, level, decimals);
    }
    Ok(())
}

fn status_word(status: Status) -> &'static str {
    STATUSES.iter().find(|&&(_, known)| known == status).map_or("safe", |&(word, _)| word)
}

/// Prints the equations file. The same problem always gives the same bytes.
///
/// # Errors
/// See [`write`](write()). An equation without cells cannot be written either.
pub fn print_equations(out: &mut impl Write, problem: &Problem) -> Result<(), Error> {
    let system = problem.system();
    let constants = system.equations().any(|equation| system.right_hand_side(equation) != 0);
    let mut line = Vec::new();
    line.extend_from_slice(b"equation,cell,coefficient");
    line.extend_from_slice(if constants { b",rhs\n" } else { b"\n" });
    for equation in system.equations() {
        if system.cells_of(equation).len() == 0 {
            let what = format!("{equation}, which has no cells,");
            return Err(Error::Unwritable { what, format: FORMAT, advice: "remove the equation" });
        }
        for (position, (cell, coefficient)) in system.cells_of(equation).enumerate() {
            send(out, &mut line)?;
            print_whole(&mut line, u64::from(equation.0));
            line.push(b',');
            print_name(&mut line, problem, cell);
            line.push(b',');
            line.extend_from_slice(coefficient.to_string().as_bytes());
            if constants {
                line.push(b',');
                if position == 0 {
                    let constant = system.right_hand_side(equation);
                    print_value(&mut line, constant, problem.decimals());
                }
            }
            line.push(b'\n');
        }
    }
    send(out, &mut line)
}

fn send(out: &mut impl Write, line: &mut Vec<u8>) -> Result<(), Error> {
    out.write_all(line).map_err(|source| Error::write(Path::new("the output"), source))?;
    line.clear();
    Ok(())
}

fn print_name(line: &mut Vec<u8>, problem: &Problem, cell: CellId) {
    if matches!(problem.labels(), Labels::Numbered) {
        return print_whole(line, u64::from(cell.0));
    }
    let name = problem.cell_name(cell);
    let special = |c: char| matches!(c, ',' | '"' | '\n' | '\r');
    let plain = name.trim() == name && !name.contains(special) && !name.starts_with('\u{feff}');
    if plain {
        line.extend_from_slice(name.as_bytes());
    } else {
        line.push(b'"');
        line.extend_from_slice(name.replace('"', "\"\"").as_bytes());
        line.push(b'"');
    }
}

fn check_names(problem: &Problem) -> Result<(), Error> {
    if matches!(problem.labels(), Labels::Numbered) {
        return Ok(());
    }
    let mut seen: FxHashSet<String> = FxHashSet::default();
    for cell in problem.system().cells() {
        let name = problem.cell_name(cell);
        let what = match name.as_str() {
            "" => format!("{cell}, which has no name,"),
            _ if seen.contains(&name) => format!("the name \"{name}\", which two cells have,"),
            _ => {
                seen.insert(name);
                continue;
            }
        };
        let advice = "give every cell a name of its own";
        return Err(Error::Unwritable { what, format: FORMAT, advice });
    }
    Ok(())
}
