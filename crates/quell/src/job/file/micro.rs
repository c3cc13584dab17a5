//! `[micro]`: a file of records to be released itself.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use toml::Spanned;

use crate::job::one_or_many::one_or_many;
use crate::micro::arguments::MeaningName;
use crate::micro::recode::MeasureName;
use crate::micro::suppress::ObjectiveName;

/// `[micro]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct MicroPart {
    /// The records, from the job file's folder.
    pub file: Spanned<PathBuf>,
    /// The description of a file of µ-ARGUS.
    pub metadata: Option<Spanned<PathBuf>>,
    /// The separator of a CSV file.
    pub separator: Option<Spanned<char>>,
    /// What to do; recode if there are recodings, else suppress.
    pub task: Option<Spanned<MicroTask>>,
    /// The released file's name; else that of the records.
    pub out: Option<Spanned<PathBuf>>,
    /// The identifying variables.
    #[serde(default)]
    pub keys: Vec<Spanned<String>>,
    /// Codes that mean "missing", by variable.
    #[serde(default)]
    pub missing: BTreeMap<Spanned<String>, Vec<String>>,
    /// The sampling weight.
    pub weight: Option<Spanned<String>>,
    /// The variable that names the household.
    pub household: Option<Spanned<String>>,
    /// Variables that a household has in common.
    #[serde(default)]
    pub household_keys: Vec<Spanned<String>>,
    /// All combinations of up to this many variables.
    pub max_dim: Option<usize>,
    /// Unsafe if fewer: one number, or one a dimension.
    pub threshold: Option<Spanned<Numbers>>,
    /// Unsafe if at most as many.
    pub at_most: Option<Spanned<Numbers>>,
    /// Only these combinations, such as `age*sex`.
    pub combinations: Option<Spanned<Vec<String>>>,
    /// Their parts too.
    #[serde(default)]
    pub parts: bool,
    /// The combinations of the identification levels of the metadata.
    pub levels: Option<Spanned<bool>>,
    /// Only all variables together.
    pub all_together: Option<Spanned<bool>>,
    /// What "safe" means.
    pub meaning: Option<Spanned<MeaningName>>,
    /// What is to be small.
    pub objective: Option<Spanned<ObjectiveName>>,
    /// How much variables, and values as `variable:code`, matter.
    #[serde(default)]
    pub importance: BTreeMap<String, f64>,
    /// The variable that says how much each record matters.
    pub record_importance: Option<Spanned<String>>,
    /// What stands for a suppressed value.
    pub marker: Option<String>,
    /// Recodings.
    pub recode: Option<Spanned<RecodePart>>,
    /// Further measures of risk.
    pub risk: Option<Spanned<RiskPart>>,
}

/// What is done with the records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MicroTask {
    /// The risk is measured, and nothing released.
    Risk,
    /// Values are suppressed.
    Suppress,
    /// Categories are joined, and what is left is suppressed.
    Recode,
}

/// One number or several.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Numbers(#[serde(deserialize_with = "one_or_many")] pub Vec<u32>);

/// `[micro.recode]`: everything by variable.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct RecodePart {
    /// Recode files of µ-ARGUS.
    pub apply: BTreeMap<String, Spanned<PathBuf>>,
    /// Numbers from here on up are joined.
    pub top: BTreeMap<String, f64>,
    /// Numbers from here on down are joined.
    pub bottom: BTreeMap<String, f64>,
    /// Codings to choose from.
    pub ladder: BTreeMap<String, Spanned<PathBuf>>,
    /// Variables whose last digits may be cut off.
    pub truncate: Vec<String>,
    /// How the loss of information is measured.
    pub measure: Option<MeasureName>,
    /// Or: losses of the user's own.
    pub losses: Option<Spanned<PathBuf>>,
}

/// `[micro.risk]`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct RiskPart {
    /// Sensitive variables, for l-diversity and t-closeness.
    pub sensitive: Vec<Spanned<String>>,
    /// Special uniques of up to this many variables.
    pub suda: Option<usize>,
    /// The sampling fraction that DIS-SUDA supposes.
    pub dis_fraction: Option<Spanned<f64>>,
}
