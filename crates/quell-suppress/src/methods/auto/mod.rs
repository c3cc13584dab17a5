//! **auto**: the best method for the table and the time.
//!
//! - Two-way tables, and two-way ones with one hierarchical dimension: the search by Benders
//!   cuts on the network (as `exact`), which starts from shortest paths and improves and
//!   bounds until the budget ends.
//! - Small systems of any shape: the same search with linear programs instead of flows.
//! - Others up to 3,000 cells: one search by linear programs over the whole table ([`search`]): a
//!   first pattern by Kelly's programs, then parts of it are built anew ([`rebuild`]), chosen anew by
//!   integer programs over cuts ([`neighbourhoods`]) or taken out and met anew ([`rework`]), beside a
//!   lower bound by Benders cuts.
//! - Larger ones: a linear program for each requirement, most of them local, with kept proofs, then
//!   remove and repair (`local-lp`).
//!
//! - *Guarantee*: every pattern is safe; the lower bound is proven.
//! - *Choose it* unless you have a reason not to.

mod neighbourhoods;
mod rebuild;
mod rework;
mod search;

use self::search::Search;
use super::{Exact, LocalLp};
use crate::search::network::TableNetwork;
use crate::{Error, Method, Proposal, Task};

/// The most cells that may be hidden in a system that is no network and is still searched like
/// one: there the proof of the optimum comes first.
const SMALL: usize = 400;

/// The most cells for which linear programs over the whole system are quick enough.
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

    fn heeds_insiders(&self) -> bool {
        true
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let cells = task.problem.cell_count();
        if cells <= SMALL || TableNetwork::of(task.problem).is_some() {
            return Exact.suppress(task);
        }
        match cells <= MEDIUM {
            true => Search::new(task)?.run(),
            false => LocalLp::default().suppress(task),
        }
    }
}
