//! Why there is no pattern.

use quell_attack::AuditError;
use quell_model::Fault;
use thiserror::Error;

/// Why a method gave no pattern.
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
    /// The method is for smaller or simpler tables.
    #[error("{method} cannot treat this table: {reason}")]
    NotForThisTable {
        /// The method's name.
        method: &'static str,
        /// What stands in the way, and what to use instead.
        reason: String,
    },
    /// The solver failed.
    #[error("the solver failed: {0}")]
    Solver(#[from] quell_solve::Error),
    /// The audit failed.
    #[error(transparent)]
    Audit(#[from] AuditError),
}
