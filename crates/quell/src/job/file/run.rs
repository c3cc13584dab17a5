//! How to protect, against whom, and what to write.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::release::Format;
use crate::report::Audience;

/// `[protect]`
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
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
}

impl Default for ReleasePart {
    fn default() -> Self {
        let formats = vec![Format::Csv];
        Self { folder: PathBuf::from("release"), formats, suppressed: "x".to_owned() }
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
