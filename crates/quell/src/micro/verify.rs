//! Is a released file safe, and does it hide only?

use quell_micro::{Microdata, Result, release, safety};
use serde::Serialize;

use super::check::Check;
use super::on_threads;
use super::records::KeyedRecords;
use super::summary::names;
use crate::Context;

/// What was found in a released file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Whether no checked combination is unsafe.
    pub safe: bool,
    /// Values that are hidden.
    pub suppressions: usize,
    /// Unsafe combinations, counted in every record.
    pub violations: usize,
    /// The first of them.
    pub shown: Vec<UnsafePlace>,
}

/// A combination that is unsafe in a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnsafePlace {
    /// The record, from 1.
    pub record: usize,
    /// The variables of the combination.
    pub variables: Vec<String>,
    /// The smallest frequency that is safe.
    pub minimum: u32,
}

/// Violations that are shown.
const SHOWN: usize = 20;

/// Checks that a released file is safe and hides values of its original only.
///
/// # Errors
/// If the files do not fit or a value was changed, or the budget is spent before all is
/// counted: then nothing is proven.
pub fn verify(
    original: &KeyedRecords,
    released: &Microdata,
    check: &Check,
    context: &Context<'_>,
) -> std::result::Result<Verdict, crate::Error> {
    on_threads(context, || find(original, released, check, context))
}

fn find(
    original: &KeyedRecords,
    released: &Microdata,
    check: &Check,
    context: &Context<'_>,
) -> Result<Verdict> {
    let (data, budget, progress) = (original.data(), &context.budget, context.progress);
    let combinations = check.combinations(original)?;
    let hidden = release::hidden(data, released)?;
    let found = safety::violations(data, &hidden, &combinations, check.meaning, budget, progress)?;
    let place = |violation: &safety::Violation| UnsafePlace {
        record: violation.record + 1,
        variables: names(data, violation.combination),
        minimum: violation.combination.minimum,
    };
    Ok(Verdict {
        safe: found.is_empty(),
        suppressions: hidden.count(),
        violations: found.len(),
        shown: found.iter().take(SHOWN).map(place).collect(),
    })
}
