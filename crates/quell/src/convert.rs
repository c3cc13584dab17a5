//! A table from one format into another.

use std::path::Path;

use crate::table_file::{self, Check};
use crate::{Context, Error};

/// A table that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Converted {
    /// The names of its files.
    pub names: String,
    /// Its cells.
    pub cells: usize,
    /// Its equations.
    pub equations: usize,
}

/// Reads a table from one file and writes it into another. The names say the formats, see
/// [`table_file`]. JJ knows neither names of cells nor reasons of primaries: those are lost on the
/// way there.
///
/// ```
/// use quell::generate::{Ons, TableClass, generate};
/// use quell::table_file::{self, Check};
/// use quell::{Context, convert};
///
/// let folder = tempfile::tempdir()?;
/// let (jj, csv) = (folder.path().join("t.jj"), folder.path().join("t.csv"));
/// let dimensions = vec!["7".parse()?, "6".parse()?, "5".parse()?];
/// let problem = generate(&TableClass::Ons(Ons { dimensions, ..Ons::default() }), 1)?;
/// table_file::write(&jj, &problem)?;
/// let converted = convert(&jj, &csv, Check::Table, &Context::default())?;
/// assert_eq!(converted.cells, problem.cell_count());
/// assert_eq!(table_file::read(&csv, Check::Table)?.values(), problem.values());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the table cannot be read, does not make sense although `check` asks for that, or cannot be
/// written, or the call is cancelled before that.
pub fn convert(
    from: &Path,
    to: &Path,
    check: Check,
    context: &Context<'_>,
) -> Result<Converted, Error> {
    context.progress.stage("reading", None);
    let problem = table_file::read_within(from, check, &context.budget)?;
    context.progress.stage("writing", None);
    table_file::write(to, &problem)?;
    Ok(Converted {
        names: table_file::names(to),
        cells: problem.cell_count(),
        equations: problem.system().equation_count(),
    })
}
