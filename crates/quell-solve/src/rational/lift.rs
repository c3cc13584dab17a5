//! From a factorisation modulo a prime to the rational solution (dixon-1982).
//!
//! Each step finds one more digit of the solution in base p. With enough digits the numerators and
//! the common denominator can be read off by the Euclidean algorithm (P. S. Wang, *A p-adic
//! algorithm for univariate partial fractions*, 1981). That is tried early, since most solutions
//! are short, and believed only if the equations hold exactly.

use super::Solution;
use super::matrix::Matrix;
use super::modular::{Factors, hadamard_bits};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Solves the system whose pivot rows were factorised; `None` if the other rows contradict them.
pub(super) fn lift(matrix: &Matrix, factors: &Factors, rhs: &[BigInt]) -> Option<Solution> {
    let prime = BigInt::from(factors.prime);
    let pivot_rows = factors.pivot_rows();
    // By Cramer's rule no numerator or denominator is longer.
    let longest = rhs.iter().map(|value| value.bits()).max().unwrap_or(0);
    let rows_bits = (matrix.rows() as f64).log2();
    let bound = hadamard_bits(matrix) + longest as f64 + rows_bits;
    let enough = 2.0 * bound + 4.0;

    let mut remainder: Vec<BigInt> = rhs.to_vec();
    let mut residues = vec![0; matrix.rows()];
    let mut digits = vec![0; matrix.columns()];
    let mut sum = vec![BigInt::zero(); matrix.columns()];
    let mut modulus = BigInt::one();
    let mut count = 0_u32;
    let mut next_try = 2;
    loop {
        for &row in &pivot_rows {
            residues[row] = remainder[row].mod_floor(&prime).to_u32().unwrap_or(0);
        }
        factors.solve(&mut residues, &mut digits);
        for (value, &digit) in sum.iter_mut().zip(&digits) {
            if digit != 0 {
                *value += &modulus * digit;
            }
        }
        modulus *= &prime;
        count += 1;
        let last = modulus.bits() as f64 > enough;
        if last || count >= next_try {
            next_try = count + count.div_ceil(2);
            if let Some(solution) = reconstruct(&sum, &modulus) {
                let holds = |row: usize| row_holds(matrix, row, &solution, &rhs[row]);
                if pivot_rows.iter().all(|&row| holds(row)) {
                    return (0..matrix.rows()).all(holds).then_some(solution);
                }
            }
            // The pivot rows have one solution, and it is no longer than the bound.
            assert!(!last, "reconstruction cannot fail with that many digits");
        }
        for &row in &pivot_rows {
            let product: i128 = matrix
                .row(row)
                .map(|(column, value)| i128::from(value) * i128::from(digits[column]))
                .sum();
            remainder[row] -= product;
            remainder[row] /= factors.prime;
        }
    }
}

fn row_holds(matrix: &Matrix, row: usize, solution: &Solution, rhs: &BigInt) -> bool {
    let sum: BigInt =
        matrix.row(row).map(|(column, value)| &solution.numerators[column] * value).sum();
    sum == rhs * &solution.denominator
}

/// The short rational vector with a common denominator that is `residues` modulo `modulus`, if
/// there is one.
fn reconstruct(residues: &[BigInt], modulus: &BigInt) -> Option<Solution> {
    let bound: BigInt = (modulus >> 1_u32).sqrt();
    let half: BigInt = modulus >> 1_u32;
    let mut denominator = BigInt::one();
    for residue in residues {
        let value = symmetric(&denominator * residue, modulus, &half);
        if value.abs() > bound {
            denominator *= fraction(&value, modulus, &bound)?;
            if denominator > bound {
                return None;
            }
        }
    }
    let numerators: Vec<BigInt> =
        residues.iter().map(|residue| symmetric(&denominator * residue, modulus, &half)).collect();
    Some(Solution { numerators, denominator })
}

/// The residue nearest to zero.
fn symmetric(value: BigInt, modulus: &BigInt, half: &BigInt) -> BigInt {
    let residue = value.mod_floor(modulus);
    if &residue > half { residue - modulus } else { residue }
}

/// The denominator of the fraction with both parts within the bound that is `value` modulo
/// `modulus`.
fn fraction(value: &BigInt, modulus: &BigInt, bound: &BigInt) -> Option<BigInt> {
    let (mut a, mut b) = (modulus.clone(), value.mod_floor(modulus));
    let (mut s, mut t) = (BigInt::zero(), BigInt::one());
    while &b > bound {
        let (quotient, rest) = a.div_rem(&b);
        a = std::mem::replace(&mut b, rest);
        let next = s - quotient * &t;
        s = std::mem::replace(&mut t, next);
    }
    let denominator = t.abs();
    (&denominator <= bound && b.gcd(&denominator).is_one()).then_some(denominator)
}
