//! The search over directions: rounds of annealing, then flips, from one start after another.

use quell_model::{Direction, Random};

use crate::anneal::{Landscape, State};
use crate::choice::{alternate, random_directions};
use crate::flip::flips;
use crate::judge::Judge;
use crate::tolerance::{GAIN, SAME_COST, SAME_COST_SHARE};
use crate::{Error, Task};

/// Moves of a round of annealing: so many a pair of sensitive cells, and at most.
const MOVES: u64 = 300;
const MOST_MOVES: u64 = 8_000_000;
/// First and last temperature of later rounds, as shares of the mean cost of a flip.
const REHEAT: f64 = 0.15;
const COLD: f64 = 0.005;
/// Rounds of annealing without gain until flips take over.
const STALE: usize = 5;
/// The substitute is the cost itself if it is as near, as a share of what balancing costs.
const SUBSTITUTE: f64 = 0.02;
/// With more sensitive cells than this a linear program takes longer than annealing afresh.
const FLIPPED: usize = 200;
/// The cost of directions that were not judged in time.
pub(crate) const UNJUDGED: f64 = 1e200;
/// Starts if no time is given.
const STARTS: usize = 3;

/// How long a search goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// One start.
    Start,
    /// As long as there is time, from the start of this number on.
    Full { first: usize },
}

/// Searches for directions until the budget ends or their cost meets `bound`.
pub(crate) fn search<'a>(
    task: &Task<'a>,
    effort: Effort,
    bound: &dyn Fn() -> f64,
) -> Result<Judge<'a>, Error> {
    let instance = task.instance;
    let mut judge = Judge::new(instance, task.budget)?;
    let enough = |cost: f64| is_enough(cost, bound());
    task.progress.stage("searching", None);
    let mut landscape = Landscape::new(instance);
    let starts = match (effort, task.budget.time_left()) {
        (Effort::Start, _) => 0..1,
        (Effort::Full { first }, None) => first..first + STARTS,
        (Effort::Full { first }, Some(_)) => first..usize::MAX,
    };
    for start in starts {
        if task.budget.stop().is_some() || enough(judge.best_cost()) || landscape.is_empty() {
            break;
        }
        let mut random = task.budget.random(start as u64 + 1);
        let (mut cost, mut directions) =
            anneal(task, &mut landscape, &mut judge, &mut random, start, &enough)?;
        // Where the substitute is the cost itself, as in most two-way tables, flips on linear
        // programs only do the same more slowly.
        let least = instance.least_cost() + landscape.least(&landscape.state(&directions));
        let far = cost > least + SUBSTITUTE * (cost - instance.least_cost());
        if cost.is_finite() && far && directions.len() <= FLIPPED {
            let temperature = landscape.scale() * 0.02;
            flips(task, &mut judge, &mut directions, &mut cost, temperature, &mut random, &enough)?;
        }
        task.progress.advance(1);
    }
    if judge.best().is_none() {
        judge.judge(&alternate(instance))?;
    }
    Ok(judge)
}

/// Rounds of annealing from one start; gives the best directions of this start.
fn anneal(
    task: &Task,
    landscape: &mut Landscape,
    judge: &mut Judge,
    random: &mut Random,
    start: usize,
    enough: &dyn Fn(f64) -> bool,
) -> Result<(f64, Vec<Direction>), Error> {
    let instance = task.instance;
    let count = instance.sensitive.len() as u64;
    let moves = (MOVES * count * count).min(MOST_MOVES);
    // Every other start goes on from the best directions known.
    let known = judge.best().filter(|_| start % 2 == 1).map(|best| best.directions.clone());
    let (hot, from) = match known {
        Some(directions) => (0.15, directions),
        None => (0.5, random_directions(instance, random)),
    };
    landscape.even_weights();
    let mut state = landscape.state(&from);
    let mut best = (f64::INFINITY, from);
    let (mut stale, mut round) = (0, 0);
    while stale < STALE && task.budget.stop().is_none() && !enough(judge.best_cost()) {
        let scale = landscape.scale();
        let hot = if round == 0 { hot } else { REHEAT };
        let stop = || task.budget.stop().is_some();
        let found: State =
            landscape.anneal(&mut state, random, (scale * hot, scale * COLD), moves, &stop);
        task.budget.spend(20);
        let judged = judge.judge(&found.directions)?;
        if judged.is_none() && judge.best().is_none() {
            // The time may have ended first; without a deadline they may still prove feasible.
            judge.keep(UNJUDGED, &found.directions);
        }
        match judged {
            Some(cost) if cost < best.0 - GAIN => {
                best = (cost, found.directions.clone());
                stale = 0;
            }
            _ => stale += 1,
        }
        landscape.shift_weights(&found);
        state = landscape.state(&found.directions);
        round += 1;
    }
    Ok(best)
}

/// Whether a cost meets the bound, but for rounding.
pub(crate) fn is_enough(cost: f64, bound: f64) -> bool {
    cost <= bound * (1.0 + SAME_COST_SHARE) + SAME_COST
}
