//! Covering by mixed-integer programming: the workhorse for many columns, where rows
//! overlap little and the linear bound is good.

use quell_model::Budget;

use super::{Cover, Covering, WEIGHT_TOLERANCE};
use crate::Result;
use crate::program::Program;

/// Bounds of whole weights may lie this far above the whole number they stand for: solvers
/// are exact to about 1e-9, and numbers of columns stay below a thousand.
const BOUND_NOISE: f64 = 1e-6;

/// Solves from a known cover; what comes back is never worse.
pub(super) fn solve(
    covering: &Covering,
    start: &[u32],
    nodes: Option<u32>,
    budget: &Budget,
) -> Result<Cover> {
    let mut program = Program::new();
    for &weight in covering.weights() {
        program.binary(weight);
    }
    for row in covering.iter() {
        program.at_least_one(row.iter().copied());
    }
    let mut values = vec![0.0; covering.columns()];
    for &column in start {
        values[column as usize] = 1.0;
    }
    let solved = program.minimise(Some(&values), nodes, budget)?;
    let mut best = Cover { columns: start.to_vec(), weight: covering.weight(start), bound: 0.0 };
    if let Some(values) = solved.values {
        let found: Vec<u32> = (0..covering.columns() as u32)
            .filter(|&column| values[column as usize] > 0.5)
            .collect();
        // Our own arithmetic decides whether it is a cover, and a better one.
        if covering.is_covered_by(&found) && covering.weight(&found) < best.weight {
            best.weight = covering.weight(&found);
            best.columns = found;
        }
    }
    if solved.bound.is_finite() {
        let whole = covering.weights().iter().all(|weight| weight.fract() == 0.0);
        let bound = if whole { (solved.bound - BOUND_NOISE).ceil() } else { solved.bound };
        best.bound = bound.clamp(0.0, best.weight);
    }
    if solved.optimal && best.weight - best.bound <= WEIGHT_TOLERANCE * best.weight.max(1.0) {
        best.bound = best.weight;
    }
    Ok(best)
}
