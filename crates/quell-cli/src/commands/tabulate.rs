//! `quell tabulate`: the tables of a job with what the rules say, before protection.

use std::path::PathBuf;

use clap::Args;
use quell::text::counted;
use quell::{Error, Job, table_file};

use super::Session;
use crate::args::LimitArguments;
use crate::exit::Exit;
use crate::output;

/// Make the tables of a job and apply its rules, but protect nothing.
///
/// All tables are linked into one system, which quell audit, suppress and convert read.
/// It holds all values: it is not for publication.
#[derive(Debug, Args)]
pub struct TabulateArguments {
    /// The job file
    #[arg(value_name = "JOB")]
    job: PathBuf,

    /// The system to write: T.jj, or T.csv for a pair of CSV files with names
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    limits: LimitArguments,
}

/// Runs the sub-command.
///
/// # Errors
/// If the job is wrong, or its tables cannot be written.
pub fn run(arguments: &TabulateArguments) -> Result<Exit, Error> {
    let job = Job::read(&arguments.job)?;
    let session = Session::begin();
    let tables = quell::tabulate(&job, &session.limited(&arguments.limits)?)?;
    session.progress().stage("writing", None);
    let problem = tables.problem();
    table_file::write(&arguments.out, problem)?;
    drop(session);
    tables.notes.iter().for_each(output::remark);
    output::line(format_args!(
        "{}, {}\nwrote {}: {}, {}, {}",
        counted(tables.records as usize, "record"),
        counted(tables.tables.len(), "table"),
        table_file::names(&arguments.out),
        counted(problem.cell_count(), "cell"),
        counted(problem.system().equation_count(), "equation"),
        counted(problem.primaries().count(), "primary")
    ));
    Ok(Exit::Done)
}
