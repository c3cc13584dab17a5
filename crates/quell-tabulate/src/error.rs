//! What can go wrong, with its place and what to do about it.

use std::path::PathBuf;

use quell_data::Place;
use quell_model::{CubeError, Stop};
use thiserror::Error;

/// Why no tables were made.
#[derive(Debug, Error)]
pub enum Error {
    /// Records that cannot be read, or do not have a variable.
    #[error(transparent)]
    Data(#[from] quell_data::Error),
    /// A dimension that the job does not have.
    #[error(
        "table \"{table}\" uses a dimension \"{name}\" that is not declared{}",
        did_you_mean(suggestion)
    )]
    UnknownDimension {
        /// The table.
        table: String,
        /// The name.
        name: String,
        /// The nearest name there is.
        suggestion: Option<String>,
    },
    /// A table that names a dimension twice.
    #[error("table \"{table}\" names the dimension \"{name}\" twice")]
    RepeatedDimension {
        /// The table.
        table: String,
        /// The dimension.
        name: String,
    },
    /// A code of a record that is no leaf of its hierarchy.
    #[error(transparent)]
    UnknownCode(#[from] Box<UnknownCode>),
    /// Something that should be a number.
    #[error(
        "{}, {place}: found \"{found}\" in {variable}, expected {expected}; \
         if it means that the value is not known, declare it as a missing code",
        file.display()
    )]
    NotANumber {
        /// The file.
        file: PathBuf,
        /// The first such record.
        place: Place,
        /// The variable.
        variable: String,
        /// What stands there.
        found: String,
        /// What should.
        expected: &'static str,
    },
    /// Totals beyond exact arithmetic.
    #[error(
        "the total of {variable} is too large for exact arithmetic with {decimals} decimals; \
         declare fewer"
    )]
    TooLarge {
        /// The variable.
        variable: String,
        /// Its decimals.
        decimals: u8,
    },
    /// Decimals beyond what is supported.
    #[error("{variable}: {decimals} decimals are too many; declare at most {most}")]
    TooManyDecimals {
        /// The variable.
        variable: String,
        /// What was declared.
        decimals: u8,
        /// The most there may be.
        most: u8,
    },
    /// A table that is weighted, without weights.
    #[error("table \"{table}\" is weighted, but no weight variable is given")]
    NoWeights {
        /// The table.
        table: String,
    },
    /// A cube that cannot be built.
    #[error("table \"{table}\": {source}")]
    Cube {
        /// The table.
        table: String,
        /// Why.
        source: CubeError,
    },
    /// A file without records.
    #[error("{}: there are no records", file.display())]
    NoRecords {
        /// The file.
        file: PathBuf,
    },
    /// Stopped before the end: there are no partial tables.
    #[error("stopped before the tables were complete ({0:?})")]
    Stopped(Stop),
    /// Not enough memory or disk.
    #[error("tabulating ran out of resources: {0}")]
    Resources(String),
}

/// A code of a record that is no leaf of its hierarchy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "{}, {place}: found code \"{code}\" of {variable}, expected {} of dimension {dimension} \
     ({records} records have it){}",
    file.display(),
    if *is_total { "a code without parts" } else { "a code" },
    did_you_mean(suggestion)
)]
pub struct UnknownCode {
    /// The file.
    pub file: PathBuf,
    /// The first record that has it.
    pub place: Place,
    /// The variable.
    pub variable: String,
    /// The dimension.
    pub dimension: String,
    /// The code.
    pub code: String,
    /// Whether the hierarchy has it, as a total of others.
    pub is_total: bool,
    /// How many records have it.
    pub records: u64,
    /// The nearest code there is.
    pub suggestion: Option<String>,
}

fn did_you_mean(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"))
}
