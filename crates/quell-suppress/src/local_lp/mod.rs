//! **Local LP**: tables too large for linear programs on the whole, by programs on their
//! parts and kept proofs.
//!
//! 1. A first look of the auditor says which needs the primaries alone meet: in large tables
//!    nearly all, and what they meet is met in every pattern. (Where very many are exposed,
//!    cells are first hidden so that base cells can trade: [`exchange`].)
//! 2. The others are met one after the other, the largest first, each by a linear program
//!    on a [`region`] around it; what is hidden already is free.
//! 3. *Remove and repair*, the dearest first: a secondary is taken out, the needs whose proofs
//!    used it are met anew without it, and the cheaper pattern stays. A cell is hidden only as long as a
//!    proof uses it, so superfluous ones go by themselves.
//!
//! Steps are tried several at a time from one state and kept in order, so threads change
//! nothing. k-way, hierarchical and linked systems are treated alike.

mod exchange;
mod nearby;
mod program;
mod region;

use std::ops::RangeInclusive;
use std::sync::Mutex;

use quell_attack::{quick_audit, unpick};
use quell_model::{Budget, CellId, Pattern, Problem, Random, Standing};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use self::nearby::Nearby;
use self::nearby::Widest;
use self::program::Way;
use crate::hybrid::grouped_pass;
use crate::mover::FORBIDDEN;
use crate::need::level_of;
use crate::{Checkpoint, Error, Method, Movement, Need, Proposal, Store, Task, needs};

/// Steps tried from one state.
const AT_ONCE: usize = 8;

/// A need that takes more than this share of what the whole pattern costs is worth a search
/// in wider regions.
const DEAR: f64 = 0.01;

/// Needs opened by one step at most: more are not worth its time, but for a secondary with a
/// large share of the cost.
const MOST_OPENED: usize = 40;

/// A secondary with this share of the cost may open all needs.
const ALL_OPENED: f64 = 0.05;

/// Larger tables are too large for programs over the whole; of smaller ones the widest regions
/// are most.
const WHOLE: RangeInclusive<usize> = 20_000..=300_000;

/// The most cells of a table for whose groups of needs there are programs, and the share of the
/// time left that these may take.
const GROUPED: usize = 60_000;
const GROUPED_TIME: f64 = 0.75;

/// Needs met one after the other without a dear one, after which others come several at a time.
const QUIET: usize = 20;

/// Steps after which dear movements are looked for anew.
const RENEWED: u64 = 200;

/// Without a deadline: steps for each need.
const STEPS: usize = 40;

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

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let primaries = Pattern::of_primaries(task.problem);
        let is_giant = task.problem.primaries().count() > self.most_exposed
            && unpick(task.problem, &primaries).exposures.len() > self.most_exposed;
        let mut exchanges = None;
        if is_giant {
            task.progress.stage("finding cells that can trade", None);
            exchanges = exchange::with_exchanges(task.problem);
        }
        Search::new(task, exchanges.unwrap_or(primaries))?.run()
    }
}

/// The state of a search.
struct Search<'a> {
    task: Task<'a>,
    /// What stays hidden whatever comes: the primaries, and what their exchanges need.
    fixed: Pattern,
    store: Store,
    /// Working memory, one for each thread that asks.
    nearby: Mutex<Vec<Nearby<'a>>>,
    /// What the secondaries cost.
    cost: f64,
    /// Cells that cost nothing while needs are met for the first time.
    offered: Option<Pattern>,
    /// Whether movements spread so far that programs over the whole table take too long.
    spreads: bool,
}

/// Proofs to put in the place of those of some needs.
struct Trial {
    opened: Vec<usize>,
    movements: Vec<Movement>,
}

impl<'a> Search<'a> {
    /// Finds out which needs must be met.
    ///
    /// # Errors
    /// If the solver fails.
    fn new(task: &Task<'a>, fixed: Pattern) -> Result<Self, Error> {
        let problem = task.problem;
        let open = open_needs(task, &fixed)?;
        let mut store = Store::new(problem, open);
        let proofs = task.checkpoints.last().map_or(&[][..], |last| &last.proofs);
        for proof in proofs {
            store.add(problem, proof.clone());
        }
        let mut search = Self {
            task: *task,
            fixed,
            store,
            nearby: Mutex::new(Vec::new()),
            cost: 0.0,
            offered: None,
            spreads: false,
        };
        search.cost = search.secondaries().iter().map(|&cell| problem.weight(cell)).sum();
        Ok(search)
    }

    /// Meets the needs, improves until the budget ends.
    ///
    /// # Errors
    /// If the solver fails.
    fn run(mut self) -> Result<Proposal, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.task.budget.threads()).build();
        match pool {
            Ok(pool) => pool.install(|| self.search())?,
            Err(_) => self.search()?,
        }
        let mut pattern = self.fixed;
        self.store.used_cells().for_each(|cell| pattern.suppress(cell));
        Ok(Proposal::unbounded(pattern))
    }

    fn search(&mut self) -> Result<(), Error> {
        self.meet_all()?;
        self.task.progress.stage("cleaning up", None);
        // A few large cells often make up most of the cost: these are worth other cells.
        let all = self.secondaries_dearest_first();
        let is_dear = |cell: &&CellId| self.is_dear(self.task.problem.weight(**cell));
        let dear: Vec<CellId> = all.iter().take_while(is_dear).copied().collect();
        for (salt, cells) in [(Some(0), dear), (None, all)] {
            for batch in cells.chunks(AT_ONCE) {
                if self.task.budget.stop().is_some() {
                    break;
                }
                self.without(batch, salt)?;
            }
        }
        self.task.progress.stage("renewing dear movements", None);
        self.renew_dear(0)?;
        self.task.progress.stage("improving", None);
        let begun = self.task.checkpoints.last().map_or(0, |last| last.steps);
        let mut random = self.task.budget.random(begun);
        let mut step = begun;
        while step < (self.store.needs().len() * STEPS / AT_ONCE) as u64 {
            if self.task.budget.stop().is_some() {
                break;
            }
            if self.task.checkpoints.is_due() {
                self.leave_checkpoint(step);
            }
            step += 1;
            let secondaries = self.secondaries();
            if secondaries.is_empty() {
                break;
            }
            let chosen: Vec<CellId> =
                (0..AT_ONCE).map(|_| self.pick(&secondaries, &mut random)).collect();
            self.without(&chosen, Some(step))?;
            if step.is_multiple_of(RENEWED) {
                self.renew_dear(step)?;
            }
            self.task.budget.spend(AT_ONCE as u64);
        }
        self.leave_checkpoint(step);
        Ok(())
    }

    fn tell(&self, exposed: usize) {
        self.task.progress.standing(&Standing { cost: self.cost, exposed, bound: 0.0 });
    }

    fn leave_checkpoint(&self, steps: u64) {
        self.task.checkpoints.save(&|| Checkpoint {
            steps,
            secondaries: self.secondaries(),
            proofs: self.store.movements().cloned().collect(),
        });
    }

    /// A random secondary: half of the time by what they cost, because a few large ones often
    /// make up most of it, else any.
    fn pick(&self, secondaries: &[CellId], random: &mut Random) -> CellId {
        let any = secondaries[random.below(secondaries.len())];
        if random.chance(0.5) {
            return any;
        }
        let mut left = random.uniform() * self.cost;
        let drawn = secondaries.iter().find(|&&cell| {
            left -= self.task.problem.weight(cell);
            left <= 0.0
        });
        drawn.copied().unwrap_or(any)
    }

    /// How many needs may be opened to do without a secondary.
    fn most_opened(&self, secondary: CellId) -> usize {
        let share = self.task.problem.weight(secondary) / (ALL_OPENED * self.cost);
        MOST_OPENED.max((share * self.store.needs().len() as f64) as usize)
    }

    fn secondaries(&self) -> Vec<CellId> {
        self.store.used_cells().filter(|&cell| !self.fixed.is_suppressed(cell)).collect()
    }

    fn secondaries_dearest_first(&self) -> Vec<CellId> {
        let problem = self.task.problem;
        let mut all = self.secondaries();
        all.sort_by(|&a, &b| problem.weight(b).total_cmp(&problem.weight(a)).then(a.cmp(&b)));
        all
    }

    /// Meets every need, the largest first.
    fn meet_all(&mut self) -> Result<(), Error> {
        let problem = self.task.problem;
        self.task.progress.stage("protecting", Some(self.store.needs().len() as u64));
        let mut next = 0;
        let (mut dear, mut quiet) = (true, 0);
        while next < self.store.needs().len() {
            if self.task.checkpoints.is_due() {
                self.leave_checkpoint(0);
            }
            let mut batch = Vec::new();
            // Dear needs one after the other, so that each leans on what those before it hide.
            let widest = self.widest();
            let most = if dear { 1 } else { AT_ONCE };
            while next < self.store.needs().len() && batch.len() < most {
                if !self.store.is_proven(next) {
                    batch.push(next);
                }
                next += 1;
                self.task.progress.advance(1);
            }
            let ways: Vec<Result<Option<(Need, Way)>, Error>> = batch
                .par_iter()
                .map(|&index| {
                    let need = self.store.needs()[index];
                    let price = |cell| self.price(cell);
                    for need in [Some(need), level_of(problem, &need)].into_iter().flatten() {
                        if let Some(way) = self.cheapest(&need, &price, 0, widest)? {
                            return Ok(Some((need, way)));
                        }
                    }
                    Ok(None)
                })
                .collect();
            if dear && !self.spreads && self.was_too_long() {
                self.spreads = true;
                if self.offer_groups()? {
                    next = batch[0];
                    continue;
                }
            }
            self.tell(self.store.needs().len() - next);
            let mut dearest: f64 = 0.0;
            for (index, way) in batch.into_iter().zip(ways) {
                if let (Some((need, way)), false) = (way?, self.store.is_proven(index)) {
                    dearest = dearest.max(way.cost);
                    let new = way.movement.cells().filter(|&cell| !self.is_hidden(cell));
                    self.cost += new.map(|cell| problem.weight(cell)).sum::<f64>();
                    self.store.lower(index, need);
                    self.store.add(problem, way.movement);
                }
            }
            quiet = if self.is_dear(dearest) { 0 } else { quiet + most };
            dear = quiet < QUIET;
        }
        self.offered = None;
        Ok(())
    }

    /// Whether a program over the whole table was given up since the last time.
    fn was_too_long(&mut self) -> bool {
        let kept = self.nearby.get_mut().map(|kept| kept.as_mut_slice()).unwrap_or_default();
        kept.iter_mut().any(|nearby| std::mem::take(&mut nearby.too_long))
    }

    /// Where movements spread over the whole table, programs for many needs at once show which
    /// cells are worth hiding, if the table is not too large for them; says whether it is not.
    fn offer_groups(&mut self) -> Result<bool, Error> {
        if self.task.problem.cell_count() > GROUPED {
            return Ok(false);
        }
        let budget = match self.task.budget.time_left() {
            Some(left) => self.task.budget.clone().with_time(left.mul_f64(GROUPED_TIME)),
            None => self.task.budget.clone(),
        };
        self.offered = Some(grouped_pass(&self.task, &budget)?);
        Ok(true)
    }

    /// What a cell costs that is to move: nothing if it is hidden.
    fn price(&self, cell: CellId) -> f64 {
        let offered = self.offered.as_ref().is_some_and(|offered| offered.is_suppressed(cell));
        match self.is_hidden(cell) || offered {
            true => 0.0,
            false => weight(self.task.problem, cell),
        }
    }

    fn is_hidden(&self, cell: CellId) -> bool {
        self.fixed.is_suppressed(cell) || self.store.is_used(cell)
    }

    /// The cheapest way found to meet a need.
    fn cheapest(
        &self,
        need: &Need,
        price: &dyn Fn(CellId) -> f64,
        salt: u64,
        widest: Widest,
    ) -> Result<Option<Way>, Error> {
        let lent = self.nearby.lock().ok().and_then(|mut kept| kept.pop());
        let mut nearby = lent.unwrap_or_else(|| Nearby::new(self.task.problem));
        let lot = |cell: CellId| lot(salt, cell);
        let dear = DEAR * self.cost;
        let found = nearby.cheapest_at(need, price, &lot, dear, widest, self.task.budget);
        if let Ok(mut kept) = self.nearby.lock() {
            kept.push(nearby);
        }
        found
    }

    /// Whether something costs so much of the whole that it is worth a longer search.
    fn is_dear(&self, cost: f64) -> bool {
        cost > DEAR * self.cost
    }

    /// How far it is worth looking for ways that are dear nearby.
    fn widest(&self) -> Widest {
        let in_time = self.task.budget.stop().is_none();
        match in_time && !self.spreads && WHOLE.contains(&self.task.problem.cell_count()) {
            true => Widest::Table,
            false => Widest::Region,
        }
    }

    /// Tries the pattern without each of some secondaries; keeps what makes it cheaper. Other
    /// cells are hidden instead only in a numbered step.
    fn without(&mut self, secondaries: &[CellId], salt: Option<u64>) -> Result<(), Error> {
        let trials: Vec<Result<Option<Trial>, Error>> =
            secondaries.par_iter().map(|&cell| self.replace(cell, salt)).collect();
        for trial in trials {
            if let Some(trial) = trial? {
                self.keep_if_cheaper(trial);
            }
        }
        self.tell(0);
        Ok(())
    }

    /// Other proofs for the needs whose proofs use a secondary, without it.
    fn replace(&self, out: CellId, salt: Option<u64>) -> Result<Option<Trial>, Error> {
        let opened: usize = self.store.proofs_using(out).map(|(_, needs)| needs.len()).sum();
        if opened == 0 || opened > self.most_opened(out) {
            return Ok(None);
        }
        let widest = match salt.is_some() && self.is_dear(self.task.problem.weight(out)) {
            true => self.widest(),
            false => Widest::Region,
        };
        self.renew(self.store.proofs_using(out), Some(out), salt, widest)
    }

    /// Other proofs for the needs of some movements, `out` published. Without a salt nothing
    /// new is hidden.
    fn renew<'s>(
        &self,
        gone: impl Iterator<Item = (&'s Movement, &'s [u32])>,
        out: Option<CellId>,
        salt: Option<u64>,
        widest: Widest,
    ) -> Result<Option<Trial>, Error> {
        let problem = self.task.problem;
        // The needs whose proofs go, and how many of the proofs that use a cell.
        let mut opened: Vec<usize> = Vec::new();
        let mut fewer: FxHashMap<CellId, usize> = FxHashMap::default();
        for (movement, needs) in gone {
            opened.extend(needs.iter().map(|&need| need as usize));
            for cell in movement.cells() {
                *fewer.entry(cell).or_default() += 1;
            }
        }
        opened.sort_unstable();
        let mut new: FxHashSet<CellId> = FxHashSet::default();
        let mut movements: Vec<Movement> = Vec::new();
        for &index in &opened {
            let need = &self.store.needs()[index];
            let meets = |one: &Movement| {
                one.meets(need) || one.reversed(problem).is_some_and(|back| back.meets(need))
            };
            if movements.iter().any(meets) {
                continue;
            }
            if self.task.budget.stop().is_some() {
                return Ok(None);
            }
            let price = |cell: CellId| {
                if Some(cell) == out {
                    return FORBIDDEN;
                }
                let left = self.store.uses(cell) - fewer.get(&cell).copied().unwrap_or(0);
                match self.fixed.is_suppressed(cell) || left > 0 || new.contains(&cell) {
                    true => 0.0,
                    false if salt.is_none() => FORBIDDEN,
                    false => weight(problem, cell),
                }
            };
            let found = self.cheapest(need, &price, salt.unwrap_or(0), widest)?;
            let Some(way) = found else { return Ok(None) };
            new.extend(way.movement.cells());
            movements.push(way.movement);
        }
        Ok(Some(Trial { opened, movements }))
    }

    /// Looks for other movements in the place of those that cost much, one after the other: what
    /// was hidden since for others may make them cheaper.
    fn renew_dear(&mut self, salt: u64) -> Result<(), Error> {
        let problem = self.task.problem;
        let mut dear: Vec<(f64, usize)> = Vec::new();
        for index in 0..self.store.needs().len() {
            let Some((movement, needs)) = self.store.proof_of(index) else { continue };
            if needs[0] as usize != index {
                continue;
            }
            let alone = movement
                .cells()
                .filter(|&cell| self.store.uses(cell) == 1 && !self.fixed.is_suppressed(cell));
            let cost: f64 = alone.map(|cell| problem.weight(cell)).sum();
            if self.is_dear(cost) {
                dear.push((cost, index));
            }
        }
        dear.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (_, index) in dear {
            if self.task.budget.stop().is_some() {
                break;
            }
            let Some(gone) = self.store.proof_of(index) else { continue };
            let trial = self.renew(std::iter::once(gone), None, Some(salt), self.widest())?;
            if let Some(trial) = trial {
                self.keep_if_cheaper(trial);
            }
            self.tell(0);
        }
        Ok(())
    }

    fn keep_if_cheaper(&mut self, trial: Trial) {
        let problem = self.task.problem;
        let old = trial.opened.iter().filter_map(|&need| self.store.proof(need));
        let mut touched: Vec<CellId> =
            old.chain(&trial.movements).flat_map(Movement::cells).collect();
        touched.sort_unstable();
        touched.dedup();
        touched.retain(|&cell| !self.fixed.is_suppressed(cell));
        let used = |store: &Store| -> f64 {
            let cells = touched.iter().filter(|&&cell| store.is_used(cell));
            cells.map(|&cell| problem.weight(cell)).sum()
        };
        let before = used(&self.store);
        self.store.begin();
        let opened: Vec<usize> =
            trial.opened.iter().flat_map(|&need| self.store.take_need(need).1).collect();
        for movement in trial.movements {
            self.store.add(problem, movement);
        }
        let after = used(&self.store);
        if after <= before && opened.iter().all(|&need| self.store.is_proven(need)) {
            self.store.commit();
            self.cost += after - before;
        } else {
            self.store.roll_back();
        }
    }
}

/// What hiding a cell costs; a cell without weight is still better left alone.
fn weight(problem: &Problem, cell: CellId) -> f64 {
    problem.weight(cell).max(f64::MIN_POSITIVE)
}

/// A number between zero and one for a cell that differs from step to step.
fn lot(salt: u64, cell: CellId) -> f64 {
    let mut bits = (u64::from(cell.0) ^ salt.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// The needs that cells hidden anyway do not meet, as far as is quickly seen, the largest first.
fn open_needs(task: &Task, fixed: &Pattern) -> Result<Vec<Need>, Error> {
    let problem = task.problem;
    // Cut short, it would leave needs open that are met, and more work than it saved.
    let budget = Budget::default().with_threads(task.budget.threads());
    let audited = quick_audit(problem, fixed, &budget, task.progress)?;
    let mut reach: FxHashMap<CellId, [i64; 2]> = FxHashMap::default();
    for finding in &audited.primaries {
        reach.insert(finding.cell, [finding.down.at_least, finding.up.at_least]);
    }
    let mut open = needs(problem);
    open.retain(|need| {
        let side = usize::from(need.direction == quell_model::Direction::Up);
        reach.get(&need.cell).is_none_or(|reach| reach[side] < need.amount)
    });
    // A rise is dearer than a fall, which often costs nothing more after it.
    let falls = |need: &Need| need.direction == quell_model::Direction::Down;
    open.sort_by_key(|need| (std::cmp::Reverse(need.amount), need.cell, falls(need)));
    Ok(open)
}
