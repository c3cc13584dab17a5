//! Exact systems against dense Gaussian elimination in fractions.

use crate::random::Random;
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Zero};
use quell_solve::Error;
use quell_solve::rational::{Answer, IntegerColumns, Solution, solve, solve_big};

struct System {
    rows: usize,
    starts: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<i32>,
    rhs: Vec<i128>,
}

impl System {
    /// From the entries of every column.
    fn new(rows: usize, columns: &[Vec<(u32, i32)>], rhs: Vec<i128>) -> Self {
        let (mut starts, mut indices, mut values) = (vec![0], vec![], vec![]);
        for column in columns {
            for &(row, value) in column {
                indices.push(row);
                values.push(value);
            }
            starts.push(indices.len());
        }
        Self { rows, starts, indices, values, rhs }
    }

    fn matrix(&self) -> IntegerColumns<'_> {
        IntegerColumns {
            rows: self.rows,
            starts: &self.starts,
            indices: &self.indices,
            values: &self.values,
        }
    }

    fn columns(&self) -> usize {
        self.starts.len() - 1
    }

    /// A·x for integer x.
    fn product(&self, x: &[i128]) -> Vec<i128> {
        let mut product = vec![0; self.rows];
        for (j, &x) in x.iter().enumerate() {
            for e in self.starts[j]..self.starts[j + 1] {
                product[self.indices[e] as usize] += i128::from(self.values[e]) * x;
            }
        }
        product
    }

    fn oracle(&self) -> Answer {
        let columns = self.columns();
        let mut dense = vec![vec![BigRational::zero(); columns + 1]; self.rows];
        for (j, range) in self.starts.windows(2).enumerate() {
            for e in range[0]..range[1] {
                dense[self.indices[e] as usize][j] +=
                    BigRational::from_integer(self.values[e].into());
            }
        }
        for (row, &value) in dense.iter_mut().zip(&self.rhs) {
            row[columns] = BigRational::from_integer(value.into());
        }
        for j in 0..columns {
            let Some(pivot) = (j..self.rows).find(|&i| !dense[i][j].is_zero()) else {
                return Answer::RankDeficient;
            };
            dense.swap(j, pivot);
            let pivot_row = dense[j].clone();
            for (i, row) in dense.iter_mut().enumerate() {
                if i != j && !row[j].is_zero() {
                    let factor = &row[j] / &pivot_row[j];
                    for (value, pivot) in row.iter_mut().zip(&pivot_row) {
                        *value -= &factor * pivot;
                    }
                }
            }
        }
        if dense[columns..].iter().any(|row| !row[columns].is_zero()) {
            return Answer::Inconsistent;
        }
        let values: Vec<BigRational> =
            (0..columns).map(|j| &dense[j][columns] / &dense[j][j]).collect();
        let denominator =
            values.iter().fold(BigInt::one(), |common, value| common.lcm(value.denom()));
        Answer::Unique(Solution {
            numerators: values
                .iter()
                .map(|value| value.numer() * (&denominator / value.denom()))
                .collect(),
            denominator,
        })
    }
}

/// Small systems of many kinds: square, tall and wide, sparse and dense, with small and large
/// entries, consistent by construction or not.
fn random_system(random: &mut Random) -> System {
    let columns = random.below(8);
    let rows = match random.below(4) {
        0 => random.below(8),
        1 => columns,
        _ => columns + random.below(4),
    };
    let density = random.below(4) as u64 + 1;
    let largest = [1, 1, 2, 9, i64::from(i32::MAX)][random.below(5)];
    let mut list: Vec<Vec<(u32, i32)>> = (0..columns)
        .map(|_| {
            let mut column = Vec::new();
            for row in 0..rows {
                if random.one_in(density) {
                    column.push((row as u32, random.between(-largest, largest) as i32));
                }
            }
            if !column.is_empty() && random.one_in(10) {
                // An entry in two parts.
                column.push((column[0].0, random.between(-largest, largest) as i32));
            }
            column
        })
        .collect();
    if columns > 1 && random.one_in(4) {
        list[columns - 1] = list[0].clone();
    }
    let mut system = System::new(rows, &list, vec![0; rows]);
    system.rhs = if random.one_in(2) {
        let x: Vec<i128> = (0..columns).map(|_| random.between(-50, 50).into()).collect();
        system.product(&x)
    } else {
        (0..rows).map(|_| random.between(-20, 20).into()).collect()
    };
    if random.one_in(5) {
        for value in &mut system.rhs {
            *value *= 1_000_000_000_000_000_000_000;
        }
    }
    system
}

#[test]
fn small_systems_agree_with_elimination_in_fractions() {
    let mut counts = [0; 4];
    for seed in 0..20_000 {
        let system = random_system(&mut Random::new(seed));
        let answer = solve(&system.matrix(), &system.rhs).unwrap();
        assert_eq!(answer, system.oracle(), "seed {seed}");
        counts[match answer {
            Answer::Unique(solution) if solution.denominator.is_one() => 0,
            Answer::Unique(_) => 1,
            Answer::Inconsistent => 2,
            Answer::RankDeficient => 3,
        }] += 1;
    }
    assert!(counts.iter().all(|&count| count > 500), "{counts:?}");
}

#[test]
fn middling_systems_agree_too() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let size = 20 + random.below(20);
        let columns: Vec<Vec<(u32, i32)>> = (0..size)
            .map(|_| {
                (0..3)
                    .map(|_| (random.below(size) as u32, if random.one_in(2) { 1 } else { -1 }))
                    .collect()
            })
            .collect();
        let rhs = (0..size).map(|_| random.between(-1000, 1000).into()).collect();
        let system = System::new(size, &columns, rhs);
        assert_eq!(solve(&system.matrix(), &system.rhs).unwrap(), system.oracle(), "seed {seed}");
    }
}

/// A square system of full rank in which peeling finds nothing: three entries in each column and
/// row.
fn nucleus(size: usize, seed: u64) -> (Vec<usize>, Vec<u32>, Vec<i32>) {
    let mut random = Random::new(seed);
    let (mut starts, mut indices, mut values) = (vec![0], vec![], vec![]);
    let mut orders: Vec<Vec<u32>> = Vec::new();
    for _ in 0..3 {
        let mut order: Vec<u32> = (0..size as u32).collect();
        for i in (1..size).rev() {
            order.swap(i, random.below(i + 1));
        }
        orders.push(order);
    }
    for column in 0..size {
        for order in &orders {
            indices.push(order[column]);
            values.push(if random.one_in(2) { 1 } else { -1 });
        }
        starts.push(indices.len());
    }
    (starts, indices, values)
}

#[test]
fn a_nucleus_of_four_hundred_rows_is_solved_exactly() {
    let size = 400;
    let (starts, indices, values) = nucleus(size, 1);
    let matrix = IntegerColumns { rows: size, starts: &starts, indices: &indices, values: &values };
    let mut random = Random::new(2);
    let rhs: Vec<i128> = (0..size).map(|_| random.between(-1_000_000, 1_000_000).into()).collect();
    let Answer::Unique(solution) = solve(&matrix, &rhs).unwrap() else {
        panic!("a random system of full rank");
    };
    assert!(solution.denominator.bits() > 64, "a hard case, not a trivial one");
    for (row, &wanted) in rhs.iter().enumerate() {
        let sum: BigInt = (0..size)
            .flat_map(|j| (starts[j]..starts[j + 1]).map(move |e| (j, e)))
            .filter(|&(_, e)| indices[e] as usize == row)
            .map(|(j, e)| &solution.numerators[j] * values[e])
            .sum();
        assert_eq!(sum, &solution.denominator * wanted);
    }
    assert_eq!(solution.fit::<i64>(), None, "its numbers are long");
}

#[test]
fn a_dependent_nucleus_is_recognised_whatever_the_right_hand_side() {
    let size = 200;
    let (mut starts, mut indices, mut values) = nucleus(size, 3);
    // The last column becomes the sum of the first two.
    starts.pop();
    indices.truncate(3 * (size - 1));
    values.truncate(3 * (size - 1));
    for e in 0..6 {
        indices.push(indices[e]);
        values.push(values[e]);
    }
    starts.push(indices.len());
    let matrix = IntegerColumns { rows: size, starts: &starts, indices: &indices, values: &values };
    let rhs = vec![BigInt::from(1); size];
    assert_eq!(solve_big(&matrix, &rhs).unwrap(), Answer::RankDeficient);
}

#[test]
fn wrong_systems_are_errors() {
    let short = IntegerColumns { rows: 2, starts: &[0, 1], indices: &[0], values: &[1] };
    assert!(matches!(solve(&short, &[1]), Err(Error::Length { .. })));
    let outside = IntegerColumns { rows: 1, starts: &[0, 1], indices: &[1], values: &[1] };
    assert!(matches!(solve(&outside, &[1]), Err(Error::OutOfRange { .. })));
    let torn = IntegerColumns { rows: 1, starts: &[0, 2], indices: &[0], values: &[1] };
    assert_eq!(solve(&torn, &[1]), Err(Error::Starts));
    let nothing = IntegerColumns { rows: 0, starts: &[], indices: &[], values: &[] };
    assert_eq!(solve(&nothing, &[]), Err(Error::Starts));
    let empty = IntegerColumns { rows: 1, starts: &[0], indices: &[], values: &[] };
    assert_eq!(solve(&empty, &[1]), Ok(Answer::Inconsistent));
    assert!(matches!(solve(&empty, &[0]), Ok(Answer::Unique(_))));
}
