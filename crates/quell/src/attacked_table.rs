//! A table as an attacker sees it: the table and which of its cells are hidden.

use std::path::{Path, PathBuf};

use quell_model::{CellId, Pattern, Problem};

use crate::Error;
use crate::table_file::{self, Check};

/// Which cells of a table are hidden.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum HiddenCells {
    /// Those that the table itself calls primary or secondary.
    #[default]
    AsItsStatuses,
    /// Its primaries: the table before protection.
    Primaries,
    /// Those that another file of the same table calls primary or secondary.
    AsIn(PathBuf),
}

/// A table with its hidden cells.
#[derive(Debug)]
pub struct AttackedTable {
    /// The table.
    pub problem: Problem,
    /// What is hidden.
    pub pattern: Pattern,
}

impl AttackedTable {
    /// Reads a table and its hidden cells.
    ///
    /// # Errors
    /// If a file cannot be read, the table makes no sense, or the pattern belongs to
    /// another table.
    pub fn read(path: &Path, hidden: &HiddenCells) -> Result<Self, Error> {
        Self::of(table_file::read(path, Check::Table)?, path, hidden)
    }

    /// A table that is read already, with its hidden cells; `path` is where it came from.
    ///
    /// # Errors
    /// If the pattern belongs to another table.
    pub fn of(problem: Problem, path: &Path, hidden: &HiddenCells) -> Result<Self, Error> {
        let pattern = match hidden {
            HiddenCells::AsIn(other) => pattern_of(other, &problem, path)?,
            HiddenCells::Primaries => Pattern::of_primaries(&problem),
            HiddenCells::AsItsStatuses => Pattern::of_statuses(&problem),
        };
        Ok(Self { problem, pattern })
    }
}

/// The pattern in another file of the same table.
fn pattern_of(other: &Path, problem: &Problem, path: &Path) -> Result<Pattern, Error> {
    let protected = table_file::read(other, Check::FormOnly)?;
    same_table(problem, &protected).map_err(|difference| {
        let message = format!("{} is another table: {difference}", other.display());
        let advice = format!("give the protected version of {}", path.display());
        Error::arguments(message, advice)
    })?;
    Ok(Pattern::of_statuses(&protected))
}

/// Whether two files hold the same values under the same equations.
fn same_table(one: &Problem, other: &Problem) -> Result<(), String> {
    let counts = |problem: &Problem| (problem.cell_count(), problem.system().equation_count());
    if counts(one) != counts(other) {
        let ((cells, equations), (others, other_equations)) = (counts(one), counts(other));
        return Err(format!(
            "it has {others} cells and {other_equations} equations instead of {cells} and {equations}"
        ));
    }
    // The same number may have been written with more decimals.
    let units = |problem: &Problem, cell: CellId, of: &Problem| {
        i128::from(problem.value(cell)) * i128::from(of.decimals().scale())
    };
    let different =
        one.system().cells().find(|&cell| units(one, cell, other) != units(other, cell, one));
    match different {
        None => Ok(()),
        Some(cell) => Err(format!(
            "{} is {} there instead of {}",
            one.cell_name(cell),
            other.decimals().format(other.value(cell)),
            one.decimals().format(one.value(cell))
        )),
    }
}
