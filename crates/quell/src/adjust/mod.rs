//! `quell adjust`: controlled tabular adjustment of a table.
//!
//! - [`job`]: tables of a job, adjusted instead of suppressed;
//! - [`limits`]: limits of single cells, from a file;
//! - [`options`]: what an adjusted table must keep, from the command line and job files;
//! - [`summary`]: what came of it, in numbers;
//! - [`page`]: the report as one HTML file.

pub mod job;
pub mod limits;
pub mod options;
pub mod page;
pub mod summary;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use quell_adjust::{Audit, METHODS, Options};
use quell_model::{
    Budget, Cell, Problem, Progress, Protection, Status, UNBOUNDED_ABOVE, UNBOUNDED_BELOW, Value,
};

use crate::Error;
use crate::exit::Exit;
use crate::interrupt;
use crate::limits::{Search, Usual};
use crate::output;
use crate::progress_bar::ProgressBar;
use crate::table_file::{self, Check};
use options::AdjustOptions;
use summary::Summary;

/// Move sensitive values to a safe distance, and others a little, so that the table adds up.
///
/// Nothing is hidden: the adjusted table is published whole. The table's bounds are limits
/// that adjusted values keep; protected cells stay as they are. The result is audited; a
/// table that is not safe, additive and within its limits is not written.
#[derive(Debug, Args)]
pub struct AdjustArguments {
    /// The table to adjust
    #[arg(value_name = "TABLE")]
    table: PathBuf,

    /// The method
    #[arg(long, value_name = "NAME", default_value = METHODS[0])]
    method: String,

    /// The adjusted table, for publication: values only, no levels or bounds
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Do not adjust, but audit this adjusted table
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    check: Option<PathBuf>,

    /// Attack the result: what can an intruder infer who knows the method and all limits?
    #[arg(long)]
    attack: bool,

    /// A report as an HTML file, for the office
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    options: AdjustOptions,

    #[command(flatten)]
    search: Search,
}

/// An adjusted and audited table.
#[derive(Debug)]
pub struct Adjusted {
    /// The adjusted values.
    pub values: Vec<Value>,
    /// The audit.
    pub audit: Audit,
    /// What came of it.
    pub summary: Summary,
}

/// Adjusts a table by a method of a name, audits it and sums up.
///
/// # Errors
/// If there is no such method, no adjusted table, or a solver fails.
pub fn adjusted(
    problem: &Problem,
    method: &str,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Adjusted, Error> {
    let start = Instant::now();
    let chosen = quell_adjust::method(method)?;
    progress.stage("adjusting", None);
    let outcome = quell_adjust::adjust(chosen.as_ref(), problem, options, budget, progress)?;
    let mut summary = Summary::of(problem, &outcome.values, &outcome.audit);
    summary.method = method.to_owned();
    summary.cost = outcome.cost;
    summary.lower_bound = outcome.lower_bound;
    summary.gap = outcome.gap();
    summary.seed = budget.seed();
    summary.seconds = start.elapsed().as_secs_f64();
    Ok(Adjusted { values: outcome.values, audit: outcome.audit, summary })
}

/// The table as it is published: adjusted values, and nothing that points to the true ones.
pub fn published(problem: &Problem, values: &[Value]) -> Problem {
    let negative = values.iter().any(|&value| value < 0);
    let cells = values.iter().map(|&value| Cell {
        value,
        weight: 1.0,
        status: Status::Safe,
        lower_bound: if negative { UNBOUNDED_BELOW } else { 0 },
        upper_bound: UNBOUNDED_ABOVE,
        protection: Protection::default(),
    });
    Problem::new(problem.system().clone(), problem.decimals(), cells)
        .with_labels(problem.labels().clone())
}

/// Runs the sub-command.
///
/// # Errors
/// If the table cannot be read, adjusted or written.
pub fn run(arguments: &AdjustArguments) -> Result<Exit, Error> {
    let progress = ProgressBar::new();
    progress.stage("reading", None);
    let problem = table_file::read(&arguments.table, Check::Table)?;
    let options = arguments.options.options(&problem)?;
    let cancel = interrupt::cancel_flag();
    let budget = arguments.search.budget_from_now(&Usual::default(), &cancel);
    let mut adjusted = match &arguments.check {
        Some(path) => given(&problem, path, &options)?,
        None => adjusted(&problem, &arguments.method, &options, &budget, &progress)?,
    };
    if arguments.attack {
        let budget = arguments.search.budget_from_now(&Usual::default(), &cancel);
        let attack =
            quell_adjust::attack(&problem, &options, &adjusted.values, &budget, &progress)?;
        adjusted.summary.attack = Some((&attack).into());
    }
    let safe = adjusted.summary.safe;
    if let (Some(path), true) = (&arguments.out, safe) {
        progress.stage("writing", None);
        table_file::write(path, &published(&problem, &adjusted.values))?;
    }
    if let Some(path) = &arguments.report {
        let title = arguments.table.display().to_string();
        let page = page::html(&title, &adjusted.summary, &[]);
        quell_formats::write_whole(path, |out| {
            let failed = |source| quell_formats::Error::Write { file: path.clone(), source };
            out.write_all(page.as_bytes()).map_err(failed)
        })?;
    }
    drop(progress);
    if arguments.json {
        output::json(&adjusted.summary);
    } else {
        output::line(adjusted.summary.text());
    }
    for breach in summary::breaches(&problem, &adjusted.audit) {
        eprintln!("quell: {breach}");
    }
    Ok(if safe { Exit::Done } else { Exit::NotSafe })
}

/// A table that somebody else adjusted.
fn given(problem: &Problem, path: &std::path::Path, options: &Options) -> Result<Adjusted, Error> {
    let other = table_file::read(path, Check::FormOnly)?;
    if other.decimals() != problem.decimals() || other.cell_count() != problem.cell_count() {
        return Err(Error::arguments(
            format!("{} is not a table of the same cells and decimals", path.display()),
            "give the adjusted table with all cells, in the order of the original",
        ));
    }
    let values = other.values().to_vec();
    let audit = quell_adjust::audit(problem, options, &values)?;
    let mut summary = Summary::of(problem, &values, &audit);
    let instance = quell_adjust::Instance::new(problem, options)?;
    let movement: Vec<Value> =
        values.iter().zip(problem.values()).map(|(after, before)| after - before).collect();
    summary.cost = instance.cost(&movement);
    summary.lower_bound = instance.least_cost().min(summary.cost);
    Ok(Adjusted { values, audit, summary })
}
