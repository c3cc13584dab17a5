//! Tables with moved values: controlled tabular adjustment of a job's tables.

use crate::adjust::summary::breaches;
use crate::adjust::{AdjustRequest, adjust, published};
use crate::job::{Job, Limits};
use crate::release::{AdjustedTables, Format, ProtectedTable};
use crate::tabulate::JobTables;
use crate::{Context, ContributorAttackers, Error};

/// The formats of adjusted tables; the others hold true contributions.
const FORMATS: [Format; 3] = [Format::Csv, Format::Xlsx, Format::Parquet];

/// Adjusts the tables of a job by a method of a name, checks them and attacks them.
pub fn adjusted(
    job: &Job,
    prepared: JobTables,
    method: &str,
    limits: &Limits,
    context: &Context<'_>,
) -> Result<AdjustedTables, Error> {
    if job.contributor_attackers() == ContributorAttackers::Yes {
        return Err(Error::arguments(
            "adjusted tables are not tested against contributors",
            "hide cells instead of moving values, or let contributors be no attackers",
        ));
    }
    if prepared.plan.tables.iter().any(|table| table.previous.is_some()) {
        return Err(Error::arguments(
            "adjusted tables hide nothing, so an earlier pattern means nothing for them",
            "remove previous, or hide cells instead of moving values",
        ));
    }
    let JobTables { tables, decided, linked, .. } = prepared;
    let problem = &linked.problem.without_contributions();
    super::suppressed::refuse_faulty(problem)?;
    if tables.iter().any(|table| table.decimals != problem.decimals()) {
        return Err(Error::arguments(
            "tables that are adjusted together must have the same decimals",
            "set decimals in each [[table]], or adjust the tables in jobs of their own",
        ));
    }
    if job.file.release.formats.iter().any(|format| !FORMATS.contains(format)) {
        return Err(Error::arguments(
            "an adjusted table is written as csv, xlsx or parquet",
            "the other formats hold true contributions; change formats in [release]",
        ));
    }
    let mut asked = job.file.adjust.clone();
    asked.limits = asked.limits.map(|path| job.locate(&path));
    let request = AdjustRequest {
        method: method.to_owned(),
        options: asked.options(problem)?,
        attack: true,
        search_time: limits.usual_search_time(context),
    };
    let done = adjust(problem, &request, &limits.start(context))?;
    Ok(AdjustedTables {
        published: published(problem, &done.values),
        breaches: breaches(problem, &done.audit),
        audit: done.audit,
        summary: done.summary,
        tables: ProtectedTable::of(tables, decided, linked.linked.cell_of),
    })
}
