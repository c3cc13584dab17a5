//! A search that goes on from what another left.

use std::sync::Mutex;

use quell_gen::{Contributors, DimensionSize, Ons};
use quell_model::{Budget, Problem, Silent};
use quell_suppress::{Checkpoint, Checkpoints, Outcome, Task, method, protect_task};

/// Keeps the last checkpoint in memory.
#[derive(Default)]
struct InMemory {
    begun: Option<Checkpoint>,
    left: Mutex<Option<Checkpoint>>,
}

impl Checkpoints for InMemory {
    fn last(&self) -> Option<&Checkpoint> {
        self.begun.as_ref()
    }

    fn is_due(&self) -> bool {
        true
    }

    fn save(&self, checkpoint: &dyn Fn() -> Checkpoint) {
        *self.left.lock().expect("nobody panics") = Some(checkpoint());
    }
}

fn search(
    name: &str,
    problem: &Problem,
    work: u64,
    begun: Option<Checkpoint>,
) -> (Outcome, Checkpoint) {
    let kept = InMemory { begun, ..InMemory::default() };
    let budget = Budget::default().with_seed(3).with_work(work);
    let task = Task { checkpoints: &kept, ..Task::new(problem, &budget, &Silent) };
    let method = method(name).expect("there is such a method");
    assert!(method.keeps_checkpoints(), "{name}");
    let outcome = protect_task(method.as_ref(), &task).expect("the table is one for the method");
    let left = kept.left.into_inner().expect("nobody panics");
    (outcome, left.expect("a checkpoint is left"))
}

#[test]
fn a_search_goes_on_where_another_stopped() {
    for (name, sizes) in [("local-lp", vec![8, 7, 6]), ("exact", vec![25, 20])] {
        let table = Ons {
            dimensions: sizes.into_iter().map(DimensionSize::flat).collect(),
            contributors: Contributors::PrimaryShare(0.05),
            ..Ons::default()
        };
        let problem = table.generate(4).expect("the parameters make a table");
        let (long, left) = search(name, &problem, 400, None);
        let proposed: Vec<_> = long.pattern.secondaries(&problem).collect();
        assert_eq!(left.secondaries, proposed, "{name}: the checkpoint is the pattern");
        let (hasty, _) = search(name, &problem, 1, None);
        assert!(long.cost < hasty.cost, "{name}: {} is nothing to go on from", long.cost);
        let (resumed, further) = search(name, &problem, 1, Some(left.clone()));
        assert!(resumed.audit.is_safe() && resumed.repaired == 0, "{name}");
        assert!(resumed.cost <= long.cost, "{name}: {} after {}", resumed.cost, long.cost);
        assert!(further.steps >= left.steps, "{name}");
    }
}
