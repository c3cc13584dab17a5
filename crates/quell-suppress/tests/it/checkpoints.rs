//! A search that goes on from what another left.

use std::sync::Mutex;

use quell_gen::{Contributors, DimensionSize, Ons};
use quell_model::{Budget, Problem, Silent};
use quell_suppress::{Checkpoint, Checkpoints, Outcome, Task, method, protect_task};

/// Keeps checkpoints in memory.
#[derive(Default)]
struct InMemory {
    begun: Option<Checkpoint>,
    left: Mutex<Vec<Checkpoint>>,
}

impl Checkpoints for InMemory {
    fn last(&self) -> Option<&Checkpoint> {
        self.begun.as_ref()
    }

    fn is_due(&self) -> bool {
        true
    }

    fn save(&self, checkpoint: &dyn Fn() -> Checkpoint) {
        self.left.lock().expect("nobody panics").push(checkpoint());
    }
}

fn search(
    name: &str,
    problem: &Problem,
    work: u64,
    begun: Option<Checkpoint>,
) -> (Outcome, Vec<Checkpoint>) {
    let kept = InMemory { begun, ..InMemory::default() };
    let budget = Budget::default().with_seed(3).with_work(work);
    let task = Task { checkpoints: &kept, ..Task::new(problem, &budget, &Silent) };
    let method = method(name).expect("there is such a method");
    assert!(method.keeps_checkpoints(), "{name}");
    let outcome = protect_task(method.as_ref(), &task).expect("the table is one for the method");
    let left = kept.left.into_inner().expect("nobody panics");
    (outcome, left)
}

fn table(sizes: &[usize]) -> Problem {
    let table = Ons {
        dimensions: sizes.iter().copied().map(DimensionSize::flat).collect(),
        contributors: Contributors::PrimaryShare(0.05),
        ..Ons::default()
    };
    table.generate(4).expect("the parameters make a table")
}

#[test]
fn a_search_goes_on_where_another_stopped() {
    let tables = [
        ("local-lp", table(&[8, 7, 6]), 400),
        ("exact", table(&[25, 20]), 400),
        ("hybrid", table(&[7, 6, 5]), 1_000),
    ];
    for (name, problem, work) in tables {
        let (long, left) = search(name, &problem, work, None);
        let left = left.last().expect("a checkpoint is left");
        let proposed: Vec<_> = long.pattern.secondaries(&problem).collect();
        assert_eq!(left.secondaries, proposed, "{name}: the checkpoint is the pattern");
        let (hasty, _) = search(name, &problem, 1, None);
        assert!(long.cost < hasty.cost, "{name}: {} is nothing to go on from", long.cost);
        let (resumed, further) = search(name, &problem, 1, Some(left.clone()));
        let further = further.last().expect("a checkpoint is left");
        assert!(resumed.audit.is_safe() && resumed.repaired == 0, "{name}");
        assert!(resumed.cost <= long.cost, "{name}: {} after {}", resumed.cost, long.cost);
        assert!(further.steps >= left.steps, "{name}");
    }
}

/// However often it is interrupted, `hybrid` comes to what it would have come to.
#[test]
fn hybrid_goes_on_from_any_checkpoint_as_if_nothing_had_happened() {
    let problem = table(&[7, 6, 5]);
    let (unbroken, left) = search("hybrid", &problem, u64::MAX, None);
    let stages: [fn(&Checkpoint) -> bool; 3] = [
        |left| left.steps == 0,
        |left| left.steps == 1 && left.proofs.is_empty(),
        |left| left.steps == 1 && !left.proofs.is_empty() && !left.tried.is_empty(),
    ];
    for is_of in stages {
        let of_stage: Vec<&Checkpoint> = left.iter().filter(|&left| is_of(left)).collect();
        assert!(of_stage.len() > 2, "{} checkpoints", of_stage.len());
        let some = of_stage.iter().step_by(of_stage.len().div_ceil(4));
        for &begun in some {
            let (resumed, again) = search("hybrid", &problem, u64::MAX, Some(begun.clone()));
            assert_eq!(resumed.pattern, unbroken.pattern, "{begun:?}");
            assert_eq!(again.last().map(|last| &last.tried), left.last().map(|last| &last.tried));
            assert!(again.len() <= left.len());
        }
    }
}
