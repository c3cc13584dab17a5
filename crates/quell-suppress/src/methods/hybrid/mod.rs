//! **hybrid**: a genetic algorithm over the order in which groups of primaries are protected
//! by linear programs (serpell-2011).
//!
//! 1. Margins and large cells that must be hidden are hidden first ([`Preselection`]).
//! 2. Unpicking finds the primaries that need protecting, K_u ([`Candidates`]).
//! 3. These are put into few groups ([`Grouping`]).
//! 4. A self-adaptive genetic algorithm searches the order of the groups ([`Evolution`]); an
//!    order's fitness is the cost of protecting the groups in it, upper levels only
//!    ([`SurrogateLevels`]).
//! 5. The best order is protected in full, then all other primaries ([`Extra`]).
//!
//! - *Guarantee*: every pattern is safe; the lower bound, of single equations, is proven.
//! - *Complexity*: two grouped programs for each group and order; see [`crate::Hybrid`]'s page in
//!   docs/methods.
//! - *Choose it* to repeat the paper's experiments; `auto` is better.
//! - *Deviates*: a requirement that a movement found earlier meets is not asked again. Of the
//!   primaries outside K_u only those are protected that unpicking finds exposed in the
//!   pattern so far ([`Extra::All`] takes all, as the paper does): the audit decides
//!   anyway. A safe pattern for the first order is made before the search, so that there is
//!   one whenever the budget ends.

mod candidates;
mod evolve;
mod permutation;
mod preselection;
mod protector;
mod state;

use std::time::Instant;

use quell_model::{Budget, CellId, Pattern, Problem, Standing, Stop};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

pub use self::candidates::{Candidates, SurrogateLevels};
pub use self::evolve::{Evolution, MutationChoice};
pub use self::permutation::{OrderCrossover, OrderMutation};
pub use self::preselection::Preselection;

use self::candidates::{CandidateRequirements, exposed};
use self::preselection::preselect;
use self::protector::{Done, Protector};
use self::state::State;
use crate::bound::bound_by_equations;
use crate::search::forced::asked;
use crate::search::grouping::Grouping;
use crate::{Error, Method, Proposal, Task, requirements};

/// Above so many cells grouping pays (serpell-2011, §3.2).
const GROUPING_PAYS: usize = 30_000;

/// Time kept back for the last full pass, as a multiple of what the first one took.
const KEPT_BACK: f64 = 1.3;

/// The same, as a share of all time, in a search that goes on after the first one.
const KEPT_BACK_LATER: f64 = 0.5;

/// How the primaries outside K_u are looked after when the order is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extra {
    /// Those that unpicking still finds exposed, until there are none.
    #[default]
    Exposed,
    /// All, in groups of their own; then as above.
    All,
}

/// The settings of `hybrid`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HybridSettings {
    /// How orders are searched.
    pub evolution: Evolution,
    /// How groups are formed.
    pub grouping: Grouping,
    /// How many groups are wished; the rules may ask for more. `usize::MAX`: every primary
    /// alone, which is the incremental model.
    pub groups: usize,
    /// Which primaries the search protects.
    pub candidates: Candidates,
    /// Which of their levels.
    pub levels: SurrogateLevels,
    /// What is hidden before.
    pub preselection: Preselection,
    /// How the other primaries are looked after.
    pub extra: Extra,
}

impl HybridSettings {
    /// The paper's choice for a table of so many cells: up to 30,000 every candidate alone,
    /// both levels; above two groups by row and column, upper levels.
    pub fn for_cells(cells: usize) -> Self {
        let large = cells > GROUPING_PAYS;
        Self {
            evolution: Evolution::default(),
            grouping: Grouping::Lines,
            groups: if large { 2 } else { usize::MAX },
            candidates: Candidates::Unpicked,
            levels: if large { SurrogateLevels::UpperOnly } else { SurrogateLevels::Both },
            preselection: Preselection::MarginsAndLarge,
            extra: Extra::Exposed,
        }
    }
}

/// The method with its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hybrid {
    /// The settings; those for the table's size if absent.
    pub settings: Option<HybridSettings>,
}

/// What a run of `hybrid` did, for experiments.
#[derive(Debug, Clone)]
pub struct HybridRun {
    /// The pattern.
    pub pattern: Pattern,
    /// No safe pattern costs less.
    pub lower_bound: f64,
    /// The best fitness after each call of the fitness function, as a cost of secondaries.
    pub trace: Vec<f64>,
    /// Primaries that the search protects.
    pub candidates: usize,
    /// Their groups.
    pub groups: usize,
    /// Cells hidden before any program.
    pub preselected: usize,
    /// Linear programs solved.
    pub programs: u64,
    /// Their simplex iterations.
    pub iterations: u64,
}

impl Method for Hybrid {
    fn name(&self) -> &'static str {
        "hybrid"
    }

    fn keeps_checkpoints(&self) -> bool {
        true
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let run = self.run(task)?;
        let HybridRun { pattern, lower_bound, iterations, .. } = run;
        Ok(Proposal { pattern, lower_bound, iterations })
    }
}

impl Hybrid {
    /// Protects a table and tells what that took.
    ///
    /// # Errors
    /// If the solver fails.
    pub fn run(&self, task: &Task) -> Result<HybridRun, Error> {
        let (problem, budget) = (task.problem, task.budget);
        let settings =
            self.settings.unwrap_or_else(|| HybridSettings::for_cells(problem.cell_count()));
        let chosen = preselect(problem, settings.preselection);
        let mut start = Pattern::of_primaries(problem);
        chosen.iter().for_each(|&cell| start.suppress(cell));
        let wanted = settings.candidates.wanted(task, settings.levels)?;
        let in_full = settings.candidates.wanted(task, SurrogateLevels::Both)?;
        let groups = settings.grouping.groups(problem, &wanted.cells, settings.groups);
        let state = State::new(problem, task.checkpoints);
        task.progress.stage("bounding", None);
        let bound = bound_by_equations(problem, &asked(problem, &requirements(problem)), budget)?;
        let mut search = Search {
            task,
            settings,
            start,
            groups,
            in_full,
            bound,
            state,
            programs: 0,
            iterations: 0,
        };

        let as_they_come: Vec<u32> = (0..search.groups.len() as u32).collect();
        let kept_back = match search.state.has_passed() {
            true => budget.time_left().unwrap_or_default().mul_f64(KEPT_BACK_LATER),
            false => {
                task.progress.stage("protecting the groups as they come", None);
                let began = Instant::now();
                search.complete(&as_they_come)?;
                began.elapsed().mul_f64(KEPT_BACK)
            }
        };

        task.progress.stage("searching the best order", None);
        search.tell_best();
        let work = (search.programs as f64 * KEPT_BACK) as u64;
        let until_then = budget.keeping_back(kept_back, work);
        let searched =
            settings.evolution.search(search.groups.len(), &until_then, &mut |orders| {
                search.fitness(orders, &wanted, &until_then)
            })?;

        if searched.order != as_they_come && budget.stop().is_none() {
            task.progress.stage("protecting the groups in the best order", None);
            search.complete(&searched.order)?;
        }
        search.state.leave();
        Ok(HybridRun {
            trace: searched.trace,
            candidates: wanted.cells.len(),
            groups: search.groups.len(),
            preselected: chosen.len(),
            programs: search.programs,
            iterations: search.iterations,
            lower_bound: bound,
            pattern: search.state.into_best(),
        })
    }
}

/// What all orders of a search share.
struct Search<'a> {
    task: &'a Task<'a>,
    settings: HybridSettings,
    start: Pattern,
    groups: Vec<Vec<CellId>>,
    /// What is wanted of the candidates in the end, both levels.
    in_full: CandidateRequirements,
    bound: f64,
    state: State<'a>,
    programs: u64,
    iterations: u64,
}

impl<'a> Search<'a> {
    fn problem(&self) -> &'a Problem {
        self.task.problem
    }

    /// The costs of orders, side by side; `None` for those that there was no time for. What was
    /// tried before is not tried again.
    fn fitness(
        &mut self,
        orders: &[Vec<u32>],
        wanted: &CandidateRequirements,
        budget: &Budget,
    ) -> Result<Vec<Option<f64>>, Error> {
        let one = |order: &Vec<u32>| match self.state.cost_of(order) {
            Some(cost) => Ok(Evaluated { cost: Some(cost), programs: 0, iterations: 0 }),
            None => self.cost(order, wanted, budget),
        };
        let threads = budget.threads().min(orders.len());
        let pool = match threads {
            0 | 1 => None,
            // Without a pool the work is done here: slower, but the same.
            _ => rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok(),
        };
        let found: Vec<Result<Evaluated, Error>> = match pool {
            Some(pool) => pool.install(|| orders.par_iter().map(one).collect()),
            None => orders.iter().map(one).collect(),
        };
        let mut costs = Vec::with_capacity(orders.len());
        for (order, evaluated) in orders.iter().zip(found) {
            let Evaluated { cost, programs, iterations } = evaluated?;
            self.count(programs, iterations);
            self.task.progress.advance(1);
            cost.iter().for_each(|&cost| self.state.tried(order, cost));
            costs.push(cost);
        }
        Ok(costs)
    }

    /// The surrogate fitness of one order (§3.4, §3.5).
    fn cost(
        &self,
        order: &[u32],
        wanted: &CandidateRequirements,
        budget: &Budget,
    ) -> Result<Evaluated, Error> {
        let mut protector = Protector::new(self.problem(), budget, &self.start)?;
        let mut done = Done::Yes;
        for &group in order {
            done = protector.protect(&self.groups[group as usize], wanted)?;
            if done == Done::OutOfTime {
                break;
            }
        }
        let cost = (done == Done::Yes).then(|| protector.pattern.cost(self.problem()));
        let program = &protector.program;
        Ok(Evaluated { cost, programs: program.programs, iterations: program.iterations })
    }

    /// Protects all of the table in an order: the groups with both levels, then all others.
    /// When the budget ends the rest is protected in small regions, unless there is a pattern
    /// already.
    fn complete(&mut self, order: &[u32]) -> Result<(), Error> {
        let problem = self.problem();
        let mut protector = Protector::new(problem, self.task.budget, &self.start)?;
        protector.take(self.state.given(order));
        for &group in order {
            let open = self
                .in_full
                .requirements()
                .filter(|requirement| !protector.is_settled(requirement))
                .count();
            self.tell(&protector.pattern, open);
            self.protect(&mut protector, &self.groups[group as usize], &self.in_full)?;
            self.state.passing(&protector.movements);
        }
        if self.settings.extra == Extra::All {
            let all = Candidates::All.wanted(self.task, SurrogateLevels::Both)?;
            let inside: FxHashSet<CellId> = self.groups.iter().flatten().copied().collect();
            let outside = all.cells.iter().filter(|cell| !inside.contains(cell));
            let outside: Vec<CellId> = outside.copied().collect();
            self.extra(&mut protector, &outside, &all)?;
        }
        let mut is_done = false;
        while !is_done && !self.gives_up() {
            let left = exposed(problem, &protector.pattern).into_iter();
            let left = CandidateRequirements::new(
                left.filter(|requirement| !protector.is_settled(requirement)),
            );
            self.tell(&protector.pattern, left.requirements().count());
            is_done = left.cells.is_empty();
            self.extra(&mut protector, &left.cells, &left)?;
        }
        let (programs, iterations) = (protector.program.programs, protector.program.iterations);
        let Protector { pattern, movements, .. } = protector;
        match is_done {
            true => {
                let is_whole = self.task.budget.stop().is_none();
                self.state.passed(problem, pattern, movements, is_whole);
            }
            false => self.state.given_up(movements),
        }
        self.count(programs, iterations);
        Ok(())
    }

    /// Whether a pass that the budget ends is not worth going on with: there is a pattern, or nobody
    /// waits for one.
    fn gives_up(&self) -> bool {
        match self.task.budget.stop() {
            None => false,
            Some(Stop::Cancelled) => true,
            Some(_) => self.state.best_cost().is_some(),
        }
    }

    /// Protects primaries in groups of their own.
    fn extra(
        &self,
        protector: &mut Protector,
        cells: &[CellId],
        wanted: &CandidateRequirements,
    ) -> Result<(), Error> {
        let HybridSettings { grouping, groups, .. } = self.settings;
        for group in grouping.groups(self.problem(), cells, groups) {
            self.protect(protector, &group, wanted)?;
        }
        Ok(())
    }

    /// Protects a group; when time is out, requirement by requirement in small regions.
    fn protect(
        &self,
        protector: &mut Protector,
        group: &[CellId],
        wanted: &CandidateRequirements,
    ) -> Result<(), Error> {
        if self.gives_up() {
            return Ok(());
        }
        match protector.protect(group, wanted)? {
            Done::OutOfTime if !self.gives_up() => protector.protect_nearby(group, wanted),
            Done::Yes | Done::OutOfTime => Ok(()),
        }
    }

    /// Tells of the best pattern, or of the first while it is being made.
    fn tell(&self, pattern: &Pattern, exposed: usize) {
        if self.state.best_cost().is_some() {
            return self.tell_best();
        }
        let cost = pattern.cost(self.problem());
        self.task.progress.standing(&Standing { cost, exposed, bound: self.bound });
    }

    fn tell_best(&self) {
        if let Some(cost) = self.state.best_cost() {
            self.task.progress.standing(&Standing { cost, exposed: 0, bound: self.bound });
        }
    }

    fn count(&mut self, programs: u64, iterations: u64) {
        self.programs += programs;
        self.iterations += iterations;
        self.task.budget.spend(programs);
    }
}

/// What evaluating an order gave.
struct Evaluated {
    cost: Option<f64>,
    programs: u64,
    iterations: u64,
}
