//! What is released: a protected system of cells, and the tables cut from it.

use std::collections::BTreeMap;

use quell_attack::{Audit, TableVerdict};
use quell_model::{CellId, Cube, NodeId, Pattern, Problem, Status};

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
    /// Its name.
    pub name: String,
    /// The variable it adds up, or what it counts.
    pub response: String,
    /// Its dimensions and cells.
    pub cube: Cube,
    /// The cell of the system for each cell of the cube.
    pub cells: Vec<CellId>,
    /// Labels of codes, one map a dimension; codes without one are shown as they are.
    pub labels: Vec<BTreeMap<String, String>>,
}

impl ProtectedTable {
    /// A code with its label, if it has one.
    pub fn label(&self, dimension: usize, node: NodeId) -> String {
        let code = self.cube.dimensions()[dimension].hierarchy.code(node);
        match self.labels.get(dimension).and_then(|labels| labels.get(code)) {
            Some(label) => format!("{code} {label}"),
            None => code.to_owned(),
        }
    }

    /// The cube's cells with those of the system.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = (CellId, CellId)> + '_ {
        self.cells.iter().enumerate().map(|(index, &cell)| (CellId::from_index(index), cell))
    }
}
