//! **exact**: the cheapest pattern, with proof.
//!
//! Benders cuts from attackers (fischetti-1999 for two-way tables, fischetti-2001 for any):
//! see `bound` and `methods/exact/benders.rs`.
//!
//! - *Guarantee*: every pattern is safe; the lower bound is proven, and when it meets the
//!   cost the pattern is optimal.
//! - *Complexity*: exponential at worst. Two-way tables of 10,000 cells with 3 % primaries
//!   take seconds to minutes; others rarely end beyond a few thousand cells.
//! - *Choose it* when a proof is worth the wait, or to judge other methods.
//! - *Deviates*: HiGHS has no callback for lazy cuts, so integer programs are solved in
//!   rounds with the cuts found between.

mod benders;
mod neighbourhoods;

use self::benders::Benders;
use crate::search::network::TableNetwork;
use crate::{Error, Method, Proposal, Task};

/// The settings of `exact`: none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exact;

impl Method for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn keeps_checkpoints(&self) -> bool {
        true
    }

    fn heeds_insiders(&self) -> bool {
        true
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let network = TableNetwork::of(task.problem);
        Benders::new(task, network.as_ref())?.run()
    }
}
