//! Who can be recognised, and by what.

use quell_micro::risk::{closeness, diversity, frequency, individual, suda};
use quell_micro::{Column, Error, Meaning, Microdata, Minucs, Result, Suppressions};
use serde::Serialize;

use super::check::Check;
use super::on_threads;
use super::records::KeyedRecords;
use super::summary::{RiskSummary, SensitiveSummary, SudaSummary, UniquesSummary};
use crate::Context;

/// What to measure besides the unsafe combinations.
#[derive(Debug, Clone, PartialEq)]
pub struct RiskRequest {
    /// What is checked.
    pub check: Check,
    /// Sensitive variables, for l-diversity and t-closeness: other variables of the records.
    pub sensitive: Vec<String>,
    /// Special uniques of up to this many variables (SUDA scores).
    pub suda: Option<usize>,
    /// The sampling fraction that DIS-SUDA supposes, between 0 and 1.
    pub sampling_fraction: f64,
}

impl Default for RiskRequest {
    fn default() -> Self {
        Self {
            check: Check::default(),
            sensitive: Vec::new(),
            suda: None,
            sampling_fraction: SAMPLING_FRACTION,
        }
    }
}

/// The sampling fraction that DIS-SUDA supposes if nobody says.
pub const SAMPLING_FRACTION: f64 = 0.01;

/// Checks that a number is a share between 0 and 1.
///
/// # Errors
/// If it is not.
pub fn sampling_fraction(share: f64) -> Result<f64> {
    if share > 0.0 && share < 1.0 {
        Ok(share)
    } else {
        Err(Error::Request(format!(
            "the sampling fraction {share} is not expected: give a share between 0 and 1"
        )))
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Risk {
    /// The unsafe combinations.
    #[serde(flatten)]
    pub summary: RiskSummary,
    /// All variables together.
    pub uniques: UniquesSummary,
    /// By sensitive variable.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sensitive: Vec<SensitiveSummary>,
    /// Special uniques, if asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suda: Option<SudaSummary>,
    /// What "safe" means here.
    #[serde(skip)]
    pub meaning: Meaning,
}

impl Risk {
    /// Whether no combination is unsafe.
    pub fn is_safe(&self) -> bool {
        self.summary.risky_records == 0
    }
}

/// Finds the unsafe combinations and measures the risk of every record.
///
/// # Errors
/// If the request does not fit the records, or the budget is spent before all is counted.
pub fn risk(
    records: &KeyedRecords,
    request: &RiskRequest,
    context: &Context<'_>,
) -> std::result::Result<Risk, crate::Error> {
    on_threads(context, || find(records, request, context))
}

/// How many records look like each record on all identifying variables, and how many such people
/// there are by the weights. What is missing looks like everything under [`Meaning::Wildcard`], and
/// is a value of its own otherwise.
///
/// # Errors
/// If the budget is spent before all is counted.
pub fn frequencies(
    records: &KeyedRecords,
    meaning: Meaning,
    context: &Context<'_>,
) -> std::result::Result<frequency::Frequencies, crate::Error> {
    let none = Suppressions::default();
    on_threads(context, || frequency::frequencies(records.data(), &none, meaning, &context.budget))
}

fn find(records: &KeyedRecords, request: &RiskRequest, context: &Context<'_>) -> Result<Risk> {
    let (data, budget, progress) = (records.data(), &context.budget, context.progress);
    let fraction = sampling_fraction(request.sampling_fraction)?;
    let combinations = request.check.combinations(records)?;
    let sensitive = request.sensitive.iter().map(|name| records.other(name));
    let sensitive = sensitive.collect::<Result<Vec<&Column>>>()?;
    let minucs = Minucs::find(data, &combinations, budget, progress)?;
    progress.stage("measuring risk", None);
    let uniques = uniques(data, request.check.meaning, context)?;
    let sensitive = sensitive.into_iter().map(|column| of_sensitive(data, column, context));
    let sensitive = sensitive.collect::<Result<Vec<SensitiveSummary>>>()?;
    let suda = request.suda.map(|most| special_uniques(data, most, fraction, context));
    Ok(Risk {
        summary: RiskSummary::new(data, &minucs),
        uniques,
        sensitive,
        suda: suda.transpose()?,
        meaning: request.check.meaning,
    })
}

fn uniques(data: &Microdata, meaning: Meaning, context: &Context<'_>) -> Result<UniquesSummary> {
    let meaning = match meaning {
        Meaning::Wildcard => Meaning::Wildcard,
        _ => Meaning::IdenticalTuple,
    };
    let none = Suppressions::default();
    let frequencies = frequency::frequencies(data, &none, meaning, &context.budget)?;
    let weighted = data.weights().is_some();
    let risks = individual::risks(&frequencies, &context.budget)?;
    Ok(UniquesSummary {
        k_anonymity: frequencies.anonymity(),
        sample_uniques: frequencies.sample_uniques(),
        expected_population_uniques: weighted.then(|| individual::population_uniques(&frequencies)),
        expected_correct_links: weighted.then(|| individual::expected_links(&risks)),
        largest_individual_risk: weighted.then(|| risks.iter().copied().fold(0.0, f64::max)),
    })
}

fn of_sensitive(
    data: &Microdata,
    column: &Column,
    context: &Context<'_>,
) -> Result<SensitiveSummary> {
    let (none, budget) = (Suppressions::default(), &context.budget);
    let diverse = diversity::diversity(data, &none, column, budget)?;
    let close = |distance| closeness::closeness(data, &none, column, distance, budget);
    Ok(SensitiveSummary {
        variable: column.name().to_owned(),
        distinct_l: diverse.distinct,
        entropy_l: diverse.entropy,
        recursive_c: Some(diverse.recursive).filter(|c| c.is_finite()),
        t_equal: close(closeness::Distance::Equal)?,
        t_ordered: close(closeness::Distance::Ordered)?,
    })
}

fn special_uniques(
    data: &Microdata,
    most: usize,
    fraction: f64,
    context: &Context<'_>,
) -> Result<SudaSummary> {
    let found = suda::suda(data, most, fraction, &context.budget, context.progress)?;
    let names = data.keys().iter().map(|column| column.name().to_owned());
    Ok(SudaSummary {
        minimal_uniques_by_size: found.sizes,
        records_with_score: found.scores.iter().filter(|&&score| score > 0.0).count(),
        largest_score: found.scores.iter().copied().fold(0.0, f64::max),
        largest_dis: found.dis.iter().copied().fold(0.0, f64::max),
        contributions: names.zip(found.contributions).collect(),
    })
}
