//! What `<WRITETABLE>` writes.

use std::io::Write;
use std::path::{Path, PathBuf};

use quell_formats::argus::arb::{self, OutputFormat, WriteOptions};
use quell_formats::argus::output::{self, CostName, OutputTable};
use quell_formats::argus::rda::Metadata;
use quell_formats::{Error as FileError, jj};
use quell_model::{CellId, Dimension, Problem, Reason, Status};
use quell_tabulate::{Attribution, Contributors, Table};

use super::batch::tables::{BatchTable, Current};
use super::rules::attackers;
use crate::csv_file;
use crate::release::tau_argus::{HiddenValues, Shown};
use crate::release::{FileSet, Statuses};
use crate::{ContributorAttackers, Error, pipeline};

/// The contributors to each cell of a system, and the holdings.
type Counts = Vec<(u32, u32)>;

/// A file to be written when the batch is done.
#[derive(Debug)]
pub enum Pending {
    /// A table in one of τ-ARGUS' formats.
    Table {
        /// Where.
        path: PathBuf,
        /// What.
        table: Box<OutputTable>,
        /// In which format.
        format: OutputFormat,
        /// With which options.
        options: WriteOptions,
    },
    /// A table as a system.
    System {
        /// Where.
        path: PathBuf,
        /// What.
        problem: Box<Problem>,
        /// The contributors to each cell, and the holdings, if they are known.
        counts: Option<Counts>,
    },
    /// A text.
    Text {
        /// Where.
        path: PathBuf,
        /// What.
        text: String,
    },
}

impl Pending {
    /// What a command asks for.
    ///
    /// # Errors
    /// If the format cannot say what is in the table.
    pub fn new(
        path: PathBuf,
        table: &BatchTable,
        current: &Current,
        metadata: &Metadata,
        format: OutputFormat,
        options: WriteOptions,
    ) -> Result<Self, Error> {
        match format {
            OutputFormat::Jj => {
                let (problem, counts) = system(current)?;
                Ok(Self::System { path, problem: Box::new(problem), counts })
            }
            OutputFormat::CellKey => Err(Error::arguments(
                "files with cell keys cannot be written",
                "the cell key method is not there yet; suppress cells instead",
            )),
            _ => {
                let shown = Shown {
                    table: &current.table,
                    decided: &current.decided,
                    statuses: (0..current.table.cells.len())
                        .map(|cell| current.status(cell))
                        .collect(),
                    told: Statuses::Full,
                    cost: cost_name(&table.spec.cost),
                    missing: missing(current, metadata),
                    p_percent: (table.rules.respondents.iter())
                        .any(|rule| rule.kind().reason == Reason::PPercent),
                };
                let table = Box::new(shown.output_table(HiddenValues::Told, options));
                Ok(Self::Table { path, table, format, options })
            }
        }
    }

    /// Where it goes.
    fn path(&self) -> &Path {
        match self {
            Self::Table { path, .. } | Self::System { path, .. } | Self::Text { path, .. } => path,
        }
    }

    /// Writes it into a set of files.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, files: &mut FileSet<'_>) -> Result<(), Error> {
        let path = files.file(self.path())?;
        match self {
            Self::Table { table, format, options, .. } => {
                output::write(&path, table, *format, *options)?;
            }
            Self::System { problem, counts, .. } => {
                jj::write(&path, problem)?;
                // Those of another table would be read with this one.
                for old in [
                    jj::frequencies::beside(self.path()),
                    jj::frequencies::beside_as_argus(self.path()),
                ] {
                    files.without(&old)?;
                }
                if let Some(counts) = counts {
                    // One file of them is enough: the one that τ-ARGUS has.
                    let own = jj::frequencies::beside(&path);
                    if own.exists() {
                        std::fs::remove_file(&own)
                            .map_err(|source| FileError::Write { file: own, source })?;
                    }
                    let beside = jj::frequencies::beside_as_argus(&path);
                    jj::frequencies::write_with_holdings(&beside, counts.iter().copied())?;
                }
            }
            Self::Text { text, .. } => {
                csv_file::write(&path, |out| out.write_all(text.as_bytes()))?
            }
        }
        files.adopt_beside(&path)
    }
}

/// Whether a file of these options holds values of hidden cells.
pub fn tells_hidden_values(format: OutputFormat, options: WriteOptions) -> bool {
    match format {
        OutputFormat::Intermediate | OutputFormat::Jj | OutputFormat::Sbs => true,
        _ => options.status,
    }
}

/// The table as a system with all its values, and how many contribute to each cell.
fn system(current: &Current) -> Result<(Problem, Option<Counts>), Error> {
    let tables = std::slice::from_ref(&current.table);
    let decided = std::slice::from_ref(&current.decided);
    let linked = pipeline::link(tables, decided, &[], attackers(ContributorAttackers::No))?;
    let mut statuses: Vec<Status> =
        linked.problem.system().cells().map(|cell| linked.problem.status(cell)).collect();
    for (cell, number) in linked.linked.cell_of[0].iter().enumerate() {
        statuses[number.index()] = current.status(cell);
    }
    let known = current.table.attribution != Attribution::Unknown;
    let counts = known.then(|| counts(&current.table, &linked.linked.cell_of[0], statuses.len()));
    Ok((linked.problem.with_statuses(statuses), counts))
}

/// How many contributors and holdings each cell of a system has, from its only table.
pub(super) fn counts(table: &Table, cell_of: &[CellId], cells: usize) -> Counts {
    let mut counts = vec![(0, 0); cells];
    for (summary, cell) in table.cells.iter().zip(cell_of) {
        let count = |own: &Contributors| u32::try_from(own.count).unwrap_or(u32::MAX);
        let contributors = count(&summary.respondents);
        let holdings = summary.holdings.as_ref().map_or(contributors, |own| count(own));
        counts[cell.index()] = (contributors, holdings);
    }
    counts
}

fn cost_name(cost: &arb::Cost) -> CostName {
    match cost {
        arb::Cost::Response => CostName::Response,
        arb::Cost::Variable(name) => CostName::Variable(name.clone()),
        arb::Cost::Frequency => CostName::Frequency,
        arb::Cost::Unity => CostName::Unity,
        arb::Cost::Distance => CostName::Distance,
    }
}

/// The codes of each dimension that mean "not known".
fn missing(current: &Current, metadata: &Metadata) -> Vec<Vec<String>> {
    let codes = |dimension: &Dimension| {
        let variable = metadata.variable(&dimension.name)?;
        Some(variable.missing.iter().map(|code| variable.pad(code)).collect())
    };
    let dimensions = current.table.dimensions().iter();
    dimensions.map(|dimension| codes(dimension).unwrap_or_default()).collect()
}
