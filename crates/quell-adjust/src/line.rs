//! Inequalities of single equations.
//!
//! The sensitive cells of an equation move by amounts of which only the signs are open, so
//! their sum is one of finitely many numbers, and often none of them is zero. What is left
//! must be balanced by the other cells of the equation: their movements add up to at least
//! the least absolute sum. The linear relaxation, where every binary variable is one half,
//! knows nothing of this.

use quell_model::{CellId, EquationId, Value};

use crate::{Instance, Sensitive};

/// The most different sums that are kept.
const SUMS: usize = 1 << 16;

/// `Σ coefficient·|movement| ≥ least`, in the table's units; of a sensitive cell only what
/// it moves farther than it must counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LineCut {
    pub(crate) equation: EquationId,
    pub(crate) entries: Vec<(CellId, f64)>,
    pub(crate) least: Value,
}

/// The inequalities of all equations whose sensitive cells cannot balance each other.
pub(crate) fn line_cuts(instance: &Instance) -> Vec<LineCut> {
    let system = instance.problem.system();
    let cut = |equation: EquationId| {
        let cells = system.cells_of(equation);
        let sensitive = cells.clone().filter_map(|(cell, coefficient)| {
            instance.sensitive_at(cell).map(|sensitive| (*sensitive, coefficient))
        });
        let least = least_imbalance(&sensitive.collect::<Vec<_>>())?;
        let entries = cells.map(|(cell, coefficient)| (cell, f64::from(coefficient.abs())));
        (least > 0).then(|| LineCut { equation, entries: entries.collect(), least })
    };
    system.equations().filter_map(cut).collect()
}

/// The least absolute sum of the movements; `None` if there are too many sums to know.
fn least_imbalance(cells: &[(Sensitive, i32)]) -> Option<Value> {
    let half = cells.len() / 2;
    let (left, right) = (sums(&cells[..half])?, sums(&cells[half..])?);
    // Both sorted: walk one up and the other down.
    let mut least = Value::MAX;
    let mut other = right.len();
    for &sum in &left {
        while other > 0 && sum + right[other - 1] > 0 {
            least = least.min(sum + right[other - 1]);
            other -= 1;
        }
        if other > 0 {
            least = least.min(-(sum + right[other - 1]));
        }
        if other < right.len() {
            least = least.min((sum + right[other]).abs());
        }
    }
    Some(least)
}

/// All sums of the movements, in order.
fn sums(cells: &[(Sensitive, i32)]) -> Option<Vec<Value>> {
    let mut all = vec![0];
    for (cell, coefficient) in cells {
        let directions = [(cell.can_fall, -cell.fall), (cell.can_rise, cell.rise)];
        let moves = directions
            .into_iter()
            .filter(|direction| direction.0)
            .map(|direction| direction.1 * Value::from(*coefficient));
        let moves: Vec<Value> = moves.collect();
        let mut next: Vec<Value> =
            all.iter().flat_map(|&sum| moves.iter().map(move |by| sum + by)).collect();
        next.sort_unstable();
        next.dedup();
        if next.len() > SUMS {
            return None;
        }
        all = next;
    }
    Some(all)
}
