//! Files of typed columns: Parquet, Stata and SPSS, all as Arrow batches.
//!
//! Codes are read as they are stored; labels of values stay behind. A number without a
//! fraction is read as a whole one, whatever its type, so that a code 99 is "99" in each of
//! these formats. The release is Parquet or CSV.

mod parquet;
mod spss;
mod stata;
mod write;

use std::path::Path;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::datatypes::{DataType, Float32Type, Float64Type, SchemaRef};
use arrow::util::display::{ArrayFormatter, FormatOptions};

pub(crate) use write::{ReleasedAs, write};

use crate::{Error, Result};

/// The formats, by the endings of files' names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Parquet,
    Stata,
    Spss,
}

impl Format {
    /// None if it is none of these.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_string_lossy().to_lowercase();
        match ending.as_str() {
            "parquet" | "pq" => Some(Self::Parquet),
            "dta" => Some(Self::Stata),
            "sav" | "zsav" => Some(Self::Spss),
            _ => None,
        }
    }

    fn needed(path: &Path) -> Result<Self> {
        Self::of(path).ok_or_else(|| failed(path, "not a file of columns"))
    }
}

fn failed(path: &Path, error: impl std::fmt::Display) -> Error {
    Error::io(path, std::io::Error::other(error.to_string()))
}

/// What takes batch after batch.
type Take<'a> = &'a mut dyn FnMut(RecordBatch) -> Result<()>;

/// The columns of a file.
fn schema(path: &Path) -> Result<SchemaRef> {
    match Format::needed(path)? {
        Format::Parquet => parquet::schema(path),
        Format::Stata => stata::schema(path),
        Format::Spss => spss::schema(path),
    }
}

/// Reads some columns, which rise, or all.
fn each_batch(path: &Path, wanted: Option<&[usize]>, take: Take) -> Result<()> {
    match Format::needed(path)? {
        Format::Parquet => parquet::each_batch(path, wanted, take),
        Format::Stata => stata::each_batch(path, wanted, take),
        Format::Spss => spss::each_batch(path, wanted, take),
    }
}

/// The names of the columns.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn names(path: &Path) -> Result<Vec<String>> {
    Ok(schema(path)?.fields().iter().map(|field| field.name().clone()).collect())
}

/// A column as text; nothing for null.
fn texts(path: &Path, column: &ArrayRef) -> Result<Vec<String>> {
    fn numbers<T: std::fmt::Display>(values: impl Iterator<Item = Option<T>>) -> Vec<String> {
        values.map(|value| value.map_or_else(String::new, |value| value.to_string())).collect()
    }
    match column.data_type() {
        DataType::Float64 => Ok(numbers(column.as_primitive::<Float64Type>().iter())),
        DataType::Float32 => Ok(numbers(column.as_primitive::<Float32Type>().iter())),
        _ => {
            let options = FormatOptions::default();
            let formatter = ArrayFormatter::try_new(column.as_ref(), &options)
                .map_err(|error| failed(path, error))?;
            let text = |row| formatter.value(row).try_to_string();
            (0..column.len()).map(|row| text(row).map_err(|error| failed(path, error))).collect()
        }
    }
}

/// Gives every record to `take`: its number from 1, and its fields by column.
///
/// # Errors
/// If the file cannot be read, or of `take`.
pub(crate) fn each(
    path: &Path,
    wanted: &[usize],
    mut take: impl FnMut(u64, &dyn Fn(usize) -> Option<(usize, usize)>, &[Vec<String>]) -> Result<()>,
) -> Result<()> {
    let mut places: Vec<usize> = wanted.to_vec();
    places.sort_unstable();
    places.dedup();
    let mut record = 0;
    each_batch(path, Some(&places), &mut |batch| {
        let columns =
            batch.columns().iter().map(|column| texts(path, column)).collect::<Result<Vec<_>>>()?;
        for row in 0..batch.num_rows() {
            record += 1;
            let at = |place: usize| Some((places.binary_search(&place).ok()?, row));
            take(record, &at, &columns)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests;
