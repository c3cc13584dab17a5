//! What came of an adjustment, in numbers.

use std::fmt::Write;

use quell_adjust::{Attack, Audit, Breach, Quality, quality};
use quell_model::{Problem, Value};
use serde::Serialize;

use crate::text::counted;

/// So many breaches are told.
const TOLD: usize = 10;

/// What an intruder could infer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AttackSummary {
    /// Sensitive cells attacked.
    pub attacked: usize,
    /// Sensitive cells for which the time was too short.
    pub not_attacked: usize,
    /// Cells whose true value is certain to one who knows the method and all limits.
    pub certain: usize,
    /// The share of right guesses of one who adjusts back; 0.5 is what a coin gives.
    pub guessed_right: f64,
}

impl From<&Attack> for AttackSummary {
    fn from(attack: &Attack) -> Self {
        Self {
            attacked: attack.inferences.len(),
            not_attacked: attack.not_attacked,
            certain: attack.certain(),
            guessed_right: attack.right(),
        }
    }
}

/// What came of an adjustment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The method; empty if the table was given.
    pub method: String,
    /// Cells of the table.
    pub cells: usize,
    /// Its equations.
    pub equations: usize,
    /// Its sensitive cells.
    pub sensitive: usize,
    /// Cells that changed.
    pub changed: usize,
    /// What the changes cost.
    pub cost: f64,
    /// No adjusted table costs less.
    pub lower_bound: f64,
    /// The share by which the cost may be above the least.
    pub gap: f64,
    /// Whether the audit found the table safe, additive and within its limits.
    pub safe: bool,
    /// What the audit found wrong.
    pub breaches: usize,
    /// How much the table has changed.
    pub quality: Quality,
    /// What an intruder could infer, if it was asked.
    pub attack: Option<AttackSummary>,
    /// How long it took.
    pub seconds: f64,
    /// The seed.
    pub seed: u64,
}

impl Summary {
    /// The numbers that the values alone give.
    pub fn of(problem: &Problem, values: &[Value], audit: &Audit) -> Self {
        Self {
            method: String::new(),
            cells: problem.cell_count(),
            equations: problem.system().equation_count(),
            sensitive: audit.sensitive,
            changed: values.iter().zip(problem.values()).filter(|(a, b)| a != b).count(),
            cost: 0.0,
            lower_bound: 0.0,
            gap: 0.0,
            safe: audit.is_safe(),
            breaches: audit.breaches.len(),
            quality: quality(problem, values),
            attack: None,
            seconds: 0.0,
            seed: 0,
        }
    }

    /// The summary for people.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}, {}, {} sensitive\n",
            counted(self.cells, "cell"),
            counted(self.equations, "equation"),
            self.sensitive
        );
        if !self.method.is_empty() {
            let _ = writeln!(
                text,
                "{}: {} changed at a cost of {:.2}, at least {:.2} is needed ({:.2} % gap)",
                self.method,
                counted(self.changed, "cell"),
                self.cost,
                self.lower_bound,
                100.0 * self.gap
            );
        }
        for level in &self.quality.levels {
            let _ = writeln!(
                text,
                "  {}: {} of {} changed, by {:.2} % on average, {:.1} % at most",
                level_name(level.level),
                level.changed,
                level.cells,
                level.relative_percent,
                level.most_percent
            );
        }
        let _ = writeln!(
            text,
            "  largest total {:+.3} %, correlation {:.5}, slope {:.5}, variance × {:.5}",
            self.quality.total_percent,
            self.quality.correlation,
            self.quality.slope,
            self.quality.variance_ratio
        );
        if let Some(attack) = &self.attack {
            let _ = writeln!(
                text,
                "  an intruder who knows the method and all limits is certain of {} of {} true \
                 values and guesses {:.0} % of the directions",
                attack.certain,
                attack.attacked,
                100.0 * attack.guessed_right
            );
        }
        text + &match self.safe {
            true => "SAFE: every sensitive cell is at a safe distance, every equation adds up"
                .to_owned(),
            false => {
                let breaches = self.breaches;
                format!("NOT SAFE: {breaches} cells, equations or statistics are not as asked")
            }
        }
    }
}

/// What a level of totals is called.
pub fn level_name(level: usize) -> String {
    match level {
        0 => "base cells".to_owned(),
        1 => "totals".to_owned(),
        _ => format!("totals over {level} dimensions"),
    }
}

/// What the audit found wrong, in the words of the table; the first few.
pub fn breaches(problem: &Problem, audit: &Audit) -> Vec<String> {
    let decimals = problem.decimals();
    let tell = |breach: &Breach| match *breach {
        Breach::NotAdditive { equation, difference } => {
            let amount = i64::try_from(difference).unwrap_or(i64::MAX);
            format!("{equation} does not add up: off by {}", decimals.format(amount))
        }
        Breach::NotSafe { cell, moved } => format!(
            "{}: moved by {}, which is not a safe distance",
            problem.cell_name(cell),
            decimals.format(moved)
        ),
        Breach::OutsideLimits { cell, moved, down, up } => format!(
            "{}: moved by {}, beyond its limits -{} and +{}",
            problem.cell_name(cell),
            decimals.format(moved),
            decimals.format(down),
            decimals.format(up)
        ),
        Breach::Statistic(index) => format!("statistic {} is not kept", index + 1),
    };
    let mut told: Vec<String> = audit.breaches.iter().take(TOLD).map(tell).collect();
    if audit.breaches.len() > TOLD {
        told.push(format!("{} more breaches", audit.breaches.len() - TOLD));
    }
    told
}
