//! What a method is.

use quell_model::{Budget, Pattern, Problem, Progress};

use crate::{Checkpoints, Error, NoCheckpoints};

/// What a method is given.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    /// The table to protect; without faults.
    pub problem: &'a Problem,
    /// What may be used.
    pub budget: &'a Budget,
    /// Whom to tell.
    pub progress: &'a dyn Progress,
    /// Where to begin, and where to leave how far one has come. Methods that cannot go on from
    /// a checkpoint take no notice.
    pub checkpoints: &'a dyn Checkpoints,
    /// Whether the same is asked again later, with more requirements: what turns out superfluous may
    /// wait until then.
    pub is_draft: bool,
}

impl<'a> Task<'a> {
    /// A task without checkpoints.
    pub fn new(problem: &'a Problem, budget: &'a Budget, progress: &'a dyn Progress) -> Self {
        Self { problem, budget, progress, checkpoints: &NoCheckpoints, is_draft: false }
    }
}

/// What a method gives: the best pattern it has found, and what it knows of the optimum.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// The hidden cells, primaries included.
    pub pattern: Pattern,
    /// No safe pattern costs less than this; zero if the method knows nothing.
    pub lower_bound: f64,
    /// Solver iterations spent, for comparisons that can be repeated; zero if it uses none.
    pub iterations: u64,
}

impl Proposal {
    /// A pattern with no bound.
    pub fn unbounded(pattern: Pattern) -> Self {
        Self { pattern, lower_bound: 0.0, iterations: 0 }
    }
}

/// A way to choose secondaries.
///
/// A method is *anytime*: when its budget ends it gives the best it has. It should propose
/// a safe pattern, but [`protect`](crate::protect()) relies on nobody's word.
pub trait Method: Sync {
    /// The name users know it by.
    fn name(&self) -> &'static str;

    /// Whether it leaves checkpoints and goes on from them.
    fn keeps_checkpoints(&self) -> bool {
        false
    }

    /// Whether it takes a system of any shape and meets what is asked in the eyes of single
    /// contributors ([`Problem::insiders`]).
    fn heeds_insiders(&self) -> bool {
        false
    }

    /// Whether it has something to leave out of drafts.
    fn makes_drafts(&self) -> bool {
        false
    }

    /// Chooses secondaries.
    ///
    /// # Errors
    /// If the table is not one the method can treat, or the solver fails.
    fn suppress(&self, task: &Task) -> Result<Proposal, Error>;
}
