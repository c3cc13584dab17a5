//! Which primaries need protecting, as text and JSON.

use quell_attack::{CandidateAlgorithm, Cells, ExposureSets};
use quell_model::Problem;
use serde::Serialize;

use super::counted;
use crate::exposure::Exposed;

/// The most candidates that the text names.
const MOST_SHOWN: usize = 20;

/// The sets of serpell-2013 and the candidates; in JSON in the order of its fields.
#[derive(Debug, Serialize)]
pub struct ExposureReport {
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

impl ExposureReport {
    /// The report of what `exposed` says of `problem`, with the candidates of an algorithm.
    pub fn new(problem: &Problem, exposed: &Exposed, algorithm: CandidateAlgorithm) -> Self {
        let candidates: Cells = exposed.sets.candidates(algorithm);
        let primaries = problem.primaries().count();
        Self {
            cells: problem.cell_count(),
            primaries,
            decided: exposed.decided,
            sets: Sizes::of(&exposed.sets),
            algorithm: algorithm.to_string(),
            saving_percent: saving(primaries, candidates.len()),
            candidates: candidates
                .iter()
                .map(|&cell| Candidate { cell: cell.0, name: problem.cell_name(cell) })
                .collect(),
        }
    }

    /// The report for people, which names the first candidates only.
    pub fn text(&self) -> String {
        let sets = self
            .sets
            .lines()
            .map(|(name, size, meaning)| format!("  {name:<5}{size:>9}  {meaning}\n"));
        format!(
            "{}, {} primary\n\n{}\n\
             {}: {} to protect instead of {}, a saving of {} %\n{}",
            counted(self.cells, "cell"),
            self.primaries,
            sets.concat(),
            self.algorithm,
            counted(self.candidates.len(), "candidate"),
            self.primaries,
            self.saving_percent,
            self.names(),
        )
    }

    /// The names of the first candidates, if there are any.
    fn names(&self) -> String {
        let names: Vec<&str> =
            self.candidates.iter().take(MOST_SHOWN).map(|one| one.name.as_str()).collect();
        match self.candidates.len().saturating_sub(MOST_SHOWN) {
            0 if names.is_empty() => String::new(),
            0 => format!("  {}\n", names.join(", ")),
            more => format!("  {}, and {more} more: ask for JSON\n", names.join(", ")),
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
