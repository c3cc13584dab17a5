//! The integer program finds the optimum, and says so.

use quell_gen::{Shape, random_problem_of};
use quell_model::{Budget, Random, Silent, UNBOUNDED_ABOVE, UNBOUNDED_BELOW};
use quell_suppress::{KellyIlp, Method, Task};

use crate::attacker::{everything, exposed, optimum};

#[test]
fn kelly_ilp_finds_the_optimum_that_trying_all_patterns_finds() {
    let (mut tables, mut proven) = (0, 0);
    for (number, shape) in Shape::ALL.into_iter().enumerate() {
        for seed in 0..150 {
            let mut random = Random::new(seed, 200 + number as u64);
            let problem = random_problem_of(shape, &mut random, 8 + seed as usize % 12);
            let hopeless = exposed(&problem, &everything(&problem));
            // What is done for a primary that nothing can protect is each method's own affair.
            if !hopeless.is_empty() {
                continue;
            }
            let Some(least) = optimum(&problem) else { continue };
            let budget = Budget::default().with_threads(1);
            let task = Task::new(&problem, &budget, &Silent);
            let found = KellyIlp::default().suppress(&task).unwrap();
            let place = format!("{shape:?}, seed {seed}");
            assert_eq!(exposed(&problem, &found.pattern), hopeless, "{place}");
            let cost = found.pattern.cost(&problem);
            assert!((cost - least).abs() <= 1e-6 * least.max(1.0), "{place}: {cost}, not {least}");
            let bounded = problem.system().cells().all(|cell| {
                problem.lower_bound(cell) != UNBOUNDED_BELOW
                    && problem.upper_bound(cell) != UNBOUNDED_ABOVE
            });
            if bounded {
                assert!((found.lower_bound - cost).abs() <= 1e-6 * cost.max(1.0), "{place}");
                proven += usize::from(cost > 0.0);
            }
            tables += usize::from(least > 0.0);
        }
    }
    assert!(tables > 100 && proven > 30, "enough tables that need secondaries: {tables}, {proven}");
}
