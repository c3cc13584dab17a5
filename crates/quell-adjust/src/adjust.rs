//! From a method's proposal to an adjusted table that the audit accepts.

use std::time::Duration;

use quell_model::{Budget, Problem, Progress, Stop, Value};

use crate::audit::{Audit, audit};
use crate::base::Base;
use crate::choice::alternate;
use crate::question::Question;
use crate::walk::walked;
use crate::{Conflict, Error, Instance, Method, Options, Task};

/// How long a first adjusted table is looked for after a method found none.
const RESCUE: Duration = Duration::from_secs(120);

/// An adjusted table.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The adjusted values.
    pub values: Vec<Value>,
    /// What the changes cost: equation (1).
    pub cost: f64,
    /// No adjusted table costs less.
    pub lower_bound: f64,
    /// What the audit found.
    pub audit: Audit,
    /// Why the method stopped early, if it did.
    pub stopped: Option<Stop>,
}

impl Outcome {
    /// The share by which the cost may be above the optimum.
    pub fn gap(&self) -> f64 {
        match self.cost > 0.0 {
            true => ((self.cost - self.lower_bound) / self.cost).max(0.0),
            false => 0.0,
        }
    }
}

/// Adjusts a table with a method and audits the result.
///
/// ```
/// use quell_adjust::{Options, adjust, method};
/// use quell_gen::Cta;
/// use quell_model::{Budget, Silent};
///
/// let problem = Cta { sizes: vec![4, 3], ..Cta::default() }.generate(1)?;
/// let (method, budget) = (method("exact")?, Budget::default());
/// let outcome = adjust(method.as_ref(), &problem, &Options::default(), &budget, &Silent)?;
///
/// assert!(outcome.audit.is_safe());
/// assert_eq!(outcome.values.len(), problem.cell_count());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the table or the options are faulty, no adjusted table keeps all that is asked (with
/// what stands in the way), none was found within the budget, or a solver fails.
pub fn adjust(
    method: &dyn Method,
    problem: &Problem,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Outcome, Error> {
    let instance = Instance::new(problem, options)?;
    if instance.sensitive.iter().any(|cell| !cell.can_fall && !cell.can_rise) {
        return Err(Error::Infeasible(Box::new(Conflict::find(&instance, budget)?)));
    }
    let proposal = method.adjust(&Task { instance: &instance, budget, progress })?;
    let stopped = budget.stop();
    let movement = match proposal.movement {
        Some(movement) => movement,
        None => rescue(&instance, budget, progress)?,
    };
    let values: Vec<Value> = problem.values().iter().zip(&movement).map(|(v, by)| v + by).collect();
    let cost = instance.cost(&movement);
    let audit = audit(problem, options, &values)?;
    Ok(Outcome { values, cost, lower_bound: proposal.lower_bound.min(cost), audit, stopped })
}

/// Any movement that keeps everything, for a method that found none.
fn rescue(
    instance: &Instance,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Vec<Value>, Error> {
    progress.stage("looking for any adjusted table", None);
    // The method's time is over, but a table is worth some more.
    let budget = Budget::default()
        .with_cancel(budget.cancel_flag().clone())
        .with_seed(budget.seed())
        .with_time(RESCUE);
    if let Some(base) = Base::of(instance.problem) {
        let mut random = budget.random(99);
        let stop = || budget.stop().is_some();
        if let Some(found) = walked(instance, &base, &alternate(instance), &mut random, &stop) {
            return Ok(found);
        }
    }
    for whole in [false, true] {
        let question = Question { whole, first: true, ..Question::whole(instance, &budget) };
        let answer = question.answer()?;
        if answer.bound == f64::INFINITY {
            return Err(Error::Infeasible(Box::new(Conflict::find(instance, &budget)?)));
        }
        let Some((directions, _)) = answer.directions else { continue };
        if let Some(movement) = answer.movement {
            return Ok(movement);
        }
        let mut judge = crate::judge::Judge::new(instance, &budget)?;
        judge.keep(0.0, &directions);
        if let Some(movement) = judge.settle(&budget)? {
            return Ok(movement);
        }
    }
    Err(Error::NotFound)
}
