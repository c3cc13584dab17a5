//! The question every method asks: how can a primary move so far, at the least cost?

use quell_model::{CellId, Problem};

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

/// The mover for a problem.
///
/// # Errors
/// If the solver fails.
pub fn mover(problem: &Problem) -> Result<Box<dyn Mover + '_>, Error> {
    Ok(Box::new(Program::new(problem)?))
}
