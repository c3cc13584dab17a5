//! What may stop reading, and who is told how far it is.

use std::fmt;

use quell_model::{Budget, Progress, Silent};

use crate::Error;

/// What may stop reading, and who is told how far it is.
#[derive(Clone)]
pub struct Watch<'a> {
    budget: Budget,
    progress: &'a dyn Progress,
}

impl<'a> Watch<'a> {
    /// Reading that a budget may stop.
    pub fn new(budget: &Budget, progress: &'a dyn Progress) -> Self {
        Self { budget: budget.clone(), progress }
    }

    /// So many records more were read, or written.
    ///
    /// # Errors
    /// If the work is to stop.
    pub fn step(&self, records: usize) -> Result<(), Error> {
        self.progress.advance(records as u64);
        self.budget.stop().map_or(Ok(()), |stop| Err(Error::Stopped(stop)))
    }
}

impl Default for Watch<'_> {
    /// Never stopped, nobody told.
    fn default() -> Self {
        Self { budget: Budget::default(), progress: &Silent }
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("budget", &self.budget).finish_non_exhaustive()
    }
}
