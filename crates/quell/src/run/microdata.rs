//! The records of a job that are to be released themselves.

use crate::job::{Job, Limits};
use crate::micro::job::{MicroRelease, run};
use crate::{Context, Error};

/// Protects the records of a job, if it has any.
pub(super) fn microdata(
    job: &Job,
    limits: &Limits,
    context: &Context<'_>,
) -> Result<Option<MicroRelease>, Error> {
    let Some(part) = &job.file.micro else { return Ok(None) };
    context.progress.stage("protecting the microdata", None);
    let mut started = limits.start(context);
    // Search and verification together: what is found is counted anew as quickly as at first.
    if let Some(time) = limits.search_time(context) {
        started.budget = started.budget.with_time(time);
    }
    let context = started;
    run(job, part, &context).map(Some)
}
