//! **ordering**: the largest first, alternate directions (cox-2005, section 3).
//!
//! - *Guarantee*: what is given keeps everything; no bound on how far it is from the optimum.
//! - *Complexity*: one linear program.
//! - *Choose it* as a yardstick, or where one linear program is all there is time for.

use crate::bound::line_bound;
use crate::choice::alternate;
use crate::judge::Judge;
use crate::{Error, Method, Proposal, Task};

/// The settings of `ordering`: none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ordering;

impl Method for Ordering {
    fn name(&self) -> &'static str {
        "ordering"
    }

    fn adjust(&self, task: &Task) -> Result<Proposal, Error> {
        let mut judge = Judge::new(task.instance, task.budget)?;
        judge.judge(&alternate(task.instance))?;
        Ok(Proposal {
            movement: judge.settle(task.budget)?,
            lower_bound: line_bound(task.instance),
        })
    }
}
