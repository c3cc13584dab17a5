//! Handing a model over: in one call, or column by column and row by row.

use super::ffi::{check, index};
use super::{Index, Solver, check_bounds, check_finite, check_indices};
use crate::Error;
use crate::error::check_length;

/// Whether the objective is to become small or large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Sense {
    /// Minimise.
    #[default]
    Minimise,
    /// Maximise.
    Maximise,
}

impl Sense {
    pub(super) fn code(self) -> i32 {
        match self {
            Self::Minimise => highs_sys::OBJECTIVE_SENSE_MINIMIZE,
            Self::Maximise => highs_sys::OBJECTIVE_SENSE_MAXIMIZE,
        }
    }
}

/// Whether a column may take any value or only integers.
// The numbers are HiGHS's own, so that a slice of kinds is passed without a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(i32)]
pub enum Kind {
    /// Any value between the bounds.
    #[default]
    Continuous = highs_sys::VAR_TYPE_CONTINUOUS,
    /// Integers only.
    Integer = highs_sys::VAR_TYPE_INTEGER,
}

/// Whether a sparse matrix is stored by columns (CSC) or by rows (CSR).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// By columns: `indices` are rows.
    Columns,
    /// By rows: `indices` are columns.
    Rows,
}

/// A sparse matrix, borrowed. Vector `v` has the entries `starts[v]..starts[v + 1]`; no index may
/// appear twice in a vector.
#[derive(Debug, Clone, Copy)]
pub struct SparseMatrix<'a> {
    /// What the vectors are.
    pub order: Order,
    /// One more than there are vectors: from 0 to the number of entries.
    pub starts: &'a [Index],
    /// The row (or column) of every entry.
    pub indices: &'a [Index],
    /// The value of every entry.
    pub values: &'a [f64],
}

impl SparseMatrix<'_> {
    fn check(&self, vectors: usize, across: usize) -> Result<(), Error> {
        let what = match self.order {
            Order::Columns => "row",
            Order::Rows => "column",
        };
        check_length("starts", vectors + 1, self.starts.len())?;
        check_length("values", self.indices.len(), self.values.len())?;
        index("matrix entries", self.indices.len())?;
        let ends_right = usize::try_from(self.starts[vectors]) == Ok(self.indices.len());
        let grows = self.starts[0] == 0 && self.starts.windows(2).all(|pair| pair[0] <= pair[1]);
        if !(ends_right && grows) {
            return Err(Error::Starts);
        }
        check_indices(what, self.indices, across)?;
        check_finite("matrix", self.values)
    }
}

/// A whole model, borrowed: minimise or maximise `offset + costs · x` where
/// `row_lower ≤ matrix x ≤ row_upper` and `lower ≤ x ≤ upper`.
#[derive(Debug, Clone, Copy)]
pub struct Model<'a> {
    /// Minimise or maximise.
    pub sense: Sense,
    /// A constant added to the objective.
    pub offset: f64,
    /// The cost of every column.
    pub costs: &'a [f64],
    /// The lower bound of every column, possibly −∞.
    pub lower: &'a [f64],
    /// The upper bound of every column, possibly ∞.
    pub upper: &'a [f64],
    /// The lower bound of every row, possibly −∞.
    pub row_lower: &'a [f64],
    /// The upper bound of every row, possibly ∞.
    pub row_upper: &'a [f64],
    /// The coefficients.
    pub matrix: SparseMatrix<'a>,
    /// The kind of every column, or `None` if all are continuous.
    pub kinds: Option<&'a [Kind]>,
}

impl Solver {
    /// Replaces the model in one call. Options stay, the basis is forgotten.
    ///
    /// This is the fast way in: building column by column costs HiGHS a check and several small
    /// allocations for each. For thousands of small LPs keep one `Solver`, set [`Presolve::Off`]
    /// and pass one model after the other (the example `small_lps` measures the alternatives).
    ///
    /// [`Presolve::Off`]: super::Presolve::Off
    pub fn pass(&mut self, model: &Model) -> Result<(), Error> {
        let columns = model.costs.len();
        let rows = model.row_lower.len();
        check_length("lower", columns, model.lower.len())?;
        check_length("upper", columns, model.upper.len())?;
        check_length("row_upper", rows, model.row_upper.len())?;
        check_finite("costs", model.costs)?;
        check_finite("offset", &[model.offset])?;
        check_bounds("column bounds", model.lower, model.upper)?;
        check_bounds("row bounds", model.row_lower, model.row_upper)?;
        let format = match model.matrix.order {
            Order::Columns => {
                model.matrix.check(columns, rows)?;
                highs_sys::MATRIX_FORMAT_COLUMN_WISE
            }
            Order::Rows => {
                model.matrix.check(rows, columns)?;
                highs_sys::MATRIX_FORMAT_ROW_WISE
            }
        };
        let kinds = match model.kinds {
            None => std::ptr::null(),
            Some(kinds) => {
                check_length("kinds", columns, kinds.len())?;
                kinds.as_ptr().cast::<Index>()
            }
        };
        // SAFETY: the instance is alive; all slices have the lengths HiGHS reads, which the checks
        // above established; `Kind` is an `i32` with HiGHS's own values; HiGHS copies what it is
        // given.
        let status = unsafe {
            highs_sys::Highs_passMip(
                self.pointer(),
                index("columns", columns)?,
                index("rows", rows)?,
                index("matrix entries", model.matrix.indices.len())?,
                format,
                model.sense.code(),
                model.offset,
                model.costs.as_ptr(),
                model.lower.as_ptr(),
                model.upper.as_ptr(),
                model.row_lower.as_ptr(),
                model.row_upper.as_ptr(),
                model.matrix.starts.as_ptr(),
                model.matrix.indices.as_ptr(),
                model.matrix.values.as_ptr(),
                kinds,
            )
        };
        check("Highs_passMip", status)
    }

    /// Adds a column and returns its number. It starts nonbasic, so a basis stays usable.
    pub fn add_column(
        &mut self,
        cost: f64,
        lower: f64,
        upper: f64,
        rows: &[Index],
        values: &[f64],
    ) -> Result<usize, Error> {
        let column = self.columns();
        check_length("values", rows.len(), values.len())?;
        check_indices("row", rows, self.rows())?;
        check_finite("cost", &[cost])?;
        check_finite("matrix", values)?;
        check_bounds("column bounds", &[lower], &[upper])?;
        // SAFETY: the instance is alive; both slices have the length given.
        let status = unsafe {
            highs_sys::Highs_addCol(
                self.pointer(),
                cost,
                lower,
                upper,
                index("matrix entries", rows.len())?,
                rows.as_ptr(),
                values.as_ptr(),
            )
        };
        check("Highs_addCol", status)?;
        Ok(column)
    }

    /// Adds columns, the matrix being stored by columns, and returns the number of the first.
    pub fn add_columns(
        &mut self,
        costs: &[f64],
        lower: &[f64],
        upper: &[f64],
        matrix: SparseMatrix,
    ) -> Result<usize, Error> {
        let first = self.columns();
        let count = costs.len();
        check_length("lower", count, lower.len())?;
        check_length("upper", count, upper.len())?;
        check_finite("costs", costs)?;
        check_bounds("column bounds", lower, upper)?;
        if matrix.order != Order::Columns {
            return Err(Error::Refused { call: "Highs_addCols" });
        }
        matrix.check(count, self.rows())?;
        // SAFETY: the instance is alive; the checks above established all lengths.
        let status = unsafe {
            highs_sys::Highs_addCols(
                self.pointer(),
                index("columns", count)?,
                costs.as_ptr(),
                lower.as_ptr(),
                upper.as_ptr(),
                index("matrix entries", matrix.indices.len())?,
                matrix.starts.as_ptr(),
                matrix.indices.as_ptr(),
                matrix.values.as_ptr(),
            )
        };
        check("Highs_addCols", status)?;
        Ok(first)
    }

    /// Adds a row and returns its number. It starts basic, so a basis stays usable.
    pub fn add_row(
        &mut self,
        lower: f64,
        upper: f64,
        columns: &[Index],
        values: &[f64],
    ) -> Result<usize, Error> {
        let row = self.rows();
        check_length("values", columns.len(), values.len())?;
        check_indices("column", columns, self.columns())?;
        check_finite("matrix", values)?;
        check_bounds("row bounds", &[lower], &[upper])?;
        // SAFETY: the instance is alive; both slices have the length given.
        let status = unsafe {
            highs_sys::Highs_addRow(
                self.pointer(),
                lower,
                upper,
                index("matrix entries", columns.len())?,
                columns.as_ptr(),
                values.as_ptr(),
            )
        };
        check("Highs_addRow", status)?;
        Ok(row)
    }

    /// Adds rows, the matrix being stored by rows, and returns the number of the first.
    pub fn add_rows(
        &mut self,
        lower: &[f64],
        upper: &[f64],
        matrix: SparseMatrix,
    ) -> Result<usize, Error> {
        let first = self.rows();
        let count = lower.len();
        check_length("upper", count, upper.len())?;
        check_bounds("row bounds", lower, upper)?;
        if matrix.order != Order::Rows {
            return Err(Error::Refused { call: "Highs_addRows" });
        }
        matrix.check(count, self.columns())?;
        // SAFETY: the instance is alive; the checks above established all lengths.
        let status = unsafe {
            highs_sys::Highs_addRows(
                self.pointer(),
                index("rows", count)?,
                lower.as_ptr(),
                upper.as_ptr(),
                index("matrix entries", matrix.indices.len())?,
                matrix.starts.as_ptr(),
                matrix.indices.as_ptr(),
                matrix.values.as_ptr(),
            )
        };
        check("Highs_addRows", status)?;
        Ok(first)
    }

    /// Deletes columns, given in any order without repeats; those behind them move up.
    pub fn delete_columns(&mut self, columns: &[Index]) -> Result<(), Error> {
        check_indices("column", columns, self.columns())?;
        let mut sorted = columns.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        // SAFETY: the instance is alive; the indices are in range and increasing, as HiGHS demands.
        let status = unsafe {
            highs_sys::Highs_deleteColsBySet(
                self.pointer(),
                index("columns", sorted.len())?,
                sorted.as_ptr(),
            )
        };
        check("Highs_deleteColsBySet", status)
    }

    /// Deletes rows, given in any order; those behind them move up.
    pub fn delete_rows(&mut self, rows: &[Index]) -> Result<(), Error> {
        check_indices("row", rows, self.rows())?;
        let mut sorted = rows.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        // SAFETY: the instance is alive; the indices are in range and increasing, as HiGHS demands.
        let status = unsafe {
            highs_sys::Highs_deleteRowsBySet(
                self.pointer(),
                index("rows", sorted.len())?,
                sorted.as_ptr(),
            )
        };
        check("Highs_deleteRowsBySet", status)
    }

    /// Deletes the model; options stay.
    pub fn clear(&mut self) -> Result<(), Error> {
        // SAFETY: the instance is alive.
        check("Highs_clearModel", unsafe { highs_sys::Highs_clearModel(self.pointer()) })
    }
}
