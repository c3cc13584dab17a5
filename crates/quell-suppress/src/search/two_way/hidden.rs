//! The cells hidden so far, line by line, so that a search need not look at published ones.

use fixedbitset::FixedBitSet;
use quell_model::{CellId, Direction};

use super::TwoWay;
use super::table::Arc;

/// A set of hidden cells with the arcs of each line.
#[derive(Debug, Clone)]
pub(crate) struct HiddenCells {
    cells: FixedBitSet,
    arcs: Vec<Vec<Arc>>,
}

impl HiddenCells {
    /// The primaries, all of them, and some secondaries.
    pub(crate) fn new(table: &TwoWay, secondaries: impl Iterator<Item = CellId>) -> Self {
        let mut hidden = Self {
            cells: FixedBitSet::with_capacity(table.problem.cell_count()),
            arcs: vec![Vec::new(); table.lines()],
        };
        table.problem.primaries().chain(secondaries).for_each(|cell| hidden.hide(table, cell));
        hidden
    }

    /// Whether a cell is hidden.
    pub(crate) fn contains(&self, cell: CellId) -> bool {
        self.cells.contains(cell.index())
    }

    /// The hidden arcs of a line, in the order in which they were hidden.
    pub(crate) fn arcs_of(&self, line: u32) -> &[Arc] {
        &self.arcs[line as usize]
    }

    /// Hides a cell.
    pub(crate) fn hide(&mut self, table: &TwoWay, cell: CellId) {
        let (tail, head) = table.ends(cell);
        if self.cells.put(cell.index()) || tail == head {
            return;
        }
        self.arcs[tail as usize].push(Arc { cell, to: head, direction: Direction::Up });
        self.arcs[head as usize].push(Arc { cell, to: tail, direction: Direction::Down });
    }

    /// Publishes a cell again.
    pub(crate) fn publish(&mut self, table: &TwoWay, cell: CellId) {
        self.cells.set(cell.index(), false);
        let (tail, head) = table.ends(cell);
        for line in [tail, head] {
            self.arcs[line as usize].retain(|arc| arc.cell != cell);
        }
    }
}
