//! Synthetic tables, seeded: the same parameters and seed give the same table on every
//! machine and in every version.
//!
//! - [`random_problem`]: small random systems of every shape, for tests.

mod random_system;

pub use random_system::{Shape, random_problem, random_problem_of};
