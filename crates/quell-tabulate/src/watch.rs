//! Loops over millions of cells look at the budget now and then.

use quell_model::Budget;

use crate::Error;

/// After how many steps it looks: each takes at most microseconds.
const STEPS: u32 = 1024;

/// Ends a loop whose budget is over.
#[derive(Debug)]
pub(crate) struct Watch<'a> {
    budget: &'a Budget,
    steps: u32,
}

impl<'a> Watch<'a> {
    pub(crate) fn new(budget: &'a Budget) -> Self {
        Self { budget, steps: 0 }
    }

    /// One more step; an error if there must be no more.
    pub(crate) fn step(&mut self) -> Result<(), Error> {
        self.steps = (self.steps + 1) % STEPS;
        match self.steps {
            1 => self.budget.stop().map_or(Ok(()), |stop| Err(Error::Stopped(stop))),
            _ => Ok(()),
        }
    }
}
