//! A simplex basis without rounding.
//!
//! A basis says which cells are at which bound and which equations have a multiplier;
//! the values follow by solving two integer systems exactly. This decides what floating
//! point cannot: a requirement that is met with nothing to spare, or a limit that misses it by
//! a small fraction.

use quell_model::{Certificate, Direction, Value};
use quell_solve::rational::{Answer, Fitted, IntegerColumns, solve};
use quell_solve::{Basis, BasisStatus};

use crate::proof::dual;
use crate::proof::repair::certificate_of;
use crate::view::View;

/// The movement of a basis as a certificate, if it is one.
pub(crate) fn certificate(hidden: &View, basis: &Basis) -> Option<Certificate> {
    let mut amounts = vec![0_i128; hidden.len()];
    let mut right = vec![0_i128; hidden.equation_count()];
    let mut basic = Vec::new();
    for (cell, amount) in amounts.iter_mut().enumerate() {
        let at = match basis.column(cell) {
            BasisStatus::Basic => {
                basic.push(cell as u32);
                continue;
            }
            BasisStatus::Lower => -i128::from(hidden.down[cell]),
            BasisStatus::Upper => i128::from(hidden.up[cell]),
            BasisStatus::Zero => 0,
            BasisStatus::Nonbasic => return None,
        };
        // A cell without limit cannot stand at it.
        (at.abs() < i128::from(Value::MAX)).then_some(())?;
        *amount = at;
        for &(equation, coefficient) in hidden.equations_of(cell) {
            right[equation as usize] -= at * i128::from(coefficient);
        }
    }
    let columns = basic.iter().map(|&cell| hidden.equations_of(cell as usize));
    let solution = solution(columns, hidden.equation_count(), &right)?;
    for amount in &mut amounts {
        *amount = amount.checked_mul(solution.denominator)?;
    }
    for (&cell, &numerator) in basic.iter().zip(&solution.numerators) {
        amounts[cell as usize] = numerator;
    }
    certificate_of(hidden, &amounts, u64::try_from(solution.denominator).ok()?)
}

/// The limit that the multipliers of a basis prove for a cell, in units of
/// 1/[`SCALE`](crate::proof::ledger::SCALE).
pub(crate) fn limit(
    hidden: &View,
    basis: &Basis,
    cell: usize,
    direction: Direction,
) -> Option<i128> {
    let mut position = vec![u32::MAX; hidden.len()];
    let mut right = Vec::new();
    for (other, position) in position.iter_mut().enumerate() {
        if basis.column(other) == BasisStatus::Basic {
            *position = right.len() as u32;
            right.push(if other == cell { i128::from(direction.sign()) } else { 0 });
        }
    }
    // An equation has a multiplier only where its row is not basic; the multipliers make
    // every basic cell's slope vanish.
    let equations: Vec<usize> = (0..hidden.equation_count())
        .filter(|&equation| basis.row(equation) != BasisStatus::Basic)
        .collect();
    let columns: Vec<Vec<(u32, i32)>> = equations
        .iter()
        .map(|&equation| {
            let cells = hidden.cells_of(equation).iter();
            cells
                .map(|&(cell, coefficient)| (position[cell as usize], coefficient))
                .filter(|&(position, _)| position != u32::MAX)
                .collect()
        })
        .collect();
    let solution = solution(columns.iter().map(Vec::as_slice), right.len(), &right)?;
    let mut multipliers = vec![0_i128; hidden.equation_count()];
    for (&equation, &numerator) in equations.iter().zip(&solution.numerators) {
        multipliers[equation] = numerator;
    }
    dual::limit_of(hidden, cell, direction, &multipliers, solution.denominator)
}

/// The unique solution of a system given by columns, in machine integers.
fn solution<'a>(
    columns: impl Iterator<Item = &'a [(u32, i32)]>,
    rows: usize,
    right: &[i128],
) -> Option<Fitted<i128>> {
    let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for column in columns {
        for &(row, value) in column {
            indices.push(row);
            values.push(value);
        }
        starts.push(indices.len());
    }
    let matrix = IntegerColumns { rows, starts: &starts, indices: &indices, values: &values };
    match solve(&matrix, right) {
        Ok(Answer::Unique(solution)) => solution.fit(),
        _ => None,
    }
}
