//! Tables by file name: `.csv` is a CSV pair, everything else JJ.

use std::path::Path;

use quell_formats::csv_pair::{self, Pair, Source};
use quell_formats::{Error as FileError, Mistake, jj};
use quell_model::{Budget, Fault, Problem};

use crate::Error;

/// The most faults shown at once.
const SHOWN: usize = 10;

/// The format that a file's name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A JJ file.
    Jj,
    /// A pair of CSV files.
    CsvPair,
}

impl Format {
    /// By the name's ending.
    pub fn of(path: &Path) -> Self {
        let csv = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
        if csv { Self::CsvPair } else { Self::Jj }
    }
}

/// Whether a table must make sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// It must add up and lie in its bounds.
    Table,
    /// Its file must be well formed, no more.
    FormOnly,
}

/// Reads a table. Primaries that no pattern can protect are not a reason to refuse it.
///
/// # Errors
/// If a file cannot be read or has a mistake, or the table does not make sense.
pub fn read(path: &Path, check: Check) -> Result<Problem, Error> {
    read_within(path, check, &Budget::default())
}

/// Reads a table as long as the budget allows.
///
/// # Errors
/// As [`read`], and if it was stopped before the end ([`Error::is_stopped`]).
pub fn read_within(path: &Path, check: Check, budget: &Budget) -> Result<Problem, Error> {
    match Format::of(path) {
        Format::Jj => read_jj(path, check, budget),
        Format::CsvPair => read_csv(path, check, budget),
    }
}

fn text(path: &Path) -> Result<Vec<u8>, FileError> {
    std::fs::read(path).map_err(|source| FileError::Read { file: path.to_owned(), source })
}

fn read_jj(path: &Path, check: Check, budget: &Budget) -> Result<Problem, Error> {
    let file = path.display().to_string();
    let text = text(path)?;
    let problem = jj::parse_within(&file, &text, budget)?;
    accept(&problem, check, &file, |fault| jj::mistake_of(&file, &text, &problem, fault))?;
    drop(text);
    match jj::frequencies::read_beside(path, problem.cell_count(), budget)? {
        Some(contributors) => Ok(problem.with_contributors(contributors)),
        None => Ok(problem),
    }
}

fn read_csv(path: &Path, check: Check, budget: &Budget) -> Result<Problem, Error> {
    let pair = Pair::of(path);
    let (cells, equations) = (text(&pair.cells)?, text(&pair.equations)?);
    let names = (pair.cells.display().to_string(), pair.equations.display().to_string());
    let cells = Source { file: &names.0, text: &cells };
    let equations = Source { file: &names.1, text: &equations };
    let problem = csv_pair::parse_within(cells, equations, budget)?;
    let place = |fault: &Fault| csv_pair::mistake_of(cells, equations, &problem, fault);
    accept(&problem, check, &path.display().to_string(), place)?;
    Ok(problem)
}

fn accept(
    problem: &Problem,
    check: Check,
    file: &str,
    place: impl Fn(&Fault) -> Mistake,
) -> Result<(), Error> {
    if check == Check::FormOnly {
        return Ok(());
    }
    let faults: Vec<Fault> =
        problem.faults().into_iter().filter(|fault| !fault.is_warning()).collect();
    if faults.is_empty() {
        return Ok(());
    }
    let shown = faults.iter().take(SHOWN).map(place).collect();
    Err(Error::Faults { file: file.to_owned(), total: faults.len(), shown })
}

/// Writes a table, each file whole or not at all.
///
/// # Errors
/// If a file cannot be written, or the table has what the format cannot say.
pub fn write(path: &Path, problem: &Problem) -> Result<(), Error> {
    match Format::of(path) {
        Format::Jj => jj::write(path, problem)?,
        Format::CsvPair => csv_pair::write(&Pair::of(path), problem)?,
    }
    Ok(())
}

/// The names of the files that a table's name stands for.
pub fn names(path: &Path) -> String {
    match Format::of(path) {
        Format::Jj => path.display().to_string(),
        Format::CsvPair => {
            let pair = Pair::of(path);
            format!("{} and {}", pair.cells.display(), pair.equations.display())
        }
    }
}
