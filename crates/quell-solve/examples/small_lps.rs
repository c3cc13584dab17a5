//! What a small LP costs: the same LPs in a new instance each, in one instance, with and without
//! presolve, scaling and a slack basis. `cargo run --release -p quell-solve --example small_lps`

use quell_solve::{
    Changed, Error, Index, Model, Order, Outcome, Presolve, Sense, Solver, SparseMatrix, Strategy,
};
use std::time::Instant;

/// A model of the shape that thousands of small ones have in a run: three entries in each column.
struct Instance {
    costs: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    sums: Vec<f64>,
    starts: Vec<Index>,
    indices: Vec<Index>,
    values: Vec<f64>,
}

/// By how much the first cell is to move: more than one cube of cells can usually carry.
const NEED: f64 = 300.0;

struct Random(u64);

impl Random {
    fn below(&mut self, size: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % size
    }
}

impl Instance {
    /// The cheapest movement y = y⁺ − y⁻ of a box of cells that keeps all line sums and moves the
    /// first cell by `NEED`.
    fn new(size: usize, seed: u64) -> Self {
        let mut random = Random(seed);
        let mut instance = Self {
            costs: Vec::new(),
            lower: Vec::new(),
            upper: Vec::new(),
            sums: vec![0.0; 3 * size * size],
            starts: vec![0],
            indices: Vec::new(),
            values: Vec::new(),
        };
        for cell in 0..size * size * size {
            let (i, j, k) = (cell / (size * size), cell / size % size, cell % size);
            let lines = [i * size + j, size * (size + i) + k, size * (2 * size + j) + k];
            let room = 200.0 + random.below(800) as f64;
            let cost = if random.below(4) == 0 { 0.0 } else { 1.0 + random.below(1000) as f64 };
            for sign in [1.0, -1.0] {
                instance.indices.extend(lines.map(|line| line as Index));
                instance.values.extend([sign; 3]);
                instance.starts.push(instance.indices.len() as Index);
                let target = cell == 0 && sign > 0.0;
                instance.costs.push(if target { 0.0 } else { cost });
                instance.lower.push(if target { NEED } else { 0.0 });
                instance.upper.push(if target { NEED } else { room });
            }
        }
        instance
    }

    fn pass(&self, solver: &mut Solver) -> Result<(), Error> {
        solver.pass(&Model {
            sense: Sense::Minimise,
            offset: 0.0,
            costs: &self.costs,
            lower: &self.lower,
            upper: &self.upper,
            row_lower: &self.sums,
            row_upper: &self.sums,
            matrix: SparseMatrix {
                order: Order::Columns,
                starts: &self.starts,
                indices: &self.indices,
                values: &self.values,
            },
            kinds: None,
        })
    }
}

fn solve(solver: &mut Solver) -> Result<u64, Error> {
    let outcome = solver.solve()?;
    assert_eq!(outcome, Outcome::Optimal);
    Ok(solver.simplex_iterations())
}

fn measure(
    name: &str,
    instances: &[Instance],
    mut run: impl FnMut(&Instance) -> Result<u64, Error>,
) -> Result<(), Error> {
    let start = Instant::now();
    let mut iterations = 0;
    for instance in instances {
        iterations += run(instance)?;
    }
    let each = start.elapsed().as_secs_f64() * 1e3 / instances.len() as f64;
    let iterations = iterations as f64 / instances.len() as f64;
    println!("  {name:<46} {each:8.3} ms  {iterations:6.0} iterations");
    Ok(())
}

fn main() -> Result<(), Error> {
    for size in [4, 6, 8, 10] {
        let instances: Vec<Instance> = (0..100).map(|seed| Instance::new(size, seed + 1)).collect();
        println!(
            "box of {size}³ cells: {} columns, {} rows",
            2 * size * size * size,
            3 * size * size
        );
        measure("new instance, presolve", &instances, |instance| {
            let mut solver = Solver::new()?;
            instance.pass(&mut solver)?;
            solve(&mut solver)
        })?;
        measure("new instance, no presolve", &instances, |instance| {
            let mut solver = Solver::new()?;
            solver.set_presolve(Presolve::Off);
            instance.pass(&mut solver)?;
            solve(&mut solver)
        })?;
        let strategies = [Strategy::Choose, Strategy::Dual, Strategy::Primal];
        for strategy in strategies {
            for presolve in [Presolve::Choose, Presolve::Off] {
                let mut solver = Solver::new()?;
                solver.set_presolve(presolve);
                solver.set_strategy(strategy);
                let name = format!("same instance, presolve {presolve:?}, {strategy:?}");
                measure(&name, &instances, |instance| {
                    instance.pass(&mut solver)?;
                    solve(&mut solver)
                })?;
            }
        }
        let mut solver = Solver::new()?;
        solver.set_presolve(Presolve::Off);
        measure("  passing the model alone", &instances, |instance| {
            instance.pass(&mut solver)?;
            Ok(0)
        })?;
        instances[0].pass(&mut solver)?;
        solve(&mut solver)?;
        measure("  solving again, nothing changed", &instances, |_| {
            solver.resolve(Changed::Objective)?;
            Ok(solver.simplex_iterations())
        })?;
    }
    Ok(())
}
