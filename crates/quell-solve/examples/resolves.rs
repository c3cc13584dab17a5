//! What it costs to solve the same LP again with another objective, by method: the upper bounds of
//! hidden cells of a 20³ table. `cargo run --release -p quell-solve --example resolves`

use quell_solve::{
    Changed, Error, Index, Model, Order, Outcome, Presolve, Sense, Solver, SparseMatrix, Strategy,
};
use std::time::Instant;

const SIZE: usize = 20;
const TARGETS: usize = 40;

/// The polytope of a table with about a third of its cells hidden and all line sums published.
fn table() -> Result<(Solver, usize), Error> {
    let mut state = 1_u64;
    let mut below = |size: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % size
    };
    let mut starts = vec![0];
    let mut indices: Vec<Index> = Vec::new();
    let mut sums = vec![0.0; 3 * SIZE * SIZE];
    for cell in 0..SIZE.pow(3) {
        if below(3) != 0 {
            continue;
        }
        let value = below(1000) as f64;
        let (i, j, k) = (cell / (SIZE * SIZE), cell / SIZE % SIZE, cell % SIZE);
        for line in [i * SIZE + j, SIZE * (SIZE + i) + k, SIZE * (2 * SIZE + j) + k] {
            indices.push(line as Index);
            sums[line] += value;
        }
        starts.push(indices.len() as Index);
    }
    let columns = starts.len() - 1;
    let mut solver = Solver::new()?;
    solver.pass(&Model {
        sense: Sense::Maximise,
        offset: 0.0,
        costs: &vec![0.0; columns],
        lower: &vec![0.0; columns],
        upper: &vec![f64::INFINITY; columns],
        row_lower: &sums,
        row_upper: &sums,
        matrix: SparseMatrix {
            order: Order::Columns,
            starts: &starts,
            indices: &indices,
            values: &vec![1.0; indices.len()],
        },
        kinds: None,
    })?;
    Ok((solver, columns))
}

fn measure(
    name: &str,
    mut solve: impl FnMut(&mut Solver) -> Result<Outcome, Error>,
) -> Result<(), Error> {
    let (mut solver, columns) = table()?;
    assert_eq!(solver.solve()?, Outcome::Optimal);
    let start = Instant::now();
    let (mut iterations, mut sum) = (0, 0.0);
    for target in (0..columns).step_by(columns / TARGETS).take(TARGETS) {
        solver.set_cost(target, 1.0)?;
        assert_eq!(solve(&mut solver)?, Outcome::Optimal);
        iterations += solver.simplex_iterations();
        sum += solver.objective();
        solver.set_cost(target, 0.0)?;
    }
    let each = start.elapsed().as_secs_f64() * 1e3 / TARGETS as f64;
    let iterations = iterations as f64 / TARGETS as f64;
    println!("{name:<40} {each:9.2} ms {iterations:7.0} iterations   (sum {sum:.3})");
    Ok(())
}

fn main() -> Result<(), Error> {
    let (solver, columns) = table()?;
    println!("{columns} columns, {} rows", solver.rows());
    measure("resolve(Changed::Objective)", |solver| solver.resolve(Changed::Objective))?;
    measure("warm, chosen by HiGHS", |solver| {
        solver.set_strategy(Strategy::Choose);
        solver.solve()
    })?;
    measure("warm, dual simplex (HiGHS's default)", |solver| {
        solver.set_strategy(Strategy::Dual);
        solver.solve()
    })?;
    measure("cold, dual simplex with presolve", |solver| {
        solver.set_strategy(Strategy::Dual);
        solver.set_presolve(Presolve::On);
        solver.forget()?;
        solver.solve()
    })?;
    measure("cold, interior point with crossover", |solver| {
        solver.set_strategy(Strategy::InteriorPoint);
        solver.solve()
    })
}
