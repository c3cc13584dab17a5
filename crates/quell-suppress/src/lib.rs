//! Complementary cell suppression: which further cells to hide so that no attacker can
//! bound a primary cell inside its protection interval, at the least loss of information.
//!
//! One file a method, named as in the literature, all behind the trait [`Method`] and
//! chosen by name with [`method`]. Whatever a method proposes goes through [`protect`],
//! which has it audited and repaired: nothing unsafe leaves this crate.
//!
//! Shared parts:
//!
//! - [`Need`]: a primary, a direction and how far it must be able to move;
//! - [`Movement`]: a proof that a need is met, kept in a [`Store`];
//! - [`Mover`]: finds the cheapest movement that meets a need: as a linear program, or as
//!   a flow where the table is a network.

mod auto;
mod benders;
mod bound;
mod builder;
mod checkpoint;
mod clean_up;
mod elimination_lp;
mod error;
mod evolution;
mod exact;
mod forced;
mod gapn;
mod gauss;
mod gensup;
mod group_program;
mod heurgene;
mod hybrid;
mod hypercube;
mod kelly_ilp;
mod kelly_lp;
mod local_lp;
mod method;
mod modular;
mod movement;
mod mover;
mod near;
mod need;
mod neighbourhood;
mod network;
mod parallel_bound_and_path;
mod program;
mod protect;
mod shortest_path;
mod store;
mod two_way;

pub use auto::Auto;
pub use checkpoint::{Checkpoint, Checkpoints, NoCheckpoints};
pub use elimination_lp::{EliminationLp, Removal};
pub use error::Error;
pub use evolution::{Replacement, Selection, Termination};
pub use exact::Exact;
pub use gapn::Gapn;
pub use gauss::Gauss;
pub use gensup::{GenSup, Mutation, Seeds};
pub use heurgene::{HeurGene, Strategy};
pub use hybrid::{
    Candidates, Evolution, Extra, Grouping, Hybrid, HybridRun, HybridSettings, MutationChoice,
    OrderCrossover, OrderMutation, Preselection, SurrogateLevels,
};
pub use hypercube::Hypercube;
pub use kelly_ilp::KellyIlp;
pub use kelly_lp::{KellyLp, Order};
pub use local_lp::LocalLp;
pub use method::{METHODS, Method, Proposal, Task, method};
pub use modular::Modular;
pub use movement::Movement;
pub use mover::{Mover, mover};
pub use need::{Need, needs};
pub use parallel_bound_and_path::ParallelBoundAndPath;
pub use protect::{Outcome, protect, protect_task};
pub use shortest_path::ShortestPath;
pub use store::Store;
