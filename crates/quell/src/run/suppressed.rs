//! Tables with hidden cells: chosen by a method, proven by the auditor.

use quell_model::Problem;

use crate::job::Limits;
use crate::pipeline;
use crate::release::{ProtectedTable, SuppressedTables};
use crate::suppress::{SuppressOptions, Suppressed, suppress};
use crate::tabulate::JobTables;
use crate::{Context, Error};

/// Protects the tables of a job by a method of a name, and audits what it hides.
pub fn suppressed(
    prepared: JobTables,
    method: &str,
    limits: &Limits,
    notes: &mut Vec<String>,
    context: &Context<'_>,
) -> Result<SuppressedTables, Error> {
    let JobTables { tables, decided, linked, .. } = prepared;
    refuse_faulty(&linked.problem)?;
    let options = SuppressOptions {
        method: method.to_owned(),
        search_time: limits.usual_search_time(context),
    };
    let context = &limits.start(context);
    let Suppressed { outcome, notes: more, .. } = suppress(&linked.problem, &options, context)?;
    notes.extend(more);
    let (audit, contributors) = pipeline::audit(&linked.problem, &outcome.pattern, context)?;
    Ok(SuppressedTables {
        problem: linked.problem,
        pattern: outcome.pattern,
        audit,
        contributors,
        tables: ProtectedTable::of(tables, decided, linked.linked.cell_of),
        method: options.method,
        lower_bound: Some(outcome.lower_bound).filter(|&bound| bound > 0.0),
    })
}

/// A table that does not add up or lies outside the attacker's bounds cannot be protected.
pub(super) fn refuse_faulty(problem: &Problem) -> Result<(), Error> {
    match problem.faults().into_iter().find(|fault| !fault.is_warning()) {
        None => Ok(()),
        Some(fault) => Err(Error::arguments(
            fault.describe(problem),
            "see [attacker] in docs/job.md for bounds, and [[equation]] for sums",
        )),
    }
}
