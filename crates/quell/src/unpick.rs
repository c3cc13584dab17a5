//! `quell unpick`: what the equations give away one at a time.

use std::path::PathBuf;

use clap::Args;
use quell_attack::{Exposure, Unpicked};
use quell_model::{Direction, Problem, Progress};
use serde::Serialize;

use crate::Error;
use crate::attacked_table::{AttackedTable, Hidden};
use crate::csv_file;
use crate::exit::Exit;
use crate::output;
use crate::progress_bar::ProgressBar;

/// The most exposures that the text lists.
const MOST_SHOWN: usize = 40;

/// Show which primaries fall by simple subtraction, and in which order.
///
/// The quick attack of serpell-2013: bounds from one equation at a time until nothing
/// changes. What it finds is exposed; what it does not find may be exposed all the same
/// (see audit).
#[derive(Debug, Args)]
pub struct UnpickArguments {
    /// The table to unpick
    #[arg(value_name = "TABLE")]
    pub table: PathBuf,

    #[command(flatten)]
    hidden: Hidden,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,

    /// Write the bounds of every hidden cell into this file
    #[arg(long, value_name = "FILE")]
    bounds: Option<PathBuf>,
}

/// What comes out, in the order of its fields.
#[derive(Debug, Serialize)]
struct Found {
    cells: usize,
    equations: usize,
    hidden: usize,
    primaries: usize,
    rounds: u32,
    exposed: usize,
    first_round: usize,
    exposures: Vec<FoundExposure>,
}

#[derive(Debug, Serialize)]
struct FoundExposure {
    round: u32,
    cell: u32,
    name: String,
    direction: &'static str,
    equation: u32,
}

impl FoundExposure {
    fn new(problem: &Problem, exposure: &Exposure) -> Self {
        Self {
            round: exposure.round,
            cell: exposure.cell.0,
            name: problem.cell_name(exposure.cell),
            direction: match exposure.direction {
                Direction::Down => "down",
                Direction::Up => "up",
            },
            equation: exposure.equation.0,
        }
    }
}

impl Found {
    fn new(table: &AttackedTable, unpicked: &Unpicked) -> Self {
        let problem = &table.problem;
        let exposures = &unpicked.exposures;
        Self {
            cells: problem.cell_count(),
            equations: problem.system().equation_count(),
            hidden: table.pattern.len(),
            primaries: problem.primaries().count(),
            rounds: unpicked.rounds,
            exposed: exposures.len(),
            first_round: exposures.iter().filter(|exposure| exposure.round == 1).count(),
            exposures: exposures
                .iter()
                .map(|exposure| FoundExposure::new(problem, exposure))
                .collect(),
        }
    }

    fn print(&self) {
        output::line(format_args!(
            "{} cells, {} equations, {} hidden: {} primary",
            self.cells, self.equations, self.hidden, self.primaries
        ));
        output::line(format_args!(
            "{} of {} primaries fall by unpicking, {} of them in the first round",
            self.exposed, self.primaries, self.first_round
        ));
        if self.exposures.is_empty() {
            output::line("That does not make the table safe: see quell audit.");
            return;
        }
        output::line("");
        let shown = &self.exposures[..self.exposures.len().min(MOST_SHOWN)];
        let width = shown.iter().map(|exposure| exposure.name.chars().count()).max().unwrap_or(0);
        output::line(format_args!("  round  {:<width$}  bound  equation", "cell"));
        for exposure in shown {
            let bound = if exposure.direction == "down" { "lower" } else { "upper" };
            output::line(format_args!(
                "  {:>5}  {:<width$}  {bound}  {:>8}",
                exposure.round, exposure.name, exposure.equation
            ));
        }
        if self.exposures.len() > MOST_SHOWN {
            let more = self.exposures.len() - MOST_SHOWN;
            output::line(format_args!("  and {more} more: see --json"));
        }
    }
}

/// Runs the sub-command.
///
/// # Errors
/// If the table cannot be read or makes no sense, or an output cannot be written.
pub fn run(arguments: &UnpickArguments) -> Result<Exit, Error> {
    let progress = ProgressBar::new();
    progress.stage("reading", None);
    let table = AttackedTable::read(&arguments.table, &arguments.hidden)?;
    progress.stage("unpicking", None);
    let unpicked = quell_attack::unpick(&table.problem, &table.pattern);
    if let Some(path) = &arguments.bounds {
        progress.stage("writing", None);
        csv_file::write_unpicked(path, &table.problem, &unpicked)?;
    }
    let found = Found::new(&table, &unpicked);
    drop(progress);
    if arguments.json {
        output::json(&found);
    } else {
        found.print();
    }
    Ok(Exit::Done)
}
