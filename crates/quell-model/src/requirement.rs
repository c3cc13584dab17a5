//! What must be protected: how far a primary must be able to move.

use crate::{CellId, Class, ContributorId, Direction, Value};

/// What an attacker knows besides the published table and the bounds of its cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Knowing {
    /// Nothing: the outsider.
    #[default]
    Nothing,
    /// What a contributor contributes.
    Contributor(ContributorId),
    /// What each member of a class contributes: more than any of them knows, so what holds here
    /// holds for every one.
    Class(Class),
}

/// A primary must be able to move this far in this direction, as far as the attacker can tell.
///
/// A protection level is a requirement; a sliding level is one of some share on either side.
/// Methods hide cells until every requirement is met by a movement of hidden cells.
///
/// ```
/// use quell_model::{CellId, Direction, Requirement};
///
/// let rise = Requirement::new(CellId(3), Direction::Up, 40);
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
    /// In whose eyes.
    pub knowing: Knowing,
}

impl Requirement {
    /// In the outsider's eyes.
    pub fn new(cell: CellId, direction: Direction, distance: Value) -> Self {
        Self { cell, direction, distance, knowing: Knowing::Nothing }
    }

    /// The same in the eyes of someone who knows more.
    pub fn knowing(self, knowing: Knowing) -> Self {
        Self { knowing, ..self }
    }

    /// The distance with the sign of the direction.
    pub fn signed(&self) -> f64 {
        (self.distance * self.direction.sign()) as f64
    }
}
