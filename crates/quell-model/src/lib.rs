//! The shared language of Quell.
//!
//! Every table (a k-way cube, a hierarchy, linked tables, a JJ file) is a set of
//! cells tied by additive equations. This crate holds that model and nothing
//! else: no input or output, no solver.
//!
//! - [`System`]: the equations `M a = b`, sparse, readable by row and by column;
//! - [`Problem`]: a system with values, statuses, protection levels, bounds and weights;
//! - [`Hierarchy`], [`Dimension`], [`Cube`]: shapes that *generate* a system;
//! - [`Ancestry`]: which base cells each cell of a system is the sum of;
//! - [`NullSpace`]: all movements of a system, by the cells that move freely;
//! - [`Pattern`]: which cells are hidden;
//! - [`Requirement`]: how far a primary must be able to move;
//! - [`Contributions`]: who contributes how much to which cells;
//! - [`Certificate`]: a proof that hidden cells can move;
//! - [`Fault`]: what validation finds wrong, with its place;
//! - [`Budget`], [`Progress`], [`Random`]: how long work may run, what it tells, and its chance.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod ancestry;
mod budget;
mod certificate;
mod contributions;
mod cube;
mod hierarchy;
mod id;
mod null_space;
mod pattern;
mod problem;
mod progress;
mod random;
mod requirement;
mod status;
mod system;
mod validate;
mod value;

pub use ancestry::Ancestry;
pub use budget::{Budget, Stop};
pub use certificate::{Certificate, Direction};
pub use contributions::{
    Class, Contributions, ContributorId, HiddenSum, LeastContributors, Share, SumRule,
};
pub use cube::{Cube, CubeError};
pub use hierarchy::{Dimension, Hierarchy, HierarchyError, NodeId, Sum};
pub use id::{CellId, EquationId};
pub use null_space::NullSpace;
pub use pattern::Pattern;
pub use problem::{Cell, Labels, Problem, Protection};
pub use progress::{Progress, Silent, Standing};
pub use random::{Random, fingerprint};
pub use requirement::{Knowing, Requirement};
pub use status::{Reason, Status};
pub use system::{System, SystemBuilder};
pub use validate::Fault;
pub use value::{Decimals, UNBOUNDED_ABOVE, UNBOUNDED_BELOW, Value, ValueError};
