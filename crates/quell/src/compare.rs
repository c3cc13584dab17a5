//! `quell compare`: several methods on one table.

use std::path::PathBuf;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use quell_model::Progress;
use quell_suppress::METHODS;

use crate::Error;
use crate::checkpoint_file::CheckpointArguments;
use crate::exit::Exit;
use crate::interrupt;
use crate::limits::{Search, Usual};
use crate::output;
use crate::progress_bar::ProgressBar;
use crate::suppress::{self, Summary};
use crate::table_file::{self, Check};

/// Compare methods on a table: what they hide, what it costs, how long they take.
///
/// Each method gets the whole time and effort. Nothing is written.
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
    search: Search,
}

/// Runs the sub-command.
///
/// # Errors
/// If the table cannot be read, or a method fails.
pub fn run(arguments: &CompareArguments) -> Result<Exit, Error> {
    let progress = ProgressBar::new();
    progress.stage("reading", None);
    let problem = table_file::read(&arguments.table, Check::Table)?;
    let methods: Vec<&str> = match arguments.methods.as_slice() {
        [] => METHODS.to_vec(),
        some => some.iter().map(String::as_str).collect(),
    };
    // A name that does not exist is told before hours of work.
    for method in &methods {
        quell_suppress::method(method)?;
    }
    let cancel = interrupt::cancel_flag();
    let mut summaries: Vec<Summary> = Vec::new();
    for method in methods {
        let none = CheckpointArguments::default();
        let budget = arguments.search.budget_from_now(&Usual::default(), &cancel);
        summaries.push(suppress::protect(&problem, method, &budget, &progress, &none)?.1);
    }
    drop(progress);
    if arguments.json {
        output::json(&summaries);
    } else {
        output::line(table(&summaries));
    }
    let safe = summaries.iter().all(|summary| summary.safe);
    Ok(if safe { Exit::Done } else { Exit::NotSafe })
}

fn table(summaries: &[Summary]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(["method", "secondaries", "cost", "lower bound", "gap", "safe", "seconds"]);
    for summary in summaries {
        table.add_row([
            summary.method.clone(),
            summary.secondaries.to_string(),
            format!("{:.2}", summary.cost),
            format!("{:.2}", summary.lower_bound),
            format!("{:.1} %", 100.0 * summary.gap),
            if summary.safe { "yes" } else { "NO" }.to_owned(),
            format!("{:.2}", summary.seconds),
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
