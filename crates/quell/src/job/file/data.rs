//! Where the figures come from: records, tables made already, classifications.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use crate::job::one_or_many::one_or_many;

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

impl DataFormat {
    /// By the ending of a file's name.
    pub fn of(path: &Path) -> Self {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("parquet" | "pq") => Self::Parquet,
            Some("asc") => Self::Fixed,
            _ => Self::Csv,
        }
    }
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

/// `[system]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemPart {
    /// A JJ file, or the name of a pair of CSV files.
    pub file: Spanned<PathBuf>,
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
