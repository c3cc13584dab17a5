//! When counting has to end, and whom it tells how far it is.
//!
//! A search that runs out of budget returns the best it has; counting that is cut off knows
//! nothing, so it ends with [`Error::Stopped`]. Only the cancel flag and the deadline cut it
//! off: a limit of effort is for searches, and a result must not depend on it otherwise.
//!
//! What a search has found is worth a little patience: its verification goes on for
//! [`GRACE`] after the budget is spent, so that a run that is cancelled or out of time still
//! ends with a safe file where that takes a moment only.

use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use quell_model::{Budget, Progress, Silent, Stop};

use crate::{Error, Result};

/// How long the verification of what was found may go on after the budget is spent.
pub(crate) const GRACE: Duration = Duration::from_secs(1);

/// Records handled between two looks at the clock.
pub(crate) const RECORDS_PER_LOOK: usize = 1 << 14;

/// Looks at the budget for whoever counts, on any number of threads.
pub(crate) struct StopCheck<'a> {
    budget: &'a Budget,
    progress: &'a dyn Progress,
    grace: Duration,
    /// When the budget was first seen to be spent.
    spent: OnceLock<Instant>,
}

impl<'a> StopCheck<'a> {
    pub(crate) fn new(budget: &'a Budget, progress: &'a dyn Progress) -> Self {
        Self { budget, progress, grace: Duration::ZERO, spent: OnceLock::new() }
    }

    /// Tells nobody: for counting that is one step of something larger.
    pub(crate) fn silent(budget: &'a Budget) -> Self {
        Self::new(budget, &Silent)
    }

    /// Goes on for [`GRACE`] after the budget is spent.
    pub(crate) fn patient(budget: &'a Budget, progress: &'a dyn Progress) -> Self {
        Self { grace: GRACE, ..Self::new(budget, progress) }
    }

    /// Whether and why to end now.
    pub(crate) fn reason(&self) -> Option<Stop> {
        let why = if self.budget.cancel_flag().load(Ordering::Relaxed) {
            Stop::Cancelled
        } else if self.budget.time_left().is_some_and(|left| left.is_zero()) {
            Stop::Deadline
        } else {
            return None;
        };
        (self.spent.get_or_init(Instant::now).elapsed() >= self.grace).then_some(why)
    }

    /// Whether anybody was told to end: then what was found may be less than the best.
    pub(crate) fn has_stopped(&self) -> bool {
        self.spent.get().is_some()
    }

    /// Goes on, or ends with the reason.
    pub(crate) fn check(&self) -> Result<()> {
        match self.reason() {
            None => Ok(()),
            Some(why) => Err(Error::Stopped(why)),
        }
    }

    /// As [`StopCheck::check`], once in a while.
    pub(crate) fn check_at(&self, record: usize) -> Result<()> {
        if record.is_multiple_of(RECORDS_PER_LOOK) { self.check() } else { Ok(()) }
    }

    /// A stage begins.
    pub(crate) fn stage(&self, name: &str, steps: usize) {
        self.progress.stage(name, Some(steps as u64));
    }

    /// So many more steps are done.
    pub(crate) fn advance(&self, steps: usize) {
        self.progress.advance(steps as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn a_raised_flag_ends_counting_at_once_and_verification_after_a_moment() {
        let cancel = Arc::new(AtomicBool::new(true));
        let budget = Budget::default().with_cancel(Arc::clone(&cancel));
        assert_eq!(StopCheck::silent(&budget).reason(), Some(Stop::Cancelled));
        assert_eq!(StopCheck::patient(&budget, &Silent).reason(), None);
        cancel.store(false, Ordering::Relaxed);
        assert!(StopCheck::silent(&budget).check().is_ok());
    }

    #[test]
    fn a_deadline_counts_although_the_effort_is_spent_and_effort_alone_does_not() {
        let spent = Budget::default().with_work(0);
        assert_eq!(StopCheck::silent(&spent).reason(), None);
        let late = spent.with_time(Duration::ZERO);
        assert_eq!(StopCheck::silent(&late).reason(), Some(Stop::Deadline));
    }
}
