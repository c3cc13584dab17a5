//! Columns of a linear program, collected one by one.

use quell_solve::{Error, Kind, Model, Sense, Solver, Vectors};

/// A model in the making: columns one by one over rows that are there from the start.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    pub(crate) offset: f64,
    pub(crate) costs: Vec<f64>,
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) row_lower: Vec<f64>,
    pub(crate) row_upper: Vec<f64>,
    matrix: Vectors,
}

impl Columns {
    /// A model without columns.
    pub(crate) fn new(row_lower: Vec<f64>, row_upper: Vec<f64>) -> Self {
        Self {
            offset: 0.0,
            costs: Vec::new(),
            lower: Vec::new(),
            upper: Vec::new(),
            kinds: Vec::new(),
            row_lower,
            row_upper,
            matrix: Vectors::default(),
        }
    }

    /// Adds a column with its entries and gives its number.
    pub(crate) fn add(
        &mut self,
        cost: f64,
        (lower, upper): (f64, f64),
        kind: Kind,
        entries: impl IntoIterator<Item = (usize, f64)>,
    ) -> usize {
        self.costs.push(cost);
        self.lower.push(lower);
        self.upper.push(upper);
        self.kinds.push(kind);
        self.matrix.push(entries);
        self.costs.len() - 1
    }

    /// Hands the model to a solver.
    pub(crate) fn pass(&self, solver: &mut Solver) -> Result<(), Error> {
        let integers = self.kinds.contains(&Kind::Integer);
        solver.pass(&Model {
            sense: Sense::Minimise,
            offset: self.offset,
            costs: &self.costs,
            lower: &self.lower,
            upper: &self.upper,
            row_lower: &self.row_lower,
            row_upper: &self.row_upper,
            matrix: self.matrix.as_columns(),
            kinds: integers.then_some(&self.kinds),
        })
    }
}
