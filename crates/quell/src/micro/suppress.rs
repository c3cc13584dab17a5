//! A safe file with as little missing as possible.

use quell_data::argus::rda::Role;
use quell_micro::{
    Error, Importance, KeySet, Meaning, Microdata, Minucs, Objective, Request, Result, Solution,
    suppress_within,
};
use serde::Serialize;

use super::check::Check;
use super::on_threads;
use super::records::{KeyedRecords, OfVariable};
use super::released::ReleasedRecords;
use super::summary::{RiskSummary, SuppressionSummary};
use crate::Context;

/// What to suppress for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SuppressRequest {
    /// What is checked.
    pub check: Check,
    /// What is to be as small as possible.
    pub objective: Objective,
    /// How much variables, and values as `variable:code`, matter; 1 if not named.
    pub importance: Vec<OfVariable<f64>>,
    /// The variable, one of the others of the records, that says how much each record matters.
    pub record_importance: Option<String>,
    /// Variables that a household has in common: suppressed for all members or for none.
    pub household_keys: Vec<String>,
}

/// A safe file.
#[derive(Debug, Clone, Serialize)]
pub struct Suppressed {
    /// The risk before.
    pub before: RiskSummary,
    /// What was suppressed.
    pub suppression: SuppressionSummary,
    /// Where, and how good it is.
    #[serde(skip)]
    pub solution: Solution,
    /// What "safe" means here.
    #[serde(skip)]
    pub meaning: Meaning,
}

/// Sets as few values as possible to missing, so that the records are safe.
///
/// The result is counted anew under the chosen meaning of "safe". Cancelled or out of time it
/// is the best safe file that is known by then; `suppression.proved` tells.
///
/// # Errors
/// If the request does not fit the records, or the budget is spent before a safe file is known
/// and verified.
pub fn suppress(
    records: &KeyedRecords,
    request: &SuppressRequest,
    context: &Context<'_>,
) -> std::result::Result<Suppressed, crate::Error> {
    on_threads(context, || find(records, request, context))
}

fn find(
    records: &KeyedRecords,
    request: &SuppressRequest,
    context: &Context<'_>,
) -> Result<Suppressed> {
    let (data, progress) = (records.data(), context.progress);
    let budget = context.whole_search_budget();
    let combinations = request.check.combinations(records)?;
    let importance = importance(records, request)?;
    let household = household_keys(records, &request.household_keys)?;
    let minucs = Minucs::find(data, &combinations, &budget, progress)?;
    let own = Request {
        data,
        combinations: &combinations,
        meaning: request.check.meaning,
        objective: request.objective,
        importance: &importance,
        household,
    };
    let solution = suppress_within(&own, &budget, &context.audit_budget(), progress)?;
    Ok(Suppressed {
        before: RiskSummary::new(data, &minucs),
        suppression: SuppressionSummary::new(data, &solution),
        solution,
        meaning: request.check.meaning,
    })
}

impl Suppressed {
    /// The released records. The marker, or the variable's missing code, stands for a suppressed
    /// value.
    pub fn released<'a>(
        &'a self,
        records: &'a KeyedRecords,
        marker: Option<&'a str>,
    ) -> ReleasedRecords<'a> {
        let suppressions = &self.solution.suppressions;
        ReleasedRecords { records, data: records.data(), suppressions, marker }
    }
}

/// Importance of the variables by name; else that in the file's description (µ-ARGUS'
/// suppression weights), else 1.
pub(super) fn weights(
    records: &KeyedRecords,
    data: &Microdata,
    list: &[OfVariable<f64>],
) -> Result<Vec<f64>> {
    let described = |name: &str| {
        records.metadata()?.variable(name)?.suppression.filter(|&weight| weight > 0).map(f64::from)
    };
    let names = data.keys().iter().map(|key| key.name());
    let mut weights: Vec<f64> = names.map(|name| described(name).unwrap_or(1.0)).collect();
    for OfVariable { variable, value } in list {
        weights[data.key(variable)?] = *value;
    }
    Ok(weights)
}

/// Importance of variables and values by name, and of records by a variable. A category
/// that is affected weighs as much as its value.
fn importance(records: &KeyedRecords, request: &SuppressRequest) -> Result<Importance> {
    let data = records.data();
    let (of_values, of_keys): (Vec<_>, Vec<_>) = request
        .importance
        .iter()
        .cloned()
        .partition(|own| own.variable.contains(':') && data.key(&own.variable).is_err());
    let keys = weights(records, data, &of_keys)?;
    let values = value_weights(data, &of_values)?;
    let mut categories = Vec::new();
    if !request.importance.is_empty() {
        categories.extend(data.keys().iter().enumerate().map(|(key, column)| {
            let of = |code: usize| keys[key] * values[key].get(code).copied().unwrap_or(1.0);
            (0..column.labels().len()).map(of).collect::<Vec<f64>>()
        }));
    }
    let found = Importance::equal().with_keys(keys).with_values(values).with_categories(categories);
    match &request.record_importance {
        Some(name) => Ok(found.with_records(record_weights(records, name)?)),
        None => Ok(found),
    }
}

/// Weights of `variable:code`, by variable and code.
fn value_weights(data: &Microdata, list: &[OfVariable<f64>]) -> Result<Vec<Vec<f64>>> {
    let mut values: Vec<Vec<f64>> = vec![Vec::new(); data.keys().len()];
    for OfVariable { variable, value } in list {
        let (name, code) = variable.split_once(':').unwrap_or((variable, ""));
        let key = data.key(name.trim())?;
        let labels = data.keys()[key].labels();
        let place = labels.iter().position(|label| label.trim() == code.trim());
        let place = place.ok_or_else(|| Error::UnknownCode {
            variable: name.to_owned(),
            code: code.to_owned(),
        })?;
        values[key].resize(labels.len(), 1.0);
        values[key][place] = *value;
    }
    Ok(values)
}

fn record_weights(records: &KeyedRecords, name: &str) -> Result<Vec<f64>> {
    let column = records.other(name)?;
    let weight = |record: usize| {
        let text = column.label(record);
        text.trim().replace(',', ".").parse().map_err(|_| {
            let (name, place) = (column.name(), record + 1);
            Error::Request(format!("record {place}: \"{text}\" of {name} is not a number"))
        })
    };
    (0..records.data().records()).map(weight).collect()
}

/// The variables that a household has in common: those named, and those of the description.
fn household_keys(records: &KeyedRecords, names: &[String]) -> Result<KeySet> {
    let described = |name: &str| {
        let variable = records.metadata().and_then(|all| all.variable(name));
        variable.is_some_and(|variable| variable.role == Some(Role::Household))
    };
    let keys = records.data().keys().iter().enumerate();
    let described = keys.filter(|(_, column)| described(column.name()));
    Ok(described.fold(records.key_set(names)?, |set, (key, _)| set.with(key)))
}
