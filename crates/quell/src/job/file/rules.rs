//! The rules that make cells sensitive.

use serde::Deserialize;

use crate::job::one_or_many::one_or_many;

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
