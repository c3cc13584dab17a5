//! `[protect] approach = "adjust"`: a job whose tables are adjusted instead of suppressed.

use std::path::Path;

use quell_attack::Audit;
use quell_model::{Budget, Pattern, Progress};

use super::summary::Summary;
use super::{adjusted, page, published};
use crate::Error;
use crate::job::Job;
use crate::pipeline;
use crate::prepare::Prepared;
use crate::release::{self, Format, OFFICE, Protected, ProtectedTable};
use crate::together::Together;

/// Adjusts the tables of a job and writes the release into a folder in the making.
///
/// # Errors
/// If the tables cannot be adjusted together, there is no adjusted table, or a file cannot
/// be written.
pub fn write(
    job: &Job,
    prepared: Prepared,
    method: &str,
    files: &mut Together,
    budget: &Budget,
    progress: &dyn Progress,
    choices: &[(String, String)],
) -> Result<Summary, Error> {
    let Prepared { tables, decided, linked, .. } = prepared;
    let problem = &linked.problem;
    if tables.iter().any(|table| table.decimals != problem.decimals()) {
        return Err(Error::arguments(
            "tables that are adjusted together must have the same decimals",
            "set decimals in each [[table]], or adjust the tables in jobs of their own",
        ));
    }
    let formats = &job.file.release.formats;
    let plain = [Format::Csv, Format::Xlsx, Format::Parquet];
    if formats.iter().any(|format| !plain.contains(format)) {
        return Err(Error::arguments(
            "an adjusted table is written as csv, xlsx or parquet",
            "the other formats hold true contributions; change formats in [release]",
        ));
    }
    let mut asked = job.file.adjust.clone();
    asked.limits = asked.limits.map(|path| job.locate(&path));
    let options = asked.options(problem)?;
    let mut done = adjusted(problem, method, &options, budget, progress)?;
    let attack = quell_adjust::attack(problem, &options, &done.values, budget, progress)?;
    done.summary.attack = Some((&attack).into());
    if !done.summary.safe {
        return Ok(done.summary);
    }
    progress.stage("writing", None);
    let released = published(problem, &done.values);
    let cells = linked.linked.cell_of;
    let tables = tables.into_iter().zip(decided).zip(cells);
    let protected = Protected {
        tables: tables
            .map(|((table, decided), cells)| ProtectedTable { table, decided, cells })
            .collect(),
        pattern: Pattern::of_primaries(&released),
        audit: nothing_hidden(&released, budget, progress)?,
        problem: released,
    };
    release::write(files, &protected, formats, &job.file.release.suppressed)?;
    let title = job.file.title.clone().unwrap_or_else(|| "adjusted tables".to_owned());
    let file = files.file(Path::new(OFFICE).join("report.html").display().to_string())?;
    std::fs::write(&file, page::html(&title, &done.summary, choices))
        .map_err(|source| quell_formats::Error::Write { file, source })?;
    Ok(done.summary)
}

/// The suppression audit of a table that hides nothing.
fn nothing_hidden(
    problem: &quell_model::Problem,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Audit, Error> {
    pipeline::audit_pattern(problem, &Pattern::of_primaries(problem), budget, progress)
}
