//! `exact` on random tables of every shape under all options: it ends, its table costs what the best
//! one costs, and its bound is no higher.

use quell_adjust::{Cost, Distance, Error, Instance, Limit, Options, adjust, method};
use quell_gen::random_problem;
use quell_model::{Budget, CellId, Problem, Random, Silent};

use crate::brute_force::optimum;

/// More sensitive cells are too many for brute force.
const MOST: usize = 6;

fn options(problem: &Problem, random: &mut Random) -> Options {
    let costs = (0..problem.cell_count()).map(|_| 0.5 * (1 + random.below(6)) as f64);
    let costs: Vec<f64> = costs.collect();
    let fixed = match random.below(3) {
        0 => (0..1 + random.below(3)).map(|_| cell(problem, random)).collect(),
        _ => Vec::new(),
    };
    Options {
        cost: match random.below(4) {
            0 => Cost::Weight,
            1 => Cost::One,
            2 => Cost::Relative,
            _ => Cost::Given(costs),
        },
        distance: [Distance::Minimal, Distance::AtLeast][random.below(2)],
        limit: match random.below(3) {
            0 => Limit::Percent([5.0, 20.0, 50.0][random.below(3)]),
            _ => Limit::Bounds,
        },
        fixed,
        ..Options::default()
    }
}

fn cell(problem: &Problem, random: &mut Random) -> CellId {
    CellId::from_index(random.below(problem.cell_count()))
}

#[test]
fn exact_ends_and_is_right_whatever_the_options() {
    let (mut found, mut impossible) = (0, 0);
    for case in 0..700 {
        let mut random = Random::new(71, case);
        let problem = random_problem(&mut random, 24);
        let options = options(&problem, &mut random);
        let instance = Instance::new(&problem, &options).unwrap();
        if instance.sensitive.len() > MOST {
            continue;
        }
        let truth = optimum(&instance);
        let budget = Budget::default().with_threads(1);
        let exact = method("exact").unwrap();
        let place = format!("case {case}, {options:?}");
        match (truth, adjust(exact.as_ref(), &problem, &options, &budget, &Silent)) {
            (Some(truth), Ok(adjusted)) => {
                let near = 1e-6 * (1.0 + truth);
                assert!(adjusted.audit.is_safe(), "{place}: {:?}", adjusted.audit.breaches);
                assert!(
                    (adjusted.cost - truth).abs() <= near,
                    "{place}: {}, {truth}",
                    adjusted.cost
                );
                assert!(adjusted.lower_bound <= truth + near, "{place}: {adjusted:?}");
                assert!(adjusted.lower_bound >= truth - 10.0 * near, "{place}: {adjusted:?}");
                found += 1;
            }
            (None, Err(Error::Infeasible(_))) => impossible += 1,
            (truth, adjusted) => panic!("{place}: brute force {truth:?}, found {adjusted:?}"),
        }
    }
    assert!(found > 100 && impossible > 20, "{found} adjusted, {impossible} impossible");
}
