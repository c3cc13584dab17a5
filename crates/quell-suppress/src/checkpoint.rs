//! What a long search leaves behind now and then, so that another can go on from there.
//!
//! A search that keeps proofs leaves these: its pattern is what they use, and the next search
//! need not look for them again. What is not proven in a checkpoint is found anew, and the
//! audit at the end trusts none of it.

use quell_model::CellId;

use crate::Movement;

/// A search as far as it has come.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Checkpoint {
    /// Steps taken, so that chance goes on and does not begin again.
    pub steps: u64,
    /// The secondaries of the best pattern, rising.
    pub secondaries: Vec<CellId>,
    /// The proofs of that pattern, if the search keeps any; or of one that is being made.
    pub proofs: Vec<Movement>,
    /// What was tried, by a mark of each, with what it cost; in the order in which it was tried.
    pub tried: Vec<(u64, f64)>,
}

/// Where checkpoints come from and go to.
pub trait Checkpoints: Sync {
    /// What an earlier search left.
    fn last(&self) -> Option<&Checkpoint>;

    /// Whether any are kept: then a search is one that can go on from where it was.
    fn are_kept(&self) -> bool {
        true
    }

    /// Whether it is time for another.
    fn is_due(&self) -> bool;

    /// Keeps a checkpoint, made only if it is wanted, in the place of the last.
    fn save(&self, checkpoint: &dyn Fn() -> Checkpoint);
}

/// No checkpoints.
#[derive(Debug, Clone, Copy)]
pub struct NoCheckpoints;

impl Checkpoints for NoCheckpoints {
    fn last(&self) -> Option<&Checkpoint> {
        None
    }

    fn are_kept(&self) -> bool {
        false
    }

    fn is_due(&self) -> bool {
        false
    }

    fn save(&self, _: &dyn Fn() -> Checkpoint) {}
}
