//! Sparse factorisation modulo a prime.

use super::matrix::Matrix;
use crate::tolerance::{LOGARITHM, SUM_OF_LOGARITHMS};

/// A factorisation of the rows chosen as pivots, modulo `prime`.
#[derive(Debug)]
pub(super) struct Factors {
    pub prime: u32,
    steps: Vec<Step>,
    rows: usize,
}

/// One step of the elimination.
#[derive(Debug)]
struct Step {
    row: u32,
    column: u32,
    /// The inverse of the pivot.
    inverse: u32,
    /// Rows from which a multiple of the pivot row was taken.
    lower: Vec<(u32, u32)>,
    /// The rest of the pivot row.
    upper: Vec<(u32, u32)>,
}

/// Factorises a matrix of full column rank; `None` proves that the rank is not full.
///
/// A prime can show a rank that is too small. But if the rank is full, some minor is not zero, and
/// every prime that shows less divides it: once the product of such primes exceeds what a minor can
/// be (Hadamard's bound), the rank is really not full.
pub(super) fn factorise(matrix: &Matrix) -> Option<Factors> {
    if matrix.rows() < matrix.columns() {
        return None;
    }
    let bound = hadamard_bits(matrix);
    let mut seen = 0.0;
    let mut prime = FIRST_PRIME;
    loop {
        if let Some(factors) = eliminate(matrix, prime) {
            return Some(factors);
        }
        seen += f64::from(prime).log2() - LOGARITHM;
        if seen > bound {
            return None;
        }
        prime = prime_below(prime);
    }
}

/// The largest prime below 2³¹: products of two residues fit in 64 bits.
const FIRST_PRIME: u32 = 2_147_483_647;

fn prime_below(number: u32) -> u32 {
    let is_prime = |n: u32| n % 2 == 1 && (3..=n.isqrt()).step_by(2).all(|d| !n.is_multiple_of(d));
    // There are more primes below 2³¹ than any system needs.
    (3..number).rev().find(|&n| is_prime(n)).unwrap_or(2)
}

/// An upper bound on the binary logarithm of any minor: the product of the columns' lengths.
pub(super) fn hadamard_bits(matrix: &Matrix) -> f64 {
    let length_bits = |column: usize| {
        let square: f64 = matrix.column(column).map(|(_, value)| (value as f64).powi(2)).sum();
        square.max(1.0).log2() / 2.0
    };
    (0..matrix.columns()).map(length_bits).sum::<f64>() * (1.0 + SUM_OF_LOGARITHMS) + 8.0
}

/// Gaussian elimination, taking each time the column with the fewest entries and in it the row with
/// the fewest (Markowitz's idea at the price of a scan). `None` if the rank modulo the prime is not
/// full.
fn eliminate(matrix: &Matrix, prime: u32) -> Option<Factors> {
    let field = Field(prime);
    let columns = matrix.columns();
    let mut rows: Vec<Vec<(u32, u32)>> = (0..matrix.rows())
        .map(|row| {
            matrix
                .row(row)
                .map(|(column, value)| (column as u32, field.from(value)))
                .filter(|&(_, value)| value != 0)
                .collect()
        })
        .collect();
    // Rows that have, or once had, an entry in a column; and how many have.
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); columns];
    let mut counts = vec![0_usize; columns];
    for (row, entries) in rows.iter().enumerate() {
        for &(column, _) in entries {
            members[column as usize].push(row as u32);
            counts[column as usize] += 1;
        }
    }
    let mut open: Vec<usize> = (0..columns).collect();
    let mut used = vec![false; matrix.rows()];
    let mut steps = Vec::with_capacity(columns);
    let mut merged = Vec::new();
    while !open.is_empty() {
        let best = (0..open.len()).min_by_key(|&place| (counts[open[place]], open[place]))?;
        let column = open.swap_remove(best);
        if counts[column] == 0 {
            return None;
        }
        let mut having = std::mem::take(&mut members[column]);
        having.sort_unstable();
        having.dedup();
        having.retain(|&row| {
            !used[row as usize] && find(&rows[row as usize], column as u32).is_some()
        });
        let &row = having.iter().min_by_key(|&&row| (rows[row as usize].len(), row))?;
        let pivot_row = std::mem::take(&mut rows[row as usize]);
        used[row as usize] = true;
        for &(other, _) in &pivot_row {
            counts[other as usize] -= 1;
        }
        let pivot = pivot_row[find(&pivot_row, column as u32)?].1;
        let inverse = field.inverse(pivot);
        let mut lower = Vec::with_capacity(having.len());
        for &other in having.iter().filter(|&&other| other != row) {
            let target = &mut rows[other as usize];
            let Some(place) = find(target, column as u32) else { continue };
            let factor = field.multiply(target[place].1, inverse);
            lower.push((other, factor));
            field.subtract(
                target,
                &pivot_row,
                factor,
                &mut merged,
                |column, change| match change {
                    Change::Filled => {
                        members[column as usize].push(other);
                        counts[column as usize] += 1;
                    }
                    Change::Cancelled => counts[column as usize] -= 1,
                },
            );
            std::mem::swap(target, &mut merged);
        }
        let upper = pivot_row.into_iter().filter(|&(other, _)| other != column as u32).collect();
        steps.push(Step { row, column: column as u32, inverse, lower, upper });
    }
    Some(Factors { prime, steps, rows: matrix.rows() })
}

fn find(row: &[(u32, u32)], column: u32) -> Option<usize> {
    row.binary_search_by_key(&column, |&(column, _)| column).ok()
}

impl Factors {
    /// The rows used as pivots: they alone determine the solution.
    pub fn pivot_rows(&self) -> Vec<usize> {
        let mut rows: Vec<usize> = self.steps.iter().map(|step| step.row as usize).collect();
        rows.sort_unstable();
        rows
    }

    /// Solves the pivot rows modulo the prime. `rhs` has a value for every row (those of rows that
    /// are no pivots do not matter) and is overwritten.
    pub fn solve(&self, rhs: &mut [u32], solution: &mut [u32]) {
        debug_assert_eq!(rhs.len(), self.rows);
        let field = Field(self.prime);
        for step in &self.steps {
            let value = rhs[step.row as usize];
            if value != 0 {
                for &(row, factor) in &step.lower {
                    let product = field.multiply(factor, value);
                    rhs[row as usize] = field.minus(rhs[row as usize], product);
                }
            }
        }
        for step in self.steps.iter().rev() {
            let mut value = u64::from(rhs[step.row as usize]);
            for &(column, factor) in &step.upper {
                // Never negative: the subtrahend is below the square of the prime.
                let product = u64::from(factor) * u64::from(solution[column as usize]);
                value = (value + u64::from(self.prime).pow(2) - product) % u64::from(self.prime);
            }
            solution[step.column as usize] = field.multiply(value as u32, step.inverse);
        }
    }
}

enum Change {
    Filled,
    Cancelled,
}

/// Arithmetic modulo a prime below 2³¹.
#[derive(Clone, Copy)]
struct Field(u32);

impl Field {
    fn from(self, value: i64) -> u32 {
        value.rem_euclid(i64::from(self.0)) as u32
    }

    fn multiply(self, a: u32, b: u32) -> u32 {
        (u64::from(a) * u64::from(b) % u64::from(self.0)) as u32
    }

    fn minus(self, a: u32, b: u32) -> u32 {
        if a >= b { a - b } else { a + (self.0 - b) }
    }

    fn inverse(self, value: u32) -> u32 {
        // Fermat: value^(prime − 2).
        let (mut power, mut result, mut exponent) = (value, 1, self.0 - 2);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = self.multiply(result, power);
            }
            power = self.multiply(power, power);
            exponent >>= 1;
        }
        result
    }

    /// `into = target − factor · pivot`, all sorted by column, reporting every entry that appears
    /// or vanishes.
    fn subtract(
        self,
        target: &[(u32, u32)],
        pivot: &[(u32, u32)],
        factor: u32,
        into: &mut Vec<(u32, u32)>,
        mut report: impl FnMut(u32, Change),
    ) {
        into.clear();
        let (mut a, mut b) = (0, 0);
        while a < target.len() || b < pivot.len() {
            let left = target.get(a).map_or(u32::MAX, |&(column, _)| column);
            let right = pivot.get(b).map_or(u32::MAX, |&(column, _)| column);
            if left < right {
                into.push(target[a]);
                a += 1;
                continue;
            }
            let product = self.multiply(pivot[b].1, factor);
            b += 1;
            if right < left {
                into.push((right, self.minus(0, product)));
                report(right, Change::Filled);
            } else {
                let value = self.minus(target[a].1, product);
                a += 1;
                if value == 0 {
                    report(left, Change::Cancelled);
                } else {
                    into.push((left, value));
                }
            }
        }
    }
}
