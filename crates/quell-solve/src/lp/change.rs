//! Altering a model in place, keeping its basis.
//!
//! The plural forms take the columns or rows in any order, without repeats.

use super::ffi::{check, index};
use super::{Index, Sense, Solver, check_bounds, check_finite, check_indices};
use crate::Error;
use crate::error::check_length;

impl Solver {
    /// Minimise or maximise.
    pub fn set_sense(&mut self, sense: Sense) -> Result<(), Error> {
        // SAFETY: the instance is alive.
        check("Highs_changeObjectiveSense", unsafe {
            highs_sys::Highs_changeObjectiveSense(self.pointer(), sense.code())
        })
    }

    /// Sets the cost of a column.
    pub fn set_cost(&mut self, column: usize, cost: f64) -> Result<(), Error> {
        let column = self.check_column(column)?;
        check_finite("cost", &[cost])?;
        // SAFETY: the instance is alive.
        check("Highs_changeColCost", unsafe {
            highs_sys::Highs_changeColCost(self.pointer(), column, cost)
        })
    }

    /// Sets the costs of some columns.
    pub fn set_costs(&mut self, columns: &[Index], costs: &[f64]) -> Result<(), Error> {
        check_length("costs", columns.len(), costs.len())?;
        check_indices("column", columns, self.columns())?;
        check_finite("costs", costs)?;
        // SAFETY: the instance is alive; both slices have the length given.
        check("Highs_changeColsCostBySet", unsafe {
            highs_sys::Highs_changeColsCostBySet(
                self.pointer(),
                index("columns", columns.len())?,
                columns.as_ptr(),
                costs.as_ptr(),
            )
        })
    }

    /// Sets the costs of all columns.
    pub fn set_all_costs(&mut self, costs: &[f64]) -> Result<(), Error> {
        check_length("costs", self.columns(), costs.len())?;
        check_finite("costs", costs)?;
        if costs.is_empty() {
            return Ok(());
        }
        // SAFETY: the instance is alive; the slice has one cost for every column of the range.
        check("Highs_changeColsCostByRange", unsafe {
            highs_sys::Highs_changeColsCostByRange(
                self.pointer(),
                0,
                index("columns", costs.len() - 1)?,
                costs.as_ptr(),
            )
        })
    }

    /// Sets the bounds of a column.
    pub fn set_column_bounds(
        &mut self,
        column: usize,
        lower: f64,
        upper: f64,
    ) -> Result<(), Error> {
        let column = self.check_column(column)?;
        check_bounds("column bounds", &[lower], &[upper])?;
        // SAFETY: the instance is alive.
        check("Highs_changeColBounds", unsafe {
            highs_sys::Highs_changeColBounds(self.pointer(), column, lower, upper)
        })
    }

    /// Sets the bounds of some columns.
    pub fn set_columns_bounds(
        &mut self,
        columns: &[Index],
        lower: &[f64],
        upper: &[f64],
    ) -> Result<(), Error> {
        check_length("lower", columns.len(), lower.len())?;
        check_length("upper", columns.len(), upper.len())?;
        check_indices("column", columns, self.columns())?;
        check_bounds("column bounds", lower, upper)?;
        // SAFETY: the instance is alive; the three slices have the length given.
        check("Highs_changeColsBoundsBySet", unsafe {
            highs_sys::Highs_changeColsBoundsBySet(
                self.pointer(),
                index("columns", columns.len())?,
                columns.as_ptr(),
                lower.as_ptr(),
                upper.as_ptr(),
            )
        })
    }

    /// Sets the bounds of all columns.
    pub fn set_all_column_bounds(&mut self, lower: &[f64], upper: &[f64]) -> Result<(), Error> {
        let columns = self.columns();
        check_length("lower", columns, lower.len())?;
        check_length("upper", columns, upper.len())?;
        check_bounds("column bounds", lower, upper)?;
        if columns == 0 {
            return Ok(());
        }
        // SAFETY: the instance is alive; the slices have one bound for every column of the range.
        check("Highs_changeColsBoundsByRange", unsafe {
            highs_sys::Highs_changeColsBoundsByRange(
                self.pointer(),
                0,
                index("columns", columns - 1)?,
                lower.as_ptr(),
                upper.as_ptr(),
            )
        })
    }

    /// Sets the bounds of a row.
    pub fn set_row_bounds(&mut self, row: usize, lower: f64, upper: f64) -> Result<(), Error> {
        let row = self.check_row(row)?;
        check_bounds("row bounds", &[lower], &[upper])?;
        // SAFETY: the instance is alive.
        check("Highs_changeRowBounds", unsafe {
            highs_sys::Highs_changeRowBounds(self.pointer(), row, lower, upper)
        })
    }

    /// Makes all columns continuous.
    pub fn relax(&mut self) -> Result<(), Error> {
        // SAFETY: the instance is alive.
        check("Highs_clearIntegrality", unsafe {
            highs_sys::Highs_clearIntegrality(self.pointer())
        })
    }
}
