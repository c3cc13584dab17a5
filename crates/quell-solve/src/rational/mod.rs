//! Exact solutions of sparse integer systems A x = b.
//!
//! Floating-point solvers say what a basis is; this says, without rounding, what its values are.
//! Three steps, each in its own file: `peel` takes off the triangular part, which in systems of
//! tables is nearly everything; `modular` factorises the rest modulo a prime; `lift` turns that
//! into the exact rational solution (Dixon's p-adic lifting). Whatever is found is checked against
//! every equation in exact arithmetic before it is returned. `simplex` finds a basis by itself, where
//! floating point found none that is exactly right.
//!
//! Reference: J. D. Dixon, *Exact solution of linear equations using p-adic expansions*, Numerische
//! Mathematik 40 (1982).

mod lift;
mod matrix;
mod modular;
mod peel;
mod simplex;

pub use matrix::IntegerColumns;
pub use simplex::{End, Farthest, farthest};

use crate::Error;
use crate::error::check_length;
use matrix::Matrix;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use peel::Peeled;

/// What there is to say about a system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// There is exactly one solution.
    Unique(Solution),
    /// The columns are independent, and no combination of them gives the right-hand side.
    Inconsistent,
    /// The columns are dependent, so a solution, if any, is not unique.
    RankDeficient,
}

/// A rational vector: numerators over one common positive denominator, without a common factor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// One numerator a column.
    pub numerators: Vec<BigInt>,
    /// The denominator, positive.
    pub denominator: BigInt,
}

/// A [`Solution`] in machine integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fitted<T> {
    /// One numerator a column.
    pub numerators: Vec<T>,
    /// The denominator, positive.
    pub denominator: T,
}

impl Solution {
    /// The same in machine integers (`i64`, `i128`), if all numbers fit.
    pub fn fit<T>(&self) -> Option<Fitted<T>>
    where
        T: for<'a> TryFrom<&'a BigInt>,
    {
        Some(Fitted {
            numerators: self
                .numerators
                .iter()
                .map(|numerator| T::try_from(numerator).ok())
                .collect::<Option<_>>()?,
            denominator: T::try_from(&self.denominator).ok()?,
        })
    }

    /// Takes out the common factor.
    fn reduce(&mut self) {
        let mut factor = self.denominator.clone();
        for numerator in &self.numerators {
            if factor.is_one() {
                return;
            }
            factor = factor.gcd(numerator);
        }
        if !factor.is_one() {
            self.denominator /= &factor;
            for numerator in &mut self.numerators {
                *numerator /= &factor;
            }
        }
    }
}

/// Solves A x = b exactly. A may have more rows than columns.
///
/// Time: linear in the entries for the triangular part; for the nucleus one sparse elimination
/// modulo a prime and a number of cheap steps that grows with the length of the solution's numbers.
///
/// ```
/// use quell_solve::rational::{Answer, IntegerColumns, solve};
/// // x + y = 3, x − y = 2
/// let matrix = IntegerColumns {
///     rows: 2,
///     starts: &[0, 2, 4],
///     indices: &[0, 1, 0, 1],
///     values: &[1, 1, 1, -1],
/// };
/// let Answer::Unique(solution) = solve(&matrix, &[3, 2])? else { panic!("it has one solution") };
/// let solution = solution.fit::<i64>().expect("small numbers");
/// assert_eq!((solution.numerators, solution.denominator), (vec![5, 1], 2));
/// # Ok::<(), quell_solve::Error>(())
/// ```
pub fn solve(matrix: &IntegerColumns, rhs: &[i128]) -> Result<Answer, Error> {
    let rhs: Vec<BigInt> = rhs.iter().map(|&value| BigInt::from(value)).collect();
    solve_big(matrix, &rhs)
}

/// [`solve`] for right-hand sides of any length.
pub fn solve_big(matrix: &IntegerColumns, rhs: &[BigInt]) -> Result<Answer, Error> {
    check_length("right-hand side", matrix.rows, rhs.len())?;
    let matrix = Matrix::new(matrix)?;
    let peeled = Peeled::new(&matrix);
    let mut work = Partial::new(&matrix, rhs);
    for &pivot in &peeled.first {
        work.determine(pivot);
    }
    match work.nucleus(&peeled) {
        Some(Nucleus::Solved) | None => {}
        Some(Nucleus::Inconsistent) => return Ok(Answer::Inconsistent),
        Some(Nucleus::RankDeficient) => return Ok(Answer::RankDeficient),
    }
    for &pivot in peeled.last.iter().rev() {
        work.determine(pivot);
    }
    if !work.holds() {
        return Ok(Answer::Inconsistent);
    }
    let mut solution = Solution { numerators: work.numerators, denominator: work.denominator };
    solution.reduce();
    Ok(Answer::Unique(solution))
}

/// An entry used to determine its column.
#[derive(Debug, Clone, Copy)]
struct Pivot {
    row: usize,
    column: usize,
}

enum Nucleus {
    Solved,
    Inconsistent,
    RankDeficient,
}

/// The values known so far, over one common denominator; unknown ones count as zero.
struct Partial<'a> {
    matrix: &'a Matrix,
    rhs: &'a [BigInt],
    numerators: Vec<BigInt>,
    denominator: BigInt,
}

impl<'a> Partial<'a> {
    fn new(matrix: &'a Matrix, rhs: &'a [BigInt]) -> Self {
        Self {
            matrix,
            rhs,
            numerators: vec![BigInt::zero(); matrix.columns()],
            denominator: BigInt::one(),
        }
    }

    /// What a row lacks to its right-hand side, times the denominator.
    fn remainder(&self, row: usize) -> BigInt {
        let mut remainder = &self.rhs[row] * &self.denominator;
        for (column, value) in self.matrix.row(row) {
            let numerator = &self.numerators[column];
            match value {
                1 => remainder -= numerator,
                -1 => remainder += numerator,
                _ if numerator.is_zero() => {}
                _ => remainder -= numerator * value,
            }
        }
        remainder
    }

    /// Gives the pivot's column the value that fills its row, all other columns of which are known.
    fn determine(&mut self, pivot: Pivot) {
        let value = BigInt::from(self.matrix.value(pivot.row, pivot.column));
        let mut remainder = self.remainder(pivot.row);
        let common = remainder.gcd(&value);
        let factor = (&value / &common).abs();
        if !factor.is_one() {
            self.rescale(&factor);
            remainder *= &factor;
        }
        self.numerators[pivot.column] = remainder / value;
    }

    fn rescale(&mut self, factor: &BigInt) {
        self.denominator *= factor;
        for numerator in &mut self.numerators {
            *numerator *= factor;
        }
    }

    /// Solves what peeling left, if it left anything.
    fn nucleus(&mut self, peeled: &Peeled) -> Option<Nucleus> {
        if peeled.columns.is_empty() {
            return None;
        }
        let (nucleus, rows) = self.matrix.part(&peeled.rows, &peeled.columns);
        let Some(factors) = modular::factorise(&nucleus) else {
            return Some(Nucleus::RankDeficient);
        };
        let rhs: Vec<BigInt> = rows.iter().map(|&row| self.remainder(row)).collect();
        let Some(solution) = lift::lift(&nucleus, &factors, &rhs) else {
            return Some(Nucleus::Inconsistent);
        };
        if !solution.denominator.is_one() {
            self.rescale(&solution.denominator);
        }
        for (&column, numerator) in peeled.columns.iter().zip(solution.numerators) {
            self.numerators[column] = numerator;
        }
        Some(Nucleus::Solved)
    }

    /// Does every equation hold?
    fn holds(&self) -> bool {
        (0..self.matrix.rows()).all(|row| self.remainder(row).is_zero())
    }
}
