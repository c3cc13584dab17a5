//! Synthetic tables, seeded: the same parameters and seed give the same table on every
//! machine and in every version.
//!
//! - [`Ons`]: k-way tables with hierarchies and contributors (serpell-2011, serpell-2013);
//! - [`random_problem`]: small random systems of every shape, for tests.

mod dimension_size;
mod ons;
mod parameters;
mod random_system;

pub use dimension_size::{DimensionSize, plausible_hierarchy};
pub use ons::{
    Contributors, EmptyCells, LARGEST_CONTRIBUTION, Levels, Ons, PRESETS, Preset, UpperBound,
};
pub use parameters::{ParameterError, Weights};
pub use random_system::{Shape, random_problem, random_problem_of};
