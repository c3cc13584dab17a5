//! **auto**: the best anytime chain for the table at hand.
//!
//! 0. In small tables `exact`, for half of the time: it mostly ends there.
//! 1. Ways by annealing on prices of imbalance (`anneal`), rounds of it with the weights of
//!    the classes of equations (rows, columns, …) moved towards the class that is worst off;
//!    every round's ways are judged by their linear program.
//! 2. Sign flips on the linear programs themselves, re-solved from the last basis (`flip`).
//! 3. Again from another start, until the time is over or the proven bound is met.
//!
//! Beside it runs the lower bound: lines, blocks, the whole program (`bound`); its thread
//! then joins the search with other starts. Tables too
//! large for linear programs are adjusted by annealing and a walk over whole tables
//! (`walk`), both of which know additivity by construction.
//!
//! - *Guarantee*: what is given keeps everything; the gap is proven.
//! - *Complexity*: as long as it is given; a first good answer after one round: seconds for
//!   10,000 cells, a minute for a million.
//! - *Choose it* always.

use std::time::Duration;

use quell_model::{Budget, Random, Value};

use crate::anneal::{Landscape, State};
use crate::base::Base;
use crate::bound::{Rising, line_bound, partition_bound};
use crate::flip::flips;
use crate::judge::Judge;
use crate::methods::exact::Exact;
use crate::methods::ordering::alternate;
use crate::methods::random::random_ways;
use crate::round::keeps;
use crate::walk::Walk;
use crate::{Error, Instance, Method, Proposal, Task, Way};

/// With up to this many sensitive cells `exact` comes first; without a deadline with up to so
/// many.
const SMALL: usize = 60;
const SMALL_UNTIMED: usize = 20;
/// Tables with more cells than this are not given to linear programs.
const LARGE: usize = 60_000;
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
/// The cost of ways that were not judged in time.
const UNJUDGED: f64 = 1e200;
/// One of so many parts of the time, and at most so much, is kept for rounding.
const RESERVE: u32 = 20;
const MOST_RESERVE: Duration = Duration::from_secs(4);
/// The number of the first start of the other thread.
const OTHER_STARTS: usize = 1 << 20;
/// Starts if no time is given.
const STARTS: usize = 3;

/// The settings of `auto`: none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Auto;

impl Method for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn adjust(&self, task: &Task) -> Result<Proposal, Error> {
        let instance = task.instance;
        if instance.problem.cell_count() > LARGE
            && let Some(base) = Base::of(instance.problem)
        {
            return large(task, &base);
        }
        let bound = Rising::default();
        bound.raise(line_bound(instance));
        let whole = task.budget;
        let budget = shortened(task.budget, |left| left - (left / RESERVE).min(MOST_RESERVE));
        let task = &Task { budget: &budget, ..*task };
        let exact = exactly(task)?;
        if let Some(exact) = &exact {
            let cost = exact.movement.as_ref().map_or(f64::INFINITY, |one| instance.cost(one));
            if is_enough(cost, exact.lower_bound) {
                return Ok(exact.clone());
            }
            bound.raise(exact.lower_bound);
        }
        let find = |first| search(task, Effort::Full { first }, &|| bound.get());
        let judge = if budget.threads() > 1 {
            std::thread::scope(|scope| {
                let other = scope.spawn(|| {
                    partition_bound(task, &bound)?;
                    // Without a deadline the result must not depend on the number of threads.
                    let timed = budget.time_left().is_some();
                    Ok(if timed { find(OTHER_STARTS)?.into_best() } else { Vec::new() })
                });
                let judge = find(0);
                // A mistake of the other thread is one of ours: let it be seen.
                let others: Result<_, Error> =
                    other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                let mut judge = judge?;
                judge.learn(others?);
                Ok::<_, Error>(judge)
            })?
        } else {
            let half = shortened(&budget, |left| left / 2);
            partition_bound(&Task { budget: &half, ..*task }, &bound)?;
            find(0)?
        };
        let searched = judge.settle(whole)?;
        let known = exact.and_then(|exact| exact.movement);
        let movement = [searched, known]
            .into_iter()
            .flatten()
            .min_by(|one, other| instance.cost(one).total_cmp(&instance.cost(other)));
        Ok(Proposal { movement, lower_bound: bound.get() })
    }
}

/// What `exact` finds in half of the time, where the table is small enough for it.
fn exactly(task: &Task) -> Result<Option<Proposal>, Error> {
    let small = match task.budget.time_left() {
        Some(_) => SMALL,
        None => SMALL_UNTIMED,
    };
    if task.instance.sensitive.len() > small {
        return Ok(None);
    }
    let half = shortened(task.budget, |left| left / 2);
    Exact::default().adjust(&Task { budget: &half, ..*task }).map(Some)
}

/// Whether a cost meets the bound, but for rounding.
fn is_enough(cost: f64, bound: f64) -> bool {
    cost <= bound * (1.0 + 1e-9) + 1e-6
}

/// The budget with less time, if it has a deadline.
fn shortened(budget: &Budget, time: impl Fn(Duration) -> Duration) -> Budget {
    match budget.time_left() {
        Some(left) => budget.clone().with_time(time(left)),
        None => budget.clone(),
    }
}

/// How long a search goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effort {
    /// One start.
    Start,
    /// As long as there is time, from the start of this number on.
    Full { first: usize },
}

/// Searches for ways until the budget ends or their cost meets `bound`.
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
        let (mut cost, mut ways) =
            anneal(task, &mut landscape, &mut judge, &mut random, start, &enough)?;
        // Where the substitute is the cost itself, as in most two-way tables, flips on linear
        // programs only do the same more slowly.
        let least = instance.least_cost() + landscape.least(&landscape.state(&ways));
        let far = cost > least + SUBSTITUTE * (cost - instance.least_cost());
        if cost.is_finite() && far && ways.len() <= FLIPPED {
            let temperature = landscape.scale() * 0.02;
            flips(task, &mut judge, &mut ways, &mut cost, temperature, &mut random, &enough)?;
        }
        task.progress.advance(1);
    }
    if judge.best().is_none() {
        judge.judge(&alternate(instance))?;
    }
    Ok(judge)
}

/// Rounds of annealing from one start; gives the best ways of this start.
fn anneal(
    task: &Task,
    landscape: &mut Landscape,
    judge: &mut Judge,
    random: &mut Random,
    start: usize,
    enough: &dyn Fn(f64) -> bool,
) -> Result<(f64, Vec<Way>), Error> {
    let instance = task.instance;
    let count = instance.sensitive.len() as u64;
    let moves = (MOVES * count * count).min(MOST_MOVES);
    // Every other start goes on from the best ways known.
    let known = judge.best().filter(|_| start % 2 == 1).map(|best| best.ways.clone());
    let (hot, from) = match known {
        Some(ways) => (0.15, ways),
        None => (0.5, random_ways(instance, random)),
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
        let judged = judge.judge(&found.ways)?;
        if judged.is_none() && judge.best().is_none() {
            // The time may have ended first; without a deadline they may still prove feasible.
            judge.keep(UNJUDGED, &found.ways);
        }
        match judged {
            Some(cost) if cost < best.0 - 1e-9 => {
                best = (cost, found.ways.clone());
                stale = 0;
            }
            _ => stale += 1,
        }
        landscape.shift_weights(&found);
        state = landscape.state(&found.ways);
        round += 1;
    }
    Ok(best)
}

/// A table too large for linear programs.
fn large(task: &Task, base: &Base) -> Result<Proposal, Error> {
    let instance = task.instance;
    let mut random = task.budget.random(1);
    let stop = || task.budget.stop().is_some();
    task.progress.stage("choosing ways", None);
    let mut landscape = Landscape::new(instance);
    let mut ways = alternate(instance);
    let count = instance.sensitive.len() as u64;
    for round in 0..3 {
        let mut state = landscape.state(&ways);
        let scale = landscape.scale();
        let hot = if round == 0 { 0.3 } else { 0.05 };
        let found = landscape.anneal(
            &mut state,
            &mut random,
            (scale * hot, scale * 0.001),
            300 * count,
            &stop,
        );
        landscape.shift_weights(&found);
        ways = found.ways;
        if stop() {
            break;
        }
    }
    task.progress.stage("balancing", None);
    let movement = walked(instance, base, &ways, &mut random, &stop);
    Ok(Proposal { movement, lower_bound: line_bound(instance) })
}

/// Walks from ways to a whole movement that keeps everything, if it gets there.
pub(crate) fn walked(
    instance: &Instance,
    base: &Base,
    ways: &[Way],
    random: &mut Random,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Value>> {
    let mut walk = Walk::new(instance, base, ways);
    walk.cool(random, stop);
    let movement = walk.into_movement();
    let ways: Vec<Way> = instance
        .sensitive
        .iter()
        .map(|cell| if movement[cell.cell.index()] > 0 { Way::Rise } else { Way::Fall })
        .collect();
    keeps(instance, &ways, &movement).then_some(movement)
}
