//! **Local LP**: large tables by a linear program for each requirement, most of them on small parts
//! of the table, and kept proofs.
//!
//! 1. What every safe pattern hides is hidden ([`forced_cells`]), and what single equations ask
//!    gives a lower bound ([`bound_by_equations`]). A first look of the auditor says which
//!    requirements are met already: in large tables nearly all. (Where very many are exposed, cells
//!    are first hidden so that base cells can trade: [`with_exchanges`].)
//! 2. Where the others are few, programs over the whole table for groups of requirements tell which
//!    cells are worth hiding, and exact movements near their answers meet most of them
//!    ([`whole_table_groups`]).
//! 3. What is open then is met one after the other, the largest first, each by a linear program on
//!    a region around it, where that is dear on the whole table ([`meet`]).
//! 4. *Remove and repair*, the dearest first: a secondary is taken out, the requirements whose
//!    proofs used it are met anew without it, and the cheaper pattern stays ([`improve`]). A cell
//!    is hidden only as long as a proof uses it, so superfluous ones go by themselves.
//!
//! Steps are tried several at a time from one state and kept in order, so threads change
//! nothing. k-way, hierarchical and linked systems are treated alike.

mod improve;
mod meet;
mod whole_table_groups;

use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::time::Duration;

use quell_attack::{quick_audit, unpick};
use quell_model::{CellId, Knowing, Pattern, Problem, Requirement, Standing};
use rustc_hash::FxHashMap;

use crate::bound::bound_by_equations;
use crate::search::exchange::with_exchanges;
use crate::search::forced::{asked, forced_cells};
use crate::search::nearby::{Nearby, PricedMovement, Widest};
use crate::search::requirements::{attackers, requirements_for_all};
use crate::{Checkpoint, Error, Method, Proposal, Store, Task, requirements};

/// Steps tried from one state.
const AT_ONCE: usize = 8;

/// A requirement that takes more than this share of what the whole pattern costs is worth a search
/// in wider regions.
const DEAR: f64 = 0.01;

/// Larger tables are too large for programs over the whole; of smaller ones the widest regions
/// are most.
const WHOLE_TABLE_CELLS: RangeInclusive<usize> = 20_000..=300_000;

/// The settings of `local-lp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalLp {
    /// Where unpicking exposes more primaries than this, most are protected by exchanges:
    /// linear programs for each would take too long.
    pub most_exposed: usize,
}

impl Default for LocalLp {
    fn default() -> Self {
        Self { most_exposed: 100_000 }
    }
}

impl Method for LocalLp {
    fn name(&self) -> &'static str {
        "local-lp"
    }

    fn keeps_checkpoints(&self) -> bool {
        true
    }

    fn heeds_insiders(&self) -> bool {
        true
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let primaries = Pattern::of_primaries(task.problem);
        let is_giant = task.problem.primaries().count() > self.most_exposed
            && unpick(task.problem, &primaries).exposures.len() > self.most_exposed;
        let mut exchanges = None;
        if is_giant {
            task.progress.stage("finding cells that can trade", None);
            exchanges = with_exchanges(task.problem);
        }
        Search::new(task, exchanges.unwrap_or(primaries))?.run()
    }
}

/// The state of a search.
struct Search<'a> {
    task: Task<'a>,
    /// What stays hidden whatever comes: the primaries, what every safe pattern hides, and what
    /// exchanges need.
    fixed: Pattern,
    /// What the secondaries among these cost.
    fixed_cost: f64,
    store: Store,
    /// Cells worth hiding, which cost nothing until every requirement is met.
    offered: Option<Pattern>,
    /// The table as each class of contributors sees it, if they are attackers.
    insiders: Vec<(Knowing, Problem)>,
    /// Working memory, one for each thread that asks.
    nearby: Mutex<Vec<Nearby<'a>>>,
    /// What the secondaries cost that are not fixed.
    cost: f64,
    /// No safe pattern costs less.
    bound: f64,
    /// The time there was at the beginning, if it was limited.
    time: Option<Duration>,
    /// Whether it began with groups of requirements.
    is_grouped: bool,
    /// Whether movements spread so far that programs over the whole table take too long.
    spreads: bool,
}

impl<'a> Search<'a> {
    /// Finds out which requirements must be met.
    ///
    /// # Errors
    /// If the solver fails.
    fn new(task: &Task<'a>, mut fixed: Pattern) -> Result<Self, Error> {
        let (problem, time) = (task.problem, task.budget.time_left());
        let asked = asked(problem, &requirements(problem));
        let forced = forced_cells(problem, &asked);
        forced.iter().for_each(|&cell| fixed.suppress(cell));
        task.progress.stage("bounding", None);
        let bound = bound_by_equations(problem, &asked, task.budget)?;
        let insiders: Vec<(Knowing, Problem)> = (attackers(problem).iter())
            .filter(|&&knowing| knowing != Knowing::Nothing)
            .map(|&knowing| (knowing, problem.as_seen_by(knowing)))
            .collect();
        let open = open_requirements(task, &insiders, &fixed)?;
        let mut store = Store::new(problem, open);
        let proofs = task.checkpoints.last().map_or(&[][..], |last| &last.proofs);
        for proof in proofs {
            store.add(problem, proof.clone());
        }
        let mut search = Self {
            task: *task,
            fixed_cost: fixed.cost(problem),
            fixed,
            store,
            offered: None,
            insiders,
            nearby: Mutex::new(Vec::new()),
            cost: 0.0,
            bound,
            time,
            is_grouped: false,
            spreads: false,
        };
        search.cost = weight_of(problem, &search.secondaries());
        Ok(search)
    }

    /// Meets the requirements, improves until the budget ends.
    ///
    /// # Errors
    /// If the solver fails.
    fn run(mut self) -> Result<Proposal, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.task.budget.threads()).build();
        match pool {
            Ok(pool) => pool.install(|| self.search())?,
            Err(_) => self.search()?,
        }
        Ok(Proposal { pattern: self.pattern(), lower_bound: self.bound, iterations: 0 })
    }

    /// What is hidden.
    fn pattern(&self) -> Pattern {
        let mut pattern = self.fixed.clone();
        self.store.used_cells().for_each(|cell| pattern.suppress(cell));
        pattern
    }

    fn search(&mut self) -> Result<(), Error> {
        self.meet_all()?;
        self.improve()
    }

    fn tell(&self, exposed: usize) {
        let cost = self.fixed_cost + self.cost;
        self.task.progress.standing(&Standing { cost, exposed, bound: self.bound });
    }

    fn leave_checkpoint(&self, steps: u64) {
        self.task.checkpoints.save(&|| Checkpoint {
            steps,
            secondaries: self.secondaries(),
            proofs: self.store.movements().cloned().collect(),
            ..Checkpoint::default()
        });
    }

    fn secondaries(&self) -> Vec<CellId> {
        self.store.used_cells().filter(|&cell| !self.fixed.is_suppressed(cell)).collect()
    }

    /// What a cell costs that is to move: nothing if it is hidden.
    fn price(&self, cell: CellId) -> f64 {
        match self.is_hidden(cell) {
            true => 0.0,
            false => weight(self.task.problem, cell),
        }
    }

    fn is_hidden(&self, cell: CellId) -> bool {
        let offered = self.offered.as_ref().unwrap_or(&self.fixed);
        offered.is_suppressed(cell) || self.store.is_used(cell)
    }

    /// The cheapest movement found to meet a requirement.
    fn cheapest(
        &self,
        requirement: &Requirement,
        price: &dyn Fn(CellId) -> f64,
        salt: u64,
        widest: Widest,
    ) -> Result<Option<PricedMovement>, Error> {
        let lent = self.nearby.lock().ok().and_then(|mut kept| kept.pop());
        let mut nearby = lent.unwrap_or_else(|| Nearby::new(self.task.problem));
        let tie_break = |cell: CellId| tie_break(salt, cell);
        let dear = DEAR * self.cost;
        let found =
            nearby.cheapest_at(requirement, price, &tie_break, dear, widest, self.task.budget);
        if let Ok(mut kept) = self.nearby.lock() {
            kept.push(nearby);
        }
        found
    }

    /// Whether something costs so much of the whole that it is worth a longer search.
    fn is_dear(&self, cost: f64) -> bool {
        cost > DEAR * self.cost
    }

    /// How far it is worth looking for movements that are dear nearby.
    fn widest(&self) -> Widest {
        let in_time = self.task.budget.stop().is_none();
        match in_time && WHOLE_TABLE_CELLS.contains(&self.task.problem.cell_count()) {
            true if self.spreads => Widest::Hidden,
            true => Widest::Table,
            false => Widest::Region,
        }
    }
}

/// The table as someone sees it.
fn seen_by<'s>(
    problem: &'s Problem,
    insiders: &'s [(Knowing, Problem)],
    knowing: Knowing,
) -> &'s Problem {
    let insider = insiders.iter().find(|(who, _)| *who == knowing);
    insider.map_or(problem, |(_, seen)| seen)
}

/// What hiding cells costs. (Not `sum`, which makes −0 of nothing.)
fn weight_of(problem: &Problem, cells: &[CellId]) -> f64 {
    cells.iter().fold(0.0, |sum, &cell| sum + problem.weight(cell))
}

/// What hiding a cell costs; a cell without weight is still better left alone.
fn weight(problem: &Problem, cell: CellId) -> f64 {
    problem.weight(cell).max(f64::MIN_POSITIVE)
}

/// A number between zero and one for a cell that differs from step to step.
fn tie_break(salt: u64, cell: CellId) -> f64 {
    let mut bits = (u64::from(cell.0) ^ salt.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// The requirements that cells hidden anyway do not meet, as far as is quickly seen, the largest
/// first.
fn open_requirements(
    task: &Task,
    insiders: &[(Knowing, Problem)],
    fixed: &Pattern,
) -> Result<Vec<Requirement>, Error> {
    let problem = task.problem;
    // Cut short by a limit of effort, it would leave requirements open that are met, and more work
    // than it saved.
    let budget = task.budget.without_work_limit();
    let mut reach: FxHashMap<(Knowing, CellId), [i64; 2]> = FxHashMap::default();
    for &knowing in attackers(problem) {
        let seen = seen_by(problem, insiders, knowing);
        for finding in quick_audit(seen, fixed, Vec::new(), &budget, task.progress)?.primaries {
            reach.insert((knowing, finding.cell), [finding.down.at_least, finding.up.at_least]);
        }
    }
    let mut open = requirements_for_all(problem);
    open.retain(|requirement| {
        let side = usize::from(requirement.direction == quell_model::Direction::Up);
        let reach = reach.get(&(requirement.knowing, requirement.cell));
        reach.is_none_or(|reach| reach[side] < requirement.distance)
    });
    // A rise is dearer than a fall, which often costs nothing more after it.
    let falls = |requirement: &Requirement| requirement.direction == quell_model::Direction::Down;
    open.sort_by_key(|requirement| {
        (std::cmp::Reverse(requirement.distance), requirement.cell, falls(requirement))
    });
    Ok(open)
}
