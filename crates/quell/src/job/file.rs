//! The job file as it is written: names, numbers and choices, nothing looked up yet.
//!
//! `docs/job.md` explains every key. Names that can be wrong carry their place in the
//! file, so that a mistake is shown where it stands.

mod data;
mod micro;
mod rules;
mod run;
mod tables;

use serde::Deserialize;

pub use data::{DataFormat, DataPart, DimensionPart, Files, RequestPart, SystemPart, WaiverPart};
pub use micro::{MicroPart, MicroTask, Numbers, RecodePart, RiskPart};
pub use rules::{
    DominancePart, FrequencyPart, HoldingRulesPart, PPercentPart, RequestRulePart, RulesPart,
    SidesChoice,
};
pub use run::{Approach, AttackerPart, Knows, ProtectPart, ReleasePart, ReportPart};
pub use tables::{
    AprioriPart, CostChoice, EquationPart, GivenPart, Names, TablePart, TotalsChoice,
};

use crate::adjust::options::AdjustOptions;

/// A whole job file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct JobFile {
    /// The title of the report.
    pub title: Option<String>,
    /// The records.
    pub data: Option<DataPart>,
    /// A whole system of cells and equations instead of all of the above and below.
    pub system: Option<SystemPart>,
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
    /// Records to be released themselves.
    pub micro: Option<MicroPart>,
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
