//! What was chosen, as the report shows it.

use quell_tabulate::SumsBy;

use crate::job::file::Approach;
use crate::job::{Job, Limits};
use crate::{Context, ContributorAttackers};

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
    let contributors = match (job.file.protect.approach, job.contributor_attackers()) {
        (Approach::Adjust, _) | (_, ContributorAttackers::No) => "no",
        (_, ContributorAttackers::Yes) => "yes",
        (_, ContributorAttackers::IfKnown) => "if the data say how many contribute",
    };
    let parts = match job.contributors_know_parts() {
        true => "their part of every cell",
        false => "the cells in which they are alone",
    };
    let sums = match job.sums() {
        SumsBy::Rules => "the rules of the table",
        SumsBy::Frequency => "the number of contributors",
        SumsBy::Nothing => "nothing",
    };
    [
        ("method", method.to_owned()),
        ("seed", limits.seed(context).to_string()),
        ("time", time),
        ("work", work),
        ("the attacker knows", knows),
        ("contributors are attackers", contributors.to_owned()),
        ("contributors know", parts.to_owned()),
        ("sums of hidden cells are judged by", sums.to_owned()),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}
