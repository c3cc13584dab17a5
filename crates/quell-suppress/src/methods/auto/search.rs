//! The search of `auto`: one pattern that is reworked, beside a lower bound.
//!
//! 1. A first pattern by Kelly's programs, cleaned up.
//! 2. *Rounds*: side by side, the bound takes some cuts or branches ([`Bounder`]), and parts of the
//!    pattern are chosen anew ([`super::neighbourhoods`]) or taken out and met anew
//!    ([`Reworker`]), whichever chance says. The point of the bound's linear program
//!    guides what is put in; the cost of the pattern tells the bound which cells still count.
//!
//! The pattern is kept as a [`Store`] of proofs: a cell is hidden as long as a proof uses it. Several
//! parts are reworked from one state and kept in order, and each round is a fixed amount of work
//! unless there is a deadline, so threads change nothing.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use quell_model::{Budget, CellId, Pattern, Random, Requirement, Standing};
use rayon::prelude::*;

use super::neighbourhoods::{Found, Known};
use super::rebuild::rebuild;
use super::rework::{Given, Reworker, Trial};
use crate::bound::{Bounder, Round, Row, bound_by_equations};
use crate::search::forced::{asked, forced_cells};
use crate::search::incremental::{Incremental, Order, REWEIGHTINGS, requirements_in};
use crate::search::necessary::necessary;
use crate::{Checkpoint, Error, Proposal, Store, Task, requirements};

/// Parts reworked from one state.
const AT_ONCE: usize = 8;

/// The share of them that are rebuilt from a large part, which takes longer and gains more.
const REBUILT: f64 = 0.4;

/// Times that so many parts are reworked in one round.
const BATCHES: usize = 2;

/// Steps of the bound beside one round, each a round of cuts or so many nodes.
const CUTS: usize = 4;
const NODES: usize = 10;

/// With a deadline a round takes this share of the time left, and no less than this.
const SLICE: f64 = 0.02;
const SHORTEST: Duration = Duration::from_millis(200);

/// Without a deadline: rounds after which it ends if each makes the pattern cheaper, or the bound
/// better, by less than this share.
const PATIENCE: usize = 3;
const WORTHWHILE: f64 = 1e-3;

/// The state of a search.
pub(super) struct Search<'a> {
    task: Task<'a>,
    /// What stays hidden whatever comes: the primaries and what every safe pattern hides.
    fixed: Pattern,
    store: Store,
    /// What the secondaries cost.
    cost: f64,
    lower: f64,
    reworkers: Vec<Reworker<'a>>,
    /// Cuts found by choices, those that not every safe pattern satisfies included.
    cuts: Vec<Found>,
    step: u64,
}

impl<'a> Search<'a> {
    /// A search with its first pattern.
    ///
    /// # Errors
    /// If the solver fails.
    pub(super) fn new(task: &Task<'a>) -> Result<Self, Error> {
        let Task { problem, budget, progress, .. } = *task;
        let asked = asked(problem, &requirements(problem));
        let mut fixed = Pattern::of_primaries(problem);
        forced_cells(problem, &asked).iter().for_each(|&cell| fixed.suppress(cell));
        let requirements = requirements_in(&Order::default(), task, None)?;
        let mut first = Incremental::new(task, requirements)?;
        let last = task.checkpoints.last();
        if let Some(last) = last {
            first.begin_with(last);
        }
        first.protect(REWEIGHTINGS)?;
        first.clean_up()?;
        let (_, store) = first.into_parts();
        progress.stage("bounding", None);
        let lower = bound_by_equations(problem, &asked, budget)?;
        let mut search = Self {
            task: *task,
            fixed,
            store,
            cost: 0.0,
            lower,
            reworkers: Vec::new(),
            cuts: Vec::new(),
            step: last.map_or(0, |last| last.steps),
        };
        search.cost = search.pattern().cost(problem);
        Ok(search)
    }

    /// Searches until the proof or the end of the budget.
    ///
    /// # Errors
    /// If the solver fails.
    pub(super) fn run(mut self) -> Result<Proposal, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.task.budget.threads()).build();
        match pool {
            Ok(pool) => pool.install(|| self.search())?,
            Err(_) => self.search()?,
        }
        self.leave_checkpoint();
        let (pattern, lower_bound) = (self.pattern(), self.lower);
        Ok(Proposal { pattern, lower_bound, iterations: 0 })
    }

    /// What is hidden.
    fn pattern(&self) -> Pattern {
        let mut pattern = self.fixed.clone();
        self.store.used_cells().for_each(|cell| pattern.suppress(cell));
        pattern
    }

    fn secondaries(&self) -> Vec<CellId> {
        self.store.used_cells().filter(|&cell| !self.fixed.is_suppressed(cell)).collect()
    }

    /// The requirements that the pattern meets, and not by primaries alone.
    fn bounding(&self) -> Vec<Requirement> {
        let problem = self.task.problem;
        let all = self.store.requirements().iter().enumerate();
        let is_open = |number: usize| {
            let proof = self.store.proof(number);
            proof.is_some_and(|proof| proof.cells().any(|cell| !problem.status(cell).is_primary()))
        };
        all.filter(|&(number, _)| is_open(number)).map(|(_, requirement)| *requirement).collect()
    }

    fn search(&mut self) -> Result<(), Error> {
        let Task { problem, budget, progress, .. } = self.task;
        let open = self.bounding();
        if open.is_empty() || budget.stop().is_some() {
            return Ok(());
        }
        let necessary = necessary(&self.task, &open)?;
        let alone = budget.without_work_limit();
        let best = self.secondaries();
        let mut bounder = Bounder::new(problem, None, necessary, &best, &alone)?;
        for _ in 0..AT_ONCE {
            self.reworkers.push(Reworker::new(problem, &alone)?);
        }
        progress.stage("improving", None);
        let mut quiet = 0;
        bounder.begin();
        while budget.stop().is_none() && !bounder.is_proven(self.cost) && !bounder.is_done() {
            let before = (self.cost, self.lower);
            self.round(&mut bounder)?;
            self.tell();
            if self.task.checkpoints.is_due() {
                self.leave_checkpoint();
            }
            let gained = (before.0 - self.cost).max(self.lower - before.1);
            quiet = if gained < WORTHWHILE * self.cost { quiet + 1 } else { 0 };
            if quiet == PATIENCE && budget.time_left().is_none() {
                break;
            }
        }
        if bounder.is_proven(self.cost) {
            self.lower = self.cost;
        }
        Ok(())
    }

    fn tell(&self) {
        let (cost, bound) = (self.cost, self.lower);
        self.task.progress.standing(&Standing { cost, exposed: 0, bound });
    }

    fn leave_checkpoint(&self) {
        self.task.checkpoints.save(&|| Checkpoint {
            steps: self.step,
            secondaries: self.secondaries(),
            proofs: self.store.movements().cloned().collect(),
            ..Checkpoint::default()
        });
    }

    /// One round of both sides.
    fn round(&mut self, bounder: &mut Bounder<'a>) -> Result<(), Error> {
        let budget = self.task.budget;
        let slice = || Slice::of(budget);
        let point = bounder.point().to_vec();
        let (best, known) = (self.cost, self.cuts.len());
        let mut rows = bounder.rows();
        rows.extend(self.cuts.iter().filter(|cut| !cut.is_necessary).map(|cut| cut.row.clone()));
        let open = bounder.open_cells(best);
        let mut bounding = || bound(bounder, best, slice());
        let mut improving = || self.improve(&point, &mut rows, &open, slice());
        let (bounded, improved) = match budget.threads() {
            1 => (bounding(), improving()),
            _ => rayon::join(bounding, improving),
        };
        improved?;
        for chosen in bounded? {
            self.take(&chosen)?;
        }
        let found = &self.cuts[known..];
        let necessary = found.iter().filter(|cut| cut.is_necessary);
        bounder.add_cuts(necessary.map(|cut| cut.row.clone()).collect())?;
        self.cuts.retain(|cut| !cut.is_necessary);
        self.lower = self.lower.max(bounder.lower().min(self.cost));
        budget.spend((BATCHES * AT_ONCE) as u64);
        Ok(())
    }

    /// Takes over a choice of the bound's, if it can be proven and is cheaper.
    fn take(&mut self, chosen: &[CellId]) -> Result<(), Error> {
        let problem = self.task.problem;
        let budget = &self.task.budget.without_work_limit();
        let secondaries = self.secondaries();
        let given = Given {
            problem,
            fixed: &self.fixed,
            store: &self.store,
            secondaries: &secondaries,
            cost: secondaries.iter().map(|&cell| problem.weight(cell)).sum(),
            point: None,
            budget,
        };
        let Reworker { program, neighbourhoods } = &mut self.reworkers[0];
        if let Some(trial) = neighbourhoods.prove(&given, chosen, program)? {
            self.keep_if_cheaper(trial);
        }
        Ok(())
    }

    fn keep_if_cheaper(&mut self, trial: Trial) {
        let (problem, Trial { opened, movements }) = (self.task.problem, trial);
        let change = self.store.replace(problem, &self.fixed, &opened, movements, 0.0);
        self.cost += change.unwrap_or(0.0);
    }

    /// Reworks parts of the pattern: so many, or as long as the time lasts.
    fn improve(
        &mut self,
        point: &[f64],
        rows: &mut Vec<Row>,
        open: &[(CellId, f64)],
        slice: Slice,
    ) -> Result<(), Error> {
        for batch in 0.. {
            if slice.is_over(batch, BATCHES) {
                break;
            }
            self.batch(point, rows, open)?;
        }
        Ok(())
    }

    /// Reworks some parts from one state and keeps what makes it cheaper.
    fn batch(
        &mut self,
        point: &[f64],
        rows: &mut Vec<Row>,
        open: &[(CellId, f64)],
    ) -> Result<(), Error> {
        let problem = self.task.problem;
        let budget = &self.task.budget.without_work_limit();
        let secondaries = self.secondaries();
        let given = Given {
            problem,
            fixed: &self.fixed,
            store: &self.store,
            secondaries: &secondaries,
            cost: secondaries.iter().map(|&cell| problem.weight(cell)).sum(),
            point: Some(point),
            budget,
        };
        let known = Known { rows, open };
        let (first, seed) = (self.step, self.task.budget);
        type Tried = Result<(Option<Trial>, Vec<Found>), Error>;
        let trials: Vec<Tried> = self
            .reworkers
            .par_iter_mut()
            .enumerate()
            .map(|(number, reworker)| {
                let mut random: Random = seed.random(first + number as u64);
                let mut cuts = Vec::new();
                let trial = if random.chance(REBUILT) {
                    rebuild(&given, &mut random)?
                } else if random.chance(0.5) {
                    reworker.rework(&given, &mut random)?
                } else {
                    let Reworker { program, neighbourhoods } = reworker;
                    neighbourhoods.choose(&given, &known, program, &mut random, &mut cuts)?
                };
                Ok((trial, cuts))
            })
            .collect();
        self.step += AT_ONCE as u64;
        for tried in trials {
            let (trial, cuts) = tried?;
            rows.extend(cuts.iter().map(|cut| cut.row.clone()));
            self.cuts.extend(cuts);
            if let Some(trial) = trial {
                self.keep_if_cheaper(trial);
            }
        }
        Ok(())
    }
}

/// Raises the bound for as long as a slice of the budget lasts: by cuts at the root, then by
/// branching. Gives choices that meet all that every safe pattern must.
fn bound(bounder: &mut Bounder, best: f64, slice: Slice) -> Result<Vec<Vec<CellId>>, Error> {
    let mut chosen = Vec::new();
    for step in 0.. {
        if slice.is_over(step, CUTS) || bounder.is_proven(best) || bounder.is_done() {
            break;
        }
        if bounder.is_branching() {
            chosen.extend(bounder.branch(best, NODES, &AtomicBool::new(true))?);
            continue;
        }
        match bounder.cut(best)? {
            Round::Moved if bounder.grows() => {}
            Round::Stopped => break,
            Round::Moved | Round::Ended => {
                bounder.price_out(best)?;
                bounder.end_root(best)?;
                bounder.note_root();
                // With too many cells for a tree the root goes on.
                bounder.begin();
                bounder.plant(best)?;
            }
        }
    }
    if !bounder.is_branching() {
        bounder.price_out(best)?;
        bounder.note_root();
    }
    Ok(chosen)
}

/// What one side may use in one round: a time if the budget has a deadline, else a number of steps.
/// A step that has begun is not cut short by it, only by the budget.
struct Slice {
    budget: Budget,
    is_timed: bool,
}

impl Slice {
    fn of(budget: &Budget) -> Self {
        let alone = budget.without_work_limit();
        let Some(left) = budget.time_left() else { return Self { budget: alone, is_timed: false } };
        let slice = left.mul_f64(SLICE).max(SHORTEST);
        Self { budget: alone.keeping_back(left.saturating_sub(slice), 0), is_timed: true }
    }

    fn is_over(&self, steps: usize, most: usize) -> bool {
        self.budget.is_over() || (!self.is_timed && steps == most)
    }
}

#[cfg(test)]
mod tests {
    use quell_attack::audit;
    use quell_gen::{Shape, random_problem_of};
    use quell_model::{Problem, Random, Silent};

    use super::*;
    use crate::{Exact, Method};

    fn found(problem: &Problem, work: u64, threads: usize) -> Proposal {
        let budget = Budget::default().with_work(work).with_threads(threads);
        let task = Task::new(problem, &budget, &Silent);
        Search::new(&task).expect("a search").run().expect("a proposal")
    }

    fn is_safe(problem: &Problem, pattern: &Pattern) -> bool {
        let budget = Budget::default();
        audit(problem, pattern, &budget, &Silent).expect("audited").is_safe()
    }

    #[test]
    fn patterns_are_safe_and_no_bound_is_above_the_optimum_on_any_shape() {
        let (mut proven, mut cheaper) = (0, 0);
        for (number, shape) in Shape::ALL.into_iter().enumerate() {
            for seed in 0..12 {
                let mut random = Random::new(seed, 1_300 + number as u64);
                let problem = random_problem_of(shape, &mut random, 40);
                let place = format!("{shape:?}, seed {seed}");
                let everything = Pattern::of_everything(&problem);
                if !is_safe(&problem, &everything) {
                    continue;
                }
                let (first, last) = (found(&problem, 0, 1), found(&problem, 200, 1));
                assert!(is_safe(&problem, &first.pattern), "{place}: without work");
                assert!(is_safe(&problem, &last.pattern), "{place}");
                let cost = |proposal: &Proposal| proposal.pattern.cost(&problem);
                let noise = 1e-6 * cost(&first).max(1.0);
                assert!(cost(&last) <= cost(&first) + noise, "{place}: dearer with more work");
                cheaper += usize::from(cost(&last) < cost(&first) - noise);
                let effort = Budget::default().with_work(2_000);
                let exact = Exact.suppress(&Task::new(&problem, &effort, &Silent)).expect("solved");
                if exact.lower_bound < cost(&exact) {
                    continue;
                }
                let optimum = cost(&exact);
                assert!(cost(&last) >= optimum - noise, "{place}: cheaper than the optimum");
                for bound in [first.lower_bound, last.lower_bound] {
                    assert!(bound <= optimum + noise, "{place}: {bound} above {optimum}");
                }
                proven += usize::from(last.lower_bound > optimum - noise);
            }
        }
        assert!(proven > 15 && cheaper > 0, "{proven} proven, {cheaper} cheaper with work");
    }

    #[test]
    fn threads_change_nothing() {
        for seed in 0..6 {
            let mut random = Random::new(seed, 1_400);
            let problem = random_problem_of(Shape::Hierarchical, &mut random, 120);
            let (one, two) = (found(&problem, 100, 1), found(&problem, 100, 2));
            assert_eq!(one.pattern, two.pattern, "{seed}");
            assert_eq!(one.lower_bound.to_bits(), two.lower_bound.to_bits(), "{seed}");
        }
    }
}
