//! A pattern with its proofs, built path by path and improved by taking cells out.

use std::collections::BTreeSet;

use quell_model::{Budget, CellId, Problem, Random};

use super::{Search, TableNetwork};
use crate::builder::{Builder, Found};
use crate::need::level_of;
use crate::{Error, Need, Store, Task, needs};

/// A pattern in the making: the hidden cells and a proof for every need.
#[derive(Debug, Clone)]
pub(crate) struct Plan<'a> {
    problem: &'a Problem,
    budget: &'a Budget,
    search: Search<'a>,
    secondaries: BTreeSet<CellId>,
    store: Store,
    cost: f64,
    /// Cells hidden (true) or published since the last [`Plan::begin`].
    changes: Vec<(CellId, bool)>,
}

impl<'a> Plan<'a> {
    /// Only primaries hidden. Needs that they meet alone are met in every pattern, and those
    /// that nothing can meet in none: both are left out.
    pub(crate) fn new(task: &Task<'a>, network: &'a TableNetwork) -> Self {
        let problem = task.problem;
        let weights: Vec<f64> = problem.system().cells().map(|cell| problem.weight(cell)).collect();
        let mut search = Search::new(network, weights);
        problem.primaries().for_each(|cell| search.hide(cell));
        let mut wanted = needs(problem);
        // Large needs decide where the dear cells go, and what meets them meets many others.
        wanted.sort_by_key(|need| std::cmp::Reverse(need.amount));
        let mut alone = Store::new(problem, wanted);
        for need in 0..alone.needs().len() {
            if !alone.is_proven(need) {
                let movement = search.prove(&alone.needs()[need]);
                movement.into_iter().for_each(|movement| {
                    alone.add(problem, movement);
                });
            }
        }
        let possible = |need: usize| {
            let need = alone.needs()[need];
            let levels = [Some(need), level_of(problem, &need)];
            levels.into_iter().flatten().find(|need| search.cheapest(need).is_some())
        };
        let open: Vec<Need> = alone.open().filter_map(possible).collect();
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

    /// Meets every open need, the large ones first.
    fn meet_all(&mut self) {
        for need in 0..self.store.needs().len() {
            if !self.store.is_proven(need) {
                self.meet(need);
            }
        }
    }

    /// Meets one need in the cheapest way found.
    fn meet(&mut self, need: usize) -> bool {
        let wanted = self.store.needs()[need];
        let Some((movement, _)) = self.search.cheapest(&wanted) else { return false };
        for cell in movement.cells() {
            self.hide(cell);
        }
        self.store.add(self.problem, movement);
        true
    }

    /// Publishes those of the secondaries that no need asks for, dearest first.
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
        for need in opened {
            if self.store.is_proven(need) {
                continue;
            }
            let wanted = self.store.needs()[need];
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
        let amount = |need: usize| self.store.needs()[need].amount;
        opened.sort_by_key(|&need| (std::cmp::Reverse(amount(need)), need));
        opened.dedup();
        let mut possible = true;
        for need in opened {
            possible = possible && (self.store.is_proven(need) || self.meet(need));
        }
        for &cell in cells {
            self.search.ban(cell, false);
        }
        if possible {
            let around = self.around();
            self.clean_up(around);
        }
        // Sums in another order differ by rounding.
        let slack = 1e-9 * before.abs();
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

impl Builder for Plan<'_> {
    fn needs(&self) -> &[Need] {
        self.store.needs()
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
