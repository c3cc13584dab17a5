//! Cuts and their coefficients.

use crate::tolerance::MULTIPLIER;
use quell_model::{CellId, Direction, EquationId, Problem, Requirement, Status, Value};

/// Multipliers of equations: `Σ u (M y) = 0` for every movement `y`.
pub(crate) type Lines = Vec<(EquationId, f64)>;

/// An inequality `Σ coefficient·x ≥ 1` (or `≥ x` of a cell) that every safe pattern
/// satisfies.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Cut {
    /// The cells that the multipliers weigh must be able to make up for the requirement: with
    /// `r = uᵀM` scaled to −1 at the primary, `y_p = Σ r y ≤ Σ (r⁺·up + r⁻·down) x`.
    /// Primaries are hidden in any case and taken off the requirement.
    Capacity {
        /// The requirement.
        requirement: Requirement,
        /// The multipliers.
        lines: Lines,
    },
    /// The same where the weights `r` of the cells are known by themselves, those of the primary
    /// left out: `±y_p = Σ r y`.
    Weighed {
        /// The requirement.
        requirement: Requirement,
        /// The weights, rising by cell, none zero.
        weights: Vec<(CellId, f64)>,
    },
    /// A hidden cell that no other in its cut can follow is useless: without another hidden
    /// cell among those the multipliers weigh, this one cannot move ("bridgeless").
    Company {
        /// The cell.
        cell: CellId,
        /// The multipliers.
        lines: Lines,
    },
}

/// A cut in numbers: `Σ entries ≥ bound`.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Row {
    /// Cells that are no primaries, rising, with coefficients.
    pub(crate) entries: Vec<(CellId, f64)>,
    /// The right-hand side.
    pub(crate) bound: f64,
}

/// Working memory for rows: the weight of each cell.
#[derive(Debug, Clone)]
pub(crate) struct Weighing {
    weight: Vec<f64>,
    touched: Vec<u32>,
}

impl Weighing {
    /// For a problem's cells.
    pub(crate) fn new(problem: &Problem) -> Self {
        Self { weight: vec![0.0; problem.cell_count()], touched: Vec::new() }
    }

    /// Calls `visit` with every cell of weight other than zero and that weight, rising.
    fn each(&mut self, problem: &Problem, lines: &Lines, mut visit: impl FnMut(CellId, f64)) {
        for &(line, multiplier) in lines {
            for (cell, coefficient) in problem.system().cells_of(line) {
                let weight = &mut self.weight[cell.index()];
                // A weight that returned to zero is listed twice, which does no harm below.
                if *weight == 0.0 {
                    self.touched.push(cell.0);
                }
                *weight += multiplier * f64::from(coefficient);
            }
        }
        self.touched.sort_unstable();
        for cell in self.touched.drain(..) {
            let weight = std::mem::take(&mut self.weight[cell as usize]);
            if weight.abs() > MULTIPLIER {
                visit(CellId(cell), weight);
            }
        }
    }

    /// The cut in numbers; `None` if it says nothing.
    pub(crate) fn row(&mut self, problem: &Problem, cut: &Cut) -> Option<Row> {
        match cut {
            Cut::Capacity { requirement, lines } => self.capacity(problem, requirement, lines),
            Cut::Weighed { requirement, weights } => {
                capacity_row(problem, requirement, weights.clone())
            }
            Cut::Company { cell, lines } => self.company(problem, *cell, lines),
        }
    }

    fn capacity(
        &mut self,
        problem: &Problem,
        requirement: &Requirement,
        lines: &Lines,
    ) -> Option<Row> {
        let mut all: Vec<(CellId, f64)> = Vec::new();
        let mut own = 0.0;
        self.each(problem, lines, |cell, weight| match cell == requirement.cell {
            true => own = weight,
            false => all.push((cell, weight)),
        });
        // `y_p = −Σ r y / r_p`; with the direction's sign, what the others can add to it.
        let scale = -(requirement.direction.sign() as f64) / own;
        if !scale.is_finite() {
            return None;
        }
        all.iter_mut().for_each(|(_, weight)| *weight *= scale);
        capacity_row(problem, requirement, all)
    }

    fn company(&mut self, problem: &Problem, cell: CellId, lines: &Lines) -> Option<Row> {
        let mut entries: Vec<(CellId, f64)> = Vec::new();
        let mut says_something = true;
        self.each(problem, lines, |other, weight| {
            if other == cell {
                entries.push((cell, -1.0));
            } else if [weight, -weight].iter().any(|&weight| {
                capacity(problem, other, weight, |direction| problem.room(other, direction)) > 0.0
            }) {
                says_something &= !problem.status(other).is_primary();
                entries.push((other, 1.0));
            }
        });
        says_something.then_some(Row { entries, bound: 0.0 })
    }
}

/// What the cells must make up for, by their weights.
fn capacity_row(
    problem: &Problem,
    requirement: &Requirement,
    mut all: Vec<(CellId, f64)>,
) -> Option<Row> {
    let mut missing = requirement.distance as f64;
    all.retain_mut(|(cell, weight)| {
        let seen = |direction| problem.room_for(requirement, *cell, direction);
        *weight = capacity(problem, *cell, *weight, seen);
        let counted = problem.status(*cell).is_primary();
        if counted {
            missing -= *weight;
        }
        !counted && *weight > 0.0
    });
    // What is left to do is a whole unit at least in integers; less is rounding.
    if missing <= requirement.distance as f64 * MULTIPLIER {
        return None;
    }
    for (_, weight) in &mut all {
        *weight = (*weight / missing).min(1.0);
    }
    Some(Row { entries: all, bound: 1.0 })
}

/// How much `weight · y` can be for a cell if it is hidden and has this room.
fn capacity(
    problem: &Problem,
    cell: CellId,
    weight: f64,
    room: impl Fn(Direction) -> Value,
) -> f64 {
    if problem.status(cell) == Status::Protected {
        return 0.0;
    }
    let room = room(if weight > 0.0 { Direction::Up } else { Direction::Down });
    if room == Value::MAX { f64::INFINITY } else { room as f64 * weight.abs() }
}

impl Row {
    /// Whether some pattern satisfies the cut.
    pub(crate) fn can_be_satisfied(&self) -> bool {
        self.entries.iter().map(|&(_, c)| c.max(0.0)).sum::<f64>() >= self.bound
    }

    /// By how much a point misses the cut.
    pub(crate) fn violation(&self, point: &[f64]) -> f64 {
        let sum: f64 = self.entries.iter().map(|&(cell, c)| c * point[cell.index()]).sum();
        self.bound - sum
    }
}
