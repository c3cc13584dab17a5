//! `quell micro`: files of persons and households instead of tables.
//!
//! - [`arguments`]: what all of them have in common, and what it means;
//! - [`risk`], [`suppress`], [`recode`], [`verify`]: the sub-commands;
//! - [`summary`]: what is told, as text and as JSON;
//! - [`report`]: the same as a page;
//! - [`job`]: the same, asked for in a job file.

pub mod arguments;
pub mod job;
pub mod recode;
pub mod report;
pub mod risk;
pub mod summary;
pub mod suppress;
pub mod verify;

use std::path::Path;

use clap::{Args, Subcommand};

use crate::Error;
use crate::exit::Exit;

/// Protect microdata: risk, local suppression, recoding.
#[derive(Debug, Args)]
pub struct MicroArguments {
    /// What to do.
    #[command(subcommand)]
    pub command: MicroCommand,
}

/// The sub-commands of `quell micro`.
#[derive(Debug, Subcommand)]
pub enum MicroCommand {
    /// Find unsafe combinations of values and measure the risk of every record
    Risk(risk::RiskArguments),
    /// Set as few values as possible to missing, so that the file is safe
    Suppress(suppress::SuppressArguments),
    /// Join categories, by given recodings or the best choice, and suppress what is left
    Recode(recode::RecodeArguments),
    /// Check that a released file is safe and hides values of its original only
    Verify(verify::VerifyArguments),
}

/// Runs the sub-command.
///
/// # Errors
/// If the input is wrong.
pub fn run(arguments: &MicroArguments) -> Result<Exit, Error> {
    let done = match &arguments.command {
        MicroCommand::Risk(arguments) => risk::run(arguments),
        MicroCommand::Suppress(arguments) => suppress::run(arguments),
        MicroCommand::Recode(arguments) => recode::run(arguments),
        MicroCommand::Verify(arguments) => verify::run(arguments),
    };
    Ok(done?)
}

/// Whether two names are those of one file that exists.
fn same_file(one: &Path, two: &Path) -> bool {
    match (std::fs::canonicalize(one), std::fs::canonicalize(two)) {
        (Ok(one), Ok(two)) => one == two,
        _ => false,
    }
}
