//! Clean-up (kelly-1992): secondaries that later ones made superfluous are
//! published again.
//!
//! Instead of an attack on every primary for every secondary, only requirements whose proof uses
//! the secondary are proven anew, without it; most often there are few or none.

use quell_model::{CellId, Pattern, Problem};

use crate::search::kelly_program::KellyProgram;
use crate::search::mover::{FORBIDDEN, Mover};
use crate::search::null_space_program::NullSpaceProgram;
use crate::{Error, Store, Task};

/// The movements of hidden cells are found anew when this share of them is left.
const SHRUNK: f64 = 0.9;

/// Publishes secondaries of `pattern`, dearest first, as long as `store` can prove every
/// requirement without them. What no proof uses goes at once.
///
/// # Errors
/// If the solver fails.
pub fn clean_up(
    task: &Task,
    store: &mut Store,
    pattern: &mut Pattern,
    mover: &mut dyn Mover,
) -> Result<(), Error> {
    let problem = task.problem;
    for cell in dearest_first(problem, pattern) {
        if task.budget.stop().is_some() {
            break;
        }
        try_without(problem, store, pattern, mover, cell)?;
    }
    Ok(())
}

/// The same by linear programs, which have few rows where hidden cells have few degrees of freedom;
/// what is in `stays` is not tried.
///
/// # Errors
/// If the solver fails.
pub(crate) fn clean_up_by_programs(
    task: &Task,
    store: &mut Store,
    pattern: &mut Pattern,
    whole: &mut KellyProgram,
    stays: &Pattern,
) -> Result<(), Error> {
    let problem = task.problem;
    let mut hidden = NullSpaceProgram::new(problem, pattern.suppressed().collect(), task.budget)?;
    let mut size = pattern.len();
    for cell in dearest_first(problem, pattern) {
        if task.budget.stop().is_some() {
            break;
        }
        if stays.is_suppressed(cell) {
            continue;
        }
        if (pattern.len() as f64) < SHRUNK * size as f64 {
            size = pattern.len();
            hidden = NullSpaceProgram::new(problem, pattern.suppressed().collect(), task.budget)?;
        }
        match &mut hidden {
            Some(hidden) => try_without(problem, store, pattern, hidden, cell)?,
            None => try_without(problem, store, pattern, whole, cell)?,
        };
    }
    Ok(())
}

/// The secondaries of a pattern, dearest first.
pub(crate) fn dearest_first(problem: &Problem, pattern: &Pattern) -> Vec<CellId> {
    let mut secondaries: Vec<CellId> = pattern.secondaries(problem).collect();
    secondaries.sort_by(|&a, &b| problem.weight(b).total_cmp(&problem.weight(a)));
    secondaries
}

/// Publishes a secondary if every requirement can be proven without it; says whether it did.
///
/// # Errors
/// If the solver fails.
pub(crate) fn try_without(
    problem: &Problem,
    store: &mut Store,
    pattern: &mut Pattern,
    mover: &mut dyn Mover,
    cell: CellId,
) -> Result<bool, Error> {
    pattern.publish(cell);
    let (taken, opened) = store.take(cell);
    for requirement in opened {
        if store.is_proven(requirement) {
            continue;
        }
        // Proofs that rest on cheap cells last: the dear ones are tried first.
        let cost = |other: CellId| match problem.status(other).is_primary() {
            true => 0.0,
            false if pattern.is_suppressed(other) => problem.weight(other),
            false => FORBIDDEN,
        };
        match mover.cheapest(&store.requirements()[requirement].clone(), &cost)? {
            Some(movement) => {
                store.add(problem, movement);
            }
            None => {
                pattern.suppress(cell);
                for movement in taken {
                    store.add(problem, movement);
                }
                return Ok(false);
            }
        }
    }
    Ok(true)
}
