//! **kelly-lp**: Kelly's incremental linear program (serpell-2011, figure 1).
//!
//! Primaries are taken one at a time, upper then lower level. For each the linear program
//! moves it by its level at the least cost, and every cell that moves is hidden; cells
//! already hidden cost nothing.
//!
//! - *Guarantee*: every pattern is safe; no bound on the cost.
//! - *Complexity*: two linear programs for each primary, over all cells of the table.
//! - *Choose it* for small and medium systems of any shape; `auto` starts from it there.
//! - *Deviates*: a program that takes too long is given up for one over a region nearby, and what is
//!   open then is left to the repair. A requirement that a movement found earlier already meets is not solved again;
//!   the program would find it at cost zero.

use quell_attack::CandidateAlgorithm;

use crate::search::incremental::{Incremental, Order, REWEIGHTINGS, requirements_in};
use crate::{Error, Method, Proposal, Task};

/// The settings of `kelly-lp`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KellyLp {
    /// The order of the primaries.
    pub order: Order,
    /// Protect only these candidates (serpell-2013), trusting that the others are safe
    /// with them; `None`: all primaries.
    pub candidates: Option<CandidateAlgorithm>,
    /// Publish again what turned out superfluous (kelly-1992).
    pub clean_up: bool,
    /// How often each program is solved again with weights that bring its cost nearer to
    /// that of hiding whole cells: `w / |y|` of the last solution.
    pub reweightings: usize,
}

impl Default for KellyLp {
    fn default() -> Self {
        Self {
            order: Order::default(),
            candidates: None,
            clean_up: true,
            reweightings: REWEIGHTINGS,
        }
    }
}

impl Method for KellyLp {
    fn name(&self) -> &'static str {
        "kelly-lp"
    }

    fn heeds_insiders(&self) -> bool {
        true
    }

    fn makes_drafts(&self) -> bool {
        self.clean_up
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let requirements = requirements_in(&self.order, task, self.candidates)?;
        let mut incremental = Incremental::new(task, requirements)?;
        if let Some(last) = task.checkpoints.last() {
            incremental.begin_with(last);
        }
        incremental.protect(self.reweightings)?;
        if self.clean_up && !task.is_draft {
            incremental.clean_up()?;
        }
        incremental.leave_checkpoint();
        Ok(incremental.proposal())
    }
}
