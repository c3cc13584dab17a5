//! Controlled tabular adjustment: sensitive values move to a safe distance, others a little, so
//! that the table still adds up.
//!
//! - [`limits`]: limits of single cells, from a file;
//! - [`options`]: what an adjusted table must keep, as job files and command lines say it;
//! - [`summary`]: what came of it, in numbers;
//! - [`page`]: the report as one HTML file.

pub mod limits;
pub mod options;
pub mod page;
pub mod summary;

use std::time::{Duration, Instant};

use quell_adjust::{Audit, METHODS};
use quell_model::{
    Budget, Cell, Problem, Progress, Protection, Status, UNBOUNDED_ABOVE, UNBOUNDED_BELOW, Value,
};

use crate::suppress::within;
use crate::{Context, Error};
use summary::Summary;

pub use quell_adjust::Options;

/// How a table is adjusted.
#[derive(Debug, Clone, PartialEq)]
pub struct AdjustRequest {
    /// The name of the method: one of [`METHODS`].
    pub method: String,
    /// What the adjusted table must keep.
    pub options: Options,
    /// Whether to attack the result: what can an intruder infer who knows the method and all
    /// limits?
    pub attack: bool,
    /// How long the search may take, and after it the attack, if that is less than the context
    /// allows.
    pub search_time: Option<Duration>,
}

impl Default for AdjustRequest {
    fn default() -> Self {
        Self {
            method: METHODS[0].to_owned(),
            options: Options::default(),
            attack: false,
            search_time: None,
        }
    }
}

/// An adjusted and audited table.
#[derive(Debug, Clone)]
pub struct Adjusted {
    /// The adjusted values.
    pub values: Vec<Value>,
    /// The audit.
    pub audit: Audit,
    /// What came of it.
    pub summary: Summary,
}

impl Adjusted {
    /// Whether every sensitive cell is at a safe distance, every equation adds up and all limits
    /// are kept. A table of which that is not so must not be published.
    pub fn is_safe(&self) -> bool {
        self.audit.is_safe()
    }
}

/// Adjusts a table: nothing is hidden, and the adjusted table is [`published`] whole.
///
/// The table's bounds are limits that adjusted values keep; protected cells stay as they are.
/// The result is audited.
///
/// ```
/// use quell::adjust::{AdjustRequest, published};
/// use quell::generate::{Cta, TableClass, generate};
/// use quell::{Context, adjust};
///
/// let class = TableClass::Cta(Cta { sizes: vec![4, 4], ..Cta::default() });
/// let problem = generate(&class, 1)?;
/// let adjusted = adjust(&problem, &AdjustRequest::default(), &Context::default())?;
/// assert!(adjusted.is_safe());
/// let table = published(&problem, &adjusted.values);
/// assert_eq!(table.primaries().count(), 0);
/// # Ok::<(), quell::Error>(())
/// ```
///
/// # Errors
/// If there is no such method, no adjusted table, or a solver fails.
pub fn adjust(
    problem: &Problem,
    request: &AdjustRequest,
    context: &Context<'_>,
) -> Result<Adjusted, Error> {
    let budget = match request.attack {
        // What the attack takes comes off the search.
        true => context.search_budget(),
        false => context.whole_search_budget(),
    };
    let budget = within(budget, request.search_time);
    let adjusted = adjusted(problem, &request.method, &request.options, &budget, context.progress)?;
    attacked_if_asked(problem, adjusted, request, context)
}

/// Audits a table that somebody else adjusted, given by its values.
///
/// # Errors
/// If the table or the options are faulty, there is not one value per cell, or the attack fails.
pub fn check(
    problem: &Problem,
    values: Vec<Value>,
    request: &AdjustRequest,
    context: &Context<'_>,
) -> Result<Adjusted, Error> {
    if values.len() != problem.cell_count() {
        return Err(Error::arguments(
            format!("{} adjusted values for {} cells", values.len(), problem.cell_count()),
            "give the adjusted table with all cells, in the order of the original",
        ));
    }
    let options = &request.options;
    let audit = quell_adjust::audit(problem, options, &values)?;
    let mut summary = Summary::of(problem, &values, &audit);
    let instance = quell_adjust::Instance::new(problem, options)?;
    let movement: Vec<Value> =
        values.iter().zip(problem.values()).map(|(after, before)| after - before).collect();
    summary.cost = instance.cost(&movement);
    summary.lower_bound = instance.least_cost().min(summary.cost);
    attacked_if_asked(problem, Adjusted { values, audit, summary }, request, context)
}

/// The adjusted table with what an intruder can infer from it, if that is asked.
fn attacked_if_asked(
    problem: &Problem,
    mut adjusted: Adjusted,
    request: &AdjustRequest,
    context: &Context<'_>,
) -> Result<Adjusted, Error> {
    if request.attack {
        let budget = within(context.audit_budget(), request.search_time);
        let (options, values) = (&request.options, &adjusted.values);
        let attack = quell_adjust::attack(problem, options, values, &budget, context.progress)?;
        adjusted.summary.attack = Some((&attack).into());
    }
    Ok(adjusted)
}

/// Adjusts a table by a method of a name, audits it and sums up.
///
/// # Errors
/// If there is no such method, no adjusted table, or a solver fails.
pub fn adjusted(
    problem: &Problem,
    method: &str,
    options: &Options,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Adjusted, Error> {
    let start = Instant::now();
    let chosen = quell_adjust::method(method)?;
    progress.stage("adjusting", None);
    let outcome = quell_adjust::adjust(chosen.as_ref(), problem, options, budget, progress)?;
    let mut summary = Summary::of(problem, &outcome.values, &outcome.audit);
    summary.method = method.to_owned();
    summary.cost = outcome.cost;
    summary.lower_bound = outcome.lower_bound;
    summary.gap = outcome.gap();
    summary.seed = budget.seed();
    summary.seconds = start.elapsed().as_secs_f64();
    Ok(Adjusted { values: outcome.values, audit: outcome.audit, summary })
}

/// The table as it is published: adjusted values, and nothing that points to the true ones.
pub fn published(problem: &Problem, values: &[Value]) -> Problem {
    let negative = values.iter().any(|&value| value < 0);
    let cells = values.iter().map(|&value| Cell {
        value,
        weight: 1.0,
        status: Status::Safe,
        lower_bound: if negative { UNBOUNDED_BELOW } else { 0 },
        upper_bound: UNBOUNDED_ABOVE,
        protection: Protection::default(),
    });
    Problem::new(problem.system().clone(), problem.decimals(), cells)
        .with_labels(problem.labels().clone())
}
