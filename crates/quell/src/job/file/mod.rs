//! The job file as it is written: names, numbers and choices, nothing looked up yet.
//!
//! `docs/job.md` explains every key. Names that can be wrong carry their place in the
//! file, so that a mistake is shown where it stands.

mod data;
mod micro;
mod rules;
mod run;
mod tables;

use serde::{Deserialize, Serialize};
use toml::Spanned;

pub use data::{DataFormat, DataPart, DimensionPart, Files, RequestPart, SystemPart, WaiverPart};
pub use micro::{CombinationPart, MicroPart, MicroTask, Numbers, RecodePart, RiskPart};
pub use rules::RulesPart;
pub use run::{
    Approach, AttackerPart, Knows, PreviousPattern, ProtectPart, ReleasePart, ReportPart, Sums,
};
pub use tables::{
    AprioriPart, CostChoice, EmptyCellsPart, EquationPart, GivenPart, Names, PreviousPart,
    TablePart, TotalsChoice,
};

use crate::adjust::options::AdjustOptions;

/// A whole job file.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct JobFile {
    /// The title of the report.
    pub title: Option<String>,
    /// The records.
    pub data: Option<DataPart>,
    /// A whole system of cells and equations instead of all of the above and below.
    pub system: Option<SystemPart>,
    /// The classifications.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dimension: Vec<DimensionPart>,
    /// The tables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub table: Vec<TablePart>,
    /// The rules of all tables that have none of their own.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rules: RulesPart,
    /// Equations between responses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub equation: Vec<EquationPart>,
    /// Records to be released themselves.
    pub micro: Option<MicroPart>,
    /// How to protect.
    #[serde(default, skip_serializing_if = "is_default")]
    pub protect: ProtectPart,
    /// What adjusted tables must keep.
    #[serde(default, skip_serializing_if = "is_default")]
    pub adjust: AdjustOptions,
    /// What an attacker knows.
    #[serde(default, skip_serializing_if = "is_default")]
    pub attacker: AttackerPart,
    /// What to write.
    #[serde(default, skip_serializing_if = "is_default")]
    pub release: ReleasePart,
    /// The report.
    #[serde(default, skip_serializing_if = "is_default")]
    pub report: ReportPart,
}

/// A value that stands in no file yet.
pub fn unplaced<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

/// Whether a part says nothing that does not hold without it.
fn is_default<T: Default + PartialEq>(part: &T) -> bool {
    *part == T::default()
}
