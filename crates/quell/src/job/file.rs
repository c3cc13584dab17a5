//! The job file as it is written: names, numbers and choices, nothing looked up yet.
//!
//! `docs/job.md` explains every key. Names that can be wrong carry their place in the
//! file, so that a mistake is shown where it stands.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use toml::Spanned;

use super::one_or_many::one_or_many;
use crate::adjust::options::AdjustOptions;
use crate::release::Format;
use crate::report::Audience;

/// A whole job file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct JobFile {
    /// The title of the report.
    pub title: Option<String>,
    /// The records.
    pub data: DataPart,
    /// The classifications.
    #[serde(default)]
    pub dimension: Vec<DimensionPart>,
    /// The tables.
    #[serde(default)]
    pub table: Vec<TablePart>,
    /// The rules of all tables that have none of their own.
    #[serde(default)]
    pub rules: RulesPart,
    /// Equations between responses.
    #[serde(default)]
    pub equation: Vec<EquationPart>,
    /// How to protect.
    #[serde(default)]
    pub protect: ProtectPart,
    /// What adjusted tables must keep.
    #[serde(default)]
    pub adjust: AdjustOptions,
    /// What an attacker knows.
    #[serde(default)]
    pub attacker: AttackerPart,
    /// What to write.
    #[serde(default)]
    pub release: ReleasePart,
    /// The report.
    #[serde(default)]
    pub report: ReportPart,
}

/// How a data file is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DataFormat {
    /// Fields split by a separator.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// Fields by position, described by an `.rda` file.
    Fixed,
}

/// `[data]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DataPart {
    /// The file, from the job file's folder.
    pub file: Spanned<PathBuf>,
    /// Its format; else by its ending.
    pub format: Option<DataFormat>,
    /// The separator of a CSV file.
    pub separator: Option<Spanned<char>>,
    /// The metadata of a fixed-width file.
    pub metadata: Option<Spanned<PathBuf>>,
    /// Who a record is from.
    pub respondent: Option<Spanned<String>>,
    /// To which holding a respondent belongs.
    pub holding: Option<Spanned<String>>,
    /// The sampling weight.
    pub weight: Option<Spanned<String>>,
    /// Who asked for protection.
    pub request: Option<RequestPart>,
    /// Who waived it.
    pub waiver: Option<WaiverPart>,
    /// Codes that mean "not known", by variable.
    #[serde(default)]
    pub missing: BTreeMap<Spanned<String>, Vec<String>>,
    /// Decimals of numeric variables; else they are looked for.
    #[serde(default)]
    pub decimals: BTreeMap<Spanned<String>, u8>,
}

/// `request = { variable = "…", first = "…", second = "…" }`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct RequestPart {
    /// The variable.
    pub variable: Spanned<String>,
    /// The code of the first kind of request.
    pub first: String,
    /// The code of the second kind.
    pub second: Option<String>,
}

/// `waiver = { variable = "…", code = "…" }`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WaiverPart {
    /// The variable.
    pub variable: Spanned<String>,
    /// The code that means a waiver.
    pub code: String,
}

/// `[[dimension]]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DimensionPart {
    /// Its name.
    pub name: Spanned<String>,
    /// The variable that feeds it; else the one of its name.
    pub variable: Option<Spanned<String>>,
    /// One hierarchy file, or several over the same leaves.
    pub hierarchy: Option<Spanned<Files>>,
    /// Levels by digits of the code: `[1, 2, 1]`.
    pub digits: Option<Spanned<Vec<usize>>>,
    /// What stands before a code of an `.hrc` file, once a level.
    #[serde(default = "at_sign")]
    pub lead: String,
    /// The code of the total.
    #[serde(default = "total")]
    pub total: String,
    /// Labels of codes, `code,label` a line.
    pub labels: Option<Spanned<PathBuf>>,
    /// Whether blanks around codes matter.
    #[serde(default)]
    pub exact_codes: bool,
}

/// One file or several.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Files(#[serde(deserialize_with = "one_or_many")] pub Vec<PathBuf>);

fn at_sign() -> String {
    "@".to_owned()
}

fn total() -> String {
    "Total".to_owned()
}

/// `[[table]]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TablePart {
    /// Its name.
    pub name: Spanned<String>,
    /// Its dimensions.
    pub dimensions: Spanned<Vec<Spanned<String>>>,
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
}

/// What suppressing a cell costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
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
#[derive(Debug, Clone, Deserialize)]
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

fn semicolon() -> String {
    ";".to_owned()
}

/// `[rules]`
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct RulesPart {
    /// Too few contributors.
    pub frequency: Option<FrequencyPart>,
    /// (n, k) dominance.
    #[serde(deserialize_with = "one_or_many")]
    pub dominance: Vec<DominancePart>,
    /// p% and pq.
    #[serde(deserialize_with = "one_or_many")]
    pub p_percent: Vec<PPercentPart>,
    /// Protection on request.
    pub request: Option<RequestRulePart>,
    /// The same rules for holdings.
    pub holdings: Option<HoldingRulesPart>,
    /// The range of the zero rule.
    pub zero: Option<f64>,
    /// Levels of cells set by hand, in percent.
    pub manual_margin: Option<f64>,
    /// The least protection level.
    pub minimum_level: Option<f64>,
    /// Whether the rules count by weights; else so if the table is weighted.
    pub weighted: Option<bool>,
    /// Whether cells of unknown codes are safe.
    pub missing_is_safe: bool,
    /// On which sides protection is needed.
    pub sides: SidesChoice,
}

/// Where protection is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SidesChoice {
    /// Below and above.
    #[default]
    Both,
    /// Above.
    Upper,
    /// Anywhere, as wide as both.
    Sliding,
}

/// `holdings = { … }`
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct HoldingRulesPart {
    /// Too few holdings.
    pub frequency: Option<FrequencyPart>,
    /// (n, k) dominance of holdings.
    #[serde(deserialize_with = "one_or_many")]
    pub dominance: Vec<DominancePart>,
    /// p% and pq of holdings.
    #[serde(deserialize_with = "one_or_many")]
    pub p_percent: Vec<PPercentPart>,
    /// Protection on request of holdings.
    pub request: Option<RequestRulePart>,
}

/// `frequency = { minimum = 3, margin = 20 }`
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FrequencyPart {
    /// The smallest safe number.
    pub minimum: f64,
    /// Levels in percent.
    #[serde(default = "twenty")]
    pub margin: f64,
}

fn twenty() -> f64 {
    20.0
}

/// `dominance = { n = 2, k = 85 }`
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DominancePart {
    /// How many.
    pub n: usize,
    /// Which share, in percent.
    pub k: f64,
}

/// `p-percent = { p = 10, n = 1, q = 100 }`
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PPercentPart {
    /// How close, in percent.
    pub p: f64,
    /// How many conspire.
    #[serde(default = "one")]
    pub n: usize,
    /// How close anyone is beforehand, in percent.
    #[serde(default = "hundred")]
    pub q: f64,
}

fn one() -> usize {
    1
}

fn hundred() -> f64 {
    100.0
}

/// `request = { first = 70, second = 0, minimum = 3, margin = 20 }`
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestRulePart {
    /// The share for the first kind, in percent.
    pub first: f64,
    /// The share for the second kind, in percent.
    #[serde(default)]
    pub second: f64,
    /// The smallest safe number.
    pub minimum: f64,
    /// Levels in percent.
    #[serde(default = "twenty")]
    pub margin: f64,
}

/// `[[equation]]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EquationPart {
    /// The response that is the total.
    pub total: Spanned<String>,
    /// Its parts.
    pub parts: Vec<Spanned<String>>,
}

/// `[protect]`
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProtectPart {
    /// Whether cells are hidden or values moved.
    pub approach: Approach,
    /// The method's name.
    pub method: Option<Spanned<String>>,
    /// How long it may take.
    pub time: Option<Spanned<String>>,
    /// How much effort it may take.
    pub work: Option<u64>,
    /// The seed.
    pub seed: Option<u64>,
    /// The threads.
    pub threads: Option<u16>,
}

/// How tables are protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Approach {
    /// Cells are hidden.
    #[default]
    Suppress,
    /// Values are moved: controlled tabular adjustment.
    Adjust,
}

/// `[attacker]`
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AttackerPart {
    /// What is known of all cells.
    pub knows: Option<Knows>,
    /// Or: how far below a value, in percent of it.
    pub below: Option<f64>,
    /// And how far above.
    pub above: Option<f64>,
}

/// What an attacker knows beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Knows {
    /// That values are not negative, if none is.
    Sign,
    /// Nothing.
    Nothing,
    /// What τ-ARGUS assumes.
    TauArgus,
}

/// `[release]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ReleasePart {
    /// The folder, from the job file's folder.
    pub folder: PathBuf,
    /// The formats.
    pub formats: Vec<Format>,
    /// What stands for a hidden value.
    pub suppressed: String,
}

impl Default for ReleasePart {
    fn default() -> Self {
        let formats = vec![Format::Csv];
        Self { folder: PathBuf::from("release"), formats, suppressed: "x".to_owned() }
    }
}

/// `[report]`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReportPart {
    /// Who reads it.
    pub audience: Audience,
    /// Whether it tells the parameters of the rules.
    pub parameters: bool,
}
