//! The formats of a release.

use serde::{Deserialize, Serialize};

use crate::report::Audience;

/// A format that a release can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Codes, value or nothing, status: one file per table.
    Csv,
    /// The same as Apache Parquet.
    Parquet,
    /// One workbook with two sheets per table.
    Xlsx,
    /// τ-ARGUS: codes and values, `x` for hidden ones.
    CodeValue,
    /// τ-ARGUS: a pivot table's rows, with status.
    Pivot,
    /// τ-ARGUS: for Eurostat's structural business statistics. For the office: it has
    /// contributors and all values.
    Sbs,
    /// τ-ARGUS: its intermediate format. For the office: it has all values.
    Intermediate,
    /// The whole linked system. For the office: it has all values.
    Jj,
}

impl Format {
    /// Whether a system without dimensions can be written so.
    pub fn needs_no_table(self) -> bool {
        matches!(self, Self::Csv | Self::Jj)
    }

    /// Whom files of this format are for: those that hold hidden values, the office.
    pub fn audience(self) -> Audience {
        match self {
            Self::Csv | Self::Parquet | Self::Xlsx | Self::CodeValue | Self::Pivot => {
                Audience::Public
            }
            Self::Sbs | Self::Intermediate | Self::Jj => Audience::Office,
        }
    }
}
