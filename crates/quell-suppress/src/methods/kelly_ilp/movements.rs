//! The movements the program must find: up and down for every primary.

use quell_model::{CellId, Direction, Problem, Requirement, Value};

/// A movement that the pattern must allow.
#[derive(Debug, Clone, Copy)]
pub struct RequiredMovement {
    /// The primary.
    pub cell: CellId,
    /// Where to.
    pub direction: Direction,
    /// It must move at least so far.
    pub least: Value,
    /// Moving further than this is never needed.
    pub most: Value,
}

/// A sliding level that the two movements of a primary share.
#[derive(Debug, Clone, Copy)]
pub struct Sliding {
    /// The movement up, if there is one, by position.
    pub up: Option<usize>,
    /// The movement down.
    pub down: Option<usize>,
    /// What both must come to.
    pub width: Value,
}

/// All movements, and the sliding levels that tie them.
#[derive(Debug, Clone, Default)]
pub struct Movements {
    /// Primary by primary.
    pub list: Vec<RequiredMovement>,
    /// Those of primaries whose sliding level the others do not cover.
    pub sliding: Vec<Sliding>,
}

impl Movements {
    /// The movements of these primaries.
    pub fn of(problem: &Problem, primaries: &[CellId]) -> Self {
        let mut movements = Self::default();
        for &cell in primaries {
            let levels = problem.protection(cell);
            // With the other side at its level, this side never has to do more than the rest.
            let most = |own: Value, other: Value| own.max(levels.sliding.saturating_sub(other));
            let up =
                movements.add(cell, Direction::Up, levels.upper, most(levels.upper, levels.lower));
            let down = movements.add(
                cell,
                Direction::Down,
                levels.lower,
                most(levels.lower, levels.upper),
            );
            if levels.sliding > levels.upper.saturating_add(levels.lower) {
                movements.sliding.push(Sliding { up, down, width: levels.sliding });
            }
        }
        movements
    }

    fn add(
        &mut self,
        cell: CellId,
        direction: Direction,
        least: Value,
        most: Value,
    ) -> Option<usize> {
        (most > 0).then(|| {
            self.list.push(RequiredMovement { cell, direction, least, most });
            self.list.len() - 1
        })
    }

    /// The requirements that a solution meets, where `amount` says how far it moves a primary.
    pub fn requirements(&self, amount: impl Fn(usize) -> f64) -> Vec<Requirement> {
        let mut amounts: Vec<Value> = self.list.iter().map(|wanted| wanted.least).collect();
        for sliding in &self.sliding {
            if let Some(up) = sliding.up {
                let wanted = &self.list[up];
                let moved = amount(up).round() as Value;
                amounts[up] = moved.clamp(wanted.least, wanted.most);
            }
            if let Some(down) = sliding.down {
                let above = sliding.up.map_or(0, |up| amounts[up]);
                amounts[down] = self.list[down].least.max(sliding.width.saturating_sub(above));
            }
        }
        let requirements = (self.list.iter().zip(amounts))
            .map(|(wanted, distance)| Requirement::new(wanted.cell, wanted.direction, distance));
        requirements.filter(|requirement| requirement.distance > 0).collect()
    }
}
