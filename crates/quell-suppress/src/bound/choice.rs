//! The integer program over the cuts.

use quell_model::{Budget, CellId, Problem};
use quell_solve::{Kind, Limits, Model, Outcome, PointStatus, Sense, Solver, Vectors};

use super::cut::Row;
use crate::Error;
use crate::tolerance::QUOTIENT_ROUNDING;

/// The share of its time that HiGHS may give to heuristics: it begins with a good choice.
const HEURISTICS: f64 = 0.0;

/// How an integer program ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Ended {
    /// Solved.
    Solved,
    /// The limit came first.
    Limit,
    /// The cuts leave nothing to choose: what is fixed cannot be completed.
    Impossible,
}

/// What an integer program gave.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Choice {
    /// The cells of the best choice, which satisfies the cuts but need not be safe.
    pub(crate) chosen: Option<Vec<CellId>>,
    /// No choice costs less.
    pub(crate) bound: f64,
    /// How it ended.
    pub(crate) ended: Ended,
}

/// What to choose from.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    /// The table.
    pub(crate) problem: &'a Problem,
    /// The cuts.
    pub(crate) rows: &'a [Row],
    /// The cells to choose from; the others are published.
    pub(crate) cells: &'a [CellId],
    /// Cells that are hidden in any case.
    pub(crate) fixed: &'a [CellId],
    /// A choice known, if any; the fixed cells need not be in it.
    pub(crate) start: Option<&'a [CellId]>,
    /// The most nodes to branch on.
    pub(crate) nodes: Option<u32>,
    /// How long it may take.
    pub(crate) budget: &'a Budget,
}

impl Question<'_> {
    /// Solves the integer program.
    ///
    /// # Errors
    /// If the solver fails.
    pub(crate) fn answer(&self) -> Result<Choice, Error> {
        let count = self.problem.cell_count();
        let mut position = vec![u32::MAX; count];
        for (index, &cell) in self.cells.iter().enumerate() {
            position[cell.index()] = index as u32;
        }
        let mut is_fixed = vec![false; count];
        self.fixed.iter().for_each(|cell| is_fixed[cell.index()] = true);
        let (mut rows, mut bounds, mut entries) = (Vectors::default(), Vec::new(), Vec::new());
        for row in self.rows {
            let (mut bound, mut least) = (row.bound, 0.0);
            entries.clear();
            for &(cell, coefficient) in &row.entries {
                if is_fixed[cell.index()] {
                    bound -= coefficient;
                } else if position[cell.index()] != u32::MAX {
                    entries.push((position[cell.index()] as usize, coefficient));
                    least += coefficient.min(0.0);
                }
            }
            if bound > least + QUOTIENT_ROUNDING {
                rows.push(entries.iter().copied());
                bounds.push(bound);
            }
        }
        let costs: Vec<f64> = self.cells.iter().map(|&cell| self.problem.weight(cell)).collect();
        let mut solver = Solver::new()?;
        solver.set_stopping(Some(self.budget.over()))?;
        solver.set_limits(&Limits {
            nodes: self.nodes,
            seconds: self.budget.time_left().map(|left| left.as_secs_f64()),
            ..Limits::default()
        })?;
        solver.set_mip_heuristic_effort(HEURISTICS)?;
        solver.pass(&Model {
            sense: Sense::Minimise,
            offset: self.fixed.iter().map(|&cell| self.problem.weight(cell)).sum(),
            costs: &costs,
            lower: &vec![0.0; costs.len()],
            upper: &vec![1.0; costs.len()],
            row_lower: &bounds,
            row_upper: &vec![f64::INFINITY; bounds.len()],
            matrix: rows.as_rows(),
            kinds: Some(&vec![Kind::Integer; costs.len()]),
        })?;
        if let Some(start) = self.start {
            let mut values = vec![0.0; costs.len()];
            for cell in start {
                if let Some(value) = values.get_mut(position[cell.index()] as usize) {
                    *value = 1.0;
                }
            }
            solver.set_start(&values)?;
        }
        let outcome = solver.solve()?;
        let chosen = match solver.primal_status() == PointStatus::Feasible {
            true => {
                let mut values = Vec::new();
                solver.column_values(&mut values)?;
                let cells = self.cells.iter().zip(&values).filter(|&(_, &value)| value > 0.5);
                Some(cells.map(|(&cell, _)| cell).chain(self.fixed.iter().copied()).collect())
            }
            false => None,
        };
        let (ended, bound) = match outcome {
            Outcome::Optimal => (Ended::Solved, solver.mip_bound()),
            Outcome::Infeasible | Outcome::InfeasibleOrUnbounded => {
                (Ended::Impossible, f64::INFINITY)
            }
            // An interrupted solve may have no bound yet.
            _ => (Ended::Limit, solver.mip_bound().max(0.0)),
        };
        let bound = if bound.is_nan() { 0.0 } else { bound };
        Ok(Choice { chosen, bound, ended })
    }
}
