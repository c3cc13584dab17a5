//! Bounds that single equations give: the shuttle algorithm of buzzigoli-1999.
//!
//! In every equation a hidden cell is at most what the least values of the others leave, and at
//! least what their greatest values leave; better bounds of one cell sharpen its neighbours,
//! until nothing changes.
//!
//! Complexity: one round is linear in the entries of the equations that changed.

use quell_model::{Direction, Value};

use super::View;

/// Rounds after which unpicking stops even if bounds still improve. Real tables settle
/// in about ten; general systems can approach a limit for ever, and any intermediate
/// bound is valid.
const MOST_ROUNDS: u32 = 500;

/// One bound that unpicking sharpened.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Change {
    pub(crate) cell: usize,
    pub(crate) direction: Direction,
    pub(crate) equation: usize,
    pub(crate) round: u32,
    /// The room that is left.
    pub(crate) after: Value,
}

/// Where to start.
#[derive(Debug, Clone)]
pub(crate) enum Start {
    /// At every equation.
    Everywhere,
    /// At the equations of one cell, whose rooms were changed from outside.
    At(usize),
}

/// Sharpens the rooms of `hidden` until nothing changes; `on_change` is told of every
/// sharper bound after its round. Returns the number of rounds with a change.
///
/// A round sees only the bounds of the round before, so that the round in which a cell
/// falls says how many others had to fall first.
pub(crate) fn tighten(
    hidden: &mut View,
    start: Start,
    mut on_change: impl FnMut(&View, &Change),
) -> u32 {
    let mut queued = vec![false; hidden.equation_count()];
    let mut open: Vec<u32> = match start {
        Start::Everywhere => (0..hidden.equation_count() as u32).collect(),
        Start::At(cell) => {
            hidden.equations_of(cell).iter().map(|&(equation, _)| equation).collect()
        }
    };
    let mut changes: Vec<Change> = Vec::new();
    let mut round = 0;
    while !open.is_empty() && round < MOST_ROUNDS {
        round += 1;
        for &equation in &open {
            sharpen(hidden, equation as usize, round, &mut changes);
        }
        open.clear();
        apply(hidden, &mut changes);
        if changes.is_empty() {
            return round - 1;
        }
        if changes.iter().any(|change| is_contradiction(hidden, change.cell)) {
            return round;
        }
        for change in changes.drain(..) {
            for &(equation, _) in hidden.equations_of(change.cell) {
                if !std::mem::replace(&mut queued[equation as usize], true) {
                    open.push(equation);
                }
            }
            on_change(hidden, &change);
        }
        for &equation in &open {
            queued[equation as usize] = false;
        }
    }
    round
}

/// Whether a cell has no value left. True tables never come to this; assumptions do.
fn is_contradiction(hidden: &View, cell: usize) -> bool {
    hidden.down[cell].saturating_add(hidden.up[cell]) < 0
}

/// Applies the changes of a round and keeps those that were the sharpest.
fn apply(hidden: &mut View, changes: &mut Vec<Change>) {
    for change in changes.iter() {
        let rooms = match change.direction {
            Direction::Down => &mut hidden.down,
            Direction::Up => &mut hidden.up,
        };
        rooms[change.cell] = rooms[change.cell].min(change.after);
    }
    changes.retain(|change| {
        let rooms = match change.direction {
            Direction::Down => &hidden.down,
            Direction::Up => &hidden.up,
        };
        rooms[change.cell] == change.after
    });
}

/// A sum of bounds of which some may be infinite.
#[derive(Clone, Copy, Default)]
struct Extent {
    finite: i128,
    infinite: u32,
}

impl Extent {
    fn add(&mut self, room: Value, size: i128) {
        match room {
            Value::MAX => self.infinite += 1,
            _ => self.finite += i128::from(room) * size,
        }
    }

    /// The sum without one of its terms; `None` if it is infinite.
    fn without(self, room: Value, size: i128) -> Option<i128> {
        match (room, self.infinite) {
            (Value::MAX, 1) => Some(self.finite),
            (Value::MAX, _) => None,
            (_, 0) => Some(self.finite - i128::from(room) * size),
            _ => None,
        }
    }
}

/// Finds the bounds that one equation sharpens.
fn sharpen(hidden: &View, equation: usize, round: u32, changes: &mut Vec<Change>) {
    // How far the equation's sum could fall and rise if all cells moved freely.
    let (mut falls, mut rises) = (Extent::default(), Extent::default());
    for &(cell, coefficient) in hidden.cells_of(equation) {
        let size = i128::from(coefficient.unsigned_abs());
        let (fall, rise) = signed_rooms(hidden, cell, coefficient);
        falls.add(fall, size);
        rises.add(rise, size);
    }
    for &(cell, coefficient) in hidden.cells_of(equation) {
        let size = i128::from(coefficient.unsigned_abs());
        let (fall, rise) = signed_rooms(hidden, cell, coefficient);
        // The term can rise only as far as the others fall, and the other way round.
        let most_rise = falls.without(fall, size);
        let most_fall = rises.without(rise, size);
        let (most_down, most_up) =
            if coefficient > 0 { (most_fall, most_rise) } else { (most_rise, most_fall) };
        let mut propose = |direction, most: Option<i128>, now: Value| {
            // Rounded up where a coefficient does not divide: still a valid bound.
            let bound = most.map(|most| (most + size - 1).div_euclid(size));
            if let Some(after) = bound.and_then(|bound| Value::try_from(bound).ok())
                && after < now
            {
                let cell = cell as usize;
                changes.push(Change { cell, direction, equation, round, after });
            }
        };
        propose(Direction::Down, most_down, hidden.down[cell as usize]);
        propose(Direction::Up, most_up, hidden.up[cell as usize]);
    }
}

/// How far the term `coefficient · y` can fall and rise, per unit of the coefficient.
fn signed_rooms(hidden: &View, cell: u32, coefficient: i32) -> (Value, Value) {
    let (down, up) = (hidden.down[cell as usize], hidden.up[cell as usize]);
    if coefficient > 0 { (down, up) } else { (up, down) }
}
