//! Secondaries for a table, until every primary is safe.

use std::time::{Duration, Instant};

use quell_attack::TableVerdict;
use quell_model::{Budget, CellId, Pattern, Problem};
use quell_suppress::{Blocked, METHODS, Method, Outcome, Task};
use serde::Serialize;

use crate::checkpoint_file::CheckpointFile;
use crate::{Context, Error, tested_against};

/// How secondaries are chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuppressOptions {
    /// The name of the method: one of [`METHODS`].
    pub method: String,
    /// How long the method may search, if that is less than the context allows. Some would go on
    /// until they have a proof.
    pub search_time: Option<Duration>,
}

impl Default for SuppressOptions {
    fn default() -> Self {
        Self { method: METHODS[0].to_owned(), search_time: None }
    }
}

/// A protected table with the verdict of its audit.
#[derive(Debug, Clone)]
pub struct Suppressed {
    /// The pattern, its cost and its audit.
    pub outcome: Outcome,
    /// What came of it, in numbers.
    pub summary: SuppressSummary,
    /// What is worth knowing beside that.
    pub notes: Vec<String>,
}

impl Suppressed {
    /// The hidden cells.
    pub fn pattern(&self) -> &Pattern {
        &self.outcome.pattern
    }

    /// The verdict of the audit. A pattern that is not proven safe must not be published.
    pub fn verdict(&self) -> TableVerdict {
        self.outcome.verdict()
    }

    /// The table with its secondaries, in place of those it had.
    pub fn protected(&self, problem: &Problem) -> Problem {
        problem.clone().with_statuses(self.outcome.pattern.statuses(problem))
    }
}

/// What came of a method.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SuppressSummary {
    /// The method.
    pub method: String,
    /// Cells of the table.
    pub cells: usize,
    /// Its equations.
    pub equations: usize,
    /// Its primaries.
    pub primaries: usize,
    /// The secondaries chosen.
    pub secondaries: usize,
    /// What they cost.
    pub cost: f64,
    /// No safe pattern costs less.
    pub lower_bound: f64,
    /// The share by which the cost may be above the least.
    pub gap: f64,
    /// Whether the audit proves every primary safe.
    pub safe: bool,
    /// The verdict of the audit, in a word: safe, not-safe or not-proven.
    pub verdict: &'static str,
    /// Against whom the table was tested, and against whom not.
    pub tested_against: &'static str,
    /// How long it took.
    pub seconds: f64,
    /// The seed.
    pub seed: u64,
}

impl SuppressSummary {
    fn of(problem: &Problem, method: &str, outcome: &Outcome) -> Self {
        Self {
            method: method.to_owned(),
            cells: problem.cell_count(),
            equations: problem.system().equation_count(),
            primaries: problem.primaries().count(),
            secondaries: outcome.secondaries,
            cost: outcome.cost,
            lower_bound: outcome.lower_bound,
            gap: outcome.gap(),
            safe: outcome.is_safe(),
            verdict: outcome.verdict().word(),
            tested_against: tested_against(problem),
            seconds: 0.0,
            seed: 0,
        }
    }
}

/// Chooses secondaries until every primary is safe.
///
/// Cells that the table calls secondary may be published again. The method gets the larger part
/// of the time; what it proposes is audited, and repaired where that is needed, in the rest. If
/// the time ends or the call is cancelled first, the verdict is *not proven*.
///
/// ```
/// use quell::generate::{Ons, TableClass, generate};
/// use quell::suppress::SuppressOptions;
/// use quell::{Context, TableVerdict, suppress};
///
/// let dimensions = vec!["7".parse()?, "6".parse()?, "5".parse()?];
/// let problem = generate(&TableClass::Ons(Ons { dimensions, ..Ons::default() }), 1)?;
/// let options = SuppressOptions { method: "hypercube".to_owned(), ..SuppressOptions::default() };
/// let suppressed = suppress(&problem, &options, &Context::default())?;
/// assert_eq!(suppressed.verdict(), TableVerdict::Safe);
/// println!("{} secondaries", suppressed.summary.secondaries);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no such method, it cannot treat the table or fails, or the checkpoint is not one
/// of this table.
pub fn suppress(
    problem: &Problem,
    options: &SuppressOptions,
    context: &Context<'_>,
) -> Result<Suppressed, Error> {
    let method = quell_suppress::method(&options.method)?;
    let file = context
        .checkpoints
        .as_ref()
        .map(|place| CheckpointFile::open(place, method.as_ref(), problem))
        .transpose()?;
    let search = within(context.search_budget_for(problem), options.search_time);
    let (outcome, summary) = run(method.as_ref(), problem, file.as_ref(), &search, context)?;
    let mut notes: Vec<String> = file.and_then(CheckpointFile::failure).into_iter().collect();
    if !outcome.is_safe() {
        let budget = context.audit_budget();
        let blocked = quell_suppress::blocked(problem, &outcome, EXPLAINED, &budget)?;
        notes.extend(blocked.iter().map(|one| explanation(problem, one)));
    }
    Ok(Suppressed { outcome, summary, notes })
}

/// Of how many primaries that cannot be protected it is said why.
const EXPLAINED: usize = 5;

/// How many cells are named that stand in the way of one.
const NAMED: usize = 8;

/// Why a primary, or a sum of hidden cells, cannot be protected.
fn explanation(problem: &Problem, blocked: &Blocked) -> String {
    let names = |cells: &[CellId]| {
        let shown: Vec<String> =
            cells.iter().take(NAMED).map(|&cell| problem.cell_name(cell)).collect();
        match cells.len().saturating_sub(NAMED) {
            0 => shown.join(", "),
            more => format!("{}, and {more} more", shown.join(", ")),
        }
    };
    let what = match &blocked.cells[..] {
        [one] => problem.cell_name(*one),
        several => format!("the sum of {}", names(several)),
    };
    match &blocked.by[..] {
        [] => format!(
            "{what} cannot be protected, whatever is hidden: its levels reach beyond what everyone \
             knows of it, or no cell can make up for it"
        ),
        [one] => format!(
            "{what} cannot be protected while {} must be published",
            problem.cell_name(*one)
        ),
        several => format!(
            "{what} cannot be protected while these {} must be published: {}",
            several.len(),
            names(several)
        ),
    }
}

fn run(
    method: &dyn Method,
    problem: &Problem,
    checkpoints: Option<&CheckpointFile>,
    search: &Budget,
    context: &Context<'_>,
) -> Result<(Outcome, SuppressSummary), Error> {
    let start = Instant::now();
    context.progress.stage("protecting", None);
    let mut task = Task::new(problem, search, context.progress);
    if let Some(file) = checkpoints {
        task.checkpoints = file;
    }
    let outcome = quell_suppress::protect_within(method, &task, &context.audit_budget())?;
    let summary = SuppressSummary {
        seconds: start.elapsed().as_secs_f64(),
        seed: search.seed(),
        ..SuppressSummary::of(problem, method.name(), &outcome)
    };
    Ok((outcome, summary))
}

/// A budget with no more than so much time.
pub(crate) fn within(budget: Budget, time: Option<Duration>) -> Budget {
    match time.filter(|&time| budget.time_left().is_none_or(|left| time < left)) {
        Some(time) => budget.with_time(time),
        None => budget,
    }
}
