//! Meeting every requirement for the first time.

use std::time::Duration;

use quell_attack::movements_for;
use quell_model::{CellId, Requirement};
use rayon::prelude::*;
use rustc_hash::FxHashSet;

use super::{AT_ONCE, Search, WHOLE_TABLE_CELLS, seen_by, weight_of};
use crate::search::mover::FORBIDDEN;
use crate::search::nearby::{PricedMovement, Widest};
use crate::search::requirements::{attackers, or_less};
use crate::{Error, Movement, Task};

/// The share of all requirements that may be open for programs for groups of them to come first.
const GROUPED_SHARE: f64 = 0.25;

/// The time that must be given for that, for each cell of the table: about what it takes. (Not the
/// time left, which differs from run to run.)
const GROUPED_TIME: Duration = Duration::from_micros(250);

/// How much more than they need is asked for requirements, as a share, each time.
const MARGINS: [f64; 4] = [0.0, 0.01, 0.05, 0.2];

/// A movement that proves more requirements than this is a group's.
const SHARED: usize = 50;

/// A look of the auditor takes about as long as one program for each so many cells of the table.
const CELLS_LOOKED_AT: usize = 500;

/// Fewer programs than this are not worth a look.
const FEWEST_PROGRAMS: usize = 100;

/// Requirements met one after the other without a dear one, after which others come several at a
/// time.
const QUIET: usize = 20;

impl Search<'_> {
    /// Meets every requirement, the largest first.
    pub(super) fn meet_all(&mut self) -> Result<(), Error> {
        let problem = self.task.problem;
        self.task.progress.stage("protecting", Some(self.store.requirements().len() as u64));
        self.is_grouped = self.is_worth_groups();
        if self.is_grouped {
            self.begin_with_groups();
        }
        let mut next = 0;
        let (mut dear, mut quiet) = (true, 0);
        // Each look at what else is met by now comes after twice as many programs as the last.
        let mut programs = 0;
        let mut before_look = (problem.cell_count() / CELLS_LOOKED_AT).max(FEWEST_PROGRAMS);
        // What is open when the time is over is left to the repair.
        while next < self.store.requirements().len() && !self.task.budget.is_over() {
            if self.task.checkpoints.is_due() {
                self.leave_checkpoint(0);
            }
            let mut batch = Vec::new();
            // Dear requirements one after the other, so that each leans on what those before it
            // hide.
            let widest = self.widest();
            let most = if dear { 1 } else { AT_ONCE };
            if programs >= before_look {
                if self.store.open().count() >= before_look {
                    self.take_proofs()?;
                }
                (programs, before_look) = (0, 2 * before_look);
            }
            while next < self.store.requirements().len() && batch.len() < most {
                if !self.store.is_proven(next) {
                    batch.push(next);
                }
                next += 1;
                self.task.progress.advance(1);
            }
            programs += batch.len();
            let priced: Vec<Result<Option<(Requirement, PricedMovement)>, Error>> = batch
                .par_iter()
                .map(|&index| {
                    let requirement = self.store.requirements()[index];
                    let price = |cell| self.price(cell);
                    for requirement in or_less(problem, requirement) {
                        if let Some(priced) = self.cheapest(&requirement, &price, 0, widest)? {
                            return Ok(Some((requirement, priced)));
                        }
                    }
                    Ok(None)
                })
                .collect();
            self.spreads |= dear && self.was_too_long();
            self.tell(self.store.requirements().len() - next);
            let mut dearest: f64 = 0.0;
            for (index, priced) in batch.into_iter().zip(priced) {
                if let (Some((requirement, priced)), false) = (priced?, self.store.is_proven(index))
                {
                    dearest = dearest.max(priced.cost);
                    let new = priced.movement.cells().filter(|&cell| !self.is_hidden(cell));
                    self.cost += new.map(|cell| problem.weight(cell)).sum::<f64>();
                    self.store.lower(index, requirement);
                    self.store.add(problem, priced.movement);
                }
            }
            quiet = if self.is_dear(dearest) { 0 } else { quiet + most };
            dear = quiet < QUIET;
        }
        self.offered = None;
        self.part_groups()
    }

    /// Whether a program over the whole table was given up since the last time.
    fn was_too_long(&mut self) -> bool {
        let kept = self.nearby.get_mut().map(|kept| kept.as_mut_slice()).unwrap_or_default();
        kept.iter_mut().any(|nearby| std::mem::take(&mut nearby.too_long))
    }

    /// Whether programs for groups of requirements over the whole table come first. Where
    /// sub-totals expose nearly every primary, most requirements are small and best met nearby, one
    /// by one.
    fn is_worth_groups(&self) -> bool {
        let problem = self.task.problem;
        let (open, primaries) = (self.store.requirements().len(), problem.primaries().count());
        let time = GROUPED_TIME * u32::try_from(problem.cell_count()).unwrap_or(u32::MAX);
        WHOLE_TABLE_CELLS.contains(&problem.cell_count())
            && open as f64 <= GROUPED_SHARE * 2.0 * primaries as f64
            && self.time.is_none_or(|given| given >= time)
    }

    /// Meets requirements in groups. What is not proven is asked for again, and a little more of
    /// it, so that there is something to spare.
    fn begin_with_groups(&mut self) {
        for margin in MARGINS {
            if self.store.open().next().is_none() || self.task.budget.stop().is_some() {
                break;
            }
            self.meet_groups(margin);
        }
        self.cost = weight_of(self.task.problem, &self.secondaries());
    }

    /// Takes over what the auditor proves, in a first look, of cells hidden by now.
    fn take_proofs(&mut self) -> Result<(), Error> {
        let Task { problem, budget, progress, .. } = self.task;
        let budget = budget.without_work_limit();
        let mut hidden = self.offered.as_ref().unwrap_or(&self.fixed).clone();
        self.store.used_cells().for_each(|cell| hidden.suppress(cell));
        for &knowing in attackers(problem) {
            let open = self.store.open().map(|index| self.store.requirements()[index]);
            let open = open.filter(|requirement| requirement.knowing == knowing);
            let open: FxHashSet<CellId> = open.map(|requirement| requirement.cell).collect();
            let is_open = |cell: CellId| open.contains(&cell);
            let seen = seen_by(problem, &self.insiders, knowing);
            for certificate in movements_for(seen, &hidden, &is_open, &budget, progress)? {
                self.store.add(problem, Movement::of_certificate(&certificate));
            }
        }
        Ok(())
    }

    /// Gives requirements that share the movement of a group proofs of their own, of cells hidden
    /// already, so that each can be improved without the others. What needs the whole group's
    /// movement keeps it.
    fn part_groups(&mut self) -> Result<(), Error> {
        let problem = self.task.problem;
        for first in 0..self.store.requirements().len() {
            let shared: Vec<usize> = match self.store.proof_of(first) {
                Some((_, requirements))
                    if requirements.len() > SHARED && self.task.budget.stop().is_none() =>
                {
                    requirements.iter().map(|&requirement| requirement as usize).collect()
                }
                _ => continue,
            };
            let price = |cell| if self.is_hidden(cell) { 0.0 } else { FORBIDDEN };
            let priced: Vec<Result<Option<PricedMovement>, Error>> = shared
                .par_iter()
                .map(|&requirement| match self.task.budget.stop() {
                    Some(_) => Ok(None),
                    None => self.cheapest(
                        &self.store.requirements()[requirement],
                        &price,
                        0,
                        Widest::Near,
                    ),
                })
                .collect();
            let (taken, _) = self.store.take_requirement(first);
            let own: Result<Vec<Option<PricedMovement>>, Error> = priced.into_iter().collect();
            for priced in own?.into_iter().flatten() {
                self.store.add(problem, priced.movement);
            }
            for movement in taken {
                self.store.add(problem, movement);
            }
        }
        self.cost = weight_of(problem, &self.secondaries());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use quell_attack::{Verdict, quick_audit};
    use quell_gen::{Contributors, DimensionSize, Ons};
    use quell_model::{Budget, CellId, Pattern, Problem, Silent};

    use super::*;

    fn table(seed: u64) -> Problem {
        let table = Ons {
            dimensions: [14, 12, 8].map(DimensionSize::flat).to_vec(),
            contributors: Contributors::PrimaryShare(0.12),
            ..Ons::default()
        };
        table.generate(seed).expect("a table")
    }

    /// The cells that groups take protect more than those, and the auditor proves it.
    #[test]
    fn what_the_auditor_sees_need_not_be_looked_for() {
        for seed in 0..3 {
            let problem = table(seed);
            let budget = Budget::default();
            let task = Task::new(&problem, &budget, &Silent);
            let mut search = Search::new(&task, Pattern::of_primaries(&problem)).expect("a search");
            let open = search.store.open().count();
            search.meet_groups(0.0);
            assert!(search.store.open().count() < open, "{seed}: nothing met");
            search.take_proofs().expect("audited");
            let seen = quick_audit(&problem, &search.pattern(), Vec::new(), &budget, &Silent);
            let seen = seen.expect("audited");
            let safe: Vec<CellId> = (seen.primaries.iter())
                .filter(|finding| finding.verdict == Verdict::Safe)
                .map(|finding| finding.cell)
                .collect();
            let is_safe =
                |requirement: usize| safe.contains(&search.store.requirements()[requirement].cell);
            assert!(!search.store.open().any(is_safe), "{seed}: not all taken");
        }
    }

    #[test]
    fn parted_groups_prove_what_the_groups_did_at_no_higher_cost() {
        let mut parted = 0;
        for seed in 0..2 {
            let problem = table(seed);
            let budget = Budget::default();
            let task = Task::new(&problem, &budget, &Silent);
            let mut search = Search::new(&task, Pattern::of_primaries(&problem)).expect("a search");
            search.begin_with_groups();
            let proven = |search: &Search| -> Vec<usize> {
                let all = 0..search.store.requirements().len();
                all.filter(|&requirement| search.store.is_proven(requirement)).collect()
            };
            let (before, cost) = (proven(&search), search.cost);
            let movements = search.store.movements().count();
            assert!(!before.is_empty() && cost > 0.0, "{seed}");
            search.part_groups().expect("parted");
            assert_eq!(proven(&search), before, "{seed}");
            assert!(search.cost <= cost, "{seed}: {} instead of {cost}", search.cost);
            parted += search.store.movements().count() - movements;
        }
        assert!(parted > 0, "some requirements have proofs of their own");
    }
}
