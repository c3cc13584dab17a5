//! A movement of hidden cells that the attacker cannot rule out.

use crate::tolerance;
use quell_model::{CellId, Certificate, Direction, Knowing, Problem, Requirement, Value};

/// How many times longer a movement is made at most.
const LONGEST: f64 = 1e6;

/// A vector `y` with `M y = 0` inside the attacker's bounds: a proof, up to the rounding
/// of the solver, that every cell can move as far as it does here.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Movement {
    /// Cells and amounts in units, rising by cell, none zero.
    entries: Vec<(CellId, f64)>,
}

impl Movement {
    /// A movement from its entries in any order; zeros are dropped.
    pub fn new(mut entries: Vec<(CellId, f64)>) -> Self {
        entries.retain(|&(_, amount)| amount != 0.0);
        entries.sort_unstable_by_key(|&(cell, _)| cell);
        Self { entries }
    }

    /// The movement of an auditor's certificate.
    pub(crate) fn of_certificate(certificate: &Certificate) -> Self {
        let denominator = certificate.denominator as f64;
        let entries = certificate.movement.iter();
        Self::new(entries.map(|&(cell, amount)| (cell, amount as f64 / denominator)).collect())
    }

    /// The cells that move, rising, with their amounts.
    pub fn entries(&self) -> &[(CellId, f64)] {
        &self.entries
    }

    /// The cells that move, rising.
    pub fn cells(&self) -> impl Iterator<Item = CellId> + '_ {
        self.entries.iter().map(|&(cell, _)| cell)
    }

    /// How far a cell moves.
    pub fn amount(&self, cell: CellId) -> f64 {
        match self.entries.binary_search_by_key(&cell, |&(cell, _)| cell) {
            Ok(position) => self.entries[position].1,
            Err(_) => 0.0,
        }
    }

    /// Whether a requirement is met by this movement: far enough, and possible in the eyes of its
    /// attacker.
    pub fn meets(&self, problem: &Problem, requirement: &Requirement) -> bool {
        let moved = self.amount(requirement.cell) * requirement.direction.sign() as f64;
        moved >= requirement.distance as f64 * (1.0 - tolerance::MOVEMENT)
            && (requirement.knowing == Knowing::Nothing || self.is_possible(problem, requirement))
    }

    /// Whether the attacker of a requirement cannot rule it out.
    fn is_possible(&self, problem: &Problem, requirement: &Requirement) -> bool {
        self.entries.iter().all(|&(cell, amount)| {
            let direction = if amount > 0.0 { Direction::Up } else { Direction::Down };
            let room = problem.room_for(requirement, cell, direction);
            room == Value::MAX || amount.abs() <= room as f64 * (1.0 + tolerance::MOVEMENT)
        })
    }

    /// The same movement as far as the attacker's bounds let it go, but no less far than it is. It
    /// hides the same cells, and may meet further requirements.
    pub(crate) fn stretched(self, problem: &Problem) -> Self {
        let farthest = |&(cell, amount): &(CellId, f64)| {
            let room = if amount > 0.0 { problem.room_up(cell) } else { problem.room_down(cell) };
            if room == Value::MAX { LONGEST } else { room as f64 / amount.abs() }
        };
        let by = self.entries.iter().map(farthest).fold(LONGEST, f64::min);
        if by <= 1.0 {
            return self;
        }
        let entries = self.entries.iter().map(|&(cell, amount)| (cell, by * amount)).collect();
        Self { entries }
    }

    /// The opposite movement, if the attacker's bounds allow it.
    pub fn reversed(&self, problem: &Problem) -> Option<Self> {
        let fits = |&(cell, amount): &(CellId, f64)| {
            let room = if amount > 0.0 { problem.room_down(cell) } else { problem.room_up(cell) };
            room == Value::MAX || amount.abs() <= room as f64 * (1.0 + tolerance::MOVEMENT)
        };
        let opposite = || self.entries.iter().map(|&(cell, amount)| (cell, -amount)).collect();
        self.entries.iter().all(fits).then(|| Self { entries: opposite() })
    }
}
