//! **auto**: the best anytime chain for the table at hand.
//!
//! 0. In small tables `exact`, for half of the time: it mostly ends there.
//! 1. Directions by annealing on prices of imbalance (`anneal`), rounds of it with the weights of
//!    the classes of equations (rows, columns, …) moved towards the class that is worst off;
//!    every round's directions are judged by their linear program.
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

use quell_model::Budget;

use crate::anneal::Landscape;
use crate::base::Base;
use crate::bound::{Rising, line_bound, partition_bound};
use crate::choice::alternate;
use crate::methods::Exact;
use crate::search::{Effort, is_enough, search};
use crate::walk::walked;
use crate::{Error, Method, Proposal, Task};

/// With up to this many sensitive cells `exact` comes first; without a deadline with up to so
/// many.
const SMALL: usize = 60;
const SMALL_UNTIMED: usize = 20;
/// Tables with more cells than this are not given to linear programs.
const LARGE: usize = 60_000;
/// One of so many parts of the time, and at most so much, is kept for rounding.
const RESERVE: u32 = 20;
const MOST_RESERVE: Duration = Duration::from_secs(4);
/// The number of the first start of the other thread.
const OTHER_STARTS: usize = 1 << 20;

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

/// The budget with less time, if it has a deadline.
fn shortened(budget: &Budget, time: impl Fn(Duration) -> Duration) -> Budget {
    match budget.time_left() {
        Some(left) => budget.clone().with_time(time(left)),
        None => budget.clone(),
    }
}

/// A table too large for linear programs.
fn large(task: &Task, base: &Base) -> Result<Proposal, Error> {
    let instance = task.instance;
    let mut random = task.budget.random(1);
    let stop = || task.budget.stop().is_some();
    task.progress.stage("choosing directions", None);
    let mut landscape = Landscape::new(instance);
    let mut directions = alternate(instance);
    let count = instance.sensitive.len() as u64;
    for round in 0..3 {
        let mut state = landscape.state(&directions);
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
        directions = found.directions;
        if stop() {
            break;
        }
    }
    task.progress.stage("balancing", None);
    let movement = walked(instance, base, &directions, &mut random, &stop);
    Ok(Proposal { movement, lower_bound: line_bound(instance) })
}
