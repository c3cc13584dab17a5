//! The question every method asks: how can a primary move so far, at the least cost?

use quell_model::{CellId, Problem};

use crate::local_lp::Nearby;
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

/// The most cells for which linear programs over the whole table are quick enough.
const WHOLE: usize = 5_000;

/// The mover for a problem: over the whole of it, or in regions where that takes too long.
///
/// # Errors
/// If the solver fails.
pub fn mover(problem: &Problem) -> Result<Box<dyn Mover + '_>, Error> {
    Ok(match problem.cell_count() > WHOLE {
        true => Box::new(Nearby::new(problem)),
        false => Box::new(Program::new(problem)?),
    })
}
