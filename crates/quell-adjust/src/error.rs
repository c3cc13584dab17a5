//! Why there is no adjusted table.

use quell_model::Fault;
use thiserror::Error;

use crate::Conflict;

/// Why a method gave no adjusted table.
#[derive(Debug, Error)]
pub enum Error {
    /// The problem is not a valid table.
    #[error("the table has {} fault(s), the first: {}", .0.len(), .0[0])]
    Faulty(Vec<Fault>),
    /// There is no method of that name.
    #[error("there is no method \"{name}\"; the methods are {known}")]
    UnknownMethod {
        /// The name as given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// An option that makes no sense for this table.
    #[error("{0}")]
    Option(String),
    /// No adjusted table keeps all that is asked.
    #[error("no adjusted table keeps all that is asked: {0}")]
    Infeasible(Box<Conflict>),
    /// The budget ended before any adjusted table was found.
    #[error("the budget ended before an adjusted table was found")]
    NotFound,
    /// The solver failed.
    #[error("the solver failed: {0}")]
    Solver(#[from] quell_solve::Error),
}
