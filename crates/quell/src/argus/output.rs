//! What `<WRITETABLE>` writes.

use std::path::{Path, PathBuf};

use quell_formats::argus::arb::{self, OutputFormat, WriteOptions};
use quell_formats::argus::output::{self, CostName, OutputTable};
use quell_formats::argus::rda::Metadata;
use quell_formats::jj;
use quell_model::{Dimension, Problem, Reason, Status};
use quell_tabulate::AttackerBounds;

use super::batch::tables::{BatchTable, Current};
use crate::Error;
use crate::pipeline;
use crate::release::tau_argus::{HiddenValues, Shown};

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
            OutputFormat::Jj => Ok(Self::System { path, problem: Box::new(system(current)?) }),
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
    pub fn path(&self) -> &Path {
        match self {
            Self::Table { path, .. } | Self::System { path, .. } => path,
        }
    }

    /// Writes it, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self) -> Result<(), Error> {
        match self {
            Self::Table { path, table, format, options } => {
                output::write(path, table, *format, *options)?;
            }
            Self::System { path, problem } => jj::write(path, problem)?,
        }
        Ok(())
    }
}

/// Whether a file of these options holds values of hidden cells.
pub fn tells_hidden_values(format: OutputFormat, options: WriteOptions) -> bool {
    match format {
        OutputFormat::Intermediate | OutputFormat::Jj | OutputFormat::Sbs => true,
        _ => options.status,
    }
}

/// The table as a system with all its values.
fn system(current: &Current) -> Result<Problem, Error> {
    let tables = std::slice::from_ref(&current.table);
    let decided = std::slice::from_ref(&current.decided);
    let linked = pipeline::link(tables, decided, &[], AttackerBounds::TauArgus)?;
    let mut statuses: Vec<Status> =
        linked.problem.system().cells().map(|cell| linked.problem.status(cell)).collect();
    for (cell, number) in linked.linked.cell_of[0].iter().enumerate() {
        statuses[number.index()] = current.status(cell);
    }
    Ok(linked.problem.with_statuses(statuses))
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
