//! **kelly-lp**: Kelly's incremental linear program (serpell-2011, figure 1).
//!
//! Primaries are taken one at a time, upper then lower level. For each the linear program
//! moves it by its level at the least cost, and every cell that moves is hidden; cells
//! already hidden cost nothing.
//!
//! - *Guarantee*: every pattern is safe; no bound on the cost.
//! - *Complexity*: two linear programs a primary, over all cells of the table.
//! - *Choose it* for small and medium systems of any shape; `auto` starts from it there.
//! - *Deviates*: a need that a movement found earlier already meets is not solved again;
//!   the program would find it at cost zero.

use quell_attack::CandidateAlgorithm;
use quell_model::{CellId, Pattern, Problem, Random};

use crate::clean_up::clean_up;
use crate::mover::Mover;
use crate::need::{candidate_needs, level_of};
use crate::program::Program;
use crate::{Error, Method, Movement, Need, Proposal, Store, Task};

/// In which order the primaries are protected.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Order {
    /// As they stand in the table.
    AsGiven,
    /// Smallest protection level first.
    Rising,
    /// Largest protection level first.
    #[default]
    Falling,
    /// By chance.
    Random,
    /// The primaries by these positions; those not named come last.
    Permutation(Vec<usize>),
}

impl Order {
    /// The primaries in this order.
    pub fn arrange(&self, problem: &Problem, random: &mut Random) -> Vec<CellId> {
        let mut primaries: Vec<CellId> = problem.primaries().collect();
        let level = |cell: CellId| {
            let levels = problem.protection(cell);
            levels.lower.max(levels.upper)
        };
        match self {
            Self::AsGiven => {}
            Self::Rising => primaries.sort_by_key(|&cell| level(cell)),
            Self::Falling => primaries.sort_by_key(|&cell| std::cmp::Reverse(level(cell))),
            Self::Random => random.shuffle(&mut primaries),
            Self::Permutation(order) => {
                let mut rank = vec![usize::MAX; primaries.len()];
                for (position, &primary) in order.iter().enumerate() {
                    if let Some(slot) = rank.get_mut(primary) {
                        *slot = position;
                    }
                }
                let mut ranked: Vec<(usize, CellId)> = rank.into_iter().zip(primaries).collect();
                ranked.sort_by_key(|&(rank, _)| rank);
                primaries = ranked.into_iter().map(|(_, cell)| cell).collect();
            }
        }
        primaries
    }
}

/// The settings of `kelly-lp`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KellyLp {
    /// The order of the primaries.
    pub order: Order,
    /// Protect only these candidates (serpell-2013), trusting that the others are safe
    /// with them; `None`: all primaries.
    pub candidates: Option<CandidateAlgorithm>,
    /// Publish again what turned out superfluous (Kelly, Golden & Assad 1992).
    pub clean_up: bool,
    /// How often each program is solved again with weights that bring its cost nearer to
    /// that of hiding whole cells: `w / |y|` of the last solution.
    pub reweightings: usize,
}

impl Default for KellyLp {
    fn default() -> Self {
        Self { order: Order::default(), candidates: None, clean_up: true, reweightings: 2 }
    }
}

/// A weight is divided by the movement plus this share of the need, so that cells at rest
/// stay finite.
const AT_REST: f64 = 0.05;

impl Method for KellyLp {
    fn name(&self) -> &'static str {
        "kelly-lp"
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let problem = task.problem;
        let mut program = Program::new(problem)?;
        let mut pattern = Pattern::of_primaries(problem);
        let mut store = Store::new(problem, self.needs(task)?);
        task.progress.stage("protecting primaries", Some(store.needs().len() as u64));
        for index in 0..store.needs().len() {
            task.progress.advance(1);
            if store.is_proven(index) {
                continue;
            }
            // A pattern that protects only some primaries is none, so the deadline does not
            // end this loop; it only makes it cheaper.
            let reweightings = if task.budget.stop().is_some() { 0 } else { self.reweightings };
            let need = store.needs()[index];
            for need in [Some(need), level_of(problem, &need)].into_iter().flatten() {
                let found = protect(problem, &pattern, &mut program, &need, reweightings)?;
                if let Some(movement) = found {
                    movement.cells().for_each(|cell| pattern.suppress(cell));
                    store.lower(index, need);
                    store.add(problem, movement);
                    break;
                }
            }
            task.budget.spend(1);
        }
        if self.clean_up {
            task.progress.stage("cleaning up", None);
            clean_up(task, &mut store, &mut pattern, &mut program)?;
        }
        Ok(Proposal { pattern, lower_bound: 0.0, iterations: program.iterations })
    }
}

impl KellyLp {
    /// The needs in the order of their primaries.
    fn needs(&self, task: &Task) -> Result<Vec<Need>, Error> {
        let problem = task.problem;
        let order = self.order.arrange(problem, &mut task.budget.random(0));
        let mut rank = vec![u32::MAX; problem.cell_count()];
        for (position, &cell) in order.iter().enumerate() {
            rank[cell.index()] = position as u32;
        }
        let mut needs = candidate_needs(task, self.candidates)?;
        needs.sort_by_key(|need| rank[need.cell.index()]);
        Ok(needs)
    }
}

/// The cheapest movement for a need given what is hidden, by its real cost: the best of the
/// program and its reweighted forms.
fn protect(
    problem: &Problem,
    pattern: &Pattern,
    program: &mut Program,
    need: &Need,
    reweightings: usize,
) -> Result<Option<Movement>, Error> {
    let weight = |cell: CellId| match pattern.is_suppressed(cell) {
        true => 0.0,
        false => problem.weight(cell).max(f64::MIN_POSITIVE),
    };
    let price = |movement: &Movement| movement.cells().map(weight).sum::<f64>();
    let Some(mut best) = program.cheapest(need, &weight)? else { return Ok(None) };
    let mut last = best.clone();
    for _ in 0..reweightings {
        if price(&last) == 0.0 {
            break;
        }
        let share = |cell: CellId| last.amount(cell).abs() / need.amount as f64;
        let nearer = |cell: CellId| weight(cell) / (share(cell) + AT_REST);
        let Some(next) = program.cheapest(need, &nearer)? else { break };
        if price(&next) < price(&best) {
            best = next.clone();
        }
        last = next;
    }
    Ok(Some(best))
}
