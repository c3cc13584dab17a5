//! A pattern with its proofs, built path by path and improved by taking cells out.

use std::collections::BTreeSet;

use quell_model::{Budget, CellId, Problem, Random, Requirement};

use super::{PathSearch, TableNetwork};
use crate::search::builder::{Found, PatternBuilder};
use crate::search::requirements::{or_less, requirements_for_all};
use crate::tolerance::SAME_COST;
use crate::{Error, Store, Task};

/// A pattern in the making: the hidden cells and a proof for every requirement.
#[derive(Debug, Clone)]
pub(crate) struct NetworkBuilder<'a> {
    problem: &'a Problem,
    budget: &'a Budget,
    search: PathSearch<'a>,
    secondaries: BTreeSet<CellId>,
    store: Store,
    cost: f64,
    /// Cells hidden (true) or published since the last [`NetworkBuilder::begin`].
    changes: Vec<(CellId, bool)>,
}

impl<'a> NetworkBuilder<'a> {
    /// Only primaries hidden. Requirements that they meet alone are met in every pattern, and those
    /// that nothing can meet in none: both are left out.
    pub(crate) fn new(task: &Task<'a>, network: &'a TableNetwork) -> Self {
        let problem = task.problem;
        let weights: Vec<f64> = problem.system().cells().map(|cell| problem.weight(cell)).collect();
        let mut search = PathSearch::new(problem, network, weights);
        problem.primaries().for_each(|cell| search.hide(cell));
        let mut wanted = requirements_for_all(problem);
        // Large requirements decide where the dear cells go, and what meets them meets many others.
        wanted.sort_by_key(|requirement| std::cmp::Reverse(requirement.distance));
        let mut alone = Store::new(problem, wanted);
        for requirement in 0..alone.requirements().len() {
            if !alone.is_proven(requirement) {
                let movement = search.prove(&alone.requirements()[requirement]);
                movement.into_iter().for_each(|movement| {
                    alone.add(problem, movement);
                });
            }
        }
        let possible = |requirement: usize| {
            let requirement = alone.requirements()[requirement];
            or_less(problem, requirement).find(|requirement| search.cheapest(requirement).is_some())
        };
        let open: Vec<Requirement> = alone.open().filter_map(possible).collect();
        let store = Store::new(problem, open);
        let secondaries = BTreeSet::new();
        let (budget, cost, changes) = (task.budget, 0.0, Vec::new());
        Self { problem, budget, search, secondaries, store, cost, changes }
    }

    fn found(&self) -> Found {
        Found { secondaries: self.secondaries.iter().copied().collect(), cost: self.cost }
    }

    /// Hides a cell.
    fn hide(&mut self, cell: CellId) {
        if !self.search.is_hidden(cell) {
            self.search.hide(cell);
            self.secondaries.insert(cell);
            self.cost += self.problem.weight(cell);
            self.changes.push((cell, true));
        }
    }

    fn publish(&mut self, cell: CellId) {
        self.search.publish(cell);
        self.secondaries.remove(&cell);
        self.cost -= self.problem.weight(cell);
        self.changes.push((cell, false));
    }

    /// Only primaries hidden, nothing proven.
    fn clear(&mut self) {
        self.store.clear();
        for cell in std::mem::take(&mut self.secondaries) {
            self.search.publish(cell);
        }
        self.cost = 0.0;
    }

    /// Meets every open requirement, the large ones first.
    fn meet_all(&mut self) {
        for requirement in 0..self.store.requirements().len() {
            if !self.store.is_proven(requirement) {
                self.meet(requirement);
            }
        }
    }

    /// Meets one requirement in the cheapest way found.
    fn meet(&mut self, requirement: usize) -> bool {
        let wanted = self.store.requirements()[requirement];
        let Some((movement, _)) = self.search.cheapest(&wanted) else { return false };
        for cell in movement.cells() {
            self.hide(cell);
        }
        self.store.add(self.problem, movement);
        true
    }

    /// Publishes those of the secondaries that no requirement asks for, dearest first.
    fn clean_up(&mut self, mut secondaries: Vec<CellId>) {
        let weight = |cell: CellId| self.problem.weight(cell);
        secondaries.sort_by(|&a, &b| weight(b).total_cmp(&weight(a)).then(a.cmp(&b)));
        for cell in secondaries {
            if self.budget.stop().is_some() {
                return;
            }
            if self.search.is_hidden(cell) {
                self.try_without(cell);
            }
        }
    }

    fn try_without(&mut self, cell: CellId) -> bool {
        self.search.publish(cell);
        let (taken, opened) = self.store.take(cell);
        for requirement in opened {
            if self.store.is_proven(requirement) {
                continue;
            }
            let wanted = self.store.requirements()[requirement];
            let Some(movement) = self.search.prove(&wanted) else {
                self.search.hide(cell);
                for movement in taken {
                    self.store.add(self.problem, movement);
                }
                return false;
            };
            self.store.add(self.problem, movement);
        }
        self.secondaries.remove(&cell);
        self.cost -= self.problem.weight(cell);
        self.changes.push((cell, false));
        true
    }

    /// Takes some secondaries out, meets what that leaves open without them, and cleans up
    /// around. Keeps the result if it is cheaper, or as cheap; says whether it is cheaper.
    fn remove_and_repair(&mut self, cells: &[CellId]) -> bool {
        let before = self.cost;
        self.begin();
        let mut opened = Vec::new();
        for &cell in cells {
            self.publish(cell);
            self.search.ban(cell, true);
            opened.extend(self.store.take(cell).1);
        }
        let amount = |requirement: usize| self.store.requirements()[requirement].distance;
        opened.sort_by_key(|&requirement| (std::cmp::Reverse(amount(requirement)), requirement));
        opened.dedup();
        let mut possible = true;
        for requirement in opened {
            possible = possible && (self.store.is_proven(requirement) || self.meet(requirement));
        }
        for &cell in cells {
            self.search.ban(cell, false);
        }
        if possible {
            let around = self.around();
            self.clean_up(around);
        }
        let slack = SAME_COST * before.abs();
        let better = possible && self.cost < before - slack;
        if possible && self.cost <= before + slack {
            self.commit();
        } else {
            self.roll_back(before);
        }
        better
    }

    /// The secondaries in lines where something changed.
    fn around(&self) -> Vec<CellId> {
        let system = self.problem.system();
        let mut lines: Vec<_> = self
            .changes
            .iter()
            .flat_map(|&(cell, _)| system.equations_of(cell).map(|(equation, _)| equation))
            .collect();
        lines.sort_unstable();
        lines.dedup();
        let mut cells: Vec<CellId> = lines
            .iter()
            .flat_map(|&line| system.cells_of(line).map(|(cell, _)| cell))
            .filter(|&cell| self.search.is_hidden(cell) && !self.problem.status(cell).is_primary())
            .collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Remove-and-repair with a random secondary and, at times, some others of its lines.
    fn shake_once(&mut self, random: &mut Random) -> bool {
        let secondaries: Vec<CellId> = self.secondaries.iter().copied().collect();
        if secondaries.is_empty() {
            return false;
        }
        let first = secondaries[random.below(secondaries.len())];
        let mut chosen = vec![first];
        for _ in 0..random.below(3) {
            let system = self.problem.system();
            let near: Vec<CellId> = chosen
                .iter()
                .flat_map(|&cell| system.equations_of(cell))
                .flat_map(|(line, _)| system.cells_of(line).map(|(cell, _)| cell))
                .filter(|cell| secondaries.binary_search(cell).is_ok() && !chosen.contains(cell))
                .collect();
            if near.is_empty() {
                break;
            }
            chosen.push(near[random.below(near.len())]);
        }
        self.remove_and_repair(&chosen)
    }

    fn begin(&mut self) {
        self.changes.clear();
        self.store.begin();
    }

    fn commit(&mut self) {
        self.changes.clear();
        self.store.commit();
    }

    fn roll_back(&mut self, cost: f64) {
        self.store.roll_back();
        for (cell, hidden) in std::mem::take(&mut self.changes).into_iter().rev() {
            match hidden {
                true => {
                    self.search.publish(cell);
                    self.secondaries.remove(&cell);
                }
                false => {
                    self.search.hide(cell);
                    self.secondaries.insert(cell);
                }
            }
        }
        self.cost = cost;
    }
}

impl PatternBuilder for NetworkBuilder<'_> {
    fn requirements(&self) -> &[Requirement] {
        self.store.requirements()
    }

    fn complete(&mut self, chosen: &[CellId], guide: Option<Vec<f64>>) -> Result<Found, Error> {
        self.clear();
        chosen.iter().for_each(|&cell| self.hide(cell));
        let guided = guide.is_some();
        if let Some(guide) = guide {
            self.search.set_costs(guide);
        }
        self.meet_all();
        if guided {
            let cells = self.problem.system().cells();
            self.search.set_costs(cells.map(|cell| self.problem.weight(cell)).collect());
        }
        self.clean_up(self.secondaries.iter().copied().collect());
        self.changes.clear();
        Ok(self.found())
    }

    fn shake(&mut self, random: &mut Random, times: usize) -> Result<Found, Error> {
        for _ in 0..times {
            if self.budget.stop().is_some() {
                break;
            }
            self.shake_once(random);
        }
        Ok(self.found())
    }
}
