//! What was chosen, as the report shows it.

use crate::Context;
use crate::job::{Job, Limits};

/// Names and values of all that was chosen: as it holds, wherever it was said.
pub fn choices(
    job: &Job,
    method: &str,
    limits: &Limits,
    context: &Context<'_>,
) -> Vec<(String, String)> {
    let time = limits.search_time(context);
    let time = time.map_or_else(|| "no limit".to_owned(), |time| format!("{time:?}"));
    let work = limits.work.map_or_else(|| "no limit".to_owned(), |work| work.to_string());
    let attacker = &job.file.attacker;
    let knows = match (attacker.knows, attacker.below.or(attacker.above)) {
        (Some(knows), _) => format!("{knows:?}").to_lowercase(),
        (None, Some(_)) => "each value to within a share of itself".to_owned(),
        (None, None) => "that values are not negative, if none is".to_owned(),
    };
    [
        ("method", method.to_owned()),
        ("seed", limits.seed(context).to_string()),
        ("time", time),
        ("work", work),
        ("the attacker knows", knows),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}
