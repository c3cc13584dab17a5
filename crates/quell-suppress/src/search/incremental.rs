//! Kelly's incremental linear program (serpell-2011, figure 1): requirements are met one after
//! the other, and every cell that moves is hidden; cells hidden already cost nothing.

use quell_attack::CandidateAlgorithm;
use quell_model::{CellId, Pattern, Problem, Random, Requirement};

use crate::search::clean_up::clean_up_by_programs;
use crate::search::kelly_program::KellyProgram;
use crate::search::mover::{FORBIDDEN, Mover};
use crate::search::nearby::{Nearby, Widest};
use crate::search::requirements::{candidate_requirements, in_all_eyes, or_less};
use crate::{Checkpoint, Error, Movement, Proposal, Store, Task};

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

/// How often each program is solved again, with weights that bring its cost nearer to that of
/// hiding whole cells: more gains little.
pub(crate) const REWEIGHTINGS: usize = 2;

/// A weight is divided by the movement plus this share of the requirement, so that cells at rest
/// stay finite.
const AT_REST: f64 = 0.05;

/// The requirements of all primaries, or of the candidates that an algorithm finds, in this order
/// of their primaries.
///
/// # Errors
/// If the solver fails.
pub(crate) fn requirements_in(
    order: &Order,
    task: &Task,
    candidates: Option<CandidateAlgorithm>,
) -> Result<Vec<Requirement>, Error> {
    let problem = task.problem;
    let order = order.arrange(problem, &mut task.budget.random(0));
    let mut rank = vec![u32::MAX; problem.cell_count()];
    for (position, &cell) in order.iter().enumerate() {
        rank[cell.index()] = position as u32;
    }
    let mut requirements = in_all_eyes(problem, candidate_requirements(task, candidates)?);
    requirements.sort_by_key(|requirement| rank[requirement.cell.index()]);
    Ok(requirements)
}

/// The quickest pattern of this kind, for methods that have none of their own for a table.
///
/// # Errors
/// If the solver fails.
pub(crate) fn quick(task: &Task) -> Result<Proposal, Error> {
    cleaned(task, None, 0)
}

/// The usual pattern of this kind, for methods that begin from one.
///
/// # Errors
/// If the solver fails.
pub(crate) fn usual(
    task: &Task,
    candidates: Option<CandidateAlgorithm>,
) -> Result<Proposal, Error> {
    cleaned(task, candidates, REWEIGHTINGS)
}

fn cleaned(
    task: &Task,
    candidates: Option<CandidateAlgorithm>,
    reweightings: usize,
) -> Result<Proposal, Error> {
    let requirements = requirements_in(&Order::default(), task, candidates)?;
    let mut incremental = Incremental::new(task, requirements)?;
    incremental.protect(reweightings)?;
    incremental.clean_up()?;
    Ok(incremental.proposal())
}

/// A pattern that grows requirement by requirement.
pub(crate) struct Incremental<'a> {
    task: Task<'a>,
    program: KellyProgram<'a>,
    /// For requirements whose programs over the whole table are given up.
    nearby: Nearby<'a>,
    pattern: Pattern,
    /// Secondaries that an earlier search has cleaned up.
    cleaned: Pattern,
    store: Store,
    /// What the price of each cell is multiplied by where it is a price by the unit; none: one.
    factors: Option<Vec<f64>>,
}

impl<'a> Incremental<'a> {
    pub(crate) fn new(task: &Task<'a>, requirements: Vec<Requirement>) -> Result<Self, Error> {
        let problem = task.problem;
        Ok(Self {
            task: *task,
            program: KellyProgram::new(problem, task.budget)?.impatient()?,
            nearby: Nearby::new(problem),
            pattern: Pattern::of_primaries(problem),
            cleaned: Pattern::of_primaries(problem),
            store: Store::new(problem, requirements),
            factors: None,
        })
    }

    /// Lets programs see other prices: those of all cells by factors.
    pub(crate) fn set_factors(&mut self, factors: Vec<f64>) {
        self.factors = Some(factors);
    }

    /// Begins with what an earlier search knew.
    pub(crate) fn begin_with(&mut self, last: &Checkpoint) {
        self.begin_with_proofs(&last.proofs);
        last.secondaries.iter().for_each(|&cell| self.cleaned.suppress(cell));
    }

    /// Begins with some proofs.
    pub(crate) fn begin_with_proofs(&mut self, proofs: &[Movement]) {
        for proof in proofs {
            proof.cells().for_each(|cell| self.pattern.suppress(cell));
            self.store.add(self.task.problem, proof.clone());
        }
    }

    /// Meets every requirement in order, each program solved again so often.
    pub(crate) fn protect(&mut self, reweightings: usize) -> Result<(), Error> {
        let Task { problem, budget, progress, .. } = self.task;
        progress.stage("protecting primaries", Some(self.store.requirements().len() as u64));
        for index in 0..self.store.requirements().len() {
            progress.advance(1);
            if self.store.is_proven(index) {
                continue;
            }
            // What is open when the time is over is left to the repair, which is quicker; a limit
            // of effort only makes this loop cheaper.
            if budget.is_over() {
                break;
            }
            let reweightings = if budget.stop().is_some() { 0 } else { reweightings };
            let requirement = self.store.requirements()[index];
            for requirement in or_less(problem, requirement) {
                let (pattern, program) = (&self.pattern, &mut self.program);
                let weight = |cell: CellId| price(problem, pattern, cell);
                let factors = self.factors.as_deref();
                let by_unit = |cell: CellId| match factors {
                    Some(factors) => weight(cell) * factors[cell.index()],
                    None => weight(cell),
                };
                let mut found = reweighted(program, &requirement, &weight, &by_unit, reweightings)?;
                if found.is_none() && program.gave_up {
                    let price = |cell| price(problem, pattern, cell);
                    let (even, dear) = (|_: CellId| 0.0, FORBIDDEN);
                    let near = &mut self.nearby;
                    let priced =
                        near.cheapest_at(&requirement, &price, &even, dear, Widest::Near, budget)?;
                    found = priced.map(|priced| priced.movement);
                }
                if let Some(movement) = found {
                    movement.cells().for_each(|cell| self.pattern.suppress(cell));
                    self.store.lower(index, requirement);
                    self.store.add(problem, movement);
                    break;
                }
            }
            budget.spend(1);
        }
        Ok(())
    }

    /// Publishes again what turned out superfluous (kelly-1992) of what it has hidden itself.
    pub(crate) fn clean_up(&mut self) -> Result<(), Error> {
        self.task.progress.stage("cleaning up", None);
        let Self { task, store, pattern, program, cleaned, .. } = self;
        clean_up_by_programs(task, store, pattern, program, cleaned)
    }

    /// Leaves the proofs to a search that goes on from here, and the secondaries if they are cleaned
    /// up.
    pub(crate) fn leave_checkpoint(&self) {
        let Task { problem, checkpoints, is_draft, .. } = self.task;
        let secondaries = || self.pattern.secondaries(problem).collect();
        checkpoints.save(&|| Checkpoint {
            secondaries: if is_draft { Vec::new() } else { secondaries() },
            proofs: self.store.movements().cloned().collect(),
            ..Checkpoint::default()
        });
    }

    /// The pattern, and the proof of every requirement that it meets.
    pub(crate) fn into_parts(self) -> (Pattern, Store) {
        (self.pattern, self.store)
    }

    pub(crate) fn proposal(self) -> Proposal {
        Proposal { pattern: self.pattern, lower_bound: 0.0, iterations: self.program.iterations }
    }
}

/// What hiding a cell costs, if it is not hidden.
fn price(problem: &Problem, pattern: &Pattern, cell: CellId) -> f64 {
    match pattern.is_suppressed(cell) {
        true => 0.0,
        false => problem.weight(cell).max(f64::MIN_POSITIVE),
    }
}

/// The cheapest movement by `price`, which charges whole cells: the best of the program that
/// charges `by_unit` and its forms with weights by what cells moved in the one before.
///
/// # Errors
/// If the solver fails.
pub(crate) fn reweighted(
    program: &mut KellyProgram,
    requirement: &Requirement,
    price: &dyn Fn(CellId) -> f64,
    by_unit: &dyn Fn(CellId) -> f64,
    reweightings: usize,
) -> Result<Option<Movement>, Error> {
    let whole = |movement: &Movement| movement.cells().map(price).sum::<f64>();
    let Some(mut best) = program.cheapest(requirement, by_unit)? else { return Ok(None) };
    let mut last = best.clone();
    for _ in 0..reweightings {
        if whole(&last) == 0.0 {
            break;
        }
        let share = |cell: CellId| last.amount(cell).abs() / requirement.distance as f64;
        let nearer = |cell: CellId| by_unit(cell) / (share(cell) + AT_REST);
        let Some(next) = program.cheapest(requirement, &nearer)? else { break };
        if whole(&next) < whole(&best) {
            best = next.clone();
        }
        last = next;
    }
    Ok(Some(best))
}
