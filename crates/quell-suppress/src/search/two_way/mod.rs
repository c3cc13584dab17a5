//! What the heuristics for two-way tables share: the table as a network, the cells hidden
//! in it, the searches for circuits around a primary, and patterns as sets of circuits.
//!
//! Lines (rows and columns, each with its total) are nodes and cells are arcs usable both
//! ways; a movement that keeps every sum is a circulation, so a primary is protected by
//! *circuits* of hidden cells through it (cox-1995). Flows are integers: what is found
//! here is exact, and the audit has nothing to repair.

mod bound_and_path;
mod chromosome;
mod hidden;
mod protect;
mod rectangle;
mod search;
mod table;

pub(crate) use bound_and_path::bound_and_path;
pub(crate) use chromosome::Chromosome;
pub(crate) use hidden::HiddenCells;
pub(crate) use protect::{CircuitBuilder, Finder};
pub(crate) use rectangle::hidden_rectangle;
pub(crate) use table::{Side, TwoWay};

#[cfg(test)]
mod tests;
