//! The primal simplex method without rounding, for small systems on which floating point cannot
//! decide: coefficients other than ±1, large numbers with many digits, ends that are met with
//! nothing to spare.
//!
//! Maximises one variable over `A x = 0`, `−down ≤ x ≤ up`. The origin is a solution, so there is no
//! first phase: variables that are not basic stand at zero or at a bound. Entering and leaving
//! variables are those of the smallest number (Bland's rule), so it ends.
//!
//! A dense tableau of fractions: for hundreds of variables, not for thousands.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{Signed, ToPrimitive, Zero};

use super::IntegerColumns;
use crate::{Basis, BasisStatus};

type Fraction = Ratio<BigInt>;

/// Where a variable ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Farthest {
    /// At the largest value there is; the basis tells where all others are.
    At(End, Basis),
    /// It has none.
    Unlimited,
    /// The search was stopped.
    Stopped,
}

/// An exact end of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    /// Its numerator.
    pub numerator: BigInt,
    /// Its denominator, positive.
    pub denominator: BigInt,
}

impl End {
    /// The nearest floating-point number, if it is not too large.
    pub fn to_f64(&self) -> Option<f64> {
        Fraction::new(self.numerator.clone(), self.denominator.clone()).to_f64()
    }
}

/// How far a variable can go up (or down), if all others stay within their bounds: none is no
/// bound. `stop` is asked before every step.
///
/// ```
/// use quell_solve::rational::{Farthest, IntegerColumns, farthest};
/// // 3x − 2y = 0 with y at most 1
/// let matrix =
///     IntegerColumns { rows: 1, starts: &[0, 1, 2], indices: &[0, 0], values: &[3, -2] };
/// let found = farthest(&matrix, [&[None, Some(1)], &[None, Some(1)]], 0, true, &|| false);
/// let Farthest::At(end, _) = found else { panic!("it is limited") };
/// assert_eq!((end.numerator, end.denominator), (2.into(), 3.into()));
/// ```
pub fn farthest(
    matrix: &IntegerColumns,
    [down, up]: [&[Option<i64>]; 2],
    target: usize,
    is_up: bool,
    stop: &dyn Fn() -> bool,
) -> Farthest {
    let mut tableau = Tableau::new(matrix, down, up);
    let mut slopes = vec![Fraction::zero(); tableau.columns];
    loop {
        if stop() {
            return Farthest::Stopped;
        }
        tableau.slopes(target, is_up, &mut slopes);
        let Some(entering) = (0..tableau.columns).find(|&column| tableau.gains(column, &slopes))
        else {
            return Farthest::At(tableau.end(target), tableau.basis());
        };
        if !tableau.step(entering, slopes[entering].is_positive()) {
            return Farthest::Unlimited;
        }
    }
}

/// `x_basic + Σ entry·x_other = 0`, a row for each basic variable.
struct Tableau {
    columns: usize,
    rows: Vec<Vec<Fraction>>,
    /// The basic variable of each row; none where an equation follows from others.
    basic: Vec<Option<usize>>,
    /// The row of each basic variable.
    row_of: Vec<Option<usize>>,
    values: Vec<Fraction>,
    down: Vec<Option<Fraction>>,
    up: Vec<Option<Fraction>>,
}

impl Tableau {
    fn new(matrix: &IntegerColumns, down: &[Option<i64>], up: &[Option<i64>]) -> Self {
        let columns = matrix.starts.len().saturating_sub(1);
        let mut rows = vec![vec![Fraction::zero(); columns]; matrix.rows];
        for (column, ends) in matrix.starts.windows(2).enumerate() {
            for entry in ends[0]..ends[1] {
                let value = Fraction::from_integer(matrix.values[entry].into());
                rows[matrix.indices[entry] as usize][column] += value;
            }
        }
        let bound = |bound: &Option<i64>| bound.map(|bound| Fraction::from_integer(bound.into()));
        let mut tableau = Self {
            columns,
            basic: vec![None; rows.len()],
            row_of: vec![None; columns],
            rows,
            values: vec![Fraction::zero(); columns],
            down: down.iter().map(bound).collect(),
            up: up.iter().map(bound).collect(),
        };
        for row in 0..tableau.rows.len() {
            if let Some(column) = tableau.rows[row].iter().position(|entry| !entry.is_zero()) {
                tableau.pivot(row, column);
            }
        }
        tableau
    }

    /// Makes a variable the basic one of a row.
    fn pivot(&mut self, row: usize, column: usize) {
        let entry = self.rows[row][column].recip();
        self.rows[row].iter_mut().filter(|own| !own.is_zero()).for_each(|own| *own *= &entry);
        let pivot = std::mem::take(&mut self.rows[row]);
        for other in &mut self.rows {
            if other.is_empty() || other[column].is_zero() {
                continue;
            }
            let times = other[column].clone();
            for (own, taken) in other.iter_mut().zip(&pivot) {
                if !taken.is_zero() {
                    *own -= &times * taken;
                }
            }
        }
        self.rows[row] = pivot;
        if let Some(before) = self.basic[row].replace(column) {
            self.row_of[before] = None;
        }
        self.row_of[column] = Some(row);
    }

    /// What a unit more of each variable that is not basic adds to the target.
    fn slopes(&self, target: usize, is_up: bool, slopes: &mut [Fraction]) {
        let sign = Fraction::from_integer(if is_up { 1 } else { -1 }.into());
        for (column, slope) in slopes.iter_mut().enumerate() {
            *slope = match (self.row_of[column], self.row_of[target]) {
                (Some(_), _) => Fraction::zero(),
                (None, Some(row)) => -(&self.rows[row][column] * &sign),
                (None, None) if column == target => sign.clone(),
                (None, None) => Fraction::zero(),
            };
        }
    }

    /// Whether a variable can go where that is a gain.
    fn gains(&self, column: usize, slopes: &[Fraction]) -> bool {
        let value = &self.values[column];
        if slopes[column].is_positive() {
            self.up[column].as_ref().is_none_or(|up| value < up)
        } else {
            slopes[column].is_negative()
                && self.down[column].as_ref().is_none_or(|down| -value < *down)
        }
    }

    /// How far a variable is from where it ends.
    fn room(&self, column: usize, is_up: bool) -> Option<Fraction> {
        match is_up {
            true => self.up[column].as_ref().map(|up| up - &self.values[column]),
            false => self.down[column].as_ref().map(|down| down + &self.values[column]),
        }
    }

    /// Moves a variable until it or a basic one is at its end. Says whether there was one.
    fn step(&mut self, entering: usize, is_up: bool) -> bool {
        let mut nearest = self.room(entering, is_up).map(|room| (room, entering, None));
        for (row, basic) in self.basic.iter().enumerate() {
            let (Some(basic), entry) = (*basic, &self.rows[row][entering]) else { continue };
            if entry.is_zero() {
                continue;
            }
            let Some(room) = self.room(basic, is_up != entry.is_positive()) else { continue };
            let candidate = (room / entry.abs(), basic, Some(row));
            let is_nearer = nearest
                .as_ref()
                .is_none_or(|(nearest, other, _)| (&candidate.0, candidate.1) < (nearest, *other));
            if is_nearer {
                nearest = Some(candidate);
            }
        }
        let Some((distance, _, row)) = nearest else { return false };
        let moved = if is_up { distance } else { -distance };
        for (own, basic) in self.rows.iter().zip(&self.basic) {
            if let (Some(basic), false) = (basic, own[entering].is_zero()) {
                let by = &own[entering] * &moved;
                self.values[*basic] -= by;
            }
        }
        self.values[entering] += moved;
        if let Some(row) = row {
            self.pivot(row, entering);
        }
        true
    }

    /// How far a variable is from zero.
    fn end(&self, column: usize) -> End {
        let value = self.values[column].abs();
        End { numerator: value.numer().clone(), denominator: value.denom().clone() }
    }

    fn basis(&self) -> Basis {
        let column = |column: usize| {
            let value = &self.values[column];
            match self.row_of[column] {
                Some(_) => BasisStatus::Basic,
                None if self.down[column].as_ref().is_some_and(|down| -value == *down) => {
                    BasisStatus::Lower
                }
                None if self.up[column].as_ref() == Some(value) => BasisStatus::Upper,
                None => BasisStatus::Zero,
            }
        };
        let columns: Vec<BasisStatus> = (0..self.columns).map(column).collect();
        // An equation that follows from others has no multiplier.
        let rows = self.basic.iter().map(|basic| match basic {
            Some(_) => BasisStatus::Lower,
            None => BasisStatus::Basic,
        });
        Basis::new(&columns, &rows.collect::<Vec<_>>())
    }
}
