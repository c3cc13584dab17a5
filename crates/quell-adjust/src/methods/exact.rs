//! **exact**: the optimum with proof, by HiGHS's branch and cut on equations (1) to (8).
//!
//! It is given a strong start (the search of `auto`, for a short while), the inequalities
//! of single equations, and, where a table and its mirror image cost the same, the direction of
//! the largest cell.
//!
//! - *Guarantee*: when it ends within its budget the adjusted table is optimal among those
//!   in whole units; else the gap is proven.
//! - *Complexity*: exponential; 12×12 takes seconds to minutes, 20×20 does not end.
//! - *Choose it* for small tables, or to judge other methods.

use std::time::Duration;

use quell_model::{Budget, Direction};

use crate::bound::line_bound;
use crate::choice::by_size;
use crate::judge::Judge;
use crate::line::line_cuts;
use crate::question::Question;
use crate::round::keeps;
use crate::search::{Effort, UNJUDGED, search};
use crate::tolerance::{SAME_COST, SAME_COST_SHARE};
use crate::{Distance, Error, Instance, Method, Proposal, Task};

/// How long the search for a start may take.
const START: Duration = Duration::from_secs(5);
/// The settings of `exact`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exact {
    /// HiGHS alone, without start, inequalities and symmetry: for comparisons.
    pub plain: bool,
}

impl Method for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn adjust(&self, task: &Task) -> Result<Proposal, Error> {
        let instance = task.instance;
        if self.plain {
            return finish(task, Question::whole(instance, task.budget), None);
        }
        task.progress.stage("looking for a start", None);
        let short = task.budget.time_left().map_or(START, |left| (left / 4).min(START));
        let budget = Budget::default()
            .with_cancel(task.budget.cancel_flag().clone())
            .with_seed(task.budget.seed())
            .with_time(short);
        let bound = line_bound(instance);
        let judge = search(&Task { budget: &budget, ..*task }, Effort::Start, &|| bound)?;
        let start = judge.best().map(|best| best.directions.clone());
        let cost = known_cost(task, judge.best_cost())?;
        // Movements that alone cost more than a known table are in no better one.
        let near = instance.no_dearer_than(cost);
        let mut question = Question::whole(&near, task.budget);
        let cuts = line_cuts(instance);
        let mut fixed = Vec::new();
        if is_symmetric(instance) && !instance.sensitive.is_empty() {
            fixed = vec![None; instance.sensitive.len()];
            fixed[by_size(instance)[0]] = Some(Direction::Up);
        }
        // Where table and mirror image cost the same, so do a start and its mirror image.
        let mirrored = start.map(|mut directions| {
            let wrong = fixed
                .iter()
                .zip(&directions)
                .any(|(direction, known)| direction.is_some_and(|w| w != *known));
            if wrong {
                directions.iter_mut().for_each(|direction| *direction = direction.opposite());
            }
            directions
        });
        question.cuts = &cuts;
        question.fixed = &fixed;
        question.start = mirrored.as_deref();
        task.progress.stage("branching", None);
        finish(task, question, mirrored.as_deref())
    }
}

/// The cost of some adjusted table before rounding: the best of the start, or else one among those
/// that move no cell farther than all sensitive ones together; infinite if there is none.
fn known_cost(task: &Task, best: f64) -> Result<f64, Error> {
    let instance = task.instance;
    if best < UNJUDGED {
        return Ok(best);
    }
    let together = instance.sensitive.iter().map(|cell| cell.fall.max(cell.rise)).sum();
    let trial = instance.no_farther_than(together);
    let answer = Question::whole(&trial, task.budget).answer()?;
    let Some((directions, _)) = answer.directions else { return Ok(f64::INFINITY) };
    let cost = Judge::new(instance, task.budget)?.judge(&directions)?;
    Ok(cost.unwrap_or(f64::INFINITY))
}

/// Whether every movement and its mirror image are equally good.
fn is_symmetric(instance: &Instance) -> bool {
    let distances = instance.sensitive.iter().all(|cell| {
        let at = cell.cell.index();
        let room = instance.distance == Distance::Minimal || instance.down[at] == instance.up[at];
        cell.fall == cell.rise && cell.can_fall == cell.can_rise && room
    });
    let rest = instance.problem.system().cells().all(|cell| {
        let at = cell.index();
        instance.position[at] != u32::MAX || instance.down[at] == instance.up[at]
    });
    distances && rest
}

/// Solves, rounds, and solves again in whole units if rounding cost anything.
fn finish(task: &Task, question: Question, start: Option<&[Direction]>) -> Result<Proposal, Error> {
    let instance = task.instance;
    let answer = question.answer()?;
    let mut judge = Judge::new(instance, task.budget)?;
    let known = answer.directions.as_ref().map(|(directions, _)| directions.as_slice()).or(start);
    if let Some(directions) = known {
        judge.keep(0.0, directions);
    }
    let movement = judge.settle(task.budget)?;
    let proposal = Proposal { movement, lower_bound: answer.bound };
    let cost = proposal.movement.as_ref().map(|movement| instance.cost(movement));
    let optimal =
        cost.is_some_and(|cost| cost <= answer.bound + SAME_COST_SHARE * cost.abs() + SAME_COST);
    if optimal || !answer.finished || answer.bound == f64::INFINITY {
        return Ok(proposal);
    }
    let whole = Question { whole: true, ..question }.answer()?;
    let better = whole.movement.filter(|movement| {
        let directions = whole
            .directions
            .as_ref()
            .map(|(directions, _)| directions.as_slice())
            .unwrap_or_default();
        keeps(instance, directions, movement)
            && cost.is_none_or(|cost| instance.cost(movement) < cost)
    });
    Ok(Proposal {
        lower_bound: whole.bound.max(answer.bound),
        movement: better.or(proposal.movement),
    })
}
