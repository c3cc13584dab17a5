//! From tables to an audited release, for jobs and batch files alike.

use std::collections::BTreeMap;

use quell_attack::Audit;
use quell_model::{Budget, Pattern, Problem, Progress, Value};
use quell_suppress::{Outcome, Task};
use quell_tabulate::{
    Assessment, AttackerBounds, Linked, Prepared, ResponseEquation, Table, linked, problem,
};

use crate::Error;
use crate::checkpoint_file::CheckpointArguments;
use crate::release::{Protected, ProtectedTable};

/// What rules and costs say of the cells of a table.
#[derive(Debug)]
pub struct Decided {
    /// What the rules say of each cell.
    pub assessments: Vec<Assessment>,
    /// What suppressing each cell costs.
    pub costs: Vec<f64>,
    /// Labels of codes, a map a dimension.
    pub labels: Vec<BTreeMap<String, String>>,
}

/// Tables linked into one problem.
#[derive(Debug)]
pub struct LinkedProblem {
    /// Where the cells of each table are.
    pub linked: Linked,
    /// The whole as one system to protect.
    pub problem: Problem,
}

/// Links tables that share cells into one system.
///
/// # Errors
/// If they contradict each other, or an equation between responses does not hold.
pub fn link(
    tables: &[Table],
    decided: &[Decided],
    equations: &[ResponseEquation],
    bounds: AttackerBounds,
) -> Result<LinkedProblem, Error> {
    let linked = linked(tables, equations)?;
    let bounds: Vec<Vec<(Value, Value)>> = tables
        .iter()
        .zip(decided)
        .map(|(table, decided)| bounds.of(table, &decided.assessments))
        .collect();
    let prepared: Vec<Prepared<'_>> = tables
        .iter()
        .zip(decided)
        .zip(&bounds)
        .map(|((table, decided), bounds)| Prepared {
            table,
            assessments: &decided.assessments,
            costs: &decided.costs,
            bounds,
        })
        .collect();
    let problem = problem(&linked, &prepared)?;
    Ok(LinkedProblem { linked, problem })
}

/// Chooses secondaries by a method of a name, which goes on from a checkpoint if there is one.
///
/// # Errors
/// If there is no such method, it fails, or the checkpoint is not one of this table.
pub fn protect(
    problem: &Problem,
    method: &str,
    budget: &Budget,
    progress: &dyn Progress,
    checkpoints: &CheckpointArguments,
) -> Result<Outcome, Error> {
    let method = quell_suppress::method(method)?;
    let file = checkpoints.open(method.as_ref(), problem)?;
    progress.stage("protecting", None);
    let mut task = Task::new(problem, budget, progress);
    if let Some(file) = &file {
        task.checkpoints = file;
    }
    let outcome = quell_suppress::protect_task(method.as_ref(), &task)?;
    if let Some(file) = file {
        file.warn();
    }
    Ok(outcome)
}

/// Audits the outcome afresh: the release rests on the auditor's word alone, given for this
/// very problem and pattern. Neither the method's deadline nor the Ctrl-C that ended the
/// method ends it, because without it the method's work is lost; a second Ctrl-C ends all.
///
/// # Errors
/// If the solver fails.
pub fn audit(
    problem: &Problem,
    outcome: &Outcome,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Audit, Error> {
    audit_pattern(problem, &outcome.pattern, budget, progress)
}

/// As [`audit`], for a pattern that came from no method.
///
/// # Errors
/// If the solver fails.
pub fn audit_pattern(
    problem: &Problem,
    pattern: &Pattern,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Audit, Error> {
    progress.stage("auditing", None);
    let budget = Budget::default().with_threads(budget.threads()).with_seed(budget.seed());
    Ok(quell_attack::audit(problem, pattern, &budget, progress)?)
}

/// What is to be released.
pub fn protected(
    tables: Vec<Table>,
    decided: Vec<Decided>,
    linked: LinkedProblem,
    outcome: Outcome,
    audit: Audit,
) -> Protected {
    let cells = linked.linked.cell_of;
    let tables = tables.into_iter().zip(decided).zip(cells);
    Protected {
        tables: tables
            .map(|((table, decided), cells)| ProtectedTable { table, decided, cells })
            .collect(),
        problem: linked.problem,
        pattern: outcome.pattern,
        audit,
    }
}
