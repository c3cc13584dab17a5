//! **auto**: the best method for the table and the time.
//!
//! - Two-way tables, and two-way ones with one hierarchical dimension: the search by Benders
//!   cuts on the network (as `exact`), which starts from shortest paths and improves and
//!   bounds until the budget ends.
//! - Small systems of any shape: the same search with linear programs instead of flows.
//! - Medium ones: Kelly's incremental linear program over the whole, then the method for
//!   larger ones in the time that is left; the cheaper pattern counts.
//! - Larger ones: a linear program for each requirement, most of them local, with kept proofs, then
//!   remove and repair (`local-lp`).
//!
//! - *Guarantee*: every pattern is safe; the lower bound is proven.
//! - *Choose it* unless you have a reason not to.

use super::{Exact, KellyLp, LocalLp};
use crate::search::network::TableNetwork;
use crate::{Error, Method, Proposal, Task};

/// The most cells that may be hidden in a system that is no network and is still searched by
/// cuts: every cut costs a linear program over all of them.
const SMALL: usize = 400;

/// The most cells for which linear programs over the whole system are quick enough to be
/// tried as well.
const MEDIUM: usize = 3_000;

/// The settings of `auto`: none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Auto;

impl Method for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn keeps_checkpoints(&self) -> bool {
        true
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let cells = task.problem.cell_count();
        if cells <= SMALL || TableNetwork::of(task.problem).is_some() {
            return Exact.suppress(task);
        }
        if cells > MEDIUM {
            return LocalLp::default().suppress(task);
        }
        let (whole, local) =
            (KellyLp::default().suppress(task)?, LocalLp::default().suppress(task)?);
        let cost = |proposal: &Proposal| proposal.pattern.cost(task.problem);
        let lower_bound = whole.lower_bound.max(local.lower_bound);
        let cheaper = if cost(&local) < cost(&whole) { local } else { whole };
        Ok(Proposal { lower_bound, ..cheaper })
    }
}
