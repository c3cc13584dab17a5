//! What must be protected: how far a primary must be able to move.

use crate::{CellId, Direction, Value};

/// A primary must be able to move this far in this direction, as far as the attacker can tell.
///
/// A protection level is a requirement; a sliding level is one of some share on either side.
/// Methods hide cells until every requirement is met by a movement of hidden cells.
///
/// ```
/// use quell_model::{CellId, Direction, Requirement};
///
/// let rise = Requirement { cell: CellId(3), direction: Direction::Up, distance: 40 };
/// let fall = Requirement { direction: Direction::Down, ..rise };
/// assert_eq!((rise.signed(), fall.signed()), (40.0, -40.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Requirement {
    /// The primary.
    pub cell: CellId,
    /// Where to.
    pub direction: Direction,
    /// How far, in units; above zero.
    pub distance: Value,
}

impl Requirement {
    /// The distance with the sign of the direction.
    pub fn signed(&self) -> f64 {
        (self.distance * self.direction.sign()) as f64
    }
}
