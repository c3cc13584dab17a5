//! Proofs that a cell cannot move far.
//!
//! For any multipliers λ of the equations, `y_p = Σ d_i y_i` with `d = e_p − Mᵀλ`
//! whenever `M y = 0`, so no movement takes the cell beyond `Σ max(d_i·up_i, −d_i·down_i)`.
//! That holds for *every* λ, so a solver's multipliers may be rounded at will: what is
//! computed from them in exact arithmetic is a proof.

use quell_model::{Direction, Value};

use crate::proof::ledger::SCALE;
use crate::view::View;

/// Multipliers are tried on these grids. Those of real tables are small fractions: the
/// first grid makes them exact; the second keeps what an interior method found.
const GRIDS: [i128; 2] = [SCALE, 1 << 44];

/// The smallest proven limit of a cell's movement, in units of 1/[`SCALE`] rounded up,
/// or `None` if the multipliers prove none.
pub(crate) fn limit(
    hidden: &View,
    cell: usize,
    direction: Direction,
    multipliers: &[f64],
) -> Option<i128> {
    // Solvers disagree on the sign of multipliers; both are tried.
    let signs = [1.0, -1.0];
    let attempts = GRIDS.iter().flat_map(|&grid| signs.map(|sign| (grid, sign)));
    attempts
        .filter_map(|(grid, sign)| {
            let rounded: Vec<i128> = multipliers
                .iter()
                .map(|&value| (sign * value * grid as f64).round() as i128)
                .collect();
            limit_of(hidden, cell, direction, &rounded, grid)
        })
        .min()
}

/// The limit that multipliers over a common denominator prove, in units of 1/[`SCALE`]
/// rounded up.
pub(crate) fn limit_of(
    hidden: &View,
    cell: usize,
    direction: Direction,
    multipliers: &[i128],
    denominator: i128,
) -> Option<i128> {
    let mut sum: i128 = 0;
    for other in 0..hidden.len() {
        let mut slope: i128 = 0;
        for &(equation, coefficient) in hidden.equations_of(other) {
            slope -= multipliers[equation as usize].checked_mul(i128::from(coefficient))?;
        }
        if other == cell {
            slope += i128::from(direction.sign()) * denominator;
        }
        let room = if slope > 0 { hidden.up[other] } else { hidden.down[other] };
        match (slope, room) {
            (0, _) => {}
            (_, Value::MAX) => return None,
            _ => sum = sum.checked_add(slope.checked_abs()?.checked_mul(i128::from(room))?)?,
        }
    }
    let scaled = sum.checked_mul(SCALE)?;
    Some((scaled + denominator - 1) / denominator)
}
