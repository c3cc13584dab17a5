//! Solving, from scratch and again after a change.

use super::ffi::{check, index};
use super::options::InForce;
use super::{Basis, Index, Outcome, Presolve, Solver, Strategy, check_finite, check_indices};
use crate::Error;
use crate::error::check_length;

/// What was changed since the last optimal solve; see [`Solver::resolve`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Changed {
    /// Only costs (or the sense), or columns were added: the basis is still primal feasible.
    Objective,
    /// Only bounds of columns or rows, or rows were added: the basis is still dual feasible.
    Bounds,
}

impl Solver {
    /// Solves the model with the options set, starting from the basis if there is one. Numerical
    /// trouble of a simplex method is answered by a second try from scratch.
    pub fn solve(&mut self) -> Result<Outcome, Error> {
        self.apply(self.wanted)?;
        self.run()
    }

    /// Solves an LP again after a change, with the simplex variant for which the last basis is
    /// still feasible, so that a few pivots suffice.
    ///
    /// The method matters far more than the warm start: after an objective change the *dual*
    /// simplex (HiGHS's default) must first undo the dual infeasibility of the whole basis, and
    /// then takes tens of times as long as the *primal* simplex, which goes on where it stood.
    pub fn resolve(&mut self, changed: Changed) -> Result<Outcome, Error> {
        let strategy = match changed {
            Changed::Objective => Strategy::Primal,
            Changed::Bounds => Strategy::Dual,
        };
        self.apply(InForce { strategy, presolve: Presolve::Off })?;
        self.run()
    }

    fn run(&mut self) -> Result<Outcome, Error> {
        // Presolve does not ask, so ask before.
        if self.is_to_stop() {
            return Ok(Outcome::Interrupted);
        }
        if self.disturbed {
            self.settle()?;
        }
        if self.timed {
            // HiGHS counts the time of all solves of an instance against the limit.
            // SAFETY: the instance is alive.
            check("Highs_zeroAllClocks", unsafe {
                highs_sys::Highs_zeroAllClocks(self.pointer())
            })?;
        }
        let outcome = self.run_once();
        let simplex =
            matches!(self.in_force.strategy, Strategy::Choose | Strategy::Dual | Strategy::Primal);
        if outcome != Outcome::Trouble || !simplex {
            return Ok(outcome);
        }
        // HiGHS's primal simplex now and then gives up on a basis that is far from feasible; from
        // scratch, with the method it was built around, it does not.
        self.forget()?;
        self.apply(InForce { strategy: Strategy::Dual, presolve: Presolve::Choose })?;
        Ok(self.run_once())
    }

    fn run_once(&mut self) -> Outcome {
        // SAFETY: the instance is alive. An error status is no reason to stop here: the model
        // status says what happened.
        let status = unsafe { highs_sys::Highs_run(self.pointer()) };
        match self.outcome() {
            Outcome::Optimal if status == highs_sys::STATUS_ERROR => Outcome::Trouble,
            outcome => outcome,
        }
    }

    /// Starts afresh from the basis alone, if there is one. To compute a ray HiGHS solves with zero
    /// costs and puts the true ones back without telling its simplex data.
    fn settle(&mut self) -> Result<(), Error> {
        let basis = self.basis();
        self.forget()?;
        if let Ok(basis) = basis {
            self.set_basis(&basis)?;
        }
        self.disturbed = false;
        Ok(())
    }

    /// Forgets basis and solution, so that the next solve starts from scratch.
    pub fn forget(&mut self) -> Result<(), Error> {
        // SAFETY: the instance is alive.
        check("Highs_clearSolver", unsafe { highs_sys::Highs_clearSolver(self.pointer()) })
    }

    /// Starts the next simplex solve from a basis.
    pub fn set_basis(&mut self, basis: &Basis) -> Result<(), Error> {
        check_length("basis columns", self.columns(), basis.columns())?;
        check_length("basis rows", self.rows(), basis.rows())?;
        // SAFETY: the instance is alive; there is one status for every column and row.
        check("Highs_setBasis", unsafe {
            highs_sys::Highs_setBasis(self.pointer(), basis.columns.as_ptr(), basis.rows.as_ptr())
        })
    }

    /// Starts the next simplex solve with all rows basic (the slack basis).
    pub fn set_slack_basis(&mut self) -> Result<(), Error> {
        // SAFETY: the instance is alive.
        check("Highs_setLogicalBasis", unsafe { highs_sys::Highs_setLogicalBasis(self.pointer()) })
    }

    /// Gives a MIP a starting solution: a value for every column. An infeasible one is repaired if
    /// fixing its integer columns leaves a feasible LP, else ignored.
    pub fn set_start(&mut self, values: &[f64]) -> Result<(), Error> {
        check_length("start", self.columns(), values.len())?;
        check_finite("start", values)?;
        let none = std::ptr::null();
        // SAFETY: the instance is alive; there is one value for every column, and HiGHS takes null
        // for parts not given.
        check("Highs_setSolution", unsafe {
            highs_sys::Highs_setSolution(self.pointer(), values.as_ptr(), none, none, none)
        })
    }

    /// Gives a MIP a partial starting solution, which HiGHS tries to complete.
    pub fn set_start_sparse(&mut self, columns: &[Index], values: &[f64]) -> Result<(), Error> {
        check_length("start", columns.len(), values.len())?;
        check_indices("column", columns, self.columns())?;
        check_finite("start", values)?;
        // SAFETY: the instance is alive; both slices have the length given.
        check("Highs_setSparseSolution", unsafe {
            highs_sys::Highs_setSparseSolution(
                self.pointer(),
                index("columns", columns.len())?,
                columns.as_ptr(),
                values.as_ptr(),
            )
        })
    }
}
