//! The question every method asks: how can a primary move so far, at the least cost?

use quell_model::{Budget, CellId, Problem};

use crate::group_program::{self, GroupProgram};
use crate::program::Program;
use crate::{Error, Movement, Need};

/// A cost that forbids a cell to move.
pub const FORBIDDEN: f64 = f64::INFINITY;

/// Finds movements that meet needs.
pub trait Mover {
    /// The cheapest movement that meets `need`, where `cost` says what a cell costs if it
    /// moves ([`f64::INFINITY`]: it must not). How "cheapest" deals with the part of its
    /// capacity that a cell uses is the mover's own. `None` if there is none.
    ///
    /// # Errors
    /// If the solver fails.
    fn cheapest(
        &mut self,
        need: &Need,
        cost: &dyn Fn(CellId) -> f64,
    ) -> Result<Option<Movement>, Error>;
}

/// The mover for a problem: a program over all cells, or in large tables one that takes cells
/// in as they are needed.
///
/// # Errors
/// If the solver fails.
pub fn mover(problem: &Problem) -> Result<Box<dyn Mover + '_>, Error> {
    Ok(match problem.cell_count() <= group_program::SMALL {
        true => Box::new(Program::new(problem)?),
        false => Box::new(GroupProgram::new(problem, &Budget::default())?),
    })
}
