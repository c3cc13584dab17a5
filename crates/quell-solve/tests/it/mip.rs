//! MIPs against enumeration.

use crate::lp::{Dense, raised};
use crate::random::Random;
use quell_solve::{Index, Kind, Limits, Order, Outcome, PointStatus, Sense, Solver};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A small model with bounded integer columns.
fn random_integer(random: &mut Random) -> Dense {
    let mut model = Dense::random(random);
    for j in 0..model.costs.len() {
        let low = random.between(-2, 1);
        model.lower[j] = low as f64;
        model.upper[j] = (low + random.between(0, 3)) as f64;
    }
    model.kinds = Some(vec![Kind::Integer; model.costs.len()]);
    model
}

/// The optimum by trying every point.
fn enumerate(model: &Dense) -> Option<f64> {
    let mut point = model.lower.clone();
    let mut best: Option<f64> = None;
    loop {
        if model.is_feasible(&point, 0.0) {
            let value = model.value(&point);
            let better = match (best, model.sense) {
                (None, _) => true,
                (Some(best), Sense::Minimise) => value < best,
                (Some(best), Sense::Maximise) => value > best,
            };
            if better {
                best = Some(value);
            }
        }
        let Some(j) = (0..point.len()).find(|&j| point[j] < model.upper[j]) else {
            return best;
        };
        point[j] += 1.0;
        point[..j].copy_from_slice(&model.lower[..j]);
    }
}

#[test]
fn tiny_mips_agree_with_enumeration_with_and_without_a_start() {
    let mut solver = Solver::new().unwrap();
    let (mut feasible, mut infeasible) = (0, 0);
    let mut x = Vec::new();
    for seed in 0..800 {
        let mut random = Random::new(seed);
        let model = random_integer(&mut random);
        model.pass(&mut solver, Order::Columns).unwrap();
        match seed % 3 {
            0 => {}
            1 => {
                let start: Vec<f64> = (0..model.costs.len())
                    .map(|j| random.between(model.lower[j] as i64, model.upper[j] as i64) as f64)
                    .collect();
                solver.set_start(&start).unwrap();
            }
            _ => {
                let column = random.below(model.costs.len());
                solver.set_start_sparse(&[column as Index], &[model.lower[column]]).unwrap();
            }
        }
        let outcome = solver.solve().unwrap();
        match enumerate(&model) {
            Some(best) => {
                assert_eq!(outcome, Outcome::Optimal, "seed {seed}");
                assert!((solver.objective() - best).abs() < 1e-6, "seed {seed}");
                assert!((solver.mip_bound() - best).abs() < 1e-5, "seed {seed}");
                assert!(solver.mip_gap().abs() < 1e-5, "seed {seed}");
                solver.column_values(&mut x).unwrap();
                assert!(model.is_feasible(&x, 1e-6), "seed {seed}");
                feasible += 1;
            }
            None => {
                assert!(
                    matches!(outcome, Outcome::Infeasible | Outcome::InfeasibleOrUnbounded),
                    "seed {seed}: {outcome:?}"
                );
                assert_eq!(solver.primal_status(), PointStatus::None, "seed {seed}");
                infeasible += 1;
            }
        }
    }
    assert!(feasible > 100 && infeasible > 100, "{feasible} {infeasible}");
}

/// A multidimensional knapsack that takes branch and cut a while.
fn knapsack(solver: &mut Solver, columns: usize, rows: usize) {
    let mut random = Random::new(3);
    let matrix: Vec<Vec<f64>> =
        (0..rows).map(|_| (0..columns).map(|_| random.between(1, 1000) as f64).collect()).collect();
    let model = Dense {
        sense: Sense::Maximise,
        costs: (0..columns)
            .map(|j| {
                let weight: f64 = matrix.iter().map(|row| row[j]).sum();
                (weight / rows as f64).round() + random.between(1, 500) as f64
            })
            .collect(),
        lower: vec![0.0; columns],
        upper: vec![1.0; columns],
        row_lower: vec![f64::NEG_INFINITY; rows],
        row_upper: matrix.iter().map(|row| (row.iter().sum::<f64>() / 2.0).floor()).collect(),
        matrix,
        kinds: Some(vec![Kind::Integer; columns]),
    };
    model.pass(solver, Order::Rows).unwrap();
}

#[test]
fn a_node_limit_stops_at_the_same_place_every_time() {
    let mut seen = Vec::new();
    for _ in 0..2 {
        let mut solver = Solver::new().unwrap();
        knapsack(&mut solver, 60, 5);
        solver.set_limits(&Limits { nodes: Some(50), ..Limits::default() }).unwrap();
        assert_eq!(solver.solve().unwrap(), Outcome::NodeLimit);
        assert_eq!(solver.primal_status(), PointStatus::Feasible);
        assert!(solver.mip_bound() >= solver.objective());
        seen.push((solver.mip_nodes(), solver.objective(), solver.mip_bound()));
    }
    assert_eq!(seen[0], seen[1]);
    assert!(seen[0].0 >= 50 && seen[0].0 < 500, "{seen:?}");
}

#[test]
fn a_raised_flag_interrupts_branch_and_cut() {
    let mut solver = Solver::new().unwrap();
    knapsack(&mut solver, 120, 8);
    let flag = Arc::new(AtomicBool::new(false));
    solver.set_stopping(Some(raised(&flag))).unwrap();
    let start = std::time::Instant::now();
    let outcome = std::thread::scope(|scope| {
        let handle = scope.spawn(|| solver.solve().unwrap());
        std::thread::sleep(std::time::Duration::from_millis(200));
        flag.store(true, Ordering::Relaxed);
        handle.join().unwrap()
    });
    assert_eq!(outcome, Outcome::Interrupted);
    assert!(start.elapsed().as_secs_f64() < 10.0);
}
