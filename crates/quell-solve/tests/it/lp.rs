//! LPs against `microlp`, and the small print of the wrapper.

use crate::random::Random;
use quell_solve::{
    Basis, Changed, Error, Index, Kind, Limits, Model, Order, Outcome, PointStatus, Presolve,
    Sense, Solver, SparseMatrix, Stopping, Strategy,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// An owned model with a dense matrix, easy to make up and to check.
#[derive(Debug, Clone)]
pub struct Dense {
    pub sense: Sense,
    pub costs: Vec<f64>,
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
    pub row_lower: Vec<f64>,
    pub row_upper: Vec<f64>,
    pub matrix: Vec<Vec<f64>>,
    pub kinds: Option<Vec<Kind>>,
}

impl Dense {
    /// Small integers everywhere: many ties, degenerate, infeasible and unbounded cases.
    pub fn random(random: &mut Random) -> Self {
        let columns = random.below(6) + 1;
        let rows = random.below(6) + 1;
        let bound = |random: &mut Random| match random.below(4) {
            0 => (0.0, f64::INFINITY),
            1 => (f64::NEG_INFINITY, f64::INFINITY),
            2 => {
                let low = random.between(-4, 4);
                (low as f64, (low + random.between(0, 6)) as f64)
            }
            _ => (f64::NEG_INFINITY, random.between(-4, 6) as f64),
        };
        let (lower, upper) = (0..columns).map(|_| bound(random)).unzip();
        let (row_lower, row_upper) = (0..rows)
            .map(|_| match random.below(4) {
                0 => {
                    let value = random.between(-6, 6) as f64;
                    (value, value)
                }
                1 => (random.between(-8, 4) as f64, f64::INFINITY),
                2 => (f64::NEG_INFINITY, random.between(-4, 8) as f64),
                _ => {
                    let low = random.between(-8, 4);
                    (low as f64, (low + random.between(0, 8)) as f64)
                }
            })
            .unzip();
        Self {
            sense: if random.one_in(2) { Sense::Minimise } else { Sense::Maximise },
            costs: (0..columns).map(|_| random.between(-5, 5) as f64).collect(),
            lower,
            upper,
            row_lower,
            row_upper,
            matrix: (0..rows)
                .map(|_| {
                    (0..columns)
                        .map(|_| if random.one_in(2) { 0.0 } else { random.between(-3, 3) as f64 })
                        .collect()
                })
                .collect(),
            kinds: None,
        }
    }

    pub fn by_rows(&self) -> (Vec<Index>, Vec<Index>, Vec<f64>) {
        sparse(&self.matrix)
    }

    pub fn by_columns(&self) -> (Vec<Index>, Vec<Index>, Vec<f64>) {
        let transposed: Vec<Vec<f64>> =
            (0..self.costs.len()).map(|j| self.matrix.iter().map(|row| row[j]).collect()).collect();
        sparse(&transposed)
    }

    pub fn pass(&self, solver: &mut Solver, order: Order) -> Result<(), Error> {
        let (starts, indices, values) = match order {
            Order::Rows => self.by_rows(),
            Order::Columns => self.by_columns(),
        };
        solver.pass(&Model {
            sense: self.sense,
            offset: 0.0,
            costs: &self.costs,
            lower: &self.lower,
            upper: &self.upper,
            row_lower: &self.row_lower,
            row_upper: &self.row_upper,
            matrix: SparseMatrix { order, starts: &starts, indices: &indices, values: &values },
            kinds: self.kinds.as_deref(),
        })
    }

    pub fn is_feasible(&self, x: &[f64], tolerance: f64) -> bool {
        let inside =
            |value: f64, low: f64, high: f64| low - tolerance <= value && value <= high + tolerance;
        (0..x.len()).all(|j| inside(x[j], self.lower[j], self.upper[j]))
            && self.matrix.iter().enumerate().all(|(i, row)| {
                let value = row.iter().zip(x).map(|(a, x)| a * x).sum();
                inside(value, self.row_lower[i], self.row_upper[i])
            })
    }

    pub fn value(&self, x: &[f64]) -> f64 {
        self.costs.iter().zip(x).map(|(c, x)| c * x).sum()
    }

    /// The same by `microlp`: the optimum, or why there is none.
    fn oracle(&self) -> Result<f64, microlp::Error> {
        let mut problem = microlp::Problem::new(match self.sense {
            Sense::Minimise => microlp::OptimizationDirection::Minimize,
            Sense::Maximise => microlp::OptimizationDirection::Maximize,
        });
        let columns: Vec<_> = (0..self.costs.len())
            .map(|j| problem.add_var(self.costs[j], (self.lower[j], self.upper[j])))
            .collect();
        for (i, row) in self.matrix.iter().enumerate() {
            let terms: Vec<_> = columns.iter().copied().zip(row.iter().copied()).collect();
            if self.row_lower[i] > f64::NEG_INFINITY {
                problem.add_constraint(&terms[..], microlp::ComparisonOp::Ge, self.row_lower[i]);
            }
            if self.row_upper[i] < f64::INFINITY {
                problem.add_constraint(&terms[..], microlp::ComparisonOp::Le, self.row_upper[i]);
            }
        }
        problem.solve().map(|outcome| match outcome {
            microlp::SolveOutcome::Solution(solution) => solution.objective(),
            microlp::SolveOutcome::Interrupted(_) => panic!("no limit was set"),
        })
    }
}

fn sparse(vectors: &[Vec<f64>]) -> (Vec<Index>, Vec<Index>, Vec<f64>) {
    let (mut starts, mut indices, mut values) = (vec![0], vec![], vec![]);
    for vector in vectors {
        for (index, &value) in vector.iter().enumerate() {
            if value != 0.0 {
                indices.push(index as Index);
                values.push(value);
            }
        }
        starts.push(indices.len() as Index);
    }
    (starts, indices, values)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * (1.0 + a.abs().max(b.abs()))
}

#[test]
fn random_lps_agree_with_microlp_whatever_the_strategy() {
    let mut solver = Solver::new().unwrap();
    let mut counts = [0; 3];
    let mut x = Vec::new();
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let model = Dense::random(&mut random);
        let order = if seed % 2 == 0 { Order::Rows } else { Order::Columns };
        let strategies =
            [Strategy::Choose, Strategy::Dual, Strategy::Primal, Strategy::InteriorPoint];
        let strategy = strategies[random.below(4)];
        solver.set_strategy(strategy);
        solver.set_presolve([Presolve::Choose, Presolve::On, Presolve::Off][random.below(3)]);
        model.pass(&mut solver, order).unwrap();
        let outcome = solver.solve().unwrap();
        let oracle = model.oracle();
        if outcome == Outcome::IterationLimit && strategy == Strategy::InteriorPoint {
            assert!(oracle.is_err(), "seed {seed}");
            continue;
        }
        match oracle {
            Ok(optimum) => {
                assert_eq!(outcome, Outcome::Optimal, "seed {seed}");
                assert!(close(solver.objective(), optimum), "seed {seed}");
                solver.column_values(&mut x).unwrap();
                assert!(model.is_feasible(&x, 1e-6), "seed {seed}");
                assert!(close(model.value(&x), optimum), "seed {seed}");
                check_duality(&model, &solver, seed);
                counts[0] += 1;
            }
            Err(microlp::Error::Infeasible) => {
                assert_eq!(outcome, Outcome::Infeasible, "seed {seed}");
                counts[1] += 1;
            }
            Err(microlp::Error::Unbounded) => {
                // microlp may call a model unbounded that is infeasible as well.
                assert!(
                    matches!(outcome, Outcome::Unbounded | Outcome::Infeasible),
                    "seed {seed}: {outcome:?}"
                );
                counts[2] += 1;
            }
            Err(error) => panic!("seed {seed}: {error}"),
        }
    }
    assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
}

/// Duals reproduce the reduced costs, have the right sign and close the gap.
fn check_duality(model: &Dense, solver: &Solver, seed: u64) {
    let (mut reduced, mut duals) = (Vec::new(), Vec::new());
    solver.column_duals(&mut reduced).unwrap();
    solver.row_duals(&mut duals).unwrap();
    let sign = if model.sense == Sense::Minimise { 1.0 } else { -1.0 };
    let mut bound = 0.0;
    let mut add = |dual: f64, low: f64, high: f64| {
        if dual.abs() > 1e-6 {
            let at = if sign * dual > 0.0 { low } else { high };
            assert!(at.is_finite(), "seed {seed}: dual {dual} on an infinite bound");
            bound += dual * at;
        }
    };
    for (j, &cost) in reduced.iter().enumerate() {
        let priced: f64 = (0..duals.len()).map(|i| duals[i] * model.matrix[i][j]).sum();
        assert!(close(model.costs[j] - priced, cost), "seed {seed}");
        add(cost, model.lower[j], model.upper[j]);
    }
    for (i, &dual) in duals.iter().enumerate() {
        add(dual, model.row_lower[i], model.row_upper[i]);
    }
    assert!(close(bound, solver.objective()), "seed {seed}");
}

#[test]
fn a_model_built_piece_by_piece_and_changed_equals_one_passed_at_once() {
    for seed in 0..1000 {
        let mut random = Random::new(seed);
        let model = Dense::random(&mut random);
        let (mut whole, mut pieces) = (Solver::new().unwrap(), Solver::new().unwrap());
        model.pass(&mut whole, Order::Rows).unwrap();
        // Columns with wrong costs and bounds, rows with one too many and wrong coefficients, all
        // corrected afterwards.
        let n = model.costs.len();
        for _ in 0..=n {
            pieces.add_column(1.0, 0.0, 1.0, &[], &[]).unwrap();
        }
        pieces.delete_columns(&[n as Index]).unwrap();
        let (starts, indices, values) = model.by_rows();
        let all = SparseMatrix {
            order: Order::Rows,
            starts: &starts,
            indices: &indices,
            values: &values,
        };
        pieces.add_row(0.0, 7.0, &[0], &[1.0]).unwrap();
        let first = pieces.add_rows(&model.row_lower, &model.row_upper, all).unwrap();
        assert_eq!(first, 1);
        if seed % 2 == 0 {
            pieces.solve().unwrap();
        }
        pieces.delete_rows(&[0]).unwrap();
        pieces.set_sense(model.sense).unwrap();
        pieces.set_cost(0, model.costs[0]).unwrap();
        let backwards: Vec<Index> = (0..n as Index).rev().collect();
        let mirror = |values: &[f64]| values.iter().rev().copied().collect::<Vec<_>>();
        pieces.set_costs(&backwards, &mirror(&model.costs)).unwrap();
        pieces
            .set_columns_bounds(&backwards, &mirror(&model.lower), &mirror(&model.upper))
            .unwrap();
        pieces.set_row_bounds(0, 0.0, 0.0).unwrap();
        if seed % 3 == 0 {
            pieces.solve().unwrap();
        }
        pieces.set_row_bounds(0, model.row_lower[0], model.row_upper[0]).unwrap();
        let outcome = whole.solve().unwrap();
        let same = pieces.solve().unwrap();
        assert_eq!(outcome, same, "seed {seed}");
        if outcome == Outcome::Optimal {
            assert!(close(whole.objective(), pieces.objective()), "seed {seed}");
        }
    }
}

#[test]
fn changing_the_objective_again_and_again_gives_the_same_as_starting_afresh() {
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let mut model = Dense::random(&mut random);
        let mut kept = Solver::new().unwrap();
        model.pass(&mut kept, Order::Columns).unwrap();
        for _ in 0..6 {
            let changed = if random.one_in(2) {
                let j = random.below(model.costs.len());
                model.costs[j] = random.between(-5, 5) as f64;
                kept.set_cost(j, model.costs[j]).unwrap();
                Changed::Objective
            } else {
                let i = random.below(model.row_lower.len());
                model.row_upper[i] += random.between(0, 2) as f64;
                kept.set_row_bounds(i, model.row_lower[i], model.row_upper[i]).unwrap();
                Changed::Bounds
            };
            let outcome = kept.resolve(changed).unwrap();
            let mut fresh = Solver::new().unwrap();
            model.pass(&mut fresh, Order::Columns).unwrap();
            assert_eq!(fresh.solve().unwrap(), outcome, "seed {seed}");
            if outcome == Outcome::Optimal {
                assert!(close(fresh.objective(), kept.objective()), "seed {seed}");
            }
        }
    }
}

#[test]
fn a_basis_set_again_is_optimal_at_once() {
    let mut solved = 0;
    for seed in 0..1000 {
        let mut random = Random::new(seed);
        let model = Dense::random(&mut random);
        let mut solver = Solver::new().unwrap();
        solver.set_presolve(Presolve::Off);
        model.pass(&mut solver, Order::Columns).unwrap();
        if solver.solve().unwrap() != Outcome::Optimal {
            continue;
        }
        let objective = solver.objective();
        let basis: Basis = solver.basis().unwrap();
        let mut other = Solver::new().unwrap();
        model.pass(&mut other, Order::Columns).unwrap();
        other.set_basis(&basis).unwrap();
        assert_eq!(other.solve().unwrap(), Outcome::Optimal, "seed {seed}");
        assert_eq!(other.simplex_iterations(), 0, "seed {seed}");
        assert!(close(other.objective(), objective), "seed {seed}");
        solved += 1;
    }
    assert!(solved > 50);
}

#[test]
fn wrong_input_is_an_error_and_leaves_the_solver_usable() {
    let mut random = Random::new(1);
    let good = Dense::random(&mut random);
    let mut solver = Solver::new().unwrap();
    let mut bad = good.clone();
    bad.costs[0] = f64::NAN;
    assert_eq!(bad.pass(&mut solver, Order::Rows), Err(Error::NotANumber { what: "costs" }));
    let mut bad = good.clone();
    bad.lower[0] = f64::NAN;
    assert!(matches!(bad.pass(&mut solver, Order::Rows), Err(Error::NotANumber { .. })));
    let mut bad = good.clone();
    bad.upper.push(1.0);
    assert!(matches!(bad.pass(&mut solver, Order::Rows), Err(Error::Length { .. })));
    good.pass(&mut solver, Order::Rows).unwrap();
    assert!(matches!(solver.add_row(0.0, 1.0, &[99], &[1.0]), Err(Error::OutOfRange { .. })));
    assert!(matches!(solver.add_row(0.0, 1.0, &[-1], &[1.0]), Err(Error::OutOfRange { .. })));
    assert!(matches!(solver.set_cost(99, 1.0), Err(Error::OutOfRange { .. })));
    assert!(matches!(solver.column_values(&mut Vec::new()), Err(Error::NotAvailable { .. })));
    assert!(matches!(solver.basis(), Err(Error::NotAvailable { .. })));
    assert!(solver.add_row(0.0, 1.0, &[0, 0], &[1.0, 1.0]).is_err(), "a column twice in a row");
    let one = SparseMatrix { order: Order::Rows, starts: &[0, 2], indices: &[0], values: &[1.0] };
    assert_eq!(solver.add_rows(&[0.0], &[1.0], one), Err(Error::Starts));
    assert_eq!(solver.primal_status(), PointStatus::None);
    let rows = solver.rows();
    assert_eq!(rows, good.row_lower.len());
    solver.solve().unwrap();
}

#[test]
fn an_empty_model_and_one_without_rows_can_be_solved() {
    let mut solver = Solver::new().unwrap();
    assert_eq!(solver.solve().unwrap(), Outcome::Optimal);
    solver.add_column(1.0, 2.0, 5.0, &[], &[]).unwrap();
    assert_eq!(solver.solve().unwrap(), Outcome::Optimal);
    assert_eq!(solver.objective(), 2.0);
    solver.set_column_bounds(0, f64::NEG_INFINITY, 5.0).unwrap();
    assert_eq!(solver.solve().unwrap(), Outcome::Unbounded);
    assert!(!solver.primal_ray(&mut Vec::new()).unwrap());
    solver.set_column_bounds(0, 3.0, 2.0).unwrap();
    assert_eq!(solver.solve().unwrap(), Outcome::Infeasible);
    assert!(!solver.dual_ray(&mut Vec::new()).unwrap());
    solver.clear().unwrap();
    assert_eq!(solver.columns(), 0);
}

/// An LP with far more than a handful of pivots: an assignment problem.
fn assignment(solver: &mut Solver, size: usize) {
    let mut random = Random::new(7);
    let columns = size * size;
    let costs: Vec<f64> = (0..columns).map(|_| random.between(1, 1000) as f64).collect();
    let starts: Vec<Index> = (0..=columns).map(|j| 2 * j as Index).collect();
    let indices: Vec<Index> =
        (0..columns).flat_map(|j| [(j / size) as Index, (size + j % size) as Index]).collect();
    solver
        .pass(&Model {
            sense: Sense::Minimise,
            offset: 0.0,
            costs: &costs,
            lower: &vec![0.0; columns],
            upper: &vec![1.0; columns],
            row_lower: &vec![1.0; 2 * size],
            row_upper: &vec![1.0; 2 * size],
            matrix: SparseMatrix {
                order: Order::Columns,
                starts: &starts,
                indices: &indices,
                values: &vec![1.0; 2 * columns],
            },
            kinds: None,
        })
        .unwrap();
}

#[test]
fn an_iteration_limit_stops_every_solve_anew() {
    let mut solver = Solver::new().unwrap();
    solver.set_presolve(Presolve::Off);
    solver.set_strategy(Strategy::Dual);
    assignment(&mut solver, 60);
    solver.set_limits(&Limits { simplex_iterations: Some(7), ..Limits::default() }).unwrap();
    for _ in 0..3 {
        // Each solve goes on from the basis the one before left, with 7 more iterations.
        assert_eq!(solver.solve().unwrap(), Outcome::IterationLimit);
        assert_eq!(solver.simplex_iterations(), 7);
    }
    solver.set_limits(&Limits::default()).unwrap();
    assert_eq!(solver.solve().unwrap(), Outcome::Optimal);
}

#[test]
fn a_time_limit_counts_from_the_start_of_each_solve() {
    let mut solver = Solver::new().unwrap();
    assignment(&mut solver, 60);
    solver.set_limits(&Limits { seconds: Some(0.0), ..Limits::default() }).unwrap();
    assert_eq!(solver.solve().unwrap(), Outcome::TimeLimit);
    solver.set_limits(&Limits { seconds: Some(10.0), ..Limits::default() }).unwrap();
    let start = std::time::Instant::now();
    while start.elapsed().as_secs_f64() < 0.3 {
        solver.forget().unwrap();
        assert_eq!(solver.solve().unwrap(), Outcome::Optimal);
    }
    let used = start.elapsed().as_secs_f64();
    // More than all solves so far could use together, if it were counted so.
    solver.set_limits(&Limits { seconds: Some(used * 0.9), ..Limits::default() }).unwrap();
    solver.forget().unwrap();
    assert_eq!(solver.solve().unwrap(), Outcome::Optimal);
}

/// A question answered by a flag.
pub fn raised(flag: &Arc<AtomicBool>) -> Stopping {
    let flag = Arc::clone(flag);
    Arc::new(move || flag.load(Ordering::Relaxed))
}

#[test]
fn a_raised_flag_interrupts_each_kind_of_solve() {
    for strategy in [Strategy::Dual, Strategy::Primal, Strategy::InteriorPoint] {
        let mut solver = Solver::new().unwrap();
        solver.set_strategy(strategy);
        solver.set_presolve(Presolve::Off);
        assignment(&mut solver, 400);
        let flag = Arc::new(AtomicBool::new(false));
        solver.set_stopping(Some(raised(&flag))).unwrap();
        let outcome = std::thread::scope(|scope| {
            let handle = scope.spawn(|| {
                let outcome = solver.solve().unwrap();
                (outcome, solver.simplex_iterations())
            });
            std::thread::sleep(std::time::Duration::from_millis(30));
            flag.store(true, Ordering::Relaxed);
            handle.join().unwrap()
        });
        assert_eq!(outcome.0, Outcome::Interrupted, "{strategy:?}");
        // Raised before: not even started.
        assert_eq!(solver.solve().unwrap(), Outcome::Interrupted);
        assignment(&mut solver, 20);
        solver.set_stopping(None).unwrap();
        assert_eq!(solver.solve().unwrap(), Outcome::Optimal, "{strategy:?}");
    }
}

#[test]
fn solvers_work_in_parallel_and_move_between_threads() {
    let expected = {
        let mut solver = Solver::new().unwrap();
        assignment(&mut solver, 30);
        solver.solve().unwrap();
        solver.objective()
    };
    let mut solvers: Vec<Solver> = (0..4).map(|_| Solver::new().unwrap()).collect();
    for round in 0..3 {
        std::thread::scope(|scope| {
            for solver in &mut solvers {
                scope.spawn(move || {
                    if round == 0 {
                        assignment(solver, 30);
                    }
                    solver.forget().unwrap();
                    assert_eq!(solver.solve().unwrap(), Outcome::Optimal);
                    assert_eq!(solver.objective(), expected);
                });
            }
        });
    }
}

#[test]
fn an_objective_bound_stops_the_dual_simplex() {
    let mut solver = Solver::new().unwrap();
    solver.set_presolve(Presolve::Off);
    solver.set_strategy(Strategy::Dual);
    assignment(&mut solver, 40);
    solver.set_objective_bound(Some(100.0)).unwrap();
    assert_eq!(solver.solve().unwrap(), Outcome::ObjectiveBound);
    solver.set_objective_bound(None).unwrap();
    assert_eq!(solver.solve().unwrap(), Outcome::Optimal);
    assert!(solver.objective() > 100.0);
}

#[test]
fn methods_without_a_basis_come_near_the_optimum() {
    let mut solver = Solver::new().unwrap();
    assignment(&mut solver, 15);
    assert_eq!(solver.solve().unwrap(), Outcome::Optimal);
    let optimum = solver.objective();
    for strategy in [Strategy::InteriorPointOnly, Strategy::Pdlp] {
        let mut solver = Solver::new().unwrap();
        solver.set_strategy(strategy);
        solver.set_presolve(Presolve::Off);
        assignment(&mut solver, 15);
        assert_eq!(solver.solve().unwrap(), Outcome::Optimal, "{strategy:?}");
        assert!((solver.objective() - optimum).abs() < 1e-3 * optimum, "{strategy:?}");
        assert!(solver.basis().is_err(), "{strategy:?}");
        // And back to the simplex.
        assert_eq!(solver.resolve(Changed::Objective).unwrap(), Outcome::Optimal);
        assert!(close(solver.objective(), optimum));
        assert!(solver.basis().is_ok());
    }
}

#[test]
fn a_model_without_columns_has_the_empty_point() {
    let mut solver = Solver::new().unwrap();
    for (lower, upper, outcome) in [
        (0.0, 0.0, Outcome::Optimal),
        (-1.0, 2.0, Outcome::Optimal),
        (1.0, 2.0, Outcome::Infeasible),
    ] {
        let model = Model {
            sense: Sense::Minimise,
            offset: 3.0,
            costs: &[],
            lower: &[],
            upper: &[],
            kinds: None,
            row_lower: &[lower],
            row_upper: &[upper],
            matrix: SparseMatrix { order: Order::Columns, starts: &[0], indices: &[], values: &[] },
        };
        solver.pass(&model).unwrap();
        assert_eq!(solver.solve().unwrap(), outcome);
        let mut values = vec![7.0];
        let read = solver.column_values(&mut values);
        assert_eq!(read.is_ok(), outcome == Outcome::Optimal, "{lower}, {upper}: {read:?}");
        if read.is_ok() {
            assert_eq!(solver.primal_status(), PointStatus::Feasible);
            assert!(values.is_empty());
        }
    }
}
