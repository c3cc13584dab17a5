//! Small builder of mixed-integer programs for the models of this crate.

use quell_model::Budget;
use quell_solve::{Kind, Model, Outcome, PointStatus, Sense, Solver, Vectors};

use crate::stop_check::StopCheck;
use crate::{Error, Result};

/// A mixed-integer program, grown column by column and row by row; minimised.
#[derive(Debug, Default)]
pub(crate) struct Program {
    costs: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    kinds: Vec<Kind>,
    row_lower: Vec<f64>,
    row_upper: Vec<f64>,
    rows: Vectors,
}

/// What a solve found.
#[derive(Debug)]
pub(crate) struct Solved {
    /// The best point, if any was found.
    pub(crate) values: Option<Vec<f64>>,
    /// No point is better.
    pub(crate) bound: f64,
    /// Whether the point is proved to be best.
    pub(crate) optimal: bool,
}

impl Program {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn columns(&self) -> usize {
        self.costs.len()
    }

    pub(crate) fn column(&mut self, cost: f64, upper: f64, kind: Kind) -> u32 {
        self.costs.push(cost);
        self.lower.push(0.0);
        self.upper.push(upper);
        self.kinds.push(kind);
        self.costs.len() as u32 - 1
    }

    /// A 0–1 column.
    pub(crate) fn binary(&mut self, cost: f64) -> u32 {
        self.column(cost, 1.0, Kind::Integer)
    }

    /// A column between 0 and 1 that the other columns make whole.
    pub(crate) fn share(&mut self, cost: f64) -> u32 {
        self.column(cost, 1.0, Kind::Continuous)
    }

    pub(crate) fn row(
        &mut self,
        lower: f64,
        upper: f64,
        entries: impl IntoIterator<Item = (u32, f64)>,
    ) {
        self.rows.push(entries.into_iter().map(|(column, value)| (column as usize, value)));
        self.row_lower.push(lower);
        self.row_upper.push(upper);
    }

    /// Σ columns ≥ 1.
    pub(crate) fn at_least_one(&mut self, columns: impl IntoIterator<Item = u32>) {
        self.row(1.0, f64::INFINITY, columns.into_iter().map(|column| (column, 1.0)));
    }

    /// smaller ≤ larger.
    pub(crate) fn at_most(&mut self, smaller: u32, larger: u32) {
        self.row(f64::NEG_INFINITY, 0.0, [(smaller, 1.0), (larger, -1.0)]);
    }

    /// Replaces the objective.
    pub(crate) fn set_costs(&mut self, costs: &[(u32, f64)]) {
        self.costs.fill(0.0);
        for &(column, cost) in costs {
            self.costs[column as usize] = cost;
        }
    }

    /// Asks for whole values of a column.
    pub(crate) fn make_whole(&mut self, column: u32) {
        self.kinds[column as usize] = Kind::Integer;
    }

    /// Minimises, from a known point if there is one.
    pub(crate) fn minimise(
        &self,
        start: Option<&[f64]>,
        nodes: Option<u32>,
        budget: &Budget,
    ) -> Result<Solved> {
        if StopCheck::silent(budget).reason().is_some() {
            return Ok(Solved { values: None, bound: f64::NEG_INFINITY, optimal: false });
        }
        self.attempt(start, nodes, budget).map_err(|error| Error::Solver(error.to_string()))?
    }

    fn attempt(
        &self,
        start: Option<&[f64]>,
        nodes: Option<u32>,
        budget: &Budget,
    ) -> std::result::Result<Result<Solved>, quell_solve::Error> {
        let mut solver = Solver::new()?;
        solver.pass(&Model {
            sense: Sense::Minimise,
            offset: 0.0,
            costs: &self.costs,
            lower: &self.lower,
            upper: &self.upper,
            row_lower: &self.row_lower,
            row_upper: &self.row_upper,
            matrix: self.rows.as_rows(),
            kinds: Some(&self.kinds),
        })?;
        solver.set_limits(&quell_solve::Limits {
            nodes,
            seconds: budget.time_left().map(|left| left.as_secs_f64()),
            ..quell_solve::Limits::default()
        })?;
        solver.set_stopping(Some(budget.over()))?;
        solver.set_seed((budget.seed() & 0x7FFF_FFFF) as u32)?;
        solver.set_mip_gap(0.0, MIP_GAP)?;
        if let Some(start) = start {
            solver.set_start(start)?;
        }
        let outcome = solver.solve()?;
        if outcome != Outcome::Optimal && !outcome.is_limit() {
            return Ok(Err(Error::Solver(format!("a program of ours ended as {outcome:?}"))));
        }
        let mut values = Vec::new();
        let found = solver.primal_status() == PointStatus::Feasible;
        if found {
            solver.column_values(&mut values)?;
        }
        Ok(Ok(Solved {
            values: found.then_some(values),
            bound: solver.mip_bound(),
            optimal: outcome == Outcome::Optimal,
        }))
    }
}

/// Absolute gap at which a program counts as solved: far below any weight that matters,
/// far above the noise of sums.
const MIP_GAP: f64 = 1e-6;
