//! **bcd**: block-coordinate descent (after gonzalez-2011).
//!
//! The sensitive cells are split into blocks; the directions of one block are chosen anew by an
//! integer program while all others keep theirs, block after block, sweep after sweep,
//! until a sweep gains nothing. Each sweep splits anew.
//!
//! - *Guarantee*: what is given keeps everything, and no block of the last split can do
//!   better alone; no bound on how far it is from the optimum.
//! - *Complexity*: an integer program of few binary variables for each block.
//! - *Choose it* where `auto` has no time to work on directions alone: tables with tight bounds.

use crate::bound::line_bound;
use crate::choice::alternate;
use crate::judge::Judge;
use crate::question::Question;
use crate::tolerance::PROGRAM_GAIN;
use crate::{Error, Method, Proposal, Task};

/// Sweeps at most.
const SWEEPS: usize = 50;
/// Nodes an integer program may take.
const NODES: u32 = 500;

/// The settings of `bcd`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockCoordinateDescent {
    /// Sensitive cells in a block.
    pub size: usize,
}

impl Default for BlockCoordinateDescent {
    fn default() -> Self {
        Self { size: 12 }
    }
}

impl Method for BlockCoordinateDescent {
    fn name(&self) -> &'static str {
        "bcd"
    }

    fn adjust(&self, task: &Task) -> Result<Proposal, Error> {
        let instance = task.instance;
        let mut judge = Judge::new(instance, task.budget)?;
        let mut directions = alternate(instance);
        let mut cost = judge.judge(&directions)?.unwrap_or(f64::INFINITY);
        let mut random = task.budget.random(1);
        let mut order: Vec<usize> = (0..directions.len()).collect();
        task.progress.stage("sweeps", None);
        for _ in 0..SWEEPS {
            random.shuffle(&mut order);
            let before = cost;
            for block in order.chunks(self.size.max(1)) {
                if task.budget.stop().is_some() || !cost.is_finite() {
                    break;
                }
                let mut fixed: Vec<_> = directions.iter().copied().map(Some).collect();
                block.iter().for_each(|&index| fixed[index] = None);
                let answer = Question {
                    fixed: &fixed,
                    start: Some(&directions),
                    nodes: Some(NODES),
                    ..Question::whole(instance, task.budget)
                }
                .answer()?;
                task.budget.spend(10);
                if let Some((better, found)) =
                    answer.directions.filter(|(_, found)| *found < cost - PROGRAM_GAIN)
                {
                    (directions, cost) = (better, found);
                    judge.keep(cost, &directions);
                }
            }
            task.progress.advance(1);
            if cost >= before - PROGRAM_GAIN || task.budget.stop().is_some() {
                break;
            }
        }
        Ok(Proposal { movement: judge.settle(task.budget)?, lower_bound: line_bound(instance) })
    }
}
