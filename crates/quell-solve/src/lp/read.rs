//! Reading the answer.
//!
//! Vectors are read into the caller's buffer, which is resized: a buffer used again is not
//! allocated again.

use super::options::InForce;
use super::{Basis, Index, Outcome, Presolve, Solver, Strategy, ffi::check};
use crate::Error;
use std::ffi::CStr;

/// What HiGHS knows of the point it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PointStatus {
    /// There is none.
    None,
    /// There is one, and it violates a constraint.
    Infeasible,
    /// There is one, and it is feasible within the tolerance.
    Feasible,
}

impl Solver {
    /// The objective of the current point (of a MIP: of the best solution).
    pub fn objective(&self) -> f64 {
        // SAFETY: the instance is alive.
        unsafe { highs_sys::Highs_getObjectiveValue(self.pointer()) }
    }

    /// What is known of the primal point. After a limit, only `Feasible` makes it usable.
    pub fn primal_status(&self) -> PointStatus {
        match self.point_status(c"primal_solution_status") {
            // The point of a model without columns, which HiGHS does not count as one.
            PointStatus::None if self.columns() == 0 && self.outcome() == Outcome::Optimal => {
                PointStatus::Feasible
            }
            status => status,
        }
    }

    /// How the last solve ended.
    pub(super) fn outcome(&self) -> Outcome {
        // SAFETY: the instance is alive.
        match unsafe { highs_sys::Highs_getModelStatus(self.pointer()) } {
            // HiGHS does not look at the rows of a model without columns.
            highs_sys::MODEL_STATUS_MODEL_EMPTY if !self.rows_allow_zero() => Outcome::Infeasible,
            status => Outcome::from_model_status(status),
        }
    }

    /// Whether zero is within the bounds of every row.
    fn rows_allow_zero(&self) -> bool {
        let rows = self.rows();
        let (mut lower, mut upper) = (vec![0.0; rows], vec![0.0; rows]);
        let (mut count, mut entries) = (0, 0);
        let nothing = std::ptr::null_mut();
        if rows > 0 {
            // SAFETY: the instance is alive; both slices have one place for every row, and HiGHS
            // takes null for the entries.
            unsafe {
                highs_sys::Highs_getRowsByRange(
                    self.pointer(),
                    0,
                    rows as Index - 1,
                    &raw mut count,
                    lower.as_mut_ptr(),
                    upper.as_mut_ptr(),
                    &raw mut entries,
                    nothing,
                    nothing,
                    std::ptr::null_mut(),
                );
            }
        }
        lower.iter().zip(&upper).all(|(&lower, &upper)| lower <= 0.0 && upper >= 0.0)
    }

    /// What is known of the dual point. A MIP has none.
    pub fn dual_status(&self) -> PointStatus {
        self.point_status(c"dual_solution_status")
    }

    fn point_status(&self, name: &CStr) -> PointStatus {
        match self.info_int(name) {
            highs_sys::SOLUTION_STATUS_FEASIBLE => PointStatus::Feasible,
            highs_sys::SOLUTION_STATUS_INFEASIBLE => PointStatus::Infeasible,
            _ => PointStatus::None,
        }
    }

    /// Reads the values of all columns.
    pub fn column_values(&self, into: &mut Vec<f64>) -> Result<(), Error> {
        self.require_primal()?;
        let pointer = fresh(into, self.columns());
        self.solution([pointer, NOTHING, NOTHING, NOTHING])
    }

    /// Reads the activities of all rows.
    pub fn row_values(&self, into: &mut Vec<f64>) -> Result<(), Error> {
        self.require_primal()?;
        let pointer = fresh(into, self.rows());
        self.solution([NOTHING, NOTHING, pointer, NOTHING])
    }

    /// Reads the duals (reduced costs) of all columns: the change of the objective per unit of the
    /// column's active bound, whatever the sense.
    pub fn column_duals(&self, into: &mut Vec<f64>) -> Result<(), Error> {
        self.require_dual()?;
        let pointer = fresh(into, self.columns());
        self.solution([NOTHING, pointer, NOTHING, NOTHING])
    }

    /// Reads the duals of all rows: the change of the objective per unit of the row's active bound,
    /// whatever the sense.
    pub fn row_duals(&self, into: &mut Vec<f64>) -> Result<(), Error> {
        self.require_dual()?;
        let pointer = fresh(into, self.rows());
        self.solution([NOTHING, NOTHING, NOTHING, pointer])
    }

    fn require_primal(&self) -> Result<(), Error> {
        match self.primal_status() {
            PointStatus::None => Err(Error::NotAvailable { what: "primal solution" }),
            _ => Ok(()),
        }
    }

    fn require_dual(&self) -> Result<(), Error> {
        match self.dual_status() {
            PointStatus::None => Err(Error::NotAvailable { what: "dual solution" }),
            _ => Ok(()),
        }
    }

    /// Column values, column duals, row values, row duals.
    fn solution(&self, [values, duals, rows, row_duals]: [*mut f64; 4]) -> Result<(), Error> {
        // SAFETY: the instance is alive; each pointer is null, which HiGHS skips, or has room for
        // all columns or rows. HiGHS writes only as many values as it holds, never more than there
        // are.
        check("Highs_getSolution", unsafe {
            highs_sys::Highs_getSolution(self.pointer(), values, duals, rows, row_duals)
        })
    }

    /// The current basis, if the last solve left one.
    pub fn basis(&self) -> Result<Basis, Error> {
        if self.info_int(c"basis_validity") != 1 {
            return Err(Error::NotAvailable { what: "basis" });
        }
        let mut columns = vec![0; self.columns()];
        let mut rows = vec![0; self.rows()];
        // SAFETY: the instance is alive; the vectors have room for every column and row.
        check("Highs_getBasis", unsafe {
            highs_sys::Highs_getBasis(self.pointer(), columns.as_mut_ptr(), rows.as_mut_ptr())
        })?;
        Ok(Basis { columns: columns.into(), rows: rows.into() })
    }

    /// Reads a direction in which an unbounded LP improves for ever, or returns `false` if HiGHS
    /// finds none. Presolve leaves no ray: HiGHS may solve again, without it, so the current point
    /// is lost.
    pub fn primal_ray(&mut self, into: &mut Vec<f64>) -> Result<bool, Error> {
        let pointer = fresh(into, self.columns());
        let mut found = 0;
        // HiGHS leaves `found` unset for a model without rows.
        if self.rows() == 0 || self.columns() == 0 {
            return Ok(false);
        }
        self.disturbed = true;
        self.apply(InForce { strategy: Strategy::Primal, presolve: Presolve::Off })?;
        // SAFETY: the instance is alive; the vector has room for every column.
        check("Highs_getPrimalRay", unsafe {
            highs_sys::Highs_getPrimalRay(self.pointer(), &raw mut found, pointer)
        })?;
        Ok(found != 0)
    }

    /// Reads row multipliers that prove an LP infeasible, or returns `false` if HiGHS finds none.
    ///
    /// With multipliers y the row yᵀA x must lie between the bounds that the rows' bounds give it
    /// and between those that the columns' bounds give it, and the two intervals do not meet.
    /// Presolve leaves no ray: HiGHS may solve again, without it, so the current point is lost.
    pub fn dual_ray(&mut self, into: &mut Vec<f64>) -> Result<bool, Error> {
        let pointer = fresh(into, self.rows());
        let mut found = 0;
        // HiGHS leaves `found` unset for a model without rows.
        if self.rows() == 0 || self.columns() == 0 {
            return Ok(false);
        }
        // HiGHS solves again if it has no ray, and only the dual simplex then leaves one.
        self.disturbed = true;
        self.apply(InForce { strategy: Strategy::Dual, presolve: Presolve::Off })?;
        // SAFETY: the instance is alive; the vector has room for every row.
        check("Highs_getDualRay", unsafe {
            highs_sys::Highs_getDualRay(self.pointer(), &raw mut found, pointer)
        })?;
        Ok(found != 0)
    }

    /// Simplex iterations of the last solve.
    pub fn simplex_iterations(&self) -> u64 {
        u64::try_from(self.info_int(c"simplex_iteration_count")).unwrap_or(0)
    }

    /// Branch-and-bound nodes of the last MIP solve.
    pub fn mip_nodes(&self) -> u64 {
        let mut value = 0;
        // SAFETY: the instance is alive and the name ends in a zero byte.
        unsafe {
            highs_sys::Highs_getInt64InfoValue(
                self.pointer(),
                c"mip_node_count".as_ptr(),
                &raw mut value,
            )
        };
        u64::try_from(value).unwrap_or(0)
    }

    /// The best bound on the optimum of the last MIP solve: no solution is better.
    pub fn mip_bound(&self) -> f64 {
        self.info_real(c"mip_dual_bound")
    }

    /// The relative gap between best solution and bound of the last MIP solve.
    pub fn mip_gap(&self) -> f64 {
        self.info_real(c"mip_gap")
    }

    /// By how much the current point violates the bound or row it violates most.
    pub fn max_primal_infeasibility(&self) -> f64 {
        self.info_real(c"max_primal_infeasibility")
    }

    fn info_int(&self, name: &CStr) -> i32 {
        // HiGHS leaves it as it is when it has no valid information.
        let mut value = 0;
        // SAFETY: the instance is alive and the name ends in a zero byte.
        unsafe { highs_sys::Highs_getIntInfoValue(self.pointer(), name.as_ptr(), &raw mut value) };
        value
    }

    fn info_real(&self, name: &CStr) -> f64 {
        let mut value = f64::NAN;
        // SAFETY: the instance is alive and the name ends in a zero byte.
        unsafe {
            highs_sys::Highs_getDoubleInfoValue(self.pointer(), name.as_ptr(), &raw mut value)
        };
        value
    }
}

const NOTHING: *mut f64 = std::ptr::null_mut();

/// The buffer with `length` zeros, as a place to write to.
fn fresh(buffer: &mut Vec<f64>, length: usize) -> *mut f64 {
    buffer.clear();
    buffer.resize(length, 0.0);
    buffer.as_mut_ptr()
}
