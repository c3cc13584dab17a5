//! From tables to an audited release, for jobs and batch files alike.

use std::collections::BTreeMap;

use quell_attack::{Audit, ContributorAttack, contributor_attack};
use quell_model::{Budget, Pattern, Problem, Value};
use quell_tabulate::{
    Assessment, AttackerBounds, Attribution, Linked, Prepared, ResponseEquation, Rules, SumsBy,
    Table, contributions, linked_within, problem,
};

use crate::{Context, ContributorAttackers, Error};

/// What rules and costs say of the cells of a table.
#[derive(Debug)]
pub struct Decided {
    /// The rules.
    pub rules: Rules,
    /// What they say of each cell.
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

/// What attackers know and who they are.
#[derive(Debug, Clone, Copy)]
pub struct Attackers {
    /// What everyone knows of every cell.
    pub bounds: AttackerBounds,
    /// Whether contributors are attackers.
    pub contributors: ContributorAttackers,
    /// Whether contributors know their parts of cells in which they are not alone.
    pub know_parts: bool,
    /// By what the sums of hidden cells are judged, if they are.
    pub sums: SumsBy,
}

/// Links tables that share cells into one system.
///
/// # Errors
/// If they contradict each other, an equation between responses does not hold, or contributors
/// are attackers whom nobody knows.
pub fn link(
    tables: &[Table],
    decided: &[Decided],
    equations: &[ResponseEquation],
    attackers: Attackers,
) -> Result<LinkedProblem, Error> {
    link_within(tables, decided, equations, attackers, &Budget::default())
}

/// Links tables as long as the budget allows.
///
/// # Errors
/// As [`link`], and if it was stopped before the end.
pub fn link_within(
    tables: &[Table],
    decided: &[Decided],
    equations: &[ResponseEquation],
    attackers: Attackers,
    budget: &Budget,
) -> Result<LinkedProblem, Error> {
    let linked = linked_within(tables, equations, budget)?;
    let bounds: Vec<Vec<(Value, Value)>> = tables
        .iter()
        .zip(decided)
        .map(|(table, decided)| attackers.bounds.of(table, &decided.assessments))
        .collect();
    let prepared: Vec<Prepared<'_>> = tables
        .iter()
        .zip(decided)
        .zip(&bounds)
        .map(|((table, decided), bounds)| Prepared {
            table,
            rules: &decided.rules,
            assessments: &decided.assessments,
            costs: &decided.costs,
            bounds,
        })
        .collect();
    let problem = problem(&linked, &prepared)?;
    let problem = with_contributors(problem, &linked, &prepared, attackers)?;
    Ok(LinkedProblem { linked, problem })
}

/// The problem of these tables, with their contributors as attackers if they are to be.
///
/// # Errors
/// If they are, and a table does not say how many there are.
pub fn with_contributors(
    problem: Problem,
    linked: &Linked,
    tables: &[Prepared<'_>],
    Attackers { contributors, know_parts, sums, .. }: Attackers,
) -> Result<Problem, Error> {
    if contributors == ContributorAttackers::No {
        return Ok(problem);
    }
    match (contributions(linked, tables, &problem, sums), contributors) {
        (Some(contributions), _) if know_parts => Ok(problem.with_contributions(contributions)),
        (Some(contributions), _) => Ok(problem.with_contributions(contributions.without_parts())),
        (None, ContributorAttackers::Yes) => Err(unknown_contributors(tables)),
        (None, _) => Ok(problem),
    }
}

fn unknown_contributors(tables: &[Prepared<'_>]) -> Error {
    let mut tables = tables.iter().map(|prepared| prepared.table);
    let unknown = tables.find(|table| table.attribution == Attribution::Unknown);
    let name = unknown.map_or("", |table| table.name.as_str());
    Error::arguments(
        format!("\"{name}\" does not say how many contribute to its cells"),
        "name the column that does, with frequency = \"…\", or let contributors be no attackers",
    )
}

/// Audits a pattern afresh, in the eyes of every attacker: the release rests on the auditor's word
/// alone, given for this very
/// problem and pattern. An audit that is cut off, by its time or by whoever cancels the call,
/// leaves cells undecided, never safe.
///
/// # Errors
/// If the solver fails.
pub fn audit(
    problem: &Problem,
    pattern: &Pattern,
    context: &Context<'_>,
) -> Result<(Audit, ContributorAttack), Error> {
    context.progress.stage("auditing", None);
    let (budget, progress) = (context.audit_budget(), context.progress);
    let audit = quell_attack::audit(problem, pattern, &budget, progress)?;
    let contributors = contributor_attack(problem, pattern, &audit, &budget, progress)?;
    Ok((audit, contributors))
}
