//! `quell suppress`: choose secondaries until every primary is safe.

use std::path::PathBuf;

use clap::Args;
use quell::suppress::{SuppressOptions, SuppressSummary, Suppressed};
use quell::table_file::{self, Check};
use quell::text::counted;
use quell::{Context, Error, TableVerdict};
use quell_suppress::METHODS;

use super::Session;
use crate::args::{CheckpointArguments, ContributorArguments, SearchArguments};
use crate::exit::Exit;
use crate::output;

/// Choose secondaries until every primary is safe.
///
/// Cells that the file calls secondary may be published again. What a method proposes is
/// audited; a table that is not proven safe is not written.
#[derive(Debug, Args)]
pub struct SuppressArguments {
    /// The table to protect
    #[arg(value_name = "TABLE")]
    table: PathBuf,

    /// The method
    #[arg(long, value_name = "NAME", default_value = METHODS[0])]
    method: String,

    /// The protected table: the same with secondaries marked m
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    contributors: ContributorArguments,

    #[command(flatten)]
    search: SearchArguments,

    #[command(flatten)]
    checkpoints: CheckpointArguments,
}

/// Runs the sub-command.
///
/// # Errors
/// If the table cannot be read, protected or written.
pub fn run(arguments: &SuppressArguments) -> Result<Exit, Error> {
    let session = Session::begin();
    let problem = table_file::read(&arguments.table, Check::Table)?;
    let contributors = arguments.contributors.attackers().unwrap_or_default();
    let problem = contributors.of_table(problem, &arguments.table.display().to_string())?;
    let options = SuppressOptions {
        method: arguments.method.clone(),
        search_time: arguments.search.usual_search_time(),
    };
    let checkpoints = arguments.checkpoints.place();
    let context = Context { checkpoints, ..session.search(&arguments.search)? };
    let suppressed = quell::suppress(&problem, &options, &context)?;
    if let (Some(path), TableVerdict::Safe) = (&arguments.out, suppressed.verdict()) {
        session.progress().stage("writing", None);
        table_file::write(path, &suppressed.protected(&problem))?;
    }
    drop(session);
    show(&suppressed, arguments.json);
    Ok(suppressed.verdict().into())
}

fn show(suppressed: &Suppressed, json: bool) {
    match json {
        true => output::json(&suppressed.summary),
        false => output::line(text(&suppressed.summary, suppressed.verdict())),
    }
    suppressed.notes.iter().for_each(output::remark);
}

fn text(summary: &SuppressSummary, verdict: TableVerdict) -> String {
    let words = match verdict {
        TableVerdict::Safe => "all primaries are proven safe",
        TableVerdict::NotSafe => "nothing was written; quell audit shows the cells",
        TableVerdict::NotProven => {
            "nothing was written; the time ended before the audit did, or it came to no verdict"
        }
    };
    format!(
        "{}, {}, {}\n\
         {}: {} of cost {:.2}, at least {:.2} is needed\n\
         {verdict}: {words}\n\
         {}",
        counted(summary.cells, "cell"),
        counted(summary.equations, "equation"),
        counted(summary.primaries, "primary"),
        summary.method,
        counted(summary.secondaries, "secondary"),
        summary.cost,
        summary.lower_bound,
        summary.tested_against,
    )
}
