//! Complementary cell suppression: which further cells to hide so that no attacker can
//! bound a primary cell inside its protection interval, at the least loss of information.
//!
//! Each method is a file or folder in `methods`, named as in the literature, all behind the trait
//! [`Method`] and chosen by name with [`method`]. Whatever a method proposes goes through
//! [`protect`], which has it audited and repaired: nothing unsafe leaves this crate.
//!
//! Shared parts:
//!
//! - [`Requirement`](quell_model::Requirement): a primary, a direction and how far it must be able
//!   to move;
//! - [`Movement`]: a proof that a requirement is met, kept in a [`Store`];
//! - [`Mover`]: finds the cheapest movement that meets a requirement: as a linear program, or as
//!   a flow where the table is a network.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod blocked;
mod bound;
mod checkpoint;
mod error;
mod genetic;
mod method;
mod methods;
mod repair;
mod rounds;
mod search;
mod spare;
mod tolerance;

pub use blocked::{Blocked, blocked};
pub use checkpoint::{Checkpoint, Checkpoints, NoCheckpoints};
pub use error::Error;
pub use genetic::{Replacement, Selection, Termination};
pub use method::{Method, Proposal, Task};
pub use methods::{
    Auto, Candidates, EliminationLp, Evolution, Exact, Extra, Gapn, Gauss, GenSup, HeurGene,
    Hybrid, HybridRun, HybridSettings, Hypercube, KellyIlp, KellyLp, LocalLp, METHODS, Modular,
    Mutation, MutationChoice, OrderCrossover, OrderMutation, ParallelBoundAndPath, Preselection,
    Removal, Seeds, ShortestPath, Strategy, SurrogateLevels, method,
};
pub use repair::{Outcome, protect, protect_task, protect_within, time_for_audit};
pub use search::grouping::Grouping;
pub use search::incremental::Order;
pub use search::movement::Movement;
pub use search::mover::{Mover, mover};
pub use search::requirements::requirements;
pub use search::store::Store;
