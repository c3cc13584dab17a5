//! How to protect, against whom, and what to write.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::release::{Format, Statuses};
use crate::report::Audience;

/// `[protect]`
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
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
    /// The folder of an earlier release with tables of the same names.
    pub previous: Option<Spanned<PathBuf>>,
    /// What it means that a cell was hidden there.
    pub previous_pattern: PreviousPattern,
}

/// What an earlier release of a table means for this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PreviousPattern {
    /// What was hidden costs a tenth.
    #[default]
    Cheaper,
    /// What was hidden is hidden again.
    Hidden,
    /// The figures are the same ones: what was hidden stays hidden, what was published is known.
    Same,
}

/// How tables are protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Approach {
    /// Cells are hidden.
    #[default]
    Suppress,
    /// Values are moved: controlled tabular adjustment.
    Adjust,
}

/// `[attacker]`
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct AttackerPart {
    /// What is known of all cells.
    pub knows: Option<Knows>,
    /// Or: how far below a value, in percent of it.
    pub below: Option<f64>,
    /// And how far above.
    pub above: Option<f64>,
    /// Whether contributors are attackers; they are if the data tell of them.
    pub contributors: Option<bool>,
    /// Whether contributors know their parts of cells in which they are not alone; they do unless it
    /// says no.
    pub parts: Option<bool>,
    /// By what sums of hidden cells are judged: by the rules unless it says something else.
    pub sums: Option<Sums>,
}

impl AttackerPart {
    /// Whether it says what is known of cells.
    pub fn has_bounds(&self) -> bool {
        self.knows.is_some() || self.below.is_some() || self.above.is_some()
    }
}

/// What an attacker knows beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Knows {
    /// That values are not negative, if none is.
    Sign,
    /// Nothing.
    Nothing,
    /// What τ-ARGUS assumes.
    TauArgus,
}

/// By what the sums of hidden cells are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sums {
    /// The rules of the table, as if a sum were a cell.
    Rules,
    /// How many contribute, as τ-ARGUS does.
    Frequency,
    /// Nothing.
    None,
}

/// `[release]`
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ReleasePart {
    /// The folder, from the job file's folder.
    pub folder: PathBuf,
    /// The formats.
    pub formats: Vec<Format>,
    /// What stands for a hidden value.
    pub suppressed: String,
    /// What everyone is told of hidden cells.
    pub statuses: Statuses,
    /// Folders of earlier releases that are out: what they told cannot be hidden.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<Spanned<PathBuf>>,
}

impl Default for ReleasePart {
    fn default() -> Self {
        let formats = vec![Format::Csv];
        let statuses = Statuses::default();
        Self {
            folder: PathBuf::from("release"),
            formats,
            suppressed: "x".to_owned(),
            statuses,
            published: Vec::new(),
        }
    }
}

/// `[report]`
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReportPart {
    /// Who reads it.
    pub audience: Audience,
    /// Whether it tells the parameters of the rules.
    pub parameters: bool,
}
