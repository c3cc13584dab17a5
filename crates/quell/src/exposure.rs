//! `quell exposure`: which primaries need protecting.

use std::path::PathBuf;

use clap::Args;
use quell_attack::{CandidateAlgorithm, Cells, ExposureSets};
use quell_model::{Problem, Progress};
use serde::Serialize;

use crate::Error;
use crate::exit::Exit;
use crate::limits::Limits;
use crate::output;
use crate::progress_bar::ProgressBar;
use crate::table_file::{self, Check};

/// The most candidates that the text names.
const MOST_SHOWN: usize = 20;

/// Find the primaries that need protecting; the others are safe once those are.
///
/// The preprocessing of serpell-2013: the sets E, E_f, E_p, E_u, E_n, K_1, K_pl, K_nv and
/// K_s of the table before protection, and the candidates for initially exposed cells by
/// one of its algorithms.
#[derive(Debug, Args)]
pub struct ExposureArguments {
    /// The table before protection
    #[arg(value_name = "TABLE")]
    pub table: PathBuf,

    /// How to find candidates: e, k1, k3 or k5
    #[arg(long, value_name = "NAME", default_value_t = CandidateAlgorithm::K5)]
    algorithm: CandidateAlgorithm,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: Limits,
}

/// What comes out, in the order of its fields.
#[derive(Debug, Serialize)]
struct Found {
    cells: usize,
    primaries: usize,
    decided: bool,
    sets: Sizes,
    algorithm: String,
    saving_percent: f64,
    candidates: Vec<Candidate>,
}

/// The sizes of the sets, by the paper's names.
#[derive(Debug, Serialize)]
struct Sizes {
    #[serde(rename = "E")]
    exposed: usize,
    #[serde(rename = "E_f")]
    fully: usize,
    #[serde(rename = "E_p")]
    partially: usize,
    #[serde(rename = "E_u")]
    unpicked: usize,
    #[serde(rename = "E_n")]
    not_unpicked: usize,
    #[serde(rename = "K_1")]
    alone: usize,
    #[serde(rename = "K_pl")]
    by_levels: usize,
    #[serde(rename = "K_nv")]
    by_values: usize,
    #[serde(rename = "K_s")]
    by_size: usize,
}

#[derive(Debug, Serialize)]
struct Candidate {
    cell: u32,
    name: String,
}

impl Sizes {
    fn of(sets: &ExposureSets) -> Self {
        Self {
            exposed: sets.exposed.len(),
            fully: sets.fully.len(),
            partially: sets.partially.len(),
            unpicked: sets.unpicked.len(),
            not_unpicked: sets.not_unpicked.len(),
            alone: sets.alone.len(),
            by_levels: sets.by_levels.len(),
            by_values: sets.by_values.len(),
            by_size: sets.by_size.len(),
        }
    }

    /// Each set's name, size and meaning.
    fn lines(&self) -> [(&'static str, usize, &'static str); 9] {
        [
            ("E", self.exposed, "exposed"),
            ("E_f", self.fully, "exposed exactly"),
            ("E_p", self.partially, "exposed, but not exactly"),
            ("E_u", self.unpicked, "exposed by unpicking"),
            ("E_n", self.not_unpicked, "exposed, but not by unpicking"),
            ("K_1", self.alone, "the only primary of an equation"),
            ("K_pl", self.by_levels, "larger range than the others' ranges"),
            ("K_nv", self.by_values, "larger range than the others' values"),
            ("K_s", self.by_size, "over three times the others' values"),
        ]
    }
}

impl Found {
    fn new(
        problem: &Problem,
        sets: &ExposureSets,
        algorithm: CandidateAlgorithm,
        decided: bool,
    ) -> Self {
        let candidates: Cells = sets.candidates(algorithm);
        let primaries = problem.primaries().count();
        Self {
            cells: problem.cell_count(),
            primaries,
            decided,
            sets: Sizes::of(sets),
            algorithm: algorithm.to_string(),
            saving_percent: saving(primaries, candidates.len()),
            candidates: candidates
                .iter()
                .map(|&cell| Candidate { cell: cell.0, name: problem.cell_name(cell) })
                .collect(),
        }
    }

    fn print(&self) {
        output::line(format_args!("{} cells, {} primary", self.cells, self.primaries));
        output::line("");
        for (name, size, meaning) in self.sets.lines() {
            output::line(format_args!("  {name:<5}{size:>9}  {meaning}"));
        }
        output::line("");
        output::line(format_args!(
            "{}: {} candidates to protect instead of {}, a saving of {} %",
            self.algorithm,
            self.candidates.len(),
            self.primaries,
            self.saving_percent
        ));
        let names: Vec<&str> =
            self.candidates.iter().take(MOST_SHOWN).map(|one| one.name.as_str()).collect();
        if self.candidates.len() > MOST_SHOWN {
            let more = self.candidates.len() - MOST_SHOWN;
            output::line(format_args!("  {}, and {more} more: see --json", names.join(", ")));
        } else if !names.is_empty() {
            output::line(format_args!("  {}", names.join(", ")));
        }
    }
}

/// The share of primaries that need not be looked at, in percent with two decimals.
fn saving(primaries: usize, candidates: usize) -> f64 {
    match primaries {
        0 => 0.0,
        _ => ((1.0 - candidates as f64 / primaries as f64) * 10_000.0).round() / 100.0,
    }
}

/// Runs the sub-command.
///
/// # Errors
/// If the table cannot be read or makes no sense.
pub fn run(arguments: &ExposureArguments) -> Result<Exit, Error> {
    let progress = ProgressBar::new();
    progress.stage("reading", None);
    let problem = table_file::read(&arguments.table, Check::Table)?;
    let budget = arguments.limits.budget();
    let sets = ExposureSets::find(&problem, &budget, &progress)?;
    let decided = budget.stop().is_none();
    drop(progress);
    let found = Found::new(&problem, &sets, arguments.algorithm, decided);
    if arguments.json {
        output::json(&found);
    } else {
        found.print();
    }
    if decided {
        return Ok(Exit::Done);
    }
    eprintln!("quell: the time ended first; what was not settled counts as exposed");
    Ok(Exit::NotSafe)
}
