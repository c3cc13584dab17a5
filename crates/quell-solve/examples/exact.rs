//! What exact solutions of systems cost.
//! `cargo run --release -p quell-solve --example exact`

use quell_solve::Error;
use quell_solve::rational::{Answer, IntegerColumns, solve};
use std::time::Instant;

struct Random(u64);

impl Random {
    fn below(&mut self, size: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % size
    }
}

/// Three entries in every column and row, ±1, nothing to peel.
fn exact(size: usize) -> Result<(), Error> {
    let mut random = Random(7);
    let orders: Vec<Vec<u32>> = (0..3)
        .map(|_| {
            let mut order: Vec<u32> = (0..size as u32).collect();
            for i in (1..size).rev() {
                order.swap(i, random.below(i as u64 + 1) as usize);
            }
            order
        })
        .collect();
    let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for column in 0..size {
        for order in &orders {
            indices.push(order[column]);
            values.push(if random.below(2) == 0 { 1 } else { -1 });
        }
        starts.push(indices.len());
    }
    let rhs: Vec<i128> = (0..size).map(|_| i128::from(random.below(1_000_000))).collect();
    let matrix = IntegerColumns { rows: size, starts: &starts, indices: &indices, values: &values };
    let start = Instant::now();
    let answer = solve(&matrix, &rhs)?;
    let time = start.elapsed().as_secs_f64() * 1e3;
    match answer {
        Answer::Unique(solution) => println!(
            "nucleus of {size} rows: {time:.1} ms, denominator of {} bits",
            solution.denominator.bits()
        ),
        other => println!("nucleus of {size} rows: {time:.1} ms, {other:?}"),
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    for size in [300, 500, 1000, 2000] {
        exact(size)?;
    }
    Ok(())
}
