//! `quell audit`: a proven verdict for every primary cell.

use std::path::PathBuf;

use clap::Args;
use quell::attacked_table::AttackedTable;
use quell::audit::{AuditOptions, Audited};
use quell::{Error, csv_file};

use super::Session;
use crate::args::{HiddenArguments, LimitArguments};
use crate::exit::Exit;
use crate::output;

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
    table: PathBuf,

    #[command(flatten)]
    hidden: HiddenArguments,

    /// Audit what single contributors can learn too; needs the contributors (T.frq)
    #[arg(long)]
    contributors: bool,

    /// Print the verdicts as JSON
    #[arg(long)]
    json: bool,

    /// Write one line per primary into this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Write the exact interval of every hidden cell into this file
    #[arg(long, value_name = "FILE")]
    intervals: Option<PathBuf>,

    #[command(flatten)]
    limits: LimitArguments,
}

/// Runs the sub-command.
///
/// # Errors
/// If the table cannot be read or makes no sense, or an output cannot be written.
pub fn run(arguments: &AuditArguments) -> Result<Exit, Error> {
    let session = Session::begin();
    let table = AttackedTable::read(&arguments.table, &arguments.hidden.hidden())?;
    if arguments.contributors && table.problem.contributors().is_none() {
        return Err(Error::arguments(
            format!("{} does not say how many contributed", arguments.table.display()),
            "put the contributors of T.jj into T.frq, or into the column contributors of T.cells.csv",
        ));
    }
    let options = AuditOptions {
        contributors: arguments.contributors,
        intervals: arguments.intervals.is_some(),
    };
    let context = session.limited(&arguments.limits);
    let audited = quell::audit(&table.problem, &table.pattern, &options, &context)?;
    session.progress().stage("writing", None);
    write(arguments, &table, &audited)?;
    drop(session);
    show(arguments, &table, &audited);
    if let (Some(path), None) = (&arguments.intervals, &audited.intervals) {
        let path = path.display();
        output::remark(format_args!("the time ended before all intervals; {path} not written"));
        return Ok(Exit::NotSafe);
    }
    Ok(audited.verdict().into())
}

/// Everything is known by now: what can still go wrong is the disk.
fn write(
    arguments: &AuditArguments,
    table: &AttackedTable,
    audited: &Audited,
) -> Result<(), Error> {
    if let Some(path) = &arguments.csv {
        let report = audited.report(&table.problem, &table.pattern);
        csv_file::write(path, |out| report.write_csv(out))?;
    }
    if let (Some(path), Some(intervals)) = (&arguments.intervals, &audited.intervals) {
        csv_file::write_intervals(path, &table.problem, intervals)?;
    }
    Ok(())
}

fn show(arguments: &AuditArguments, table: &AttackedTable, audited: &Audited) {
    let report = audited.report(&table.problem, &table.pattern);
    match arguments.json {
        true => output::json(&report),
        false => output::line(format_args!(
            "{}\n{}",
            arguments.table.display(),
            report.text().trim_end()
        )),
    }
}
