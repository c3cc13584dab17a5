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

fn search(name: &str, problem: &Problem, begun: Option<Checkpoint>) -> (Outcome, Checkpoint) {
    let kept = InMemory { begun, ..InMemory::default() };
    let budget = Budget::default().with_seed(3).with_work(8);
    let task = Task { checkpoints: &kept, ..Task::new(problem, &budget, &Silent) };
    let method = method(name).expect("there is such a method");
    assert!(method.keeps_checkpoints(), "{name}");
    let outcome = protect_task(method.as_ref(), &task).expect("the table is one for the method");
    let left = kept.left.into_inner().expect("nobody panics");
    (outcome, left.expect("a checkpoint is left"))
}

#[test]
fn a_search_goes_on_where_another_stopped() {
    for (name, sizes) in [("local-lp", vec![8, 7, 6]), ("exact", vec![12, 11])] {
        let table = Ons {
            dimensions: sizes.into_iter().map(DimensionSize::flat).collect(),
            contributors: Contributors::PrimaryShare(0.15),
            ..Ons::default()
        };
        let problem = table.generate(4).expect("the parameters make a table");
        let (first, mut left) = search(name, &problem, None);
        assert!(first.cost > 0.0, "{name}");
        let proposed: Vec<_> = first.pattern.secondaries(&problem).collect();
        assert_eq!(left.secondaries, proposed, "{name}: the checkpoint is the pattern");
        for _ in 0..3 {
            let (next, further) = search(name, &problem, Some(left.clone()));
            assert!(next.audit.is_safe() && next.repaired == 0, "{name}");
            assert!(next.cost <= first.cost, "{name}: {} after {}", next.cost, first.cost);
            assert!(further.steps >= left.steps, "{name}");
            left = further;
        }
    }
}
