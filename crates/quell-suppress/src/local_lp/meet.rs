//! Meeting every need for the first time.

use quell_attack::quick_audit;
use quell_model::Budget;
use rayon::prelude::*;

use super::nearby::Widest;
use super::program::Way;
use super::{AT_ONCE, Search, weight_of};
use crate::hybrid::grouped_movements;
use crate::mover::FORBIDDEN;
use crate::need::level_of;
use crate::{Error, Movement, Need, Task};

/// The most cells of a table for whose groups of needs there are programs, and the share of the
/// time left that these may take.
const GROUPED: usize = 60_000;
const GROUPED_TIME: f64 = 0.75;

/// A movement that proves more needs than this is a group's.
const SHARED: usize = 50;

/// A look of the auditor takes about as long as one program for each so many cells of the table.
const CELLS_LOOKED_AT: usize = 500;

/// Fewer programs than this are not worth a look.
const FEWEST_PROGRAMS: usize = 100;

/// Needs met one after the other without a dear one, after which others come several at a time.
const QUIET: usize = 20;

impl Search<'_> {
    /// Meets every need, the largest first.
    pub(super) fn meet_all(&mut self) -> Result<(), Error> {
        let problem = self.task.problem;
        self.task.progress.stage("protecting", Some(self.store.needs().len() as u64));
        let mut next = 0;
        let (mut dear, mut quiet) = (true, 0);
        // Each look at what else is met by now comes after twice as many programs as the last.
        let mut programs = 0;
        let mut before_look = (problem.cell_count() / CELLS_LOOKED_AT).max(FEWEST_PROGRAMS);
        while next < self.store.needs().len() {
            if self.task.checkpoints.is_due() {
                self.leave_checkpoint(0);
            }
            let mut batch = Vec::new();
            // Dear needs one after the other, so that each leans on what those before it hide.
            let widest = self.widest();
            let most = if dear { 1 } else { AT_ONCE };
            if programs >= before_look {
                if self.store.open().count() >= before_look {
                    self.take_proofs()?;
                }
                (programs, before_look) = (0, 2 * before_look);
            }
            while next < self.store.needs().len() && batch.len() < most {
                if !self.store.is_proven(next) {
                    batch.push(next);
                }
                next += 1;
                self.task.progress.advance(1);
            }
            programs += batch.len();
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
                self.begin_with_groups()?;
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
        self.part_groups()
    }

    /// Whether a program over the whole table was given up since the last time.
    fn was_too_long(&mut self) -> bool {
        let kept = self.nearby.get_mut().map(|kept| kept.as_mut_slice()).unwrap_or_default();
        kept.iter_mut().any(|nearby| std::mem::take(&mut nearby.too_long))
    }

    /// Where movements spread over the whole table, begins with programs for groups of needs at
    /// once, if the table is not too large for them.
    fn begin_with_groups(&mut self) -> Result<(), Error> {
        let (problem, budget) = (self.task.problem, self.task.budget);
        if problem.cell_count() > GROUPED {
            return Ok(());
        }
        let until_then = match budget.time_left() {
            Some(left) => budget.clone().with_time(left.mul_f64(GROUPED_TIME)),
            None => budget.clone(),
        };
        let task = Task { budget: &until_then, ..self.task };
        for movement in grouped_movements(&task, &self.fixed)? {
            self.store.add(problem, movement);
        }
        self.take_proofs()?;
        self.cost = weight_of(problem, &self.secondaries());
        Ok(())
    }

    /// Takes over what the auditor proves, in a first look, of cells hidden by now.
    fn take_proofs(&mut self) -> Result<(), Error> {
        let Task { problem, budget, progress, .. } = self.task;
        let budget = Budget::default().with_threads(budget.threads());
        for certificate in quick_audit(problem, &self.pattern(), &budget, progress)?.certificates {
            self.store.add(problem, Movement::of_certificate(&certificate));
        }
        Ok(())
    }

    /// Gives needs that share the movement of a group proofs of their own, of cells hidden
    /// already, so that each can be improved without the others. What needs the whole group's
    /// movement keeps it.
    fn part_groups(&mut self) -> Result<(), Error> {
        let problem = self.task.problem;
        for first in 0..self.store.needs().len() {
            let shared: Vec<usize> = match self.store.proof_of(first) {
                Some((_, needs)) if needs.len() > SHARED && self.task.budget.stop().is_none() => {
                    needs.iter().map(|&need| need as usize).collect()
                }
                _ => continue,
            };
            let price = |cell| if self.is_hidden(cell) { 0.0 } else { FORBIDDEN };
            let ways: Vec<Result<Option<Way>, Error>> = shared
                .par_iter()
                .map(|&need| match self.task.budget.stop() {
                    Some(_) => Ok(None),
                    None => self.cheapest(&self.store.needs()[need], &price, 0, Widest::Near),
                })
                .collect();
            let (taken, _) = self.store.take_need(first);
            let own: Result<Vec<Option<Way>>, Error> = ways.into_iter().collect();
            for way in own?.into_iter().flatten() {
                self.store.add(problem, way.movement);
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
    use quell_attack::Verdict;
    use quell_gen::{Contributors, DimensionSize, Ons};
    use quell_model::{CellId, Pattern, Problem, Silent};

    use super::*;

    fn table(seed: u64) -> Problem {
        let table = Ons {
            dimensions: [14, 12, 8].map(DimensionSize::flat).to_vec(),
            contributors: Contributors::PrimaryShare(0.12),
            ..Ons::default()
        };
        table.generate(seed).expect("a table")
    }

    /// The cells that one movement of a group hides protect more primaries than it moves.
    #[test]
    fn what_the_auditor_sees_need_not_be_looked_for() {
        for seed in 0..3 {
            let problem = table(seed);
            let budget = Budget::default();
            let task = Task::new(&problem, &budget, &Silent);
            let mut search = Search::new(&task, Pattern::of_primaries(&problem)).expect("a search");
            let movements = grouped_movements(&task, &search.fixed).expect("groups");
            search.store.add(&problem, movements[0].clone());
            let open = search.store.open().count();
            search.take_proofs().expect("audited");
            assert!(search.store.open().count() < open, "{seed}: nothing taken");
            let seen = quick_audit(&problem, &search.pattern(), &budget, &Silent).expect("audited");
            let safe: Vec<CellId> = (seen.primaries.iter())
                .filter(|finding| finding.verdict == Verdict::Safe)
                .map(|finding| finding.cell)
                .collect();
            let is_safe = |need: usize| safe.contains(&search.store.needs()[need].cell);
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
            search.begin_with_groups().expect("groups");
            let proven = |search: &Search| -> Vec<usize> {
                let all = 0..search.store.needs().len();
                all.filter(|&need| search.store.is_proven(need)).collect()
            };
            let (before, cost) = (proven(&search), search.cost);
            let movements = search.store.movements().count();
            assert!(!before.is_empty() && cost > 0.0, "{seed}");
            search.part_groups().expect("parted");
            assert_eq!(proven(&search), before, "{seed}");
            assert!(search.cost <= cost, "{seed}: {} instead of {cost}", search.cost);
            parted += search.store.movements().count() - movements;
        }
        assert!(parted > 0, "some needs have proofs of their own");
    }
}
