//! **random**: the best of many random choices (cox-2005, section 3).
//!
//! - *Guarantee*: what is given keeps everything; no bound on how far it is from the optimum.
//! - *Complexity*: one linear program for each choice, each from the basis of the last.
//! - *Choose it* as a yardstick.

use crate::bound::line_bound;
use crate::choice::random_directions;
use crate::judge::Judge;
use crate::{Error, Method, Proposal, Task};

/// The settings of `random`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomDirections {
    /// How many choices are tried; the paper: 100 and 1000.
    pub choices: usize,
}

impl Default for RandomDirections {
    fn default() -> Self {
        Self { choices: 100 }
    }
}

impl Method for RandomDirections {
    fn name(&self) -> &'static str {
        "random"
    }

    fn adjust(&self, task: &Task) -> Result<Proposal, Error> {
        let mut judge = Judge::new(task.instance, task.budget)?;
        let mut random = task.budget.random(1);
        task.progress.stage("random directions", Some(self.choices as u64));
        for _ in 0..self.choices {
            if task.budget.stop().is_some() {
                break;
            }
            let worse = Some(judge.best_cost()).filter(|cost| cost.is_finite());
            judge.judge_below(&random_directions(task.instance, &mut random), worse)?;
            task.budget.spend(1);
            task.progress.advance(1);
        }
        Ok(Proposal {
            movement: judge.settle(task.budget)?,
            lower_bound: line_bound(task.instance),
        })
    }
}
