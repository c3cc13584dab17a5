//! **random**: the best of many random choices (cox-2005, section 3).
//!
//! - *Guarantee*: what is given keeps everything; no bound on how far it is from the optimum.
//! - *Complexity*: one linear program a choice, each from the basis of the last.
//! - *Choose it* as a yardstick.

use quell_model::Random;

use crate::bound::line_bound;
use crate::judge::Judge;
use crate::{Error, Instance, Method, Proposal, Task, Way};

/// The settings of `random`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomWays {
    /// How many choices are tried; the paper: 100 and 1000.
    pub choices: usize,
}

impl Default for RandomWays {
    fn default() -> Self {
        Self { choices: 100 }
    }
}

impl Method for RandomWays {
    fn name(&self) -> &'static str {
        "random"
    }

    fn adjust(&self, task: &Task) -> Result<Proposal, Error> {
        let mut judge = Judge::new(task.instance, task.budget)?;
        let mut random = task.budget.random(1);
        task.progress.stage("random ways", Some(self.choices as u64));
        for _ in 0..self.choices {
            if task.budget.stop().is_some() {
                break;
            }
            let worse = Some(judge.best_cost()).filter(|cost| cost.is_finite());
            judge.judge_below(&random_ways(task.instance, &mut random), worse)?;
            task.budget.spend(1);
            task.progress.advance(1);
        }
        Ok(Proposal {
            movement: judge.settle(task.budget)?,
            lower_bound: line_bound(task.instance),
        })
    }
}

/// A random way for every sensitive cell, as far as its bounds allow.
pub(crate) fn random_ways(instance: &Instance, random: &mut Random) -> Vec<Way> {
    let mut way = |can_fall: bool, can_rise: bool| match (can_fall, can_rise) {
        (true, true) if random.chance(0.5) => Way::Fall,
        (true, false) => Way::Fall,
        _ => Way::Rise,
    };
    instance.sensitive.iter().map(|cell| way(cell.can_fall, cell.can_rise)).collect()
}
