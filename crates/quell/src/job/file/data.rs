//! Where the figures come from: records, tables made already, classifications.

use std::collections::BTreeMap;
use std::path::PathBuf;

use quell_data::FileKind;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::unplaced;
use crate::job::one_or_many::one_or_many;

/// How a data file is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DataFormat {
    /// Fields split by a separator.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// Fields by position, described by an `.rda` file.
    Fixed,
    /// Stata, `.dta`.
    Stata,
    /// SPSS, `.sav` and `.zsav`.
    Spss,
    /// SAS, `.sas7bdat`.
    Sas,
}

impl DataFormat {
    /// What readers call it.
    pub fn kind(self) -> FileKind {
        match self {
            Self::Csv => FileKind::Csv,
            Self::Parquet => FileKind::Parquet,
            Self::Fixed => FileKind::Fixed,
            Self::Stata => FileKind::Stata,
            Self::Spss => FileKind::Spss,
            Self::Sas => FileKind::Sas,
        }
    }
}

/// `[data]`
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct DataPart {
    /// The file, from the job file's folder.
    pub file: Spanned<PathBuf>,
    /// Its format; else it is found out.
    pub format: Option<DataFormat>,
    /// The separator of a CSV file; else it is found out.
    pub separator: Option<Spanned<char>>,
    /// Whether the numbers of a CSV file have decimal commas; else it is found out.
    pub decimal_comma: Option<bool>,
    /// The names of the variables of a CSV file without a header.
    pub names: Option<Spanned<Vec<String>>>,
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

impl DataPart {
    /// The records of a file, or of what [`Job::with_records`](crate::Job::with_records) gives
    /// by that name.
    pub fn of(file: impl Into<PathBuf>) -> Self {
        Self {
            file: unplaced(file.into()),
            format: None,
            separator: None,
            decimal_comma: None,
            names: None,
            metadata: None,
            respondent: None,
            holding: None,
            weight: None,
            request: None,
            waiver: None,
            missing: BTreeMap::new(),
            decimals: BTreeMap::new(),
        }
    }

    /// With the variable that says who a record is from.
    pub fn respondent(self, variable: impl Into<String>) -> Self {
        Self { respondent: Some(unplaced(variable.into())), ..self }
    }

    /// With the variable that says to which holding a respondent belongs.
    pub fn holding(self, variable: impl Into<String>) -> Self {
        Self { holding: Some(unplaced(variable.into())), ..self }
    }

    /// With the variable of sampling weights.
    pub fn weight(self, variable: impl Into<String>) -> Self {
        Self { weight: Some(unplaced(variable.into())), ..self }
    }
}

/// `[system]`
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SystemPart {
    /// A JJ file, or the name of a pair of CSV files.
    pub file: Spanned<PathBuf>,
}

/// `request = { variable = "…", first = "…", second = "…" }`
#[derive(Debug, Clone, Deserialize, Serialize)]
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
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WaiverPart {
    /// The variable.
    pub variable: Spanned<String>,
    /// The code that means a waiver.
    pub code: String,
}

/// `[[dimension]]`
#[derive(Debug, Clone, Deserialize, Serialize)]
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

impl DimensionPart {
    /// A flat dimension: the codes of the data below their total.
    pub fn flat(name: impl Into<String>) -> Self {
        Self {
            name: unplaced(name.into()),
            variable: None,
            hierarchy: None,
            digits: None,
            lead: at_sign(),
            total: total(),
            labels: None,
            exact_codes: false,
        }
    }

    /// With its hierarchy from a file.
    pub fn hierarchy(self, file: impl Into<PathBuf>) -> Self {
        Self { hierarchy: Some(unplaced(Files(vec![file.into()]))), ..self }
    }

    /// With levels by digits of the code.
    pub fn digits(self, digits: impl Into<Vec<usize>>) -> Self {
        Self { digits: Some(unplaced(digits.into())), ..self }
    }

    /// With another code of the total.
    pub fn total(self, code: impl Into<String>) -> Self {
        Self { total: code.into(), ..self }
    }
}

/// One file or several.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Files(#[serde(deserialize_with = "one_or_many")] pub Vec<PathBuf>);

fn at_sign() -> String {
    "@".to_owned()
}

fn total() -> String {
    "Total".to_owned()
}
