//! `quell convert`: a table from one format into another.

use std::path::PathBuf;

use clap::Args;
use quell::Error;
use quell::table_file::Check;
use quell::text::counted;

use super::Session;
use crate::exit::Exit;
use crate::output;

/// Turn a table from one format into another.
///
/// The names say the formats: .csv is a pair of CSV files, everything else JJ. JJ knows
/// neither names of cells nor reasons of primaries: those are lost on the way there.
#[derive(Debug, Args)]
pub struct ConvertArguments {
    /// The table to read
    #[arg(value_name = "FROM")]
    from: PathBuf,

    /// The table to write
    #[arg(value_name = "TO")]
    to: PathBuf,

    /// Convert a table that does not add up or lies outside its bounds all the same
    #[arg(long)]
    unchecked: bool,
}

/// Runs the sub-command.
///
/// # Errors
/// If the table cannot be read, makes no sense or cannot be written.
pub fn run(arguments: &ConvertArguments) -> Result<Exit, Error> {
    let session = Session::begin();
    let check = if arguments.unchecked { Check::FormOnly } else { Check::Table };
    let converted = quell::convert(&arguments.from, &arguments.to, check, &session.unlimited())?;
    drop(session);
    output::line(format_args!(
        "wrote {}: {}, {}",
        converted.names,
        counted(converted.cells, "cell"),
        counted(converted.equations, "equation")
    ));
    Ok(Exit::Done)
}
