//! What long searches tell while they run.

use std::sync::Mutex;

use quell_gen::{DimensionSize, Ons};
use quell_model::{Budget, Progress, Standing};
use quell_suppress::{Task, method};

/// Keeps what it is told.
#[derive(Default)]
struct Heard(Mutex<Vec<Standing>>);

impl Progress for Heard {
    fn stage(&self, _name: &str, _total: Option<u64>) {}

    fn advance(&self, _steps: u64) {}

    fn standing(&self, standing: &Standing) {
        self.0.lock().expect("not poisoned").push(*standing);
    }
}

#[test]
fn standings_lead_from_exposed_cells_to_a_pattern_no_dearer_than_told() {
    let table = Ons { dimensions: [6, 5, 4].map(DimensionSize::flat).to_vec(), ..Ons::default() };
    let problem = table.generate(3).unwrap();
    for name in ["local-lp", "hybrid", "exact"] {
        let told = Heard::default();
        let budget = Budget::default().with_work(100).with_threads(1);
        let proposal = method(name).unwrap().suppress(&Task::new(&problem, &budget, &told));
        let cost = proposal.unwrap().pattern.cost(&problem);
        let told = told.0.into_inner().unwrap();
        let last = told.last().expect(name);
        assert_eq!(last.exposed, 0, "{name}");
        assert!(cost <= last.cost + 1e-6, "{name}: {cost} instead of {}", last.cost);
        assert!(told.iter().all(|standing| standing.bound <= cost + 1e-6), "{name}");
        if name != "exact" {
            assert!(told[0].exposed > 0 && told[0].cost < cost, "{name}: {:?}", told[0]);
        }
    }
}
