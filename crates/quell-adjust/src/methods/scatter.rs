//! **scatter**: scatter search over the directions (cox-2005, section 4; laguna-2003).
//!
//! A reference set holds the best directions known and directions far from them. Pairs are
//! combined: where both agree so do their children, elsewhere chance decides in favour of the
//! better; the two best have five children, the two worst one. If no child enters the reference set
//! it is rebuilt: the elite stays and the rest is replaced by directions far from it.
//!
//! - *Guarantee*: what is given keeps everything; no bound on how far it is from the optimum.
//! - *Complexity*: one linear program for each child, from the basis of the last.
//! - *Choose it* as a yardstick: `auto` is better in less time.
//! - *Deviates*: the paper used a commercial solver of unknown inner workings (OptQuest) on
//!   groups; here the search is over single cells and starts from alternate and hybrid directions.

use quell_model::{Direction, Random};

use crate::bound::line_bound;
use crate::choice::{alternate, dealt, random_directions};
use crate::judge::Judge;
use crate::question::Question;
use crate::tolerance::GAIN;
use crate::{Error, Instance, Method, Proposal, Task};

/// The settings of `scatter`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scatter {
    /// Members of the reference set.
    pub members: usize,
    /// Members that survive a rebuilding.
    pub elite: usize,
    /// Rebuildings without a better member until the search ends.
    pub rebuildings: usize,
}

impl Default for Scatter {
    fn default() -> Self {
        Self { members: 10, elite: 3, rebuildings: 5 }
    }
}

/// A member of the reference set: its cost and its directions.
type Member = (f64, Vec<Direction>);

impl Method for Scatter {
    fn name(&self) -> &'static str {
        "scatter"
    }

    fn adjust(&self, task: &Task) -> Result<Proposal, Error> {
        let mut judge = Judge::new(task.instance, task.budget)?;
        let mut random = task.budget.random(1);
        let mut set = self.first(task, &mut judge, &mut random)?;
        let mut fruitless = 0;
        task.progress.stage("scatter search", None);
        while fruitless < self.rebuildings && !set.is_empty() && task.budget.stop().is_none() {
            let best = set[0].0;
            while self.combine(task, &mut set, &mut judge, &mut random)? {
                task.progress.advance(1);
            }
            fruitless = if set[0].0 < best - GAIN { 0 } else { fruitless + 1 };
            set.truncate(self.elite);
            self.diversify(task, &mut set, &mut judge, &mut random)?;
        }
        Ok(Proposal {
            movement: judge.settle(task.budget)?,
            lower_bound: line_bound(task.instance),
        })
    }
}

impl Scatter {
    fn first(
        &self,
        task: &Task,
        judge: &mut Judge,
        random: &mut Random,
    ) -> Result<Vec<Member>, Error> {
        let mut set = Vec::new();
        let directions = alternate(task.instance);
        set.extend(judge.judge(&directions)?.map(|cost| (cost, directions)));
        let groups = dealt(task.instance, 8);
        let grouped = Question {
            groups: Some(&groups),
            nodes: Some(200),
            ..Question::whole(task.instance, task.budget)
        }
        .answer()?;
        if let Some((directions, cost)) = grouped.directions {
            judge.keep(cost, &directions);
            set.push((cost, directions));
        }
        self.diversify(task, &mut set, judge, random)?;
        Ok(set)
    }

    /// Fills the set with directions far from those in it: of many the farthest.
    fn diversify(
        &self,
        task: &Task,
        set: &mut Vec<Member>,
        judge: &mut Judge,
        random: &mut Random,
    ) -> Result<(), Error> {
        let mut tries = 0;
        while set.len() < self.members && tries < 4 * self.members && task.budget.stop().is_none() {
            tries += 1;
            let candidates = (0..8).map(|_| random_directions(task.instance, random));
            let nearest =
                |directions: &Vec<Direction>| set.iter().map(|m| distance(&m.1, directions)).min();
            let Some(directions) = candidates.max_by_key(nearest) else { break };
            task.budget.spend(1);
            if let Some(cost) = judge.judge(&directions)? {
                set.push((cost, directions));
            }
        }
        set.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(())
    }

    /// Combines all pairs; says whether a child entered the set.
    fn combine(
        &self,
        task: &Task,
        set: &mut Vec<Member>,
        judge: &mut Judge,
        random: &mut Random,
    ) -> Result<bool, Error> {
        let parents = set.clone();
        let mut entered = false;
        for a in 0..parents.len() {
            for b in a + 1..parents.len() {
                let children = 1 + 4 * (2 * parents.len() - 3 - a - b) / (2 * parents.len() - 3);
                for _ in 0..children {
                    if task.budget.stop().is_some() {
                        return Ok(false);
                    }
                    let directions = child(task.instance, &parents[a], &parents[b], random);
                    let worst = set.last().map_or(f64::INFINITY, |member| member.0);
                    if set.iter().any(|member| member.1 == directions) {
                        continue;
                    }
                    task.budget.spend(1);
                    let cost = judge.judge_below(&directions, Some(worst))?;
                    if let Some(cost) = cost.filter(|&cost| cost < worst - GAIN) {
                        set.pop();
                        let place = set.partition_point(|member| member.0 <= cost);
                        set.insert(place, (cost, directions));
                        entered = true;
                    }
                }
            }
        }
        Ok(entered)
    }
}

fn distance(a: &[Direction], b: &[Direction]) -> usize {
    a.iter().zip(b).filter(|(a, b)| a != b).count()
}

/// Agrees with both parents where they agree, and more often with the better elsewhere.
fn child(
    instance: &Instance,
    better: &Member,
    worse: &Member,
    random: &mut Random,
) -> Vec<Direction> {
    let directions = better.1.iter().zip(&worse.1).zip(&instance.sensitive);
    directions
        .map(|((&a, &b), sensitive)| match a == b {
            true if random.chance(0.02) && instance.may(sensitive, a.opposite()) => a.opposite(),
            true => a,
            false if random.chance(0.6) => a,
            false => b,
        })
        .collect()
}
