//! `quell compare`: several methods on one table.

use std::path::PathBuf;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use quell::compare::{CompareOptions, Compared};
use quell::table_file::{self, Check};
use quell::{Error, tested_against};

use super::Session;
use crate::args::{ContributorArguments, SearchArguments};
use crate::exit::Exit;
use crate::output;

/// Compare methods on a table: what they hide, what it costs, how long they take.
///
/// Each method gets the whole time and effort. A method that cannot treat the table says why.
/// Nothing is written.
#[derive(Debug, Args)]
pub struct CompareArguments {
    /// The table to protect
    #[arg(value_name = "TABLE")]
    table: PathBuf,

    /// The methods, separated by commas; all of them if not given
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    methods: Vec<String>,

    /// Print the results as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    contributors: ContributorArguments,

    #[command(flatten)]
    search: SearchArguments,
}

/// Runs the sub-command.
///
/// # Errors
/// If the table cannot be read, or a method fails.
pub fn run(arguments: &CompareArguments) -> Result<Exit, Error> {
    let session = Session::begin();
    let problem = table_file::read(&arguments.table, Check::Table)?;
    let contributors = arguments.contributors.attackers().unwrap_or_default();
    let problem = contributors.of_table(problem, &arguments.table.display().to_string())?;
    let options = CompareOptions {
        methods: arguments.methods.clone(),
        time: arguments.search.limits.time,
        search_time: arguments.search.usual_search_time(),
        work: arguments.search.work,
    };
    // The limits are those of each method, not of all of them.
    let mut all = arguments.search.clone();
    (all.limits.time, all.work) = (None, None);
    let context = session.search(&all)?;
    let compared = quell::compare(&problem, &options, &context)?;
    drop(session);
    match arguments.json {
        true => output::json(&compared),
        false => {
            output::line(table(&compared));
            output::line(tested_against(&problem));
            compared.iter().filter_map(reason).for_each(output::line);
        }
    }
    let open = compared.iter().any(Compared::is_open);
    Ok(if open { Exit::NotSafe } else { Exit::Done })
}

fn table(compared: &[Compared]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(["method", "secondaries", "cost", "lower bound", "gap", "safe", "seconds"]);
    for row in compared {
        table.add_row(cells(row));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn cells(row: &Compared) -> Vec<String> {
    match row {
        Compared::Done(summary) => vec![
            summary.method.clone(),
            summary.secondaries.to_string(),
            format!("{:.2}", summary.cost),
            format!("{:.2}", summary.lower_bound),
            format!("{:.1} %", 100.0 * summary.gap),
            if summary.safe { "yes" } else { "NO" }.to_owned(),
            format!("{:.2}", summary.seconds),
        ],
        // The reasons are too long for a column.
        Compared::Declined { method, .. } => vec![method.clone(), "declined".to_owned()],
        Compared::NotRun { method, .. } => vec![method.clone(), "not run".to_owned()],
    }
}

/// Why a method gave no pattern.
fn reason(row: &Compared) -> Option<String> {
    match row {
        Compared::Done(_) => None,
        Compared::Declined { method, declined } => Some(format!("{method} declined: {declined}")),
        Compared::NotRun { method, not_run } => Some(format!("{method} not run: {not_run}")),
    }
}
