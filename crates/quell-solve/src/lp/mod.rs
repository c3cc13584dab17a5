//! Linear and mixed-integer models on HiGHS (huangfu-2018).
//!
//! [`Solver`] owns one HiGHS instance. Its methods are grouped by what they do: `build` hands a
//! model over (its matrix collected in `vectors`), `change` alters it in place, `options` says how
//! to solve, `run` solves, `read` gets the answer, `interrupt` stops a solve.

mod basis;
mod build;
mod change;
mod ffi;
mod interrupt;
mod options;
mod outcome;
mod read;
mod run;
mod vectors;

pub use basis::{Basis, BasisStatus};
pub use build::{Kind, Model, Order, Sense, SparseMatrix};
pub use ffi::Index;
pub use interrupt::Stopping;
pub use options::{FIRST_ORDER_ITERATIONS, INTERIOR_ITERATIONS, Limits, Presolve, Strategy};
pub use outcome::Outcome;
pub use read::PointStatus;
pub use run::Changed;
pub use vectors::Vectors;

use crate::Error;
use options::InForce;
use std::ffi::c_void;
use std::fmt;
use std::ptr::NonNull;

/// One HiGHS instance: a model, how to solve it, and the answer of the last solve.
///
/// It prints nothing and uses one thread; to use more cores, give every thread its own `Solver`. An
/// instance may move between threads but not be shared.
pub struct Solver {
    highs: NonNull<c_void>,
    /// What [`Solver::solve`] is to use, and what HiGHS was last told.
    wanted: InForce,
    in_force: InForce,
    /// Is there a wall-clock limit? Only then are HiGHS's clocks set back before a solve.
    timed: bool,
    /// Was a ray read since the last solve? Then HiGHS may have solved with other costs in between.
    disturbed: bool,
    /// Kept alive for the callback, which holds a pointer to what is in the box.
    stopping: Option<Box<Stopping>>,
}

// SAFETY: a HiGHS instance keeps no reference to the thread that made it (its scheduler is
// thread-local and looked up at each solve), and `&mut self` on everything that changes it rules
// out two threads. It is not `Sync`: some reading calls of HiGHS compute lazily.
unsafe impl Send for Solver {}

impl Solver {
    /// An empty model, to be minimised.
    pub fn new() -> Result<Self, Error> {
        // SAFETY: no precondition.
        let highs = NonNull::new(unsafe { highs_sys::Highs_create() }).ok_or(Error::Create)?;
        let defaults = InForce { strategy: Strategy::Choose, presolve: Presolve::Choose };
        let mut solver = Self {
            highs,
            wanted: defaults,
            in_force: defaults,
            timed: false,
            disturbed: false,
            stopping: None,
        };
        solver.set_defaults()?;
        Ok(solver)
    }

    /// How many columns the model has.
    pub fn columns(&self) -> usize {
        // SAFETY: the instance is alive.
        usize::try_from(unsafe { highs_sys::Highs_getNumCol(self.pointer()) }).unwrap_or(0)
    }

    /// How many rows the model has.
    pub fn rows(&self) -> usize {
        // SAFETY: the instance is alive.
        usize::try_from(unsafe { highs_sys::Highs_getNumRow(self.pointer()) }).unwrap_or(0)
    }

    /// How many matrix entries the model has.
    pub fn entries(&self) -> usize {
        // SAFETY: the instance is alive.
        usize::try_from(unsafe { highs_sys::Highs_getNumNz(self.pointer()) }).unwrap_or(0)
    }

    fn pointer(&self) -> *mut c_void {
        self.highs.as_ptr()
    }

    fn check_column(&self, column: usize) -> Result<Index, Error> {
        check_index("column", column, self.columns())
    }

    fn check_row(&self, row: usize) -> Result<Index, Error> {
        check_index("row", row, self.rows())
    }
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = (self.columns(), self.rows());
        f.debug_struct("Solver").field("size", &size).finish_non_exhaustive()
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        // SAFETY: the instance is alive and nobody can use it afterwards.
        unsafe { highs_sys::Highs_destroy(self.pointer()) }
    }
}

fn check_index(what: &'static str, index: usize, size: usize) -> Result<Index, Error> {
    let out_of_range =
        || Error::OutOfRange { what, index: i64::try_from(index).unwrap_or(i64::MAX), size };
    if index >= size {
        return Err(out_of_range());
    }
    Index::try_from(index).map_err(|_| out_of_range())
}

fn check_indices(what: &'static str, indices: &[Index], size: usize) -> Result<(), Error> {
    match indices.iter().find(|&&index| usize::try_from(index).map_or(true, |index| index >= size))
    {
        None => Ok(()),
        Some(&index) => Err(Error::OutOfRange { what, index: i64::from(index), size }),
    }
}

fn check_finite(what: &'static str, values: &[f64]) -> Result<(), Error> {
    if values.iter().all(|value| value.is_finite()) {
        Ok(())
    } else {
        Err(Error::NotANumber { what })
    }
}

/// Bounds may be infinite, on their own side.
fn check_bounds(what: &'static str, lower: &[f64], upper: &[f64]) -> Result<(), Error> {
    let usable = lower.iter().all(|&bound| bound < f64::INFINITY)
        && upper.iter().all(|&bound| bound > f64::NEG_INFINITY);
    if usable { Ok(()) } else { Err(Error::NotANumber { what }) }
}
