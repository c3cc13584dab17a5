//! The release of typed columns: Parquet with the types they came with, or CSV.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, RecordBatch, StringArray};
use arrow::compute::nullif;
use arrow::datatypes::{DataType, Field, Float32Type, Float64Type, Schema};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use parquet::arrow::ArrowWriter;
use quell_data::{Records, Watch, texts};

use super::{Released, changed};
use crate::{Error, KeySet, Result, Suppressions};

fn failed(path: &Path, error: impl std::fmt::Display) -> Error {
    Error::io(path, std::io::Error::other(error.to_string()))
}

/// How a file of columns is released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReleasedAs {
    Parquet,
    Csv,
}

impl ReleasedAs {
    /// By the ending of the released file's name.
    ///
    /// # Errors
    /// If it is another one.
    pub(super) fn of(output: &Path) -> Result<Self> {
        let ending = output.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("parquet" | "pq") => Ok(Self::Parquet),
            Some("csv") => Ok(Self::Csv),
            _ => Err(Error::Request(format!(
                "{}: a file of this kind is released as .parquet or .csv",
                output.display()
            ))),
        }
    }
}

enum Writer {
    Parquet(Box<ArrowWriter<File>>),
    Csv(Box<csv::Writer<File>>),
}

impl Writer {
    fn new(format: ReleasedAs, output: &Path, schema: &Arc<Schema>) -> Result<Self> {
        let file = File::create(output).map_err(|source| Error::io(output, source))?;
        match format {
            ReleasedAs::Parquet => ArrowWriter::try_new(file, Arc::clone(schema), None)
                .map(|writer| Self::Parquet(Box::new(writer)))
                .map_err(|error| failed(output, error)),
            ReleasedAs::Csv => {
                let mut writer = csv::WriterBuilder::new().from_writer(file);
                let names = schema.fields().iter().map(|field| field.name());
                writer.write_record(names).map_err(|source| Error::csv(output, source))?;
                Ok(Self::Csv(Box::new(writer)))
            }
        }
    }

    fn write(&mut self, output: &Path, batch: &RecordBatch) -> Result<()> {
        match self {
            Self::Parquet(writer) => writer.write(batch).map_err(|error| failed(output, error)),
            Self::Csv(writer) => {
                let columns = batch.columns().iter().map(|column| written(output, column));
                let columns = columns.collect::<Result<Vec<_>>>()?;
                for row in 0..batch.num_rows() {
                    writer
                        .write_record(columns.iter().map(|column| &column[row]))
                        .map_err(|source| Error::csv(output, source))?;
                }
                Ok(())
            }
        }
    }

    fn close(self, output: &Path) -> Result<()> {
        match self {
            Self::Parquet(writer) => {
                writer.close().map(drop).map_err(|error| failed(output, error))
            }
            Self::Csv(mut writer) => writer.flush().map_err(|source| Error::io(output, source)),
        }
    }
}

/// A column as it is written; nothing for null.
fn written(path: &Path, column: &ArrayRef) -> Result<Vec<String>> {
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

/// Writes the released file. In Parquet a suppressed value is null, and its column keeps its
/// type; a column that is recoded, or has a code for missing, becomes one of texts. In CSV all
/// identifying variables are written as they were read.
///
/// # Errors
/// If a file cannot be read or written, the work is stopped, or the input changed meanwhile.
pub(super) fn write(
    input: &Records,
    format: ReleasedAs,
    output: &Path,
    keys: &[Released],
    place_of: &[usize],
    suppressions: &Suppressions,
    watch: &Watch<'_>,
) -> Result<()> {
    let records = keys.first().map_or(0, |key| key.original.codes().len());
    let becomes_text = |key: &Released| {
        format == ReleasedAs::Csv || key.recoded.is_some() || !key.missing.is_empty()
    };
    let mut fields: Vec<Field> =
        input.schema().fields().iter().map(|field| field.as_ref().clone()).collect();
    for (key, &place) in keys.iter().zip(place_of) {
        let kind = match becomes_text(key) {
            true => DataType::Utf8,
            false => fields[place].data_type().clone(),
        };
        fields[place] = Field::new(fields[place].name(), kind, true);
    }
    let schema = Arc::new(Schema::new(fields));
    let mut writer = Writer::new(format, output, &schema)?;
    let mut start = 0;
    let all: Vec<usize> = (0..schema.fields().len()).collect();
    input.each_batch(&all, watch, |batch| {
        if start + batch.num_rows() > records {
            return Err(changed(input));
        }
        let hidden: Vec<KeySet> =
            (start..start + batch.num_rows()).map(|record| suppressions.of(record)).collect();
        let mut columns = batch.columns().to_vec();
        for (number, (key, &place)) in keys.iter().zip(place_of).enumerate() {
            let hides = |set: &KeySet| set.contains(number);
            let broken = |error| failed(input.source(), error);
            columns[place] = if becomes_text(key) {
                let old = texts(&columns[place]).map_err(broken)?;
                let new = old.iter().zip(&hidden).enumerate().map(|(row, (old, set))| {
                    Some(key.field(start + row, hides(set)).or(old).unwrap_or_default())
                });
                Arc::new(new.collect::<StringArray>()) as ArrayRef
            } else {
                let mask: BooleanArray = hidden.iter().map(|set| Some(hides(set))).collect();
                nullif(&columns[place], &mask).map_err(broken)?
            };
        }
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns)
            .map_err(|error| failed(output, error))?;
        start += batch.num_rows();
        writer.write(output, &batch)
    })?;
    if start != records {
        return Err(changed(input));
    }
    writer.close(output)
}
