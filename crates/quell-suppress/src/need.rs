//! What must be protected: how far each primary must be able to move.

use quell_attack::{CandidateAlgorithm, ExposureSets};
use quell_model::{CellId, Direction, Problem, Value};

use crate::{Error, Task};

/// A primary must be able to move this far in this direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Need {
    /// The primary.
    pub cell: CellId,
    /// Where to.
    pub direction: Direction,
    /// How far, in units; above zero.
    pub amount: Value,
}

impl Need {
    /// The amount with the sign of the direction.
    pub fn signed(&self) -> f64 {
        (self.amount * self.direction.sign()) as f64
    }
}

/// All needs of a problem, primary by primary, upper before lower as in Kelly's
/// incremental model (serpell-2011, figure 1).
///
/// A sliding level that the two others do not cover yet is added to the upper side as far
/// as the attacker's bounds let the cell rise, the rest to the lower one: a choice that is
/// safe, though another split might be cheaper.
pub fn needs(problem: &Problem) -> Vec<Need> {
    problem.primaries().flat_map(|cell| of_primary(problem, cell)).collect()
}

/// The needs of the candidates that an algorithm of serpell-2013 (figure 4) finds; `None`:
/// of all primaries.
///
/// # Errors
/// If the solver fails.
pub(crate) fn candidate_needs(
    task: &Task,
    algorithm: Option<CandidateAlgorithm>,
) -> Result<Vec<Need>, Error> {
    let mut needs = needs(task.problem);
    if let Some(algorithm) = algorithm {
        let sets = ExposureSets::find(task.problem, task.budget, task.progress)?;
        let candidates = sets.candidates(algorithm);
        needs.retain(|need| candidates.contains(&need.cell));
    }
    Ok(needs)
}

/// The part of a need that every safe pattern meets: the lower or upper level. How a pattern
/// makes up for a sliding level is its own choice, so a bound may not rest on that; and where
/// the sliding level is out of reach, this is what can still be done for the primary.
pub(crate) fn level_of(problem: &Problem, need: &Need) -> Option<Need> {
    let levels = problem.protection(need.cell);
    let amount = match need.direction {
        Direction::Up => levels.upper,
        Direction::Down => levels.lower,
    };
    (amount > 0).then_some(Need { amount, ..*need })
}

/// The needs of one primary.
pub(crate) fn of_primary(problem: &Problem, cell: CellId) -> impl Iterator<Item = Need> {
    let levels = problem.protection(cell);
    let missing = levels.sliding.saturating_sub(levels.lower.saturating_add(levels.upper)).max(0);
    let room = problem.room_up(cell).saturating_sub(levels.upper).max(0);
    let above = missing.min(room);
    let below = problem.room_down(cell).saturating_sub(levels.lower).max(0).min(missing - above);
    let needs = [
        (Direction::Up, levels.upper.saturating_add(above)),
        (Direction::Down, levels.lower.saturating_add(below)),
    ];
    needs.into_iter().filter(|&(_, amount)| amount > 0).map(move |(direction, amount)| Need {
        cell,
        direction,
        amount,
    })
}
