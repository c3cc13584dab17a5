//! What the evolutionary methods share: populations, selection, replacement, the end, and
//! breeding on several threads.
//!
//! Offspring of one generation are bred side by side, each with a stream of chance of its
//! own, and put into the population in order: the number of threads changes nothing.

mod breeding;
mod population;
mod termination;

pub(crate) use breeding::{Breeding, two_way};
pub(crate) use population::Population;
pub use population::{Replacement, Selection};
pub use termination::Termination;
pub(crate) use termination::Watch;
