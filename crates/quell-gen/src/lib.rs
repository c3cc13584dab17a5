//! Synthetic tables, seeded: the same parameters and seed give the same table on every
//! machine and in every version.
//!
//! - [`Ons`]: k-way tables with hierarchies and contributors (serpell-2011, serpell-2013);
//! - [`Sparse`]: few cells of a very large product of dimensions;
//! - [`Herrington`]: large two-way tables with few primaries (herrington-2015);
//! - [`Firms`]: tables with the firms that contribute to each cell;
//! - [`Cta`]: tables for controlled tabular adjustment (cox-2005);
//! - [`Survey`]: the microdata of a fictional business survey;
//! - [`random_problem`]: small random systems of every shape, for tests, and contributors for them
//!   ([`with_random_contributions`]).

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod cta;
mod dimension_size;
mod firms;
mod herrington;
mod leaves;
mod ons;
mod parameters;
mod random_contributions;
mod random_system;
mod sparse;
mod survey;

pub use cta::Cta;
pub use dimension_size::{DimensionSize, plausible_hierarchy};
pub use firms::Firms;
pub use herrington::{Herrington, Primaries};
pub use ons::{
    Contributors, EmptyCells, LARGEST_CONTRIBUTION, Levels, Ons, PRESETS, Preset, UpperBound,
};
pub use parameters::{ParameterError, Weights};
pub use random_contributions::with_random_contributions;
pub use random_system::{Shape, random_problem, random_problem_of};
pub use sparse::{Sparse, SparseDimension};
pub use survey::{Classification, Firm, Survey, survey_classifications, survey_csv};
