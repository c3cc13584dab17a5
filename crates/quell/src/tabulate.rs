//! `quell tabulate`: the tables of a job with what the rules say, before protection.

use std::path::PathBuf;

use clap::Args;
use quell_model::Progress;

use crate::Error;
use crate::exit::Exit;
use crate::interrupt;
use crate::job::Job;
use crate::limits::Limits;
use crate::output;
use crate::prepare::prepare;
use crate::progress_bar::ProgressBar;
use crate::table_file;

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
    limits: Limits,
}

/// Runs the sub-command.
///
/// # Errors
/// If the job is wrong, or its tables cannot be written.
pub fn run(arguments: &TabulateArguments) -> Result<Exit, Error> {
    let job = Job::read(&arguments.job)?;
    let progress = ProgressBar::new();
    let budget = arguments.limits.budget_from_now(&interrupt::cancel_flag());
    let prepared = prepare(&job, &budget, &progress)?;
    progress.stage("writing", None);
    let problem = &prepared.linked.problem;
    table_file::write(&arguments.out, problem)?;
    drop(progress);
    for note in &prepared.notes {
        eprintln!("quell: {note}");
    }
    output::line(format_args!(
        "{}, {}\nwrote {}: {} cells, {} equations, {} primaries",
        output::counted(prepared.records, "record"),
        output::counted(prepared.tables.len() as u64, "table"),
        table_file::names(&arguments.out),
        problem.cell_count(),
        problem.system().equation_count(),
        problem.primaries().count()
    ));
    Ok(Exit::Done)
}
