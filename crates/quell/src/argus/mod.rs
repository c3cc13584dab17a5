//! `quell argus`: what users of τ-ARGUS have, run as it is.
//!
//! - [`batch`]: runs the commands of a batch file one after the other;
//! - [`classification`]: dimensions from metadata, their groups from recodes ahead;
//! - [`rules`]: safety rules and costs in our words;
//! - [`restrict`]: a table with fewer codes, which is what a recode is;
//! - [`given`]: tables read from a file instead of records;
//! - [`output`]: what `<WRITETABLE>` writes;
//! - [`log`]: the logbook.

mod batch;
pub mod classification;
mod given;
mod log;
mod output;
mod restrict;
mod rules;

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::Error;
use crate::exit::Exit;
use crate::limits::Limits;

/// Run what users of τ-ARGUS have.
#[derive(Debug, Args)]
pub struct ArgusArguments {
    /// What to run.
    #[command(subcommand)]
    command: ArgusCommand,
}

#[derive(Debug, Subcommand)]
enum ArgusCommand {
    /// Run a batch file (.arb) as it is
    Run(RunArguments),
}

/// Run a batch file (.arb) as it is.
///
/// Files without a path are looked for beside the batch file, then in DATADIR. Outputs are
/// written when all commands have been run, and only if every table that was to be
/// protected is proven safe.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// The batch file
    #[arg(value_name = "BATCH")]
    batch: PathBuf,

    /// The logbook, if the batch does not name one
    #[arg(value_name = "LOG")]
    log: Option<PathBuf>,

    /// Where τ-ARGUS keeps files for its solvers; not needed here
    #[arg(value_name = "TEMPDIR")]
    tempdir: Option<PathBuf>,

    /// Where else to look for files
    #[arg(value_name = "DATADIR")]
    datadir: Option<PathBuf>,

    #[command(flatten)]
    limits: Limits,
}

/// Runs the sub-command.
///
/// # Errors
/// If the batch or its files are wrong, or an output cannot be written.
pub fn run(arguments: &ArgusArguments) -> Result<Exit, Error> {
    match &arguments.command {
        ArgusCommand::Run(arguments) => batch::run(arguments),
    }
}
