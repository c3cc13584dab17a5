//! `quell unpick`: what the equations give away one at a time.

use std::path::PathBuf;

use clap::Args;
use quell::attacked_table::AttackedTable;
use quell::text::UnpickReport;
use quell::{Error, csv_file};

use super::Session;
use crate::args::HiddenArguments;
use crate::exit::Exit;
use crate::output;

/// Show which primaries fall by simple subtraction, and in which order.
///
/// The quick attack of serpell-2013: bounds from one equation at a time until nothing
/// changes. What it finds is exposed; what it does not find may be exposed all the same
/// (see audit).
#[derive(Debug, Args)]
pub struct UnpickArguments {
    /// The table to unpick
    #[arg(value_name = "TABLE")]
    table: PathBuf,

    #[command(flatten)]
    hidden: HiddenArguments,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,

    /// Write the bounds of every hidden cell into this file
    #[arg(long, value_name = "FILE")]
    bounds: Option<PathBuf>,
}

/// Runs the sub-command.
///
/// # Errors
/// If the table cannot be read or makes no sense, or an output cannot be written.
pub fn run(arguments: &UnpickArguments) -> Result<Exit, Error> {
    let session = Session::begin();
    let AttackedTable { problem, pattern } =
        AttackedTable::read(&arguments.table, &arguments.hidden.hidden())?;
    let unpicked = quell::unpick(&problem, &pattern, &session.unlimited());
    if let Some(path) = &arguments.bounds {
        session.progress().stage("writing", None);
        csv_file::write_unpicked(path, &problem, &unpicked)?;
    }
    drop(session);
    let report = UnpickReport::new(&problem, &pattern, &unpicked);
    match arguments.json {
        true => output::json(&report),
        false => output::line(report.text().trim_end()),
    }
    Ok(Exit::Done)
}
