//! What is released: a protected system of cells, and the tables cut from it.

use quell_attack::{Audit, TableVerdict};
use quell_model::{CellId, Cube, Decimals, NodeId, Pattern, Problem, Status};
use quell_tabulate::Table;

use crate::pipeline::Decided;

/// A protected, audited system and its tables.
#[derive(Debug)]
pub struct Protected {
    /// The linked system of all tables.
    pub problem: Problem,
    /// What is hidden.
    pub pattern: Pattern,
    /// The independent audit.
    pub audit: Audit,
    /// The tables.
    pub tables: Vec<ProtectedTable>,
}

impl Protected {
    /// The audit's verdict on the whole.
    pub fn verdict(&self) -> TableVerdict {
        TableVerdict::of(self.audit.counts())
    }

    /// The status of a cell of the system after protection.
    pub fn status(&self, cell: CellId) -> Status {
        match (self.problem.status(cell), self.pattern.is_suppressed(cell)) {
            (status @ Status::Primary(_), _) => status,
            (_, true) => Status::Secondary,
            (Status::Secondary, false) => Status::Safe,
            (status, false) => status,
        }
    }
}

/// One table of a release.
#[derive(Debug)]
pub struct ProtectedTable {
    /// The table before protection.
    pub table: Table,
    /// What rules and costs said of its cells.
    pub decided: Decided,
    /// The cell of the system for each of its cells.
    pub cells: Vec<CellId>,
}

impl ProtectedTable {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.table.name
    }

    /// What it adds up or counts.
    pub fn response(&self) -> &str {
        self.table.response.name()
    }

    /// Its dimensions and cells.
    pub fn cube(&self) -> &Cube {
        &self.table.cube
    }

    /// The decimals it is shown with.
    pub fn decimals(&self) -> Decimals {
        self.table.decimals
    }

    /// A code with its label, if it has one.
    pub fn label(&self, dimension: usize, node: NodeId) -> String {
        let code = self.cube().dimensions()[dimension].hierarchy.code(node);
        match self.decided.labels.get(dimension).and_then(|labels| labels.get(code)) {
            Some(label) => format!("{code} {label}"),
            None => code.to_owned(),
        }
    }

    /// Its cells with those of the system.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = (CellId, CellId)> + '_ {
        self.cells.iter().enumerate().map(|(index, &cell)| (CellId::from_index(index), cell))
    }
}
