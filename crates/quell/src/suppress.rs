//! `quell suppress`: choose secondaries until every primary is safe.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use quell_model::{Budget, Problem, Progress};
use quell_suppress::{METHODS, Outcome};
use serde::Serialize;

use crate::Error;
use crate::checkpoint_file::CheckpointArguments;
use crate::exit::Exit;
use crate::interrupt;
use crate::limits::{Search, Usual};
use crate::output;
use crate::pipeline;
use crate::progress_bar::ProgressBar;
use crate::table_file::{self, Check};

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
    search: Search,

    #[command(flatten)]
    checkpoints: CheckpointArguments,
}

/// What came of a method.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// The method.
    pub method: String,
    /// Cells of the table.
    pub cells: usize,
    /// Its equations.
    pub equations: usize,
    /// Its primaries.
    pub primaries: usize,
    /// The secondaries chosen.
    pub secondaries: usize,
    /// What they cost.
    pub cost: f64,
    /// No safe pattern costs less.
    pub lower_bound: f64,
    /// The share by which the cost may be above the least.
    pub gap: f64,
    /// Whether the audit proves every primary safe.
    pub safe: bool,
    /// How long it took.
    pub seconds: f64,
    /// The seed.
    pub seed: u64,
}

/// Protects a table and sums up what came of it.
///
/// # Errors
/// If there is no such method, or it fails.
pub fn protect(
    problem: &Problem,
    method: &str,
    budget: &Budget,
    progress: &dyn Progress,
    checkpoints: &CheckpointArguments,
) -> Result<(Outcome, Summary), Error> {
    let start = Instant::now();
    let outcome = pipeline::protect(problem, method, budget, progress, checkpoints)?;
    let summary = Summary {
        method: method.to_owned(),
        cells: problem.cell_count(),
        equations: problem.system().equation_count(),
        primaries: problem.primaries().count(),
        secondaries: outcome.secondaries,
        cost: outcome.cost,
        lower_bound: outcome.lower_bound,
        gap: outcome.gap(),
        safe: outcome.audit.is_safe(),
        seconds: start.elapsed().as_secs_f64(),
        seed: budget.seed(),
    };
    Ok((outcome, summary))
}

/// Runs the sub-command.
///
/// # Errors
/// If the table cannot be read, protected or written.
pub fn run(arguments: &SuppressArguments) -> Result<Exit, Error> {
    let progress = ProgressBar::new();
    progress.stage("reading", None);
    let problem = table_file::read(&arguments.table, Check::Table)?;
    let budget = arguments.search.budget_from_now(&Usual::default(), &interrupt::cancel_flag());
    let (outcome, summary) =
        protect(&problem, &arguments.method, &budget, &progress, &arguments.checkpoints)?;
    if let (Some(path), true) = (&arguments.out, summary.safe) {
        progress.stage("writing", None);
        let statuses = outcome.pattern.statuses(&problem);
        table_file::write(path, &problem.clone().with_statuses(statuses))?;
    }
    drop(progress);
    if arguments.json {
        output::json(&summary);
    } else {
        output::line(format_args!(
            "{} cells, {} equations, {} primaries\n{}: {} secondaries of cost {:.2}, at least {:.2} is needed\n{}",
            summary.cells,
            summary.equations,
            summary.primaries,
            summary.method,
            summary.secondaries,
            summary.cost,
            summary.lower_bound,
            match summary.safe {
                true => "SAFE: all primaries are proven safe",
                false => "NOT SAFE: nothing was written; quell audit shows the cells",
            }
        ));
    }
    Ok(if summary.safe { Exit::Done } else { Exit::NotSafe })
}
