//! The attacker who is himself a contributor.
//!
//! The only contributor of a hidden cell knows its value. For him that cell is as good
//! as published, and the other hidden cells of its equations are less protected than
//! the outside attacker's intervals say. So each primary that shares an equation with
//! such a *singleton* is audited again without the singleton's room to move.

use quell_model::{Budget, CellId, Pattern, Problem, Progress};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::audit::{Audit, AuditError, End, Finding, Verdict, findings};
use crate::proof::prove::{Proven, Table, Thoroughness, settle};
use crate::view::{Start, View, tighten};

/// A primary that a contributor can learn too much about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContributorFinding {
    /// The cell of which the attacker is the only contributor.
    pub singleton: CellId,
    /// What he can learn of another cell.
    pub finding: Finding,
}

/// What contributors can learn beyond the outside attacker.
#[derive(Debug, Clone, Default)]
pub struct ContributorAttack {
    /// Hidden cells with a single contributor.
    pub singletons: usize,
    /// Pairs of a singleton and a primary in one of its equations.
    pub pairs: usize,
    /// Pairs in which the primary is not safe (or not proven safe) from the contributor,
    /// though it is from the outside attacker.
    pub unsafe_pairs: Vec<ContributorFinding>,
}

/// Attacks `problem` as each single contributor of a hidden cell; `audit` is the outside
/// attacker's audit of the same pattern. Does nothing if contributors are not known.
///
/// A pair costs nothing where the audit's certificates leave the singleton alone; else
/// the singleton's component is proven anew without it, so on tables with millions of
/// cells this needs a budget.
///
/// # Errors
/// If the solver fails.
pub fn contributor_attack(
    problem: &Problem,
    pattern: &Pattern,
    audit: &Audit,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<ContributorAttack, AuditError> {
    let Some(contributors) = problem.contributors() else {
        return Ok(ContributorAttack::default());
    };
    let singletons: Vec<CellId> =
        pattern.suppressed().filter(|cell| contributors[cell.index()] == 1).collect();
    let table = Table::new(problem);
    let mut hidden = View::new(problem, pattern);
    tighten(&mut hidden, Start::Everywhere, |_, _| ());
    let components = hidden.components();
    let mut component_of: FxHashMap<CellId, usize> = FxHashMap::default();
    for (number, component) in components.iter().enumerate() {
        component_of.extend(component.cells().iter().map(|&cell| (cell, number)));
    }
    progress.stage("contributors", Some(singletons.len() as u64));

    let attack = |&singleton: &CellId| -> Result<(usize, Vec<ContributorFinding>), AuditError> {
        let victims = victims(problem, audit, singleton);
        let doubtful: Vec<CellId> = victims
            .iter()
            .filter(|victim| uses(audit, victim, singleton))
            .map(|v| v.cell)
            .collect();
        let found = match component_of.get(&singleton) {
            // A singleton that cannot move was no help to anyone.
            None => Vec::new(),
            Some(_) if doubtful.is_empty() => Vec::new(),
            // Nothing is known of what he can learn.
            Some(_) if budget.stop().is_some() => {
                let unknown: Vec<Proven> =
                    doubtful.iter().map(|&cell| Proven::unknown(cell)).collect();
                findings(problem, pattern, &unknown, &[])
            }
            Some(&number) => {
                knowing(&table, pattern, &components[number], singleton, &doubtful, budget)?
            }
        };
        progress.advance(1);
        let found = found.into_iter().filter(|finding| finding.verdict != Verdict::Safe);
        let found = found.map(|finding| ContributorFinding { singleton, finding });
        Ok((victims.len(), found.collect()))
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(budget.threads()).build();
    let found: Result<Vec<_>, AuditError> = match pool {
        Ok(pool) => pool.install(|| singletons.par_iter().map(attack).collect()),
        Err(_) => singletons.iter().map(attack).collect(),
    };
    let mut result =
        ContributorAttack { singletons: singletons.len(), ..ContributorAttack::default() };
    for (pairs, unsafe_pairs) in found? {
        result.pairs += pairs;
        result.unsafe_pairs.extend(unsafe_pairs);
    }
    Ok(result)
}

/// The primaries in the equations of a singleton that are safe from the outside.
fn victims<'a>(problem: &Problem, audit: &'a Audit, singleton: CellId) -> Vec<&'a Finding> {
    let system = problem.system();
    let mut cells: Vec<CellId> = system
        .equations_of(singleton)
        .flat_map(|(equation, _)| system.cells_of(equation).map(|(cell, _)| cell))
        .filter(|&cell| cell != singleton && problem.status(cell).is_primary())
        .collect();
    cells.sort_unstable();
    cells.dedup();
    let find = |cell| audit.primaries.binary_search_by_key(&cell, |finding| finding.cell).ok();
    cells
        .into_iter()
        .filter_map(|cell| find(cell).map(|position| &audit.primaries[position]))
        .filter(|finding| finding.verdict == Verdict::Safe)
        .collect()
}

/// Whether what proves a primary safe makes use of the singleton.
fn uses(audit: &Audit, victim: &Finding, singleton: CellId) -> bool {
    let moves = |end: &End| {
        let certificate = end.certificate.map(|number| &audit.certificates[number]);
        certificate.is_some_and(|certificate| certificate.amount(singleton) != 0)
    };
    moves(&victim.down) || moves(&victim.up)
}

/// The verdicts on some primaries of a component for someone who knows one cell.
fn knowing(
    table: &Table,
    pattern: &Pattern,
    component: &View,
    known: CellId,
    victims: &[CellId],
    budget: &Budget,
) -> Result<Vec<Finding>, AuditError> {
    let problem = table.problem;
    let Some(position) = component.position(known) else { return Ok(Vec::new()) };
    let mut view = component.clone();
    view.down[position] = 0;
    view.up[position] = 0;
    tighten(&mut view, Start::At(position), |_, _| ());
    // To him the cell is published.
    let mut seen = pattern.clone();
    seen.publish(known);
    let wanted = |cell: CellId| victims.binary_search(&cell).is_ok();
    let mut found = Vec::new();
    for part in view.components() {
        if !part.cells().iter().any(|&cell| wanted(cell)) {
            continue;
        }
        let settled = settle(table, &part, &wanted, Vec::new(), Thoroughness::FULL, budget)?;
        found.extend(findings(problem, &seen, &settled.primaries, &settled.certificates));
    }
    let settled: Vec<CellId> = found.iter().map(|finding: &Finding| finding.cell).collect();
    let frozen: Vec<Proven> = victims
        .iter()
        .filter(|cell| !settled.contains(cell))
        .map(|&cell| Proven::immovable(cell))
        .collect();
    found.extend(findings(problem, &seen, &frozen, &[]));
    found.sort_unstable_by_key(|finding| finding.cell);
    Ok(found)
}
