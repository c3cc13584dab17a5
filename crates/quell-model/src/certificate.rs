//! Proofs that hidden cells can move.
//!
//! A movement `y` with `M y = 0`, support in the hidden cells and `a + y` inside the
//! attacker's bounds shows the attacker a second table that he cannot tell from the
//! true one: he cannot rule out that cell `i` is `a_i + y_i`. Anyone can check that in
//! linear time without a solver; `quell-attack` does, in exact arithmetic.

use crate::CellId;

/// Which end of an interval is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// Towards smaller values (the lower protection level).
    Down,
    /// Towards larger values (the upper protection level).
    Up,
}

impl Direction {
    /// Both, down first.
    pub const BOTH: [Self; 2] = [Self::Down, Self::Up];

    /// The other one.
    pub fn opposite(self) -> Self {
        match self {
            Self::Down => Self::Up,
            Self::Up => Self::Down,
        }
    }

    /// +1 for up, −1 for down.
    pub fn sign(self) -> i64 {
        match self {
            Self::Down => -1,
            Self::Up => 1,
        }
    }
}

/// A movement of hidden cells, sparse, as integers over one common denominator.
///
/// The denominator is there because vertices of the attacker's polytope are integral
/// in two dimensions but may be fractions in three and more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// Cells that move and by how much, in units of 1/`denominator`, by rising cell.
    pub movement: Vec<(CellId, i128)>,
    /// The common denominator.
    pub denominator: u64,
}

impl Certificate {
    /// A certificate of integral movements.
    pub fn integral(movement: impl IntoIterator<Item = (CellId, i64)>) -> Self {
        let mut movement: Vec<(CellId, i128)> =
            movement.into_iter().map(|(cell, amount)| (cell, i128::from(amount))).collect();
        movement.sort_unstable_by_key(|&(cell, _)| cell);
        Self { movement, denominator: 1 }
    }

    /// By how much a cell moves, in units of 1/`denominator`.
    pub fn amount(&self, cell: CellId) -> i128 {
        self.movement
            .binary_search_by_key(&cell, |&(cell, _)| cell)
            .map_or(0, |position| self.movement[position].1)
    }
}
