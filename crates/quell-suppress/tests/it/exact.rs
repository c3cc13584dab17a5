//! The proofs of `exact` against two other roads to the optimum, and the same result with
//! any number of threads.

use quell_gen::{Herrington, Primaries, Shape, random_problem_of};
use quell_model::{Budget, Problem, Random, Silent, Stop};
use quell_suppress::{Auto, Exact, KellyIlp, METHODS, Method, Outcome, Task, method, protect};

use crate::attacker::{everything, exposed, optimum};

fn solve(method: &dyn Method, problem: &Problem, threads: usize, work: u64) -> Outcome {
    let budget = Budget::default().with_threads(threads).with_seed(3).with_work(work);
    protect(method, problem, &budget, &Silent).expect("the table is one for the method")
}

fn small_table(side: usize, seed: u64) -> Problem {
    Herrington {
        rows: side,
        columns: side + 1,
        primaries: Primaries::Share(0.08),
        decimals: 1,
        ..Herrington::default()
    }
    .generate(seed)
    .expect("the parameters make a table")
}

#[test]
fn exact_proves_the_optimum_that_trying_all_patterns_finds() {
    let mut costly = 0;
    for (number, shape) in Shape::ALL.into_iter().enumerate() {
        for seed in 0..120 {
            let mut random = Random::new(seed, 300 + number as u64);
            let problem = random_problem_of(shape, &mut random, 8 + seed as usize % 10);
            let slides = problem.primaries().any(|cell| {
                let levels = problem.protection(cell);
                levels.sliding > levels.lower + levels.upper
            });
            if slides || !exposed(&problem, &everything(&problem)).is_empty() {
                continue;
            }
            let Some(least) = optimum(&problem) else { continue };
            let outcome = solve(&Exact, &problem, 1, u64::MAX);
            let near = |value: f64| (value - least).abs() <= 1e-6 * least.max(1.0);
            assert!(near(outcome.cost), "{shape:?} {seed}: {} is not {least}", outcome.cost);
            assert!(near(outcome.lower_bound), "{shape:?} {seed}: bound {}", outcome.lower_bound);
            costly += usize::from(least > 0.0);
        }
    }
    assert!(costly > 40, "enough tables that need secondaries: {costly}");
}

#[test]
fn exact_agrees_with_kellys_integer_program_on_two_way_tables() {
    for seed in 0..6 {
        let problem = small_table(6, seed);
        let budget = Budget::default().with_threads(1);
        let task = Task::new(&problem, &budget, &Silent);
        let slow = KellyIlp::default().suppress(&task).unwrap();
        let least = slow.pattern.cost(&problem);
        assert!((slow.lower_bound - least).abs() < 1e-4, "the slow road has its own proof");
        let outcome = solve(&Exact, &problem, 1, u64::MAX);
        assert!(outcome.repaired == 0 && outcome.audit.is_safe());
        assert!((outcome.cost - least).abs() < 1e-4, "{seed}: {} is not {least}", outcome.cost);
        assert!((outcome.lower_bound - least).abs() < 1e-4, "{seed}: not proven");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let problem = small_table(14, 1);
    for name in METHODS {
        let run = |threads| {
            let budget = Budget::default().with_threads(threads).with_seed(3).with_work(400);
            protect(method(name).unwrap().as_ref(), &problem, &budget, &Silent)
        };
        // Some methods are for smaller tables.
        let (Ok(one), Ok(two)) = (run(1), run(2)) else { continue };
        assert_eq!(one.pattern, two.pattern, "{name}");
        assert_eq!(one.lower_bound, two.lower_bound, "{name}");
    }
}

#[test]
fn a_search_cut_short_keeps_a_safe_pattern_and_an_honest_bound() {
    let problem = small_table(20, 2);
    let full = solve(&Auto, &problem, 2, u64::MAX);
    for work in [1, 5, 50] {
        let short = solve(&Auto, &problem, 2, work);
        assert!(short.audit.is_safe());
        assert!(work > 1 || short.stopped == Some(Stop::Work));
        assert!(short.lower_bound <= full.cost + 1e-6 && short.cost >= full.lower_bound - 1e-6);
    }
}
