//! Several methods on one table.

use std::time::Duration;

use quell_model::{Budget, Problem};
use serde::Serialize;

use crate::suppress::{SuppressOptions, SuppressSummary, suppress};
use crate::{Context, Error};

/// Which methods are compared, and what each of them may use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompareOptions {
    /// The names of the methods; all of them if there is none.
    pub methods: Vec<String>,
    /// The time of each method, its audit included.
    pub time: Option<Duration>,
    /// The time of each method without its audit, if that is less.
    pub search_time: Option<Duration>,
    /// The effort of each method.
    pub work: Option<u64>,
}

/// What came of one of the methods; in JSON the summary, or the method with what became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Compared {
    /// It gave a pattern.
    Done(SuppressSummary),
    /// It cannot treat this table.
    Declined {
        /// The method.
        method: String,
        /// Why.
        declined: String,
    },
    /// The comparison was stopped before.
    NotRun {
        /// The method.
        method: String,
        /// What stopped it.
        not_run: &'static str,
    },
}

impl Compared {
    /// Whether it gave a pattern that is not proven safe, or gave none for want of time.
    pub fn is_open(&self) -> bool {
        match self {
            Self::Done(summary) => !summary.safe,
            Self::Declined { .. } => false,
            Self::NotRun { .. } => true,
        }
    }
}

/// Protects a table with several methods, one after the other, and says for each what it hides,
/// what that costs and how long it took. A method that cannot treat the table says why.
///
/// The time of the context holds for all of them together, the options for each.
///
/// ```
/// use quell::compare::{CompareOptions, Compared};
/// use quell::generate::{Ons, TableClass, generate};
/// use quell::{Context, compare};
///
/// let dimensions = vec!["7".parse()?, "6".parse()?, "5".parse()?];
/// let problem = generate(&TableClass::Ons(Ons { dimensions, ..Ons::default() }), 1)?;
/// let methods = vec!["hypercube".to_owned(), "gensup".to_owned()];
/// let options = CompareOptions { methods, ..CompareOptions::default() };
/// let compared = compare(&problem, &options, &Context::default())?;
/// assert!(matches!(&compared[0], Compared::Done(summary) if summary.safe));
/// // For two-way tables only.
/// assert!(matches!(&compared[1], Compared::Declined { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no such method, the table is faulty, or a method fails.
pub fn compare(
    problem: &Problem,
    options: &CompareOptions,
    context: &Context<'_>,
) -> Result<Vec<Compared>, Error> {
    let methods: Vec<&str> = match options.methods.as_slice() {
        [] => quell_suppress::METHODS.to_vec(),
        some => some.iter().map(String::as_str).collect(),
    };
    // A name that does not exist is told before hours of work.
    for method in &methods {
        quell_suppress::method(method)?;
    }
    methods.into_iter().map(|method| compared(problem, method, options, context)).collect()
}

fn compared(
    problem: &Problem,
    method: &str,
    options: &CompareOptions,
    context: &Context<'_>,
) -> Result<Compared, Error> {
    let method = method.to_owned();
    if context.search_budget().stop().is_some() {
        return Ok(Compared::NotRun { method, not_run: "the comparison was stopped" });
    }
    let own = Context { budget: budget(options, context), checkpoints: None, ..context.clone() };
    let settings = SuppressOptions { method: method.clone(), search_time: options.search_time };
    match suppress(problem, &settings, &own) {
        Ok(suppressed) => Ok(Compared::Done(suppressed.summary)),
        Err(Error::Suppress(quell_suppress::Error::NotForThisTable { reason, .. })) => {
            Ok(Compared::Declined { method, declined: reason })
        }
        Err(error) => Err(error),
    }
}

/// A budget of its own for one method, within that of all.
fn budget(options: &CompareOptions, context: &Context<'_>) -> Budget {
    let all = &context.budget;
    let mut budget = Budget::default()
        .with_threads(all.threads())
        .with_seed(all.seed())
        .with_cancel(all.cancel_flag().clone());
    if let Some(time) = options.time.into_iter().chain(all.time_left()).min() {
        budget = budget.with_time(time);
    }
    match options.work {
        Some(work) => budget.with_work(work),
        None => budget,
    }
}
