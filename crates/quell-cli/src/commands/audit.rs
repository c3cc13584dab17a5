//! `quell audit`: a proven verdict for every primary cell.

use std::path::PathBuf;

use clap::Args;
use quell::argus::FinishedTable;
use quell::attacked_table::AttackedTable;
use quell::audit::{AuditOptions, Audited};
use quell::{ContributorAttackers, Error, csv_file, tested_against};

use super::Session;
use crate::args::{ContributorArguments, HiddenArguments, LimitArguments};
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
    /// The table to audit: JJ, a pair of CSV files, or what τ-ARGUS wrote (.tab, .sbs)
    #[arg(value_name = "TABLE")]
    table: PathBuf,

    /// The metadata (.rda) of a .tab or .sbs file; that of its name if not given
    #[arg(long, value_name = "FILE")]
    metadata: Option<PathBuf>,

    /// The spanning variables of a .tab or .sbs file, if the metadata have more
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    dimensions: Vec<String>,

    #[command(flatten)]
    hidden: HiddenArguments,

    #[command(flatten)]
    contributors: ContributorArguments,

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
    let AttackedTable { problem, pattern } = read(arguments)?;
    let contributors = arguments.contributors.attackers().unwrap_or_default();
    let problem = contributors.of_table(problem, &arguments.table.display().to_string())?;
    let table = AttackedTable { problem, pattern };
    let options = AuditOptions {
        contributors: contributors == ContributorAttackers::Yes,
        intervals: arguments.intervals.is_some(),
    };
    let context = session.limited(&arguments.limits)?;
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

/// The table and its hidden cells.
fn read(arguments: &AuditArguments) -> Result<AttackedTable, Error> {
    let (file, hidden) = (&arguments.table, arguments.hidden.hidden());
    if FinishedTable::is_one(file) {
        let beside = || file.with_extension("rda");
        let table = FinishedTable {
            file: file.clone(),
            metadata: arguments.metadata.clone().unwrap_or_else(beside),
            dimensions: arguments.dimensions.clone(),
        };
        return AttackedTable::of(table.read()?, file, &hidden);
    }
    if arguments.metadata.is_some() || !arguments.dimensions.is_empty() {
        return Err(Error::arguments(
            "--metadata and --dimensions are for .tab and .sbs files",
            "leave them out: JJ and CSV files describe themselves",
        ));
    }
    AttackedTable::read(file, &hidden)
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
            "{}\n{}\n\n{}",
            arguments.table.display(),
            report.text().trim_end(),
            tested_against(&table.problem)
        )),
    }
}
