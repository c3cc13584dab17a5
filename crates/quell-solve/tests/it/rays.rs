//! Rays are proofs, so they are checked as such.

use crate::lp::Dense;
use crate::random::Random;
use quell_solve::{Order, Outcome, Presolve, Sense, Solver, Strategy};

/// With multipliers y, the interval of yᵀAx that the rows allow and the one that the columns allow
/// must not meet.
fn proves_infeasibility(model: &Dense, ray: &[f64]) -> bool {
    let interval = |pairs: &mut dyn Iterator<Item = (f64, f64, f64)>| {
        let (mut low, mut high) = (0.0, 0.0);
        for (factor, lower, upper) in pairs {
            if factor > 1e-9 {
                low += factor * lower;
                high += factor * upper;
            } else if factor < -1e-9 {
                low += factor * upper;
                high += factor * lower;
            }
        }
        (low, high)
    };
    let (row_low, row_high) =
        interval(&mut (0..ray.len()).map(|i| (ray[i], model.row_lower[i], model.row_upper[i])));
    let (low, high) = interval(&mut (0..model.costs.len()).map(|j| {
        let factor = (0..ray.len()).map(|i| ray[i] * model.matrix[i][j]).sum();
        (factor, model.lower[j], model.upper[j])
    }));
    row_low > high + 1e-9 || row_high < low - 1e-9
}

/// Moving along the ray for ever violates nothing and improves the objective.
fn proves_unboundedness(model: &Dense, ray: &[f64]) -> bool {
    let stays = |step: f64, lower: f64, upper: f64| {
        (step > -1e-9 || lower == f64::NEG_INFINITY) && (step < 1e-9 || upper == f64::INFINITY)
    };
    let columns = (0..ray.len()).all(|j| stays(ray[j], model.lower[j], model.upper[j]));
    let rows = model.matrix.iter().enumerate().all(|(i, row)| {
        let step = row.iter().zip(ray).map(|(a, x)| a * x).sum();
        stays(step, model.row_lower[i], model.row_upper[i])
    });
    let gain = model.value(ray);
    let improves = match model.sense {
        Sense::Minimise => gain < -1e-9,
        Sense::Maximise => gain > 1e-9,
    };
    columns && rows && improves
}

#[test]
fn rays_prove_what_they_claim_with_and_without_presolve() {
    let mut solver = Solver::new().unwrap();
    let (mut infeasible, mut unbounded) = (0, 0);
    let mut ray = Vec::new();
    for seed in 0..4000 {
        let mut random = Random::new(seed);
        let mut model = Dense::random(&mut random);
        solver.set_strategy([Strategy::Choose, Strategy::Dual, Strategy::Primal][random.below(3)]);
        solver.set_presolve([Presolve::On, Presolve::Off][random.below(2)]);
        model.pass(&mut solver, Order::Columns).unwrap();
        if solver.entries() == 0 {
            continue;
        }
        match solver.solve().unwrap() {
            Outcome::Infeasible => {
                assert!(solver.dual_ray(&mut ray).unwrap(), "seed {seed}: no dual ray");
                assert!(proves_infeasibility(&model, &ray), "seed {seed}: {ray:?}");
                infeasible += 1;
            }
            Outcome::Unbounded => {
                assert!(solver.primal_ray(&mut ray).unwrap(), "seed {seed}: no primal ray");
                assert!(proves_unboundedness(&model, &ray), "seed {seed}: {ray:?}");
                unbounded += 1;
            }
            _ => continue,
        }
        // Reading a ray may solve again with other costs behind the scenes; that must leave no
        // trace.
        for j in 0..model.costs.len() {
            model.lower[j] = -10.0;
            model.upper[j] = 10.0;
            solver.set_column_bounds(j, -10.0, 10.0).unwrap();
        }
        for i in 0..model.row_lower.len() {
            model.row_lower[i] = -20.0 - i as f64;
            model.row_upper[i] = 20.0 + i as f64;
            solver.set_row_bounds(i, model.row_lower[i], model.row_upper[i]).unwrap();
        }
        assert_eq!(solver.solve().unwrap(), Outcome::Optimal, "seed {seed}");
        let mut fresh = Solver::new().unwrap();
        model.pass(&mut fresh, Order::Columns).unwrap();
        assert_eq!(fresh.solve().unwrap(), Outcome::Optimal, "seed {seed}");
        assert!((fresh.objective() - solver.objective()).abs() < 1e-6, "seed {seed}");
    }
    assert!(infeasible > 500 && unbounded > 200, "{infeasible} {unbounded}");
}
