//! The end of a cell's interval without any rounding, for small views.
//!
//! A basis that floating point found may be the wrong one by a hair where numbers are large, have
//! many digits, or coefficients are not ±1; the exact simplex method finds the right one. What it
//! says is checked like every proof: the movement is a certificate, the multipliers are a limit.

use quell_model::{Budget, Certificate, Direction, Value};
pub(crate) use quell_solve::rational::Farthest;
use quell_solve::rational::{IntegerColumns, farthest};

use crate::proof::vertex;
use crate::view::View;

/// Views with more cells than this take too long with fractions.
const MOST_CELLS: usize = 250;

/// Whether a view is small enough.
pub(crate) fn is_small(hidden: &View) -> bool {
    hidden.len() <= MOST_CELLS
}

/// The farthest movement of a cell, and the limit (in units of 1/[`SCALE`]) that no movement
/// exceeds; a movement by `distance` alone if there is no limit.
///
/// [`SCALE`]: crate::proof::ledger::SCALE
pub(crate) fn end(
    hidden: &View,
    cell: usize,
    direction: Direction,
    distance: Value,
    budget: &Budget,
) -> (Option<Certificate>, Option<i128>) {
    match farthest_in(hidden, cell, direction, budget) {
        Farthest::At(_, basis) => {
            (vertex::certificate(hidden, &basis), vertex::limit(hidden, &basis, cell, direction))
        }
        Farthest::Unlimited => {
            let capped = hidden.capped(cell, direction, distance);
            match farthest_in(&capped, cell, direction, budget) {
                Farthest::At(_, basis) => (vertex::certificate(&capped, &basis), None),
                Farthest::Unlimited | Farthest::Stopped => (None, None),
            }
        }
        Farthest::Stopped => (None, None),
    }
}

/// How far a cell goes.
pub(crate) fn farthest_in(
    hidden: &View,
    cell: usize,
    direction: Direction,
    budget: &Budget,
) -> Farthest {
    let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for cell in 0..hidden.len() {
        for &(equation, coefficient) in hidden.equations_of(cell) {
            indices.push(equation);
            values.push(coefficient);
        }
        starts.push(indices.len());
    }
    let matrix = IntegerColumns {
        rows: hidden.equation_count(),
        starts: &starts,
        indices: &indices,
        values: &values,
    };
    let bounds = |rooms: &[Value]| -> Vec<Option<i64>> {
        rooms.iter().map(|&room| (room != Value::MAX).then_some(room)).collect()
    };
    let (down, up) = (bounds(&hidden.down), bounds(&hidden.up));
    let is_up = direction == Direction::Up;
    farthest(&matrix, [&down, &up], cell, is_up, &|| budget.stop().is_some())
}
