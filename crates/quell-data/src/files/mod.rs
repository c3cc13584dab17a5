//! Files of records, a module for each kind.
//!
//! Every reader gives its records in batches of Arrow arrays, in order: it pushes them to whoever
//! takes them, and stops when that one breaks off. Text files are all texts; others keep their types.

pub(crate) mod delimited;
pub(crate) mod fixed;
pub(crate) mod parquet;
pub(crate) mod sas;
pub(crate) mod spss;
pub(crate) mod stata;

use std::ops::ControlFlow;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow::datatypes::{Schema, SchemaRef};

use crate::{Error, Variable};

/// Records of one batch.
pub(crate) const BATCH: usize = 8_192;

/// What takes batch after batch, until it breaks off.
pub(crate) type Take<'a> = &'a mut dyn FnMut(RecordBatch) -> ControlFlow<()>;

/// What the head of a file says: the types of its columns, and what is known of its variables.
pub(crate) struct Head {
    pub schema: SchemaRef,
    pub variables: Vec<Variable>,
}

/// The fields of some columns.
pub(crate) fn projected(schema: &SchemaRef, columns: &[usize]) -> SchemaRef {
    let fields = columns.iter().map(|&column| Arc::clone(&schema.fields()[column]));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// A batch, which may be of no columns.
pub(crate) fn batch(
    path: &Path,
    schema: &SchemaRef,
    columns: Vec<ArrayRef>,
    rows: usize,
) -> Result<RecordBatch, Error> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)
        .map_err(|error| Error::malformed(path, error))
}

/// The kinds of files that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// Text with separators.
    Csv,
    /// Text with fields by position, described by an `.rda` file.
    Fixed,
    /// Apache Parquet.
    Parquet,
    /// Stata, `.dta`, all releases.
    Stata,
    /// SPSS, `.sav` and `.zsav`.
    Spss,
    /// SAS, `.sas7bdat`.
    Sas,
}

/// The first bytes of a SAS file.
const SAS: &[u8] = b"\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60";

/// Endings of files that nobody should take for text.
const NOT_READ: [&str; 7] = ["sas7bcat", "xpt", "por", "xlsx", "xls", "rds", "feather"];

impl FileKind {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Csv, Self::Fixed, Self::Parquet, Self::Stata, Self::Spss, Self::Sas];

    /// Its name, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Fixed => "fixed",
            Self::Parquet => "parquet",
            Self::Stata => "stata",
            Self::Spss => "spss",
            Self::Sas => "sas",
        }
    }

    /// Of a file by the ending of its name; none if the ending says nothing.
    pub fn of_ending(path: &Path) -> Option<Self> {
        match ending(path).as_str() {
            "csv" | "tsv" | "txt" => Some(Self::Csv),
            "asc" => Some(Self::Fixed),
            "parquet" | "pq" => Some(Self::Parquet),
            "dta" => Some(Self::Stata),
            "sav" | "zsav" => Some(Self::Spss),
            "sas7bdat" => Some(Self::Sas),
            _ => None,
        }
    }

    /// Of a file by its first bytes; none if they could be text.
    pub(crate) fn of_content(start: &[u8]) -> Option<Self> {
        let is = |magic: &[u8]| start.starts_with(magic);
        match () {
            () if is(b"PAR1") => Some(Self::Parquet),
            () if is(b"<stata_dta>") => Some(Self::Stata),
            () if is(b"$FL2") || is(b"$FL3") => Some(Self::Spss),
            () if is(SAS) => Some(Self::Sas),
            () => None,
        }
    }

    /// Of a file by what it is, else by its name, else text.
    ///
    /// # Errors
    /// If files of its name are not read.
    pub(crate) fn find(path: &Path, start: &[u8]) -> Result<Self, Error> {
        if let Some(kind) = Self::of_content(start).or_else(|| Self::of_ending(path)) {
            return Ok(kind);
        }
        if NOT_READ.contains(&ending(path).as_str()) {
            let message = "files of this kind are not read; turn it into Parquet or CSV";
            return Err(Error::malformed(path, message));
        }
        Ok(Self::Csv)
    }
}

fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

impl FromStr for FileKind {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| {
            let all = Self::ALL.map(Self::name).join(", ");
            format!("there is no file format \"{name}\"; there are {all}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_goes_before_the_ending() {
        let find = |name: &str, start: &[u8]| FileKind::find(Path::new(name), start).ok();
        assert_eq!(find("a.csv", b"PAR1"), Some(FileKind::Parquet));
        assert_eq!(find("a.SAV", b""), Some(FileKind::Spss));
        assert_eq!(find("a.zsav", b"$FL3"), Some(FileKind::Spss));
        assert_eq!(find("a", b"age,town"), Some(FileKind::Csv));
        assert_eq!(find("a.xlsx", b"PK"), None);
        assert_eq!("spss".parse(), Ok(FileKind::Spss));
        assert!("ods".parse::<FileKind>().unwrap_err().contains("parquet"));
    }
}
