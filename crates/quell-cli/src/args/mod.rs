//! Arguments that several sub-commands share, and what they mean to the library.
//!
//! - [`LimitArguments`], [`SearchArguments`]: time, effort, threads and chance, as a budget;
//! - [`CheckpointArguments`]: where a long search keeps its state;
//! - [`ContributorArguments`]: whether contributors are attackers;
//! - [`micro`]: the records, what is checked of them, and how;
//! - [`HiddenArguments`]: which cells of a table are hidden.

mod checkpoints;
mod contributors;
mod hidden;
mod limits;
pub mod micro;

pub use checkpoints::CheckpointArguments;
pub use contributors::ContributorArguments;
pub use hidden::HiddenArguments;
pub use limits::{LimitArguments, SearchArguments};
