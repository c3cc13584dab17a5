//! Readers of large files look at the budget now and then.

use quell_model::Budget;

use crate::Error;

/// After how many lines they look: each takes at most microseconds.
const LINES: u32 = 4096;

/// Ends reading when the budget is over.
pub(crate) struct Pace<'a> {
    budget: &'a Budget,
    lines: u32,
}

impl<'a> Pace<'a> {
    pub fn new(budget: &'a Budget) -> Self {
        Self { budget, lines: 0 }
    }

    /// One more line; an error if there must be no more.
    pub fn line(&mut self) -> Result<(), Error> {
        self.lines = (self.lines + 1) % LINES;
        match self.lines {
            1 => self.budget.stop().map_or(Ok(()), |stop| Err(Error::Stopped(stop))),
            _ => Ok(()),
        }
    }
}
