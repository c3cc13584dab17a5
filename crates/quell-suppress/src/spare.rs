//! What nobody needs is published again.
//!
//! The repair adds cells for one attacker after the other, which may hide more than they require
//! together. So in small tables the secondaries are tried one by one, the dearest first: one without
//! which the audits say the same is published.

use quell_attack::{Audit, ContributorAttack, audit_for_repair, contributor_attack};
use quell_model::{Budget, CellId, Problem, Silent};

use crate::{Error, Outcome};

/// Patterns with more secondaries take too long.
const MOST_SECONDARIES: usize = 400;

/// The share of the time left that may go into this.
const SHARE: f64 = 0.5;

/// The outcome without secondaries that nobody needs.
pub(crate) fn publish_spare(
    problem: &Problem,
    mut outcome: Outcome,
    budget: &Budget,
) -> Result<Outcome, Error> {
    let budget = match budget.time_left() {
        Some(left) => budget.clone().with_time(left.mul_f64(SHARE)),
        None => budget.clone(),
    };
    let mut secondaries: Vec<CellId> = outcome.pattern.secondaries(problem).collect();
    if secondaries.len() > MOST_SECONDARIES {
        return Ok(outcome);
    }
    let dearness = |&cell: &CellId| problem.weight(cell);
    secondaries.sort_by(|a, b| dearness(b).total_cmp(&dearness(a)).then(a.cmp(b)));
    let before = outcome.clone();
    for cell in secondaries {
        if budget.stop().is_some() {
            break;
        }
        let mut fewer = outcome.pattern.clone();
        fewer.publish(cell);
        let known = outcome.audit.certificates.clone();
        let audit = audit_for_repair(problem, &fewer, known, &budget, &Silent)?;
        if audit.counts() != outcome.audit.counts() {
            continue;
        }
        let contributors = contributor_attack(problem, &fewer, &audit, &budget, &Silent)?;
        if is_as_safe(&contributors, &outcome.contributors) {
            (outcome.pattern, outcome.audit, outcome.contributors) = (fewer, audit, contributors);
        }
    }
    // Whoever audits this pattern knows none of the movements found in larger ones.
    let fresh = audit_for_repair(problem, &outcome.pattern, Vec::new(), &budget, &Silent)?;
    let contributors = contributor_attack(problem, &outcome.pattern, &fresh, &budget, &Silent)?;
    if !is_same(&fresh, &before.audit) || !is_as_safe(&contributors, &before.contributors) {
        return Ok(before);
    }
    let cost = outcome.pattern.cost(problem);
    Ok(Outcome {
        cost,
        secondaries: outcome.pattern.secondaries(problem).count(),
        lower_bound: outcome.lower_bound.min(cost),
        audit: fresh,
        contributors,
        ..outcome
    })
}

fn is_same(one: &Audit, other: &Audit) -> bool {
    one.counts() == other.counts()
}

/// Whether no more can be exposed than before.
fn is_as_safe(now: &ContributorAttack, before: &ContributorAttack) -> bool {
    now.unsafe_pairs.len() <= before.unsafe_pairs.len()
        && now.unsafe_sums.len() <= before.unsafe_sums.len()
}
