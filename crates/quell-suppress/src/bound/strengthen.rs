//! Stronger cuts from a cut: what integrality adds to `Σ a x ≥ 1`.
//!
//! - *Knapsack cover*: cells that the point nearly chooses are counted as hidden; what they
//!   leave of the requirement cuts the coefficients of the others down.
//! - *Rounding* (mixed-integer rounding, nemhauser-1990): divided by a step `t`,
//!   `Σ (⌊a/t⌋ + min(1, frac(a/t)/f)) x ≥ ⌈1/t⌉` with `f = frac(1/t)`. With `t = 1/k` it says
//!   how many cells it takes.

use quell_model::CellId;

use super::cut::Row;
use crate::tolerance::{INTEGRAL, QUOTIENT_ROUNDING};

/// A cut must be violated by so much to be worth its place.
const WORTH: f64 = 0.02;

/// Cells with at least this value may count as hidden.
const CHOSEN: f64 = 0.25;

/// The most steps tried for one cut.
const STEPS: usize = 12;

/// The cut derived from `row` that the point violates most, if by enough. Only rows that say
/// how much of a requirement their cells make up for have derived ones.
pub(crate) fn strengthen(row: &Row, point: &[f64]) -> Option<Row> {
    if row.bound <= 0.0 {
        return None;
    }
    let mut support: Vec<(f64, f64, CellId)> = row
        .entries
        .iter()
        .map(|&(cell, share)| (point[cell.index()], share, cell))
        .filter(|&(value, ..)| value > INTEGRAL)
        .collect();
    support.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
    let mut best: Option<(f64, usize, f64)> = None;
    let mut missing = 1.0;
    for count in 0..=support.len() {
        if count > 0 {
            let (value, share, _) = support[count - 1];
            missing -= share;
            if value < CHOSEN || missing <= INTEGRAL {
                break;
            }
        }
        for step in steps(&support[count..], missing) {
            let sum: f64 = support[count..]
                .iter()
                .map(|&(value, share, _)| value * coefficient(share / missing, step))
                .sum();
            if best.is_none_or(|(least, ..)| sum < least) {
                best = Some((sum, count, step));
            }
        }
    }
    let (sum, count, step) = best.filter(|&(sum, ..)| sum < 1.0 - WORTH)?;
    debug_assert!(sum < 1.0);
    let mut given: Vec<CellId> = support[..count].iter().map(|&(.., cell)| cell).collect();
    given.sort_unstable();
    let missing = 1.0 - support[..count].iter().map(|&(_, share, _)| share).sum::<f64>();
    let others = row.entries.iter().filter(|(cell, _)| given.binary_search(cell).is_err());
    let entries = others.map(|&(cell, share)| (cell, coefficient(share / missing, step))).collect();
    Some(Row { entries, bound: 1.0 })
}

/// Steps to try: the shares of the cells in use, and no rounding at all (1).
fn steps(support: &[(f64, f64, CellId)], missing: f64) -> impl Iterator<Item = f64> {
    let shares = support.iter().map(move |&(_, share, _)| (share / missing).min(1.0));
    [1.0, 0.5, 1.0 / 3.0].into_iter().chain(shares.filter(|&share| share > 0.02).take(STEPS))
}

/// The coefficient of a cell with a share of what is missing, rounded by a step, scaled to a
/// right-hand side of one.
fn coefficient(share: f64, step: f64) -> f64 {
    if step >= 1.0 {
        return share.min(1.0);
    }
    let (total, part) = (1.0 / step, share.min(1.0) / step);
    // A whole number of steps rounds to nothing new; a little less of a step does, and makes
    // ⌈1/t⌉ of it, which is the plain count.
    let whole = (total + QUOTIENT_ROUNDING).floor();
    let rest = total - whole;
    if rest < INTEGRAL {
        return (part - QUOTIENT_ROUNDING).ceil().max(0.0) / whole;
    }
    let floor = (part + QUOTIENT_ROUNDING).floor();
    let over = ((part - floor).max(0.0) / rest).min(1.0);
    (floor + over) / (whole + 1.0)
}
