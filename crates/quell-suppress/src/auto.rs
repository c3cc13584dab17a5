//! **auto**: the best method for the table and the time.
//!
//! - Two-way tables, and two-way ones with one hierarchical dimension: the search by Benders
//!   cuts on the network (as `exact`), which starts from shortest paths and improves and
//!   bounds until the budget ends.
//! - Small systems of any shape: the same search with linear programs instead of flows.
//! - Larger ones: local linear programs with kept proofs, then remove and repair (`local-lp`).
//!
//! - *Guarantee*: every pattern is safe; the lower bound is proven.
//! - *Choose it* unless you have a reason not to.

use crate::benders::Benders;
use crate::network::TableNetwork;
use crate::{Error, LocalLp, Method, Proposal, Task};

/// The most cells that may be hidden in a system that is no network and is still searched by
/// cuts: every cut costs a linear program over all of them.
const SMALL: usize = 400;

/// The settings of `auto`: none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Auto;

impl Method for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let network = TableNetwork::of(task.problem);
        if network.is_none() && task.problem.cell_count() > SMALL {
            return LocalLp.suppress(task);
        }
        Benders::new(task, network.as_ref())?.run()
    }
}
