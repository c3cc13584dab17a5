//! `quell convert`: a table from one format into another.

use std::path::PathBuf;

use clap::Args;
use quell_model::Progress;

use crate::Error;
use crate::exit::Exit;
use crate::output;
use crate::progress_bar::ProgressBar;
use crate::table_file::{self, Check};

/// Turn a table from one format into another.
///
/// The names say the formats: .csv is a pair of CSV files, everything else JJ. JJ knows
/// neither names of cells nor reasons of primaries: those are lost on the way there.
#[derive(Debug, Args)]
pub struct ConvertArguments {
    /// The table to read
    #[arg(value_name = "FROM")]
    pub from: PathBuf,

    /// The table to write
    #[arg(value_name = "TO")]
    pub to: PathBuf,

    /// Convert a table that does not add up or lies outside its bounds all the same
    #[arg(long)]
    pub unchecked: bool,
}

/// Runs the sub-command.
///
/// # Errors
/// If the table cannot be read, makes no sense or cannot be written.
pub fn run(arguments: &ConvertArguments) -> Result<Exit, Error> {
    let progress = ProgressBar::new();
    progress.stage("reading", None);
    let check = if arguments.unchecked { Check::FormOnly } else { Check::Table };
    let problem = table_file::read(&arguments.from, check)?;
    progress.stage("writing", None);
    table_file::write(&arguments.to, &problem)?;
    drop(progress);
    output::line(format_args!(
        "wrote {}: {} cells, {} equations",
        table_file::names(&arguments.to),
        problem.cell_count(),
        problem.system().equation_count()
    ));
    Ok(Exit::Done)
}
