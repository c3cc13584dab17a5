//! The question every method asks: how can a primary move so far, at the least cost?

use quell_model::{Budget, CellId, Problem, Requirement};

use crate::search::kelly_program::KellyProgram;
use crate::search::nearby::Nearby;
use crate::{Error, Movement};

/// A cost that forbids a cell to move.
pub const FORBIDDEN: f64 = f64::INFINITY;

/// What a cell that is hidden already costs, as a share of its weight: nearly nothing, but proofs
/// then rest on dear cells only where they must, and those can be published again when nothing
/// needs them any more.
pub(crate) const PRICE_OF_HIDDEN: f64 = 1e-3;

/// Finds movements that meet requirements.
pub trait Mover {
    /// The cheapest movement that meets `requirement`, where `cost` says what a cell costs if it
    /// moves ([`f64::INFINITY`]: it must not). How "cheapest" deals with the part of its
    /// capacity that a cell uses is the mover's own. `None` if there is none.
    ///
    /// # Errors
    /// If the solver fails.
    fn cheapest(
        &mut self,
        requirement: &Requirement,
        cost: &dyn Fn(CellId) -> f64,
    ) -> Result<Option<Movement>, Error>;
}

/// The most cells for which linear programs over the whole table are quick enough.
const LARGEST_WHOLE: usize = 5_000;

/// The mover for a problem: over the whole of it, or in regions where that takes too long. What it
/// has not found when the budget ends it does not find.
///
/// # Errors
/// If the solver fails.
pub fn mover<'a>(problem: &'a Problem, budget: &Budget) -> Result<Box<dyn Mover + 'a>, Error> {
    Ok(match problem.cell_count() > LARGEST_WHOLE {
        true => Box::new(Nearby::new(problem).within(budget)),
        false => Box::new(KellyProgram::new(problem, budget)?),
    })
}
