//! Tables: cubes with one summary per cell.

use quell_model::{CellId, Cube, Decimals, Dimension, NodeId, Value};

use crate::{CellSummary, Response};

/// What is known of the contributors to the cells of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attribution {
    /// Who the largest are: the table was made of records.
    Named,
    /// How many there are.
    Counted,
    /// Nothing.
    Unknown,
}

/// A table with all its sub-totals.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What it is called.
    pub name: String,
    /// Its dimensions and the cells that exist: those with at least one record. All others
    /// are empty.
    pub cube: Cube,
    /// What it shows.
    pub response: Response,
    /// Whether it shows the weighted value.
    pub weighted: bool,
    /// The decimals of what it shows.
    pub decimals: Decimals,
    /// The decimals of the shadow variable.
    pub shadow_decimals: Decimals,
    /// The decimals of the weights; 0 without weights.
    pub weight_decimals: Decimals,
    /// The decimals of the cost variable.
    pub cost_decimals: Decimals,
    /// What is known of its contributors.
    pub attribution: Attribution,
    /// Whether rules look at another variable than the one it shows.
    pub has_shadow: bool,
    /// For each dimension, which of its codes mean "not known".
    pub missing_codes: Vec<Vec<NodeId>>,
    /// One summary per cell, in the cube's order.
    pub cells: Vec<CellSummary>,
}

impl Table {
    /// Its dimensions.
    pub fn dimensions(&self) -> &[Dimension] {
        self.cube.dimensions()
    }

    /// The summary of a cell.
    pub fn summary(&self, cell: CellId) -> &CellSummary {
        &self.cells[cell.index()]
    }

    /// What the table shows of a cell.
    pub fn value(&self, cell: CellId) -> Value {
        let summary = self.summary(cell);
        match (&self.response, self.weighted) {
            (Response::Frequency, true) => summary.weight,
            (_, true) => summary.weighted_value,
            (_, false) => summary.value,
        }
    }

    /// Makes the table show another value of a cell.
    pub fn set_value(&mut self, cell: CellId, value: Value) {
        let summary = &mut self.cells[cell.index()];
        match (&self.response, self.weighted) {
            (Response::Frequency, true) => summary.weight = value,
            (_, true) => summary.weighted_value = value,
            (_, false) => summary.value = value,
        }
    }

    /// Whether a code of the cell means "not known".
    pub fn has_missing_code(&self, cell: CellId) -> bool {
        self.missing_codes
            .iter()
            .enumerate()
            .any(|(position, codes)| codes.contains(&self.cube.coordinate(cell, position)))
    }

    /// A cell by its codes, for messages.
    pub fn cell_name(&self, cell: CellId) -> String {
        self.cube.codes(cell).collect::<Vec<_>>().join(" × ")
    }
}

/// The tables of one [`Spec`](crate::Spec), in its order, and what is worth telling.
#[derive(Debug, Clone, PartialEq)]
pub struct Tabulated {
    /// The tables.
    pub tables: Vec<Table>,
    /// Number of records read.
    pub records: u64,
    /// What the user should know, for the log: detected decimals, rounded numbers, negative
    /// contributions.
    pub notes: Vec<String>,
    /// Bytes that merging by respondent and by holding wrote to disk for want of memory.
    pub spilled: u64,
}
