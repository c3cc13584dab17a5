//! Controlled tabular adjustment: sensitive values move to a safe distance, others a little,
//! so that the table still adds up (cox-2005).
//!
//! [`adjust`] runs a [`Method`] on the [`Instance`] that a table and [`Options`] make, and
//! has its result checked by [`audit`]: nothing that is not safe, exactly additive and
//! within its limits leaves this crate. [`attack`] says what an intruder who knows the
//! method can still infer, [`quality`] how much the table has changed, [`Conflict`] why
//! there may be no adjusted table at all.
//!
//! Each method is a file in `methods`. Shared parts: the integer program, whole or in part
//! (`question`), the linear program of given directions (`program`, `judge`), rounding (`round`),
//! searches over directions (`anneal`, `flip`) and whole tables (`base`, `walk`), lower bounds
//! (`line`, `block`, `bound`).

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod adjust;
mod anneal;
mod attack;
mod audit;
mod base;
mod block;
mod bound;
mod choice;
mod conflict;
mod error;
mod flip;
mod instance;
mod judge;
mod line;
mod matrix;
mod method;
mod methods;
mod options;
mod program;
mod quality;
mod quality_row;
mod question;
mod round;
mod search;
mod tolerance;
mod walk;

pub use adjust::{Outcome, adjust};
pub use attack::{Attack, Inference, attack};
pub use audit::{Audit, Breach, audit};
pub use conflict::Conflict;
pub use error::Error;
pub use instance::{Instance, Sensitive};
pub use method::{METHODS, Method, Proposal, Task, method};
pub use methods::{
    Auto, BlockCoordinateDescent, Exact, Hybrid, Learning, Ordering, RandomDirections, Scatter,
};
pub use options::{Cost, Distance, Keep, Limit, Options, Statistic};
pub use quality::{Level, Quality, quality};
