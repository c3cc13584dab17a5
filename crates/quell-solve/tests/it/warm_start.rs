//! Re-solves must be cheap, or thousands of them are out of reach.

use crate::random::Random;
use quell_solve::{Changed, Index, Model, Order, Outcome, Sense, Solver, SparseMatrix};

/// The polytope of a `size`³ table with some cells unknown and all line sums published: one column
/// a cell, three entries each.
fn table(size: usize) -> (Solver, usize) {
    let mut random = Random::new(11);
    let (mut starts, mut indices, mut values) = (vec![0], Vec::<Index>::new(), Vec::new());
    let mut sums = vec![0.0; 3 * size * size];
    let mut columns = 0;
    let mut upper = Vec::new();
    for i in 0..size {
        for j in 0..size {
            for k in 0..size {
                if !random.one_in(3) {
                    continue;
                }
                let value = random.between(0, 100) as f64;
                for line in [i * size + j, size * (size + i) + k, size * (2 * size + j) + k] {
                    indices.push(line as Index);
                    values.push(1.0);
                    sums[line] += value;
                }
                starts.push(indices.len() as Index);
                upper.push(200.0);
                columns += 1;
            }
        }
    }
    let mut solver = Solver::new().unwrap();
    solver
        .pass(&Model {
            sense: Sense::Maximise,
            offset: 0.0,
            costs: &vec![0.0; columns],
            lower: &vec![0.0; columns],
            upper: &upper,
            row_lower: &sums,
            row_upper: &sums,
            matrix: SparseMatrix {
                order: Order::Columns,
                starts: &starts,
                indices: &indices,
                values: &values,
            },
            kinds: None,
        })
        .unwrap();
    (solver, columns)
}

#[test]
fn a_warm_start_needs_a_small_part_of_the_iterations_of_a_cold_one() {
    let (mut warm, columns) = table(10);
    let (mut cold, _) = table(10);
    assert_eq!(warm.solve().unwrap(), Outcome::Optimal);
    let (mut few, mut many) = (0, 0);
    for target in (0..columns).step_by(columns / 20) {
        for solver in [&mut warm, &mut cold] {
            solver.set_cost(target, 1.0).unwrap();
        }
        assert_eq!(warm.resolve(Changed::Objective).unwrap(), Outcome::Optimal);
        cold.forget().unwrap();
        assert_eq!(cold.resolve(Changed::Objective).unwrap(), Outcome::Optimal);
        assert!((warm.objective() - cold.objective()).abs() < 1e-5);
        few += warm.simplex_iterations();
        many += cold.simplex_iterations();
        for solver in [&mut warm, &mut cold] {
            solver.set_cost(target, 0.0).unwrap();
        }
    }
    assert!(few * 5 < many, "{few} iterations warm, {many} cold");
}

#[test]
fn after_a_bound_change_a_warm_start_needs_few_iterations() {
    let (mut warm, columns) = table(10);
    let mut random = Random::new(5);
    for column in 0..columns {
        warm.set_cost(column, random.between(-10, 10) as f64).unwrap();
    }
    assert_eq!(warm.solve().unwrap(), Outcome::Optimal);
    let (mut few, mut many) = (0, 0);
    let mut values = Vec::new();
    for target in (0..columns).step_by(columns / 20) {
        warm.column_values(&mut values).unwrap();
        let basis = warm.basis().unwrap();
        warm.set_column_bounds(target, 0.0, (values[target] * 0.9).max(1.0)).unwrap();
        let outcome = warm.resolve(Changed::Bounds).unwrap();
        few += warm.simplex_iterations();
        let objective = warm.objective();
        warm.forget().unwrap();
        assert_eq!(warm.resolve(Changed::Bounds).unwrap(), outcome);
        many += warm.simplex_iterations();
        if outcome == Outcome::Optimal {
            assert!((warm.objective() - objective).abs() < 1e-5);
        }
        warm.set_column_bounds(target, 0.0, 200.0).unwrap();
        warm.set_basis(&basis).unwrap();
        assert_eq!(warm.solve().unwrap(), Outcome::Optimal);
    }
    assert!(few * 5 < many, "{few} iterations warm, {many} cold");
}
