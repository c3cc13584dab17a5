//! `quell argus`: what users of τ-ARGUS have, run as it is.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use quell::Error;
use quell::argus::{BatchOptions, NotProven, run as run_batch};

use super::Session;
use crate::args::LimitArguments;
use crate::exit::Exit;
use crate::output;

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
    limits: LimitArguments,
}

/// Runs the sub-command.
///
/// # Errors
/// If the batch or its files are wrong, or an output cannot be written.
pub fn run(arguments: &ArgusArguments) -> Result<Exit, Error> {
    let ArgusCommand::Run(arguments) = &arguments.command;
    let session = Session::begin();
    let options = BatchOptions {
        log: arguments.log.clone(),
        folders: arguments.datadir.iter().cloned().collect(),
        // The time is that of each protection, not of the whole batch.
        time: arguments.limits.time,
    };
    let untimed = LimitArguments { time: None, ..arguments.limits.clone() };
    let context = session.searches(&untimed)?;
    let mut run = run_batch(&arguments.batch, &options, &context)?;
    let written = run.write(&context)?;
    drop(session);
    if !run.not_proven().is_empty() {
        for NotProven { line, audit } in run.not_proven() {
            output::aside(format_args!("line {line}:\n{audit}"));
        }
        output::remark("no table was written");
        return Ok(Exit::NotSafe);
    }
    output::line(run.log().trim_end());
    for path in written {
        output::line(format_args!("wrote {}", path.display()));
    }
    Ok(Exit::Done)
}
