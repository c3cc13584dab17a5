//! Where the records are and how they are laid out.

use std::path::PathBuf;

use quell_model::Decimals;

/// A file of microdata: one record a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Microdata {
    /// The file.
    pub path: PathBuf,
    /// How its records are laid out.
    pub layout: Layout,
    /// What is known of its variables. A file that names its columns itself (Parquet, CSV
    /// with a header) needs entries only for variables with missing codes, declared decimals
    /// or another name; any other file needs one entry a column or field.
    pub variables: Vec<Variable>,
}

/// How records are laid out in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Fields split by a separator, quotes allowed. Without a header the variables are the
    /// columns in order.
    Delimited {
        /// The separator, one byte.
        separator: u8,
        /// Whether the first line names the columns.
        header: bool,
    },
    /// Apache Parquet.
    Parquet,
    /// Fields by position in the line (τ-ARGUS `.asc`), see [`Variable::field`]. Codes keep
    /// their blanks: `" 1"` is not `"1"`.
    FixedWidth,
}

/// A variable of a microdata file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Variable {
    /// Its name; in a file with a header, the name there.
    pub name: String,
    /// Its place in a fixed-width line.
    pub field: Option<Field>,
    /// The codes that mean "not known". An empty field of a numeric variable always does.
    pub missing: Vec<String>,
    /// Decimals of a numeric variable. Finer numbers are rounded, record by record, halves
    /// away from zero. Without it they are found by a pass over the file, at most
    /// [`Variable::MOST_DETECTED`].
    pub decimals: Option<Decimals>,
}

impl Variable {
    /// The most decimals found in a file that count. Files written from binary floats carry
    /// up to 17 digits that mean nothing, and room is needed for sums.
    pub const MOST_DETECTED: Decimals = Decimals(6);

    /// A variable of which only the name is known.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }
}

/// A field of a fixed-width line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Its first byte, from 1.
    pub start: usize,
    /// Its length in bytes.
    pub length: usize,
}
