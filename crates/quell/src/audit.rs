//! `quell audit`: a proven verdict for every primary cell.

use std::path::PathBuf;

use clap::Args;
use quell_attack::{ContributorAttack, Interval, Report, TableVerdict};
use quell_model::{Budget, Progress};

use crate::Error;
use crate::attacked_table::{AttackedTable, Hidden};
use crate::csv_file;
use crate::exit::Exit;
use crate::limits::Limits;
use crate::output;
use crate::progress_bar::ProgressBar;

/// Give every primary cell a proven verdict.
///
/// Hidden are the cells that the file calls primary (u) or secondary (m). An attacker who
/// knows the published cells, the equations and the bounds in the file must not come
/// nearer to a primary than its protection levels.
///
/// Verdicts are for the office, not for publication: they say how near one can come.
#[derive(Debug, Args)]
pub struct AuditArguments {
    /// The table to audit
    #[arg(value_name = "TABLE")]
    pub table: PathBuf,

    #[command(flatten)]
    hidden: Hidden,

    /// Audit what single contributors can learn too; needs the contributors (T.frq)
    #[arg(long)]
    contributors: bool,

    /// Print the verdicts as JSON
    #[arg(long)]
    json: bool,

    /// Write a line a primary into this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write the exact interval of every hidden cell into this file
    #[arg(long, value_name = "FILE")]
    intervals: Option<PathBuf>,

    #[command(flatten)]
    limits: Limits,
}

/// Runs the sub-command.
///
/// # Errors
/// If the table cannot be read or makes no sense, or an output cannot be written.
pub fn run(arguments: &AuditArguments) -> Result<Exit, Error> {
    let progress = ProgressBar::new();
    progress.stage("reading", None);
    let table = AttackedTable::read(&arguments.table, &arguments.hidden)?;
    if arguments.contributors && table.problem.contributors().is_none() {
        return Err(Error::arguments(
            format!("{} does not say how many contributed", arguments.table.display()),
            "put the contributors of T.jj into T.frq, or into the column contributors of T.cells.csv",
        ));
    }
    let budget = arguments.limits.budget();
    let audit = quell_attack::audit(&table.problem, &table.pattern, &budget, &progress)?;
    let contributors = match arguments.contributors {
        true => Some(quell_attack::contributor_attack(
            &table.problem,
            &table.pattern,
            &audit,
            &budget,
            &progress,
        )?),
        false => None,
    };
    let intervals = match arguments.intervals {
        Some(_) => intervals(&table, &budget, &progress)?,
        None => None,
    };
    progress.stage("writing", None);
    let report = report(&table, &audit, contributors.as_ref());
    // Everything is known by now: what can still go wrong is the disk.
    if let Some(path) = &arguments.csv {
        csv_file::write(path, |out| report.write_csv(out))?;
    }
    if let (Some(path), Some(intervals)) = (&arguments.intervals, &intervals) {
        csv_file::write_intervals(path, &table.problem, intervals)?;
    }
    drop(progress);
    if arguments.json {
        output::json(&report);
    } else {
        output::line(format_args!("{}\n{}", arguments.table.display(), report.text().trim_end()));
    }
    if let (Some(path), None) = (&arguments.intervals, &intervals) {
        eprintln!("quell: the time ended before all intervals; {} not written", path.display());
        return Ok(Exit::NotSafe);
    }
    Ok(match report.verdict() {
        TableVerdict::Safe => Exit::Done,
        TableVerdict::NotSafe | TableVerdict::NotProven => Exit::NotSafe,
    })
}

fn report<'a>(
    table: &'a AttackedTable,
    audit: &'a quell_attack::Audit,
    contributors: Option<&'a ContributorAttack>,
) -> Report<'a> {
    let report = Report::new(&table.problem, &table.pattern, audit);
    match contributors {
        Some(attack) => report.with_contributors(attack),
        None => report,
    }
}

/// The intervals of all hidden cells, or nothing if the budget ended first.
fn intervals(
    table: &AttackedTable,
    budget: &Budget,
    progress: &ProgressBar,
) -> Result<Option<Vec<Interval>>, Error> {
    quell_attack::intervals(&table.problem, &table.pattern, budget, progress)
        .map_err(|error| Error::from(quell_attack::AuditError::from(error)))
}
