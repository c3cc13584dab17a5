//! `quell adjust`: controlled tabular adjustment of a table.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use quell::adjust::options::{AdjustOptions, CostOption, DistanceOption, KeptStatistic};
use quell::adjust::{self, AdjustRequest, Adjusted, page, published, summary};
use quell::table_file::{self, Check};
use quell::{Error, Problem};
use quell_adjust::METHODS;

use super::Session;
use crate::args::SearchArguments;
use crate::exit::Exit;
use crate::output;

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
    kept: KeptArguments,

    #[command(flatten)]
    search: SearchArguments,
}

/// What a unit of change costs.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum CostChoice {
    /// The table's own weights
    #[default]
    Weight,
    /// 1: the sum of absolute changes
    One,
    /// 1/value: the sum of relative changes
    Relative,
}

/// How far sensitive cells move.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum DistanceChoice {
    /// To the nearest safe value on either side
    #[default]
    Minimal,
    /// As far or farther
    AtLeast,
}

/// What an adjusted table must keep.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "What is kept")]
struct KeptArguments {
    /// What a unit of change costs
    #[arg(long, value_enum, default_value_t)]
    cost: CostChoice,

    /// How far sensitive cells move
    #[arg(long, value_enum, default_value_t)]
    distance: DistanceChoice,

    /// Other cells move by at most this percentage of their value
    #[arg(long, value_name = "PERCENT")]
    limit_percent: Option<f64>,

    /// A CSV file with limits of single cells, such as their sampling errors: columns cell
    /// (name or number) and limit (an amount); takes the place of the percentage
    #[arg(long, value_name = "FILE")]
    limits: Option<PathBuf>,

    /// Numbers of cells that are held fixed, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "CELLS")]
    fixed: Vec<u32>,

    /// Statistics of the base cells that are kept, such as mean=0.001,slope=0.01: mean,
    /// variance, correlation or slope, each with the share it may change by
    #[arg(long, value_delimiter = ',', value_name = "STATISTICS")]
    keep: Vec<KeptStatistic>,
}

impl KeptArguments {
    fn options(&self) -> AdjustOptions {
        AdjustOptions {
            cost: match self.cost {
                CostChoice::Weight => CostOption::Weight,
                CostChoice::One => CostOption::One,
                CostChoice::Relative => CostOption::Relative,
            },
            distance: match self.distance {
                DistanceChoice::Minimal => DistanceOption::Minimal,
                DistanceChoice::AtLeast => DistanceOption::AtLeast,
            },
            limit_percent: self.limit_percent,
            limits: self.limits.clone(),
            fixed: self.fixed.clone(),
            keep: self.keep.clone(),
        }
    }
}

/// Runs the sub-command.
///
/// # Errors
/// If the table cannot be read, adjusted or written.
pub fn run(arguments: &AdjustArguments) -> Result<Exit, Error> {
    let session = Session::begin();
    let problem = table_file::read(&arguments.table, Check::Table)?;
    let request = AdjustRequest {
        method: arguments.method.clone(),
        options: arguments.kept.options().options(&problem)?,
        attack: arguments.attack,
        search_time: arguments.search.usual_search_time(),
    };
    let context = session.search(&arguments.search)?;
    let adjusted = match &arguments.check {
        Some(path) => {
            let values = values_of(path, &problem)?;
            adjust::check(&problem, values, &request, &context)?
        }
        None => quell::adjust(&problem, &request, &context)?,
    };
    session.progress().stage("writing", None);
    write(arguments, &problem, &adjusted)?;
    drop(session);
    show(arguments, &problem, &adjusted);
    Ok(if adjusted.is_safe() { Exit::Done } else { Exit::NotSafe })
}

/// The values of a table that somebody else adjusted.
fn values_of(path: &Path, problem: &Problem) -> Result<Vec<i64>, Error> {
    let other = table_file::read(path, Check::FormOnly)?;
    if other.decimals() != problem.decimals() || other.cell_count() != problem.cell_count() {
        return Err(Error::arguments(
            format!("{} is not a table of the same cells and decimals", path.display()),
            "give the adjusted table with all cells, in the order of the original",
        ));
    }
    Ok(other.values().to_vec())
}

fn write(arguments: &AdjustArguments, problem: &Problem, adjusted: &Adjusted) -> Result<(), Error> {
    if let (Some(path), true) = (&arguments.out, adjusted.is_safe()) {
        table_file::write(path, &published(problem, &adjusted.values))?;
    }
    if let Some(path) = &arguments.report {
        let title = arguments.table.display().to_string();
        let page = page::html(&title, &adjusted.summary, &[]);
        quell_formats::write_whole(path, |out| {
            let failed = |source| quell_formats::Error::Write { file: path.clone(), source };
            out.write_all(page.as_bytes()).map_err(failed)
        })?;
    }
    Ok(())
}

fn show(arguments: &AdjustArguments, problem: &Problem, adjusted: &Adjusted) {
    match arguments.json {
        true => output::json(&adjusted.summary),
        false => output::line(adjusted.summary.text()),
    }
    summary::breaches(problem, &adjusted.audit).iter().for_each(output::remark);
    if arguments.out.is_some() && !adjusted.is_safe() {
        output::remark("nothing was written");
    }
}
