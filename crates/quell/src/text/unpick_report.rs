//! What unpicking finds, as text and JSON.

use std::fmt::Write;

use quell_attack::{Exposure, Unpicked};
use quell_model::{Direction, Pattern, Problem};
use serde::Serialize;

use super::counted;

/// The most exposures that the text lists.
const MOST_SHOWN: usize = 40;

/// What unpicking finds; in JSON in the order of its fields.
#[derive(Debug, Serialize)]
pub struct UnpickReport {
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

impl UnpickReport {
    /// The report of unpicking `problem` under `pattern`.
    pub fn new(problem: &Problem, pattern: &Pattern, unpicked: &Unpicked) -> Self {
        let exposures = &unpicked.exposures;
        Self {
            cells: problem.cell_count(),
            equations: problem.system().equation_count(),
            hidden: pattern.len(),
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

    /// The report for people, which names the first cells only.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}, {}, {} hidden: {} primary\n\
             {} of {} {} by unpicking, {} of them in the first round\n",
            counted(self.cells, "cell"),
            counted(self.equations, "equation"),
            self.hidden,
            self.primaries,
            self.exposed,
            counted(self.primaries, "primary"),
            if self.exposed == 1 { "falls" } else { "fall" },
            self.first_round
        );
        if self.exposures.is_empty() {
            return text + "That does not make the table safe: see quell audit.\n";
        }
        self.write_exposures(&mut text);
        text
    }

    fn write_exposures(&self, text: &mut String) {
        let shown = &self.exposures[..self.exposures.len().min(MOST_SHOWN)];
        let width = shown.iter().map(|exposure| exposure.name.chars().count()).max().unwrap_or(0);
        // Writing into a string cannot fail.
        let _ = writeln!(text, "\n  round  {:<width$}  bound  equation", "cell");
        for exposure in shown {
            let bound = if exposure.direction == "down" { "lower" } else { "upper" };
            let _ = writeln!(
                text,
                "  {:>5}  {:<width$}  {bound}  {:>8}",
                exposure.round, exposure.name, exposure.equation
            );
        }
        if self.exposures.len() > MOST_SHOWN {
            let more = self.exposures.len() - MOST_SHOWN;
            let _ = writeln!(text, "  and {more} more: ask for JSON");
        }
    }
}
