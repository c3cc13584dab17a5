//! What an intruder can infer from an adjusted table (after castro-2012).
//!
//! The worst case: he knows which cells are sensitive, both safe distances of each, the
//! limits of all others, and the method. Then each sensitive cell has two candidates for
//! its true value, and two attacks are open to him:
//!
//! - *exclusion*: is one of the candidates impossible, because no true table within the
//!   limits has it? Decided by linear programs that let all other cells go either way;
//! - *guessing*: he adjusts the adjusted table back with the same method and hopes that the
//!   nearest safe table is the original. One half right is what a coin gives.

use std::time::Duration;

use quell_model::{Budget, CellId, Direction, Problem, Progress, Silent, Value};
use quell_solve::{Changed, Outcome, Solver};

use crate::question::Question;
use crate::search::{Effort, search};
use crate::{Error, Instance, Options, Task};

/// How long the intruder searches.
const TIME: Duration = Duration::from_secs(3);

/// What is inferred of a sensitive cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inference {
    /// The cell.
    pub cell: CellId,
    /// Whether the wrong candidate is impossible, so that the true value is known.
    pub certain: bool,
    /// Whether the guess is right.
    pub guessed: bool,
}

/// What an intruder infers of all sensitive cells.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Attack {
    /// One a sensitive cell that was attacked.
    pub inferences: Vec<Inference>,
    /// Sensitive cells for which the time was too short.
    pub not_attacked: usize,
}

impl Attack {
    /// Cells whose true value is certain.
    pub fn certain(&self) -> usize {
        self.inferences.iter().filter(|inference| inference.certain).count()
    }

    /// The share of right guesses.
    pub fn right(&self) -> f64 {
        let right = self.inferences.iter().filter(|inference| inference.guessed).count();
        right as f64 / self.inferences.len().max(1) as f64
    }
}

/// Attacks adjusted values.
///
/// # Errors
/// If the table or the options are faulty, or a solver fails.
pub fn attack(
    problem: &Problem,
    options: &Options,
    adjusted: &[Value],
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Attack, Error> {
    let instance = Instance::new(problem, options)?;
    // What he looks for is the way back: limits and distances change sides.
    let mut back = instance.clone();
    std::mem::swap(&mut back.down, &mut back.up);
    for cell in &mut back.sensitive {
        std::mem::swap(&mut cell.fall, &mut cell.rise);
        std::mem::swap(&mut cell.can_fall, &mut cell.can_rise);
    }
    let true_ways: Vec<Direction> = back
        .sensitive
        .iter()
        .map(|s| match adjusted[s.cell.index()] > problem.value(s.cell) {
            true => Direction::Down,
            false => Direction::Up,
        })
        .collect();
    progress.stage("attacking", Some(true_ways.len() as u64));
    let time = budget.time_left().map_or(TIME, |left| left.min(TIME));
    let short = budget.clone().with_time(time);
    let task = Task { instance: &back, budget: &short, progress: &Silent };
    let guess = search(&task, Effort::Start, &|| f64::NEG_INFINITY)?;
    let guess = guess.best().map(|best| best.directions.clone()).unwrap_or_default();
    let mut solver = Solver::new()?;
    solver.set_stopping(Some(budget.over()))?;
    let written = Question::whole(&back, budget).written();
    written.columns.pass(&mut solver)?;
    solver.relax()?;
    solver.set_all_costs(&vec![0.0; written.columns.costs.len()])?;
    let mut attack = Attack::default();
    let mut solved = false;
    for (index, &direction) in true_ways.iter().enumerate() {
        if budget.stop().is_some() {
            attack.not_attacked = true_ways.len() - index;
            break;
        }
        let column = written.variables[index] as usize;
        let (lower, upper) = (written.columns.lower[column], written.columns.upper[column]);
        let wrong = if direction == Direction::Up { 0.0 } else { 1.0 };
        let certain = if lower == upper {
            true
        } else {
            solver.set_column_bounds(column, wrong, wrong)?;
            let outcome = match std::mem::replace(&mut solved, true) {
                true => solver.resolve(Changed::Bounds)?,
                false => solver.solve()?,
            };
            solver.set_column_bounds(column, lower, upper)?;
            outcome == Outcome::Infeasible
        };
        attack.inferences.push(Inference {
            cell: back.sensitive[index].cell,
            certain,
            guessed: guess.get(index) == Some(&direction),
        });
        progress.advance(1);
    }
    Ok(attack)
}
