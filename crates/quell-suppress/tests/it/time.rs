//! The time given is kept, whatever a method is doing when it is over.

use std::time::{Duration, Instant};

use quell_attack::Verdict;
use quell_gen::{DimensionSize, Ons};
use quell_model::{Budget, Silent};
use quell_suppress::{Task, method, protect_within};

/// What the search gets, and what repair and audit get.
const SEARCH: Duration = Duration::from_millis(500);
const AUDIT: Duration = Duration::from_secs(2);

/// Without limits these methods take minutes for this table; machines that test may be busy.
const LATEST: Duration = Duration::from_secs(60);

#[test]
fn no_method_goes_on_when_its_time_is_over() {
    let dimensions = [22, 20, 19].map(DimensionSize::flat).to_vec();
    let problem = Ons { dimensions, ..Ons::default() }.generate(1).expect("a table");
    for name in ["auto", "exact", "kelly-lp", "elimination-lp", "local-lp", "hybrid", "gauss"] {
        let begin = Instant::now();
        let budget = Budget::default().with_time(SEARCH).with_threads(1);
        let audit = Budget::default().with_time(AUDIT).with_threads(1);
        let task = Task::new(&problem, &budget, &Silent);
        let method = method(name).expect("a method");
        let outcome = protect_within(method.as_ref(), &task, &audit).expect("an outcome");
        let took = begin.elapsed();
        assert!(took < LATEST, "{name} took {took:?}");
        // What is called safe has a movement for either end.
        let safe = outcome.audit.primaries.iter().filter(|one| one.verdict == Verdict::Safe);
        for finding in safe {
            assert!(finding.down.slack() >= 0 && finding.up.slack() >= 0, "{name}: {finding:?}");
        }
    }
}
