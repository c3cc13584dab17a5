//! `quell micro`: files of persons and households instead of tables.

pub mod recode;
pub mod risk;
pub mod suppress;
pub mod verify;

use std::path::Path;

use clap::{Args, Subcommand};
use quell::micro::Request;
use quell::{Context, Error};

use crate::args::LimitArguments;
use crate::args::micro::{DataArguments, SafeFileArguments};
use crate::commands::Session;
use crate::exit::Exit;
use crate::output;

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
/// If the input is wrong, or the time is over before anything is known to be safe.
pub fn run(arguments: &MicroArguments) -> Result<Exit, Error> {
    match &arguments.command {
        MicroCommand::Risk(arguments) => risk::run(arguments),
        MicroCommand::Suppress(arguments) => suppress::run(arguments),
        MicroCommand::Recode(arguments) => recode::run(arguments),
        MicroCommand::Verify(arguments) => verify::run(arguments),
    }
}

/// Does work within the limits, with a progress bar that is gone when it is done.
fn within<T>(
    limits: &LimitArguments,
    work: impl FnOnce(&Context<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let session = Session::begin();
    work(&session.limited(limits)?)
}

/// Makes records safe and writes what is asked for. The first Ctrl-C ends the search, and the best
/// it has found is verified.
fn make_safe(
    data: &DataArguments,
    request: &Request,
    arguments: &SafeFileArguments,
) -> Result<Exit, Error> {
    let out = arguments.out.as_deref();
    let session = Session::begin();
    let context = session.searches(&arguments.limits)?;
    let records = data.source().read(&request.others(), &context)?;
    if let Some(out) = out {
        records.check_output(out)?;
        records.check_marker(arguments.marker.as_deref())?;
    }
    let done = request.carry_out(&records, &context)?;
    if let Some(out) = out {
        done.write(&records, out, arguments.marker.as_deref(), &context)?;
    }
    if let Some(path) = &arguments.report {
        let usual = || format!("{} of {}", done.name(), records.name());
        let title = arguments.title.clone().unwrap_or_else(usual);
        let failed = |source| quell_formats::Error::Write { file: path.clone(), source };
        std::fs::write(path, done.report(&title)).map_err(failed)?;
    }
    drop(session);
    show(arguments.json, &done, || done.text(), out);
    Ok(Exit::Done)
}

/// Shows a result as JSON, or as text with the file that was written.
fn show(json: bool, result: &impl serde::Serialize, text: impl Fn() -> String, out: Option<&Path>) {
    if json {
        output::json(result);
        return;
    }
    output::line(text());
    if let Some(out) = out {
        output::line(format_args!("wrote {}", out.display()));
    }
}
