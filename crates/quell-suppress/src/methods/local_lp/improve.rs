//! Remove and repair: patterns that differ a little from the best, as long as the budget lasts.

use quell_model::{CellId, Random};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{AT_ONCE, Search, weight};
use crate::search::mover::FORBIDDEN;
use crate::search::nearby::Widest;
use crate::{Error, Movement};

/// Requirements opened by one step at most: more are not worth its time, but for a secondary with a
/// large share of the cost.
const MOST_OPENED: usize = 40;

/// A secondary with this share of the cost may open all requirements.
const ALL_OPENED: f64 = 0.05;

/// Steps after which dear movements are looked for anew.
const RENEWED: u64 = 200;

/// Without a deadline: steps for each requirement.
const STEPS: usize = 40;

/// Proofs to put in the place of those of some requirements.
struct Trial {
    opened: Vec<usize>,
    movements: Vec<Movement>,
}

impl Search<'_> {
    /// Improves the pattern until the budget ends: first without superfluous and dear cells, then
    /// by chance.
    pub(super) fn improve(&mut self) -> Result<(), Error> {
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
        while step < (self.store.requirements().len() * STEPS / AT_ONCE) as u64 {
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

    /// How many requirements may be opened to do without a secondary. Where proofs are shared by
    /// groups, one by one would be no way to prove these anew.
    fn most_opened(&self, secondary: CellId) -> usize {
        if self.is_grouped {
            return MOST_OPENED;
        }
        let share = self.task.problem.weight(secondary) / (ALL_OPENED * self.cost);
        MOST_OPENED.max((share * self.store.requirements().len() as f64) as usize)
    }

    fn secondaries_dearest_first(&self) -> Vec<CellId> {
        let problem = self.task.problem;
        let mut all = self.secondaries();
        all.sort_by(|&a, &b| problem.weight(b).total_cmp(&problem.weight(a)).then(a.cmp(&b)));
        all
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

    /// Other proofs for the requirements whose proofs use a secondary, without it.
    fn replace(&self, out: CellId, salt: Option<u64>) -> Result<Option<Trial>, Error> {
        let opened: usize =
            self.store.proofs_using(out).map(|(_, requirements)| requirements.len()).sum();
        if opened == 0 || opened > self.most_opened(out) {
            return Ok(None);
        }
        let widest = match salt.is_some() && self.is_dear(self.task.problem.weight(out)) {
            true => self.widest(),
            false => Widest::Region,
        };
        self.renew(self.store.proofs_using(out), Some(out), salt, widest)
    }

    /// Other proofs for the requirements of some movements, `out` published. Without a salt nothing
    /// new is hidden.
    fn renew<'s>(
        &self,
        gone: impl Iterator<Item = (&'s Movement, &'s [u32])>,
        out: Option<CellId>,
        salt: Option<u64>,
        widest: Widest,
    ) -> Result<Option<Trial>, Error> {
        let problem = self.task.problem;
        // The requirements whose proofs go, and how many of the proofs that use a cell.
        let mut opened: Vec<usize> = Vec::new();
        let mut fewer: FxHashMap<CellId, usize> = FxHashMap::default();
        for (movement, requirements) in gone {
            opened.extend(requirements.iter().map(|&requirement| requirement as usize));
            for cell in movement.cells() {
                *fewer.entry(cell).or_default() += 1;
            }
        }
        opened.sort_unstable();
        let mut new: FxHashSet<CellId> = FxHashSet::default();
        let mut movements: Vec<Movement> = Vec::new();
        for &index in &opened {
            let requirement = &self.store.requirements()[index];
            let meets = |one: &Movement| {
                one.meets(problem, requirement)
                    || one.reversed(problem).is_some_and(|back| back.meets(problem, requirement))
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
            let found = self.cheapest(requirement, &price, salt.unwrap_or(0), widest)?;
            let Some(priced) = found else { return Ok(None) };
            new.extend(priced.movement.cells());
            movements.push(priced.movement);
        }
        Ok(Some(Trial { opened, movements }))
    }

    /// Looks for other movements in the place of those that cost much, one after the other: what
    /// was hidden since for others may make them cheaper.
    fn renew_dear(&mut self, salt: u64) -> Result<(), Error> {
        let problem = self.task.problem;
        let mut dear: Vec<(f64, usize)> = Vec::new();
        for index in 0..self.store.requirements().len() {
            let Some((movement, requirements)) = self.store.proof_of(index) else { continue };
            let is_shared = self.is_grouped && requirements.len() > MOST_OPENED;
            if requirements[0] as usize != index || is_shared {
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
        let (problem, fixed) = (self.task.problem, &self.fixed);
        let Trial { opened, movements } = trial;
        if let Some(change) = self.store.replace(problem, fixed, &opened, movements, 0.0) {
            self.cost += change;
        }
    }
}
