//! A table as a pair of CSV files, for people, spreadsheets and scripts.
//!
//! The **cells** file has one line per cell. Only `cell` and `value` are required:
//!
//! | column | meaning | if the column is absent or the field empty |
//! |---|---|---|
//! | `cell` | any name, each once | required |
//! | `value` | the true value | required |
//! | `weight` | what suppressing it costs | the size of the value |
//! | `status` | `safe`, `protected`, `secondary`, `primary`, or with a reason `primary:frequency`, `:dominance`, `:p-percent`, `:request`, `:zero`, `:manual`; or JJ's letters `s z m u` | `safe` |
//! | `lower_bound` | what the attacker knows | field empty or `-inf`: nothing; column absent: 0 if no value of the table is negative, else nothing |
//! | `upper_bound` | what the attacker knows | nothing; `inf` says the same |
//! | `lpl`, `upl`, `spl` | protection levels, distances from the value | 0 |
//! | `contributors` | how many contributed | column absent: unknown; a field may not be empty |
//!
//! The **equations** file has a line for every cell of every equation: `equation` (any
//! name; lines with the same name belong together), `cell`, `coefficient`, and optionally
//! `rhs`, the equation's constant. The constant need stand only in one of the equation's
//! lines, and must be the same wherever it stands; without it, it is 0.
//!
//! Both start with a header; columns may come in any order, with names in either case.
//! Fields are quoted as RFC 4180 says; blanks around unquoted fields do not count; empty
//! lines are skipped. Values, bounds, levels and constants are exact.

mod cells;
mod equations;
mod rows;
mod write;

use std::path::{Path, PathBuf};

use quell_model::{Budget, Fault, Problem};

use crate::{Error, Mistake};

pub use write::{print_cells, print_equations, write};

/// A text with its name in messages.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The name.
    pub file: &'a str,
    /// The text.
    pub text: &'a [u8],
}

/// The names of the two files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The cells file.
    pub cells: PathBuf,
    /// The equations file.
    pub equations: PathBuf,
}

impl Pair {
    /// The pair that a name stands for: `T.csv`, `T.cells.csv` and `T.equations.csv` all
    /// mean `T.cells.csv` with `T.equations.csv`.
    pub fn of(path: &Path) -> Self {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let stem = [".cells.csv", ".equations.csv", ".csv"]
            .iter()
            .find_map(|suffix| name.strip_suffix(suffix))
            .unwrap_or(&name);
        Self {
            cells: path.with_file_name(format!("{stem}.cells.csv")),
            equations: path.with_file_name(format!("{stem}.equations.csv")),
        }
    }
}

/// Reads a pair of files.
///
/// # Errors
/// If a file cannot be read or has a mistake.
pub fn read(pair: &Pair) -> Result<Problem, Error> {
    let text = |path: &Path| std::fs::read(path).map_err(|source| Error::read(path, source));
    let (cells, equations) = (text(&pair.cells)?, text(&pair.equations)?);
    parse(
        Source { file: &pair.cells.display().to_string(), text: &cells },
        Source { file: &pair.equations.display().to_string(), text: &equations },
    )
}

/// Reads a pair of texts.
///
/// # Errors
/// A [`Mistake`] with its place.
pub fn parse(cells: Source<'_>, equations: Source<'_>) -> Result<Problem, Error> {
    parse_within(cells, equations, &Budget::default())
}

/// Reads a pair of texts as long as the budget allows.
///
/// # Errors
/// A [`Mistake`] with its place, or [`Error::Stopped`].
pub fn parse_within(
    cells: Source<'_>,
    equations: Source<'_>,
    budget: &Budget,
) -> Result<Problem, Error> {
    let cells = cells::Cells::read(cells, budget)?;
    let equations = equations::Equations::read(equations, &cells, budget)?;
    let decimals = cells.decimals().max(equations.decimals());
    let system = equations.system(cells.count(), decimals)?;
    cells.problem(system, decimals)
}

/// What is wrong with the table of a pair, as a mistake at its place in one of the texts.
///
/// `problem` must come from these texts. Looks for the line anew, so it takes a moment in
/// large files: ask for the few faults that are shown.
pub fn mistake_of(
    cells: Source<'_>,
    equations: Source<'_>,
    problem: &Problem,
    fault: &Fault,
) -> Mistake {
    let found = fault.describe(problem);
    let (source, place, expected, advice) = match *fault {
        Fault::NotAdditive { equation, .. } => (
            equations,
            equations::place(equations, equation.index()),
            "an equation that adds up",
            "correct the value of one of its cells, or its coefficients",
        ),
        Fault::EmptyEquation { equation } => (
            equations,
            equations::place(equations, equation.index()),
            "an equation with cells",
            "remove the line",
        ),
        Fault::OutsideBounds { cell, .. } => (
            cells,
            cells::place(cells, cell.index(), "value"),
            "a value inside its bounds",
            "the true value must lie between what the attacker knows",
        ),
        Fault::NegativeLevel { cell } | Fault::BeyondBounds { cell } => (
            cells,
            cells::place(cells, cell.index(), level_column(problem, cell)),
            "a protection level of at least 0 and inside the bounds",
            "levels are distances from the value, not values",
        ),
        Fault::BadWeight { cell, .. } => (
            cells,
            cells::place(cells, cell.index(), "weight"),
            "a weight of at least 0",
            "a weight is what suppressing the cell loses",
        ),
    };
    Mistake::at(source.file, source.text, place, found, expected, advice)
}

/// The level that is wrong with a cell.
fn level_column(problem: &Problem, cell: quell_model::CellId) -> &'static str {
    let levels = problem.protection(cell);
    if levels.lower < 0 || levels.lower > problem.room_down(cell) {
        "lpl"
    } else if levels.upper < 0 || levels.upper > problem.room_up(cell) {
        "upl"
    } else {
        "spl"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_named_by_its_stem() {
        for name in ["a/T.csv", "a/T.cells.csv", "a/T.equations.csv"] {
            let pair = Pair::of(Path::new(name));
            assert_eq!(pair.cells, Path::new("a/T.cells.csv"), "{name}");
            assert_eq!(pair.equations, Path::new("a/T.equations.csv"), "{name}");
        }
    }
}
