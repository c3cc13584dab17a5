//! `local-lp` on tables that are larger than its regions.

use quell_gen::{Contributors, DimensionSize, Ons, Shape, random_problem_of};
use quell_model::{Budget, Problem, Random, Silent};
use quell_suppress::{LocalLp, Outcome, protect};

use crate::attacker::{everything, exposed};

fn three_way(sizes: [usize; 3], seed: u64) -> Problem {
    Ons {
        dimensions: sizes.map(DimensionSize::flat).to_vec(),
        contributors: Contributors::PrimaryShare(0.15),
        ..Ons::default()
    }
    .generate(seed)
    .expect("the parameters make a table")
}

fn solve(problem: &Problem, threads: usize, work: u64) -> Outcome {
    let budget = Budget::default().with_threads(threads).with_seed(5).with_work(work);
    protect(&LocalLp::default(), problem, &budget, &Silent)
        .expect("the table is one for the method")
}

#[test]
fn threads_change_nothing_and_steps_lower_the_cost() {
    let mut saved = 0.0;
    for seed in 0..2 {
        let problem = three_way([9, 8, 7], seed);
        let first = solve(&problem, 1, 8);
        let (one, two) = (solve(&problem, 1, 200), solve(&problem, 2, 200));
        assert_eq!(one.pattern, two.pattern, "{seed}");
        assert!(one.audit.is_safe() && one.repaired == 0, "{seed}: {} repaired", one.repaired);
        assert!(one.cost <= first.cost && one.cost > 0.0, "{seed}");
        saved += first.cost - one.cost;
    }
    assert!(saved > 0.0, "removing and repairing finds cheaper patterns");
}

#[test]
fn company_by_counting_is_safe_on_every_shape() {
    for (number, shape) in Shape::ALL.into_iter().enumerate() {
        for seed in 0..30 {
            let mut random = Random::new(seed, 300 + number as u64);
            let problem = random_problem_of(shape, &mut random, 10 + (seed as usize * 7) % 40);
            let method = LocalLp { most_exposed: 0 };
            let budget = Budget::default().with_work(16).with_seed(seed);
            let outcome = protect(&method, &problem, &budget, &Silent).unwrap();
            let hopeless = exposed(&problem, &everything(&problem));
            assert_eq!(exposed(&problem, &outcome.pattern), hopeless, "{shape:?}, seed {seed}");
        }
    }
}
