//! A pattern as circuits: for each primary the secondaries that protect it.
//!
//! This is the chromosome of herrington-2015 (chapter 3) with its list of complementary
//! suppressions for each primary. The list holds the cells of circuits that were found by flow, so
//! it *proves* that its primary is safe: whoever takes the list over, with all primaries
//! hidden, takes the proof over.

use quell_model::{CellId, Pattern};

use super::{HiddenCells, TwoWay};

/// For each primary the secondaries of its circuits.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chromosome {
    /// Rising, for each primary.
    genes: Vec<Vec<CellId>>,
    /// How many genes use a cell; hidden are the primaries and the cells in use.
    users: Vec<u32>,
    cost: f64,
}

impl Chromosome {
    /// Nothing hidden but the primaries.
    pub(crate) fn new(table: &TwoWay) -> Self {
        Self {
            genes: vec![Vec::new(); table.primaries.len()],
            users: vec![0; table.problem.cell_count()],
            cost: 0.0,
        }
    }

    /// What the secondaries cost. Kept up to date by additions and subtractions, so equal
    /// patterns may differ in the last bits.
    pub(crate) fn cost(&self) -> f64 {
        self.cost
    }

    /// The secondaries that protect a primary, by its position, rising.
    pub(crate) fn gene(&self, primary: usize) -> &[CellId] {
        &self.genes[primary]
    }

    /// How many primaries' circuits use a cell.
    pub(crate) fn users(&self, cell: CellId) -> u32 {
        self.users[cell.index()]
    }

    /// Replaces the circuits of a primary; cells that no circuit uses any more are
    /// published, and given back.
    pub(crate) fn set_gene(
        &mut self,
        table: &TwoWay,
        primary: usize,
        gene: Vec<CellId>,
    ) -> Vec<CellId> {
        for &cell in &gene {
            self.users[cell.index()] += 1;
            if self.users(cell) == 1 {
                self.cost += table.problem.weight(cell);
            }
        }
        let mut freed = std::mem::replace(&mut self.genes[primary], gene);
        freed.retain(|&cell| {
            self.users[cell.index()] -= 1;
            self.users(cell) == 0
        });
        self.cost -= freed.iter().map(|&cell| table.problem.weight(cell)).sum::<f64>();
        freed
    }

    /// By how much the cost would change with another circuit for a primary.
    pub(crate) fn change(&self, table: &TwoWay, primary: usize, gene: &[CellId]) -> f64 {
        let weight = |&cell: &CellId| table.problem.weight(cell);
        let own = &self.genes[primary];
        let gained: f64 = gene.iter().filter(|&&cell| self.users(cell) == 0).map(weight).sum();
        let freed = own.iter().filter(|&&cell| self.users(cell) == 1);
        let lost: f64 = freed.filter(|cell| gene.binary_search(cell).is_err()).map(weight).sum();
        gained - lost
    }

    /// The secondaries in order.
    pub(crate) fn secondaries(&self) -> impl Iterator<Item = CellId> + '_ {
        let used = self.users.iter().enumerate().filter(|&(_, &users)| users > 0);
        used.map(|(cell, _)| CellId::from_index(cell))
    }

    /// How many cells are hidden in one of two chromosomes only.
    pub(crate) fn distance(&self, other: &Self) -> usize {
        let pairs = self.users.iter().zip(&other.users);
        pairs.filter(|&(&one, &two)| (one > 0) != (two > 0)).count()
    }

    /// The cells hidden.
    pub(crate) fn hidden(&self, table: &TwoWay) -> HiddenCells {
        HiddenCells::new(table, self.secondaries())
    }

    /// The pattern.
    pub(crate) fn pattern(&self, table: &TwoWay) -> Pattern {
        let mut pattern = Pattern::of_primaries(table.problem);
        self.secondaries().for_each(|cell| pattern.suppress(cell));
        pattern
    }
}
