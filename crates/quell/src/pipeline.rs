//! From tables to an audited release, for jobs and batch files alike.

use std::collections::BTreeMap;

use quell_attack::Audit;
use quell_model::{Pattern, Problem, Value};
use quell_tabulate::{
    Assessment, AttackerBounds, Linked, Prepared, ResponseEquation, Table, linked, problem,
};

use crate::{Context, Error};

/// What rules and costs say of the cells of a table.
#[derive(Debug)]
pub struct Decided {
    /// What the rules say of each cell.
    pub assessments: Vec<Assessment>,
    /// What suppressing each cell costs.
    pub costs: Vec<f64>,
    /// Labels of codes, one map per dimension.
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

/// Audits a pattern afresh: the release rests on the auditor's word alone, given for this very
/// problem and pattern. An audit that is cut off, by its time or by whoever cancels the call,
/// leaves cells undecided, never safe.
///
/// # Errors
/// If the solver fails.
pub fn audit(problem: &Problem, pattern: &Pattern, context: &Context<'_>) -> Result<Audit, Error> {
    context.progress.stage("auditing", None);
    Ok(quell_attack::audit(problem, pattern, &context.audit_budget(), context.progress)?)
}
