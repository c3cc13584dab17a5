//! **elimination-lp**: remove redundant secondaries one at a time from a fully suppressed
//! table (serpell-2013, section 4).
//!
//! Everything that may be hidden is hidden, which protects whatever can be protected; then
//! each secondary is published again if every primary stays safe without it.
//!
//! - *Guarantee*: every pattern is safe and minimal (no single secondary can go); no bound
//!   on the cost.
//! - *Complexity*: the paper attacks every primary for every secondary, 2·|P| linear
//!   programs each. Here every requirement keeps a proof, and only the requirements whose proof
//!   moves the secondary are asked again; a secondary no proof moves goes without a program.
//! - *Choose it* for small and medium tables in which a few dear cells matter most: being
//!   tried first, they are the most likely to be published. `kelly-lp` is faster.
//! - *Deviates*: the removals are those of the paper, since a proof decides as an attack
//!   does; the first proofs are the cheapest movements, so that they rest on cells that are
//!   tried last. When the budget ends, what no proof moves is published and the rest stays.

use quell_attack::CandidateAlgorithm;
use quell_model::{CellId, Pattern, Problem, Random, Requirement};

use crate::search::clean_up::{dearest_first, try_without};
use crate::search::kelly_program::KellyProgram;
use crate::search::mover::Mover;
use crate::search::requirements::candidate_requirements;
use crate::{Error, Method, Proposal, Store, Task};

/// In which order secondaries are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Removal {
    /// The dearest first.
    #[default]
    Dearest,
    /// As they stand in the table.
    AsGiven,
    /// By chance.
    Random,
}

impl Removal {
    /// The secondaries of a pattern in this order.
    fn arrange(self, problem: &Problem, pattern: &Pattern, random: &mut Random) -> Vec<CellId> {
        match self {
            Self::Dearest => dearest_first(problem, pattern),
            Self::AsGiven => pattern.secondaries(problem).collect(),
            Self::Random => {
                let mut secondaries: Vec<CellId> = pattern.secondaries(problem).collect();
                random.shuffle(&mut secondaries);
                secondaries
            }
        }
    }
}

/// The settings of `elimination-lp`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EliminationLp {
    /// The order of removals.
    pub order: Removal,
    /// Keep only these candidates safe (serpell-2013), trusting that the others are safe
    /// with them; `None`: all primaries.
    pub candidates: Option<CandidateAlgorithm>,
}

impl Method for EliminationLp {
    fn name(&self) -> &'static str {
        "elimination-lp"
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let problem = task.problem;
        let mut program = KellyProgram::new(problem, task.budget)?;
        let mut pattern = Pattern::of_everything(problem);
        let requirements = candidate_requirements(task, self.candidates)?;
        let mut store = proofs(task, &mut program, requirements)?;
        let order = self.order.arrange(problem, &pattern, &mut task.budget.random(0));
        task.progress.stage("publishing secondaries", Some(order.len() as u64));
        for cell in order {
            if task.budget.stop().is_some() {
                pattern = store.pattern(problem);
                break;
            }
            if store.is_used(cell) {
                task.budget.spend(1);
            }
            try_without(problem, &mut store, &mut pattern, &mut program, cell)?;
            task.progress.advance(1);
        }
        Ok(Proposal { pattern, lower_bound: 0.0, iterations: program.iterations })
    }
}

/// A proof for every requirement that can be met at all, each the cheapest movement; the others
/// stay open, and nothing is kept for them.
fn proofs(
    task: &Task,
    program: &mut KellyProgram,
    requirements: Vec<Requirement>,
) -> Result<Store, Error> {
    let problem = task.problem;
    let mut store = Store::new(problem, requirements);
    task.progress.stage("proving that primaries can be protected", None);
    let cost = |cell: CellId| match problem.status(cell).is_primary() {
        true => 0.0,
        false => problem.weight(cell),
    };
    for index in 0..store.requirements().len() {
        let requirement = store.requirements()[index];
        if store.is_proven(index) {
            continue;
        }
        if let Some(movement) = program.cheapest(&requirement, &cost)? {
            store.add(problem, movement);
        }
    }
    Ok(store)
}
