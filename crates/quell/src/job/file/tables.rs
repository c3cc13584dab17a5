//! The tables, and what ties them together.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::data::DataFormat;
use super::rules::RulesPart;
use super::run::PreviousPattern;
use super::unplaced;
use crate::job::one_or_many::one_or_many;

/// `[[table]]`
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TablePart {
    /// Its name.
    pub name: Spanned<String>,
    /// Its dimensions.
    pub dimensions: Spanned<Vec<Spanned<String>>>,
    /// The file it stands in, if it is made already.
    pub given: Option<GivenPart>,
    /// The variable it adds up; without one it counts records.
    pub response: Option<Spanned<String>>,
    /// The variable the rules look at.
    pub shadow: Option<Spanned<String>>,
    /// Whether it shows weighted values; else so if there is a weight.
    pub weighted: Option<bool>,
    /// What suppression costs.
    pub cost: Option<CostChoice>,
    /// The variable whose total is the cost.
    pub cost_variable: Option<Spanned<String>>,
    /// The power of the cost; 0 for its logarithm.
    pub cost_lambda: Option<f64>,
    /// Its own rules instead of the job's.
    pub rules: Option<RulesPart>,
    /// Statuses set by hand.
    pub apriori: Option<AprioriPart>,
    /// Empty cells that may be hidden.
    pub empty_cells: Option<EmptyCellsPart>,
    /// An earlier release of this table, or of the same figures.
    pub previous: Option<PreviousPart>,
}

impl TablePart {
    /// A table that counts records, by its dimensions.
    pub fn counting<D: Into<String>>(
        name: impl Into<String>,
        dimensions: impl IntoIterator<Item = D>,
    ) -> Self {
        let dimensions = dimensions.into_iter().map(|name| unplaced(name.into())).collect();
        Self {
            name: unplaced(name.into()),
            dimensions: unplaced(dimensions),
            given: None,
            response: None,
            shadow: None,
            weighted: None,
            cost: None,
            cost_variable: None,
            cost_lambda: None,
            rules: None,
            apriori: None,
            empty_cells: None,
            previous: None,
        }
    }

    /// A table that adds up a variable, by its dimensions.
    pub fn adding<D: Into<String>>(
        name: impl Into<String>,
        response: impl Into<String>,
        dimensions: impl IntoIterator<Item = D>,
    ) -> Self {
        Self { response: Some(unplaced(response.into())), ..Self::counting(name, dimensions) }
    }

    /// Made already instead of from the records.
    pub fn given(self, given: GivenPart) -> Self {
        Self { given: Some(given), ..self }
    }

    /// With rules of its own.
    pub fn rules(self, rules: RulesPart) -> Self {
        Self { rules: Some(rules), ..self }
    }
}

/// `given = { file = "…", frequency = "…", top = ["…", "…"] }`
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct GivenPart {
    /// The file: one row per cell.
    pub file: Spanned<PathBuf>,
    /// Its format; else by its ending.
    pub format: Option<DataFormat>,
    /// The separator of a CSV file; else the one its header seems to have.
    pub separator: Option<Spanned<char>>,
    /// The metadata of a `.tab` file, which then say what each column is for.
    pub metadata: Option<Spanned<PathBuf>>,
    /// The column with the number of contributors.
    pub frequency: Option<Spanned<String>>,
    /// The columns with the largest contributions, largest first.
    pub top: Option<Spanned<Names>>,
    /// The column with statuses: S, U, P, M, E.
    pub status: Option<Spanned<String>>,
    /// The column with lower protection levels.
    pub lower: Option<Spanned<String>>,
    /// The column with upper protection levels.
    pub upper: Option<Spanned<String>>,
    /// Decimals to keep; finer digits are rounded.
    pub decimals: Option<Spanned<u8>>,
    /// What to do about totals that are not the sums of their parts.
    #[serde(default)]
    pub totals: TotalsChoice,
}

impl GivenPart {
    /// The rows of a file, or of what [`Job::with_records`](crate::Job::with_records) gives by
    /// that name.
    pub fn of(file: impl Into<PathBuf>) -> Self {
        Self {
            file: unplaced(file.into()),
            format: None,
            separator: None,
            metadata: None,
            frequency: None,
            top: None,
            status: None,
            lower: None,
            upper: None,
            decimals: None,
            totals: TotalsChoice::default(),
        }
    }

    /// With the column of statuses.
    pub fn status(self, column: impl Into<String>) -> Self {
        Self { status: Some(unplaced(column.into())), ..self }
    }

    /// With the column of numbers of contributors.
    pub fn frequency(self, column: impl Into<String>) -> Self {
        Self { frequency: Some(unplaced(column.into())), ..self }
    }

    /// With the columns of the largest contributions, largest first.
    pub fn top<C: Into<String>>(self, columns: impl IntoIterator<Item = C>) -> Self {
        let columns = columns.into_iter().map(Into::into).collect();
        Self { top: Some(unplaced(Names(columns))), ..self }
    }

    /// With what to do about totals that are not the sums of their parts.
    pub fn totals(self, totals: TotalsChoice) -> Self {
        Self { totals, ..self }
    }

    /// The columns with the largest contributions, each with the place of the list.
    pub fn tops(&self) -> Vec<Spanned<String>> {
        let Some(top) = &self.top else { return Vec::new() };
        let names = top.get_ref().0.iter();
        names.map(|name| Spanned::new(top.span(), name.clone())).collect()
    }
}

/// One name or several.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Names(#[serde(deserialize_with = "one_or_many")] pub Vec<String>);

/// What to do about totals that are not the sums of their parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TotalsChoice {
    /// Refuse the table.
    #[default]
    Check,
    /// Take the sums.
    Recompute,
    /// Keep them.
    Allow,
}

/// What suppressing a cell costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CostChoice {
    /// Its value.
    #[default]
    Value,
    /// One.
    Unity,
    /// Its respondents.
    Frequency,
    /// The digits of its value.
    Digits,
    /// log(x + 1) / (x + 1).
    Information,
    /// 1 / (x + 1).
    Inverse,
    /// Its value rounded to the first digit.
    RoundedSize,
    /// How far it is above the leaves.
    Distance,
}

/// `apriori = { file = "…", separator = ";" }`
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AprioriPart {
    /// The file.
    pub file: Spanned<PathBuf>,
    /// What separates its fields.
    #[serde(default = "semicolon")]
    pub separator: String,
    /// Apply an entry to all cells that show the same because a code has one part only.
    #[serde(default)]
    pub expand_trivial_levels: bool,
    /// Leave out entries that cannot be applied, and say so.
    #[serde(default)]
    pub ignore_errors: bool,
}

/// `empty-cells = { only = { form = ["A", "B"] } }`, or `{ file = "…" }`, or `{}` for all.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct EmptyCellsPart {
    /// For some dimensions the codes with empty cells that may be hidden.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub only: BTreeMap<Spanned<String>, Vec<Spanned<String>>>,
    /// A list of cells: one code a dimension, or `*`.
    pub file: Option<Spanned<PathBuf>>,
    /// What separates its fields.
    #[serde(default = "semicolon")]
    pub separator: String,
}

/// `previous = { file = "…", pattern = "hidden" }`
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PreviousPart {
    /// The released table, as CSV.
    pub file: Spanned<PathBuf>,
    /// What it means for this one.
    #[serde(default)]
    pub pattern: PreviousPattern,
}

fn semicolon() -> String {
    ";".to_owned()
}

/// `[[equation]]`
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct EquationPart {
    /// The response that is the total.
    pub total: Spanned<String>,
    /// Its parts.
    pub parts: Vec<Spanned<String>>,
}
