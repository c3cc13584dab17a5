//! What an attacker sees: the hidden cells, the equations they stand in, how far each can move,
//! and what single equations say about that.

mod hidden;
mod shuttle;

pub(crate) use self::hidden::View;
pub(crate) use self::shuttle::{Change, Start, tighten};
