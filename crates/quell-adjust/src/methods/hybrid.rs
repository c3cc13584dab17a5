//! **hybrid** and **hybrid-swaps**: groups of sensitive cells, one binary variable each
//! (cox-2005, section 3).
//!
//! Cells are ordered by size and dealt to M groups in turn, so that groups are alike; the
//! cells of a group go the same direction. A cell that equals one of its totals shares the
//! total's group. The integer program over M binary variables is solved for several M and
//! the best is taken. With swaps, cells are exchanged between groups while that lowers the
//! number of pairs within a group that share a total.
//!
//! - *Guarantee*: what is given keeps everything; no bound on how far it is from the optimum.
//! - *Complexity*: integer programs of M binary variables, M up to 16.
//! - *Choose it* as a yardstick: `auto` is better in less time.
//! - *Deviates*: the paper's "equals one of its totals" is read for sensitive totals.

use rustc_hash::FxHashMap;

use crate::bound::line_bound;
use crate::choice::dealt;
use crate::judge::Judge;
use crate::question::Question;
use crate::{Error, Instance, Method, Proposal, Task};

/// Sweeps of swaps at most.
const SWEEPS: usize = 20;

/// The settings of `hybrid` and `hybrid-swaps`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hybrid {
    /// The fewest groups tried.
    pub fewest: u32,
    /// The most groups tried; the paper: 16.
    pub most: u32,
    /// Whether cells are swapped between groups.
    pub swaps: bool,
}

impl Default for Hybrid {
    fn default() -> Self {
        Self { fewest: 9, most: 16, swaps: false }
    }
}

impl Method for Hybrid {
    fn name(&self) -> &'static str {
        if self.swaps { "hybrid-swaps" } else { "hybrid" }
    }

    fn adjust(&self, task: &Task) -> Result<Proposal, Error> {
        let instance = task.instance;
        let mut judge = Judge::new(instance, task.budget)?;
        // More groups than cells are as good as one for each cell.
        let cells = instance.sensitive.len().max(1) as u32;
        let (fewest, most) = (self.fewest.min(cells), self.most.min(cells));
        let runs = most.saturating_sub(fewest) + 1;
        task.progress.stage("groups", Some(u64::from(runs)));
        for (run, most) in (fewest..=most).rev().enumerate() {
            if task.budget.stop().is_some() {
                break;
            }
            let groups = match self.swaps {
                true => swapped(instance, dealt(instance, most)),
                false => dealt(instance, most),
            };
            let left = task.budget.time_left().map(|left| left.as_secs_f64());
            let answer = Question {
                groups: Some(&groups),
                seconds: left.map(|left| left / f64::from(runs - run as u32)),
                ..Question::whole(instance, task.budget)
            }
            .answer()?;
            if let Some((directions, cost)) = answer.directions {
                judge.keep(cost, &directions);
            }
            task.budget.spend(100);
            task.progress.advance(1);
        }
        Ok(Proposal { movement: judge.settle(task.budget)?, lower_bound: line_bound(instance) })
    }
}

/// Swaps cells between groups while that lowers the number of pairs in a group that share
/// a total.
fn swapped(instance: &Instance, mut groups: Vec<u32>) -> Vec<u32> {
    let system = instance.problem.system();
    // How many cells of each group an equation has.
    let mut counts: FxHashMap<(u32, u32), i64> = FxHashMap::default();
    let lines: Vec<Vec<u32>> = instance
        .sensitive
        .iter()
        .map(|sensitive| system.equations_of(sensitive.cell).map(|(e, _)| e.0).collect())
        .collect();
    for (index, group) in groups.iter().enumerate() {
        for &line in &lines[index] {
            *counts.entry((line, *group)).or_default() += 1;
        }
    }
    let shared = |counts: &FxHashMap<(u32, u32), i64>, index: usize, group: u32| -> i64 {
        lines[index].iter().map(|&line| counts.get(&(line, group)).copied().unwrap_or(0)).sum()
    };
    let together = |a: usize, b: usize| -> i64 {
        lines[a].iter().filter(|line| lines[b].contains(line)).count() as i64
    };
    for _ in 0..SWEEPS {
        let mut gained = false;
        for a in 0..groups.len() {
            for b in a + 1..groups.len() {
                let (of_a, of_b) = (groups[a], groups[b]);
                if of_a == of_b {
                    continue;
                }
                let own = lines[a].len() as i64;
                let other = lines[b].len() as i64;
                let before = shared(&counts, a, of_a) - own + shared(&counts, b, of_b) - other;
                let after =
                    shared(&counts, a, of_b) + shared(&counts, b, of_a) - 2 * together(a, b);
                if after < before {
                    for (index, from, to) in [(a, of_a, of_b), (b, of_b, of_a)] {
                        for &line in &lines[index] {
                            *counts.entry((line, from)).or_default() -= 1;
                            *counts.entry((line, to)).or_default() += 1;
                        }
                        groups[index] = to;
                    }
                    gained = true;
                }
            }
        }
        if !gained {
            break;
        }
    }
    groups
}
