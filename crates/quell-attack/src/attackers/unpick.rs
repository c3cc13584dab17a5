//! Unpicking: what the equations give away one at a time.
//!
//! The shuttle algorithm (buzzigoli-1999, dobra-2010), as serpell-2013 §2.1
//! uses it: in every equation a hidden cell is at most what the least values of the
//! others leave, and at least what their greatest values leave; better bounds of one
//! cell sharpen its neighbours, until nothing changes. The bounds are valid but not
//! always the best: figure 3 of serpell-2013 cannot be unpicked and still gives a cell
//! away. Exact integer arithmetic throughout.
//!
//! Complexity: one round is linear in the entries of the equations that changed.

use quell_model::{CellId, Direction, EquationId, Pattern, Problem, Value};

use crate::view::{Change, Start, View, tighten};

/// A primary cell found inside its protection interval by unpicking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exposure {
    /// The cell.
    pub cell: CellId,
    /// In which round it fell; cells of round 1 need no other cell's fall first.
    pub round: u32,
    /// Which bound came too near first.
    pub direction: Direction,
    /// The equation that gave it away.
    pub equation: EquationId,
}

/// What unpicking finds out.
#[derive(Debug, Clone)]
pub struct Unpicked {
    /// Hidden cells with how far each can still fall and rise (`Value::MAX`: no limit).
    pub rooms: Vec<(CellId, Value, Value)>,
    /// The exposed primaries (the set E_u of serpell-2013), in order of exposure.
    pub exposures: Vec<Exposure>,
    /// Rounds until nothing changed.
    pub rounds: u32,
}

/// Unpicks `problem` as seen without the cells of `pattern`.
pub fn unpick(problem: &Problem, pattern: &Pattern) -> Unpicked {
    let mut hidden = View::new(problem, pattern);
    let mut exposures = Vec::new();
    let rounds = tighten(&mut hidden, Start::Everywhere, |hidden, change| {
        if let Some(exposure) = exposure(problem, hidden, change) {
            exposures.push(exposure);
        }
    });
    exposures.sort_by_key(|exposure: &Exposure| (exposure.round, exposure.cell));
    let mut seen = vec![false; problem.cell_count()];
    exposures.retain(|exposure| !std::mem::replace(&mut seen[exposure.cell.index()], true));
    let rooms = (0..hidden.len())
        .map(|cell| (hidden.cell(cell), hidden.down[cell], hidden.up[cell]))
        .collect();
    Unpicked { rooms, exposures, rounds }
}

/// The exposure a change brings, if it brings one.
fn exposure(problem: &Problem, hidden: &View, change: &Change) -> Option<Exposure> {
    let cell = hidden.cell(change.cell);
    if !problem.status(cell).is_primary() {
        return None;
    }
    let levels = problem.protection(cell);
    let level = match change.direction {
        Direction::Down => levels.lower,
        Direction::Up => levels.upper,
    };
    let spread = hidden.down[change.cell].saturating_add(hidden.up[change.cell]);
    (change.after < level || spread < levels.sliding).then(|| Exposure {
        cell,
        round: change.round,
        direction: change.direction,
        equation: hidden.equation(change.equation),
    })
}
