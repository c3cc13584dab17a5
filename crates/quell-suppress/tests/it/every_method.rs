//! No method returns an unsafe pattern, none beats the optimum, and threads change nothing.

use quell_gen::{Shape, random_problem_of};
use quell_model::{Budget, Random, Silent};
use quell_suppress::{Error, METHODS, method, protect};

use crate::attacker::{everything, exposed, optimum};

/// Tables a shape.
const TABLES: u64 = 60;

#[test]
fn no_method_returns_an_unsafe_pattern_and_none_beats_the_optimum() {
    for (number, shape) in Shape::ALL.into_iter().enumerate() {
        for seed in 0..TABLES {
            let mut random = Random::new(seed, 100 + number as u64);
            let size = 6 + (seed as usize * 7) % 40;
            let problem = random_problem_of(shape, &mut random, size);
            let hopeless = exposed(&problem, &everything(&problem));
            // What is done for a primary that nothing can protect is each method's own affair.
            let least = if hopeless.is_empty() { optimum(&problem) } else { None };
            for name in METHODS {
                let place = format!("{name} on {shape:?}, seed {seed}");
                let chosen = method(name).unwrap();
                let budget = Budget::default().with_work(2_000).with_seed(seed).with_threads(1);
                let outcome = match protect(chosen.as_ref(), &problem, &budget, &Silent) {
                    Ok(outcome) => outcome,
                    Err(Error::NotForThisTable { .. }) => continue,
                    Err(error) => panic!("{place}: {error}"),
                };
                assert_eq!(exposed(&problem, &outcome.pattern), hopeless, "{place}");
                let unsafe_cells: Vec<_> =
                    outcome.unsafe_primaries().map(|finding| finding.cell).collect();
                assert_eq!(unsafe_cells, hopeless, "{place}: the audit agrees");
                assert!(outcome.lower_bound <= outcome.cost + 1e-6, "{place}");
                if let Some(least) = least {
                    let slack = 1e-6 * least.abs().max(1.0);
                    assert!(outcome.cost >= least - slack, "{place}: {} < {least}", outcome.cost);
                    assert!(outcome.lower_bound <= least + slack, "{place}: bound too high");
                }
            }
        }
    }
}
