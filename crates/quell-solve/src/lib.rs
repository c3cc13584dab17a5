//! LP and MIP on HiGHS, a first-order method, network flows, exact linear systems. Knows nothing
//! of disclosure control.
//!
//! | module | what it does |
//! |---|---|
//! | [`first_order`] | least weighted absolute values in systems too large for HiGHS |
//! | [`lp`] | [`Solver`]: linear and mixed-integer models on HiGHS, with warm starts, rays, limits, interruption |
//! | [`network`] | maximum flow and minimum cut |
//! | [`rational`] | exact solutions of sparse integer systems |
//! | [`tolerance`] | how exact the solvers are, and why |

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod error;
pub mod first_order;
pub mod lp;
pub mod network;
pub mod rational;
pub mod tolerance;

pub use error::Error;
pub use lp::{
    Basis, BasisStatus, Changed, Index, Kind, Limits, Model, Order, Outcome, PointStatus, Presolve,
    Sense, Solver, SparseMatrix, Stopping, Strategy, Vectors,
};

/// The README's example is a test.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
