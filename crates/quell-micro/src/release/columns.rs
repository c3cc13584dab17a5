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
    columns: &ReleasedColumns<'_>,
    format: ReleasedAs,
    output: &Path,
    watch: &Watch<'_>,
) -> Result<()> {
    let texts = format == ReleasedAs::Csv;
    let mut writer = Writer::new(format, output, &columns.schema(texts))?;
    columns.each_batch(texts, watch, |batch| writer.write(output, &batch))?;
    writer.close(output)
}

/// Columns on their way out.
pub(super) struct ReleasedColumns<'a> {
    /// The records as they were read.
    pub input: &'a Records,
    /// The identifying variables.
    pub keys: &'a [Released<'a>],
    /// The place of each among the columns.
    pub place_of: &'a [usize],
    /// What is hidden of them.
    pub suppressions: &'a Suppressions,
}

impl ReleasedColumns<'_> {
    /// The released columns; `texts` if all identifying variables become texts.
    pub fn schema(&self, texts: bool) -> Arc<Schema> {
        let mut fields: Vec<Field> =
            self.input.schema().fields().iter().map(|field| field.as_ref().clone()).collect();
        for (key, &place) in self.keys.iter().zip(self.place_of) {
            let kind = match becomes_text(key, texts) {
                true => DataType::Utf8,
                false => fields[place].data_type().clone(),
            };
            fields[place] = Field::new(fields[place].name(), kind, true);
        }
        Arc::new(Schema::new(fields))
    }

    /// Gives the released batches, one after the other, to `take`.
    ///
    /// # Errors
    /// If the records cannot be read, changed meanwhile, the work is stopped, or of `take`.
    pub fn each_batch(
        &self,
        texts: bool,
        watch: &Watch<'_>,
        mut take: impl FnMut(RecordBatch) -> Result<()>,
    ) -> Result<()> {
        let input = self.input;
        let records = self.keys.first().map_or(0, |key| key.original.codes().len());
        let schema = self.schema(texts);
        let mut start = 0;
        let all: Vec<usize> = (0..schema.fields().len()).collect();
        input.each_batch(&all, watch, |batch| {
            if start + batch.num_rows() > records {
                return Err(changed(input));
            }
            let columns = self.columns(&batch, start, texts)?;
            let batch = RecordBatch::try_new(Arc::clone(&schema), columns)
                .map_err(|error| failed(input.source(), error))?;
            start += batch.num_rows();
            take(batch)
        })?;
        match start == records {
            true => Ok(()),
            false => Err(changed(input)),
        }
    }

    /// The columns of a batch that begins at a record.
    fn columns(&self, batch: &RecordBatch, start: usize, all_texts: bool) -> Result<Vec<ArrayRef>> {
        let records = start..start + batch.num_rows();
        let hidden: Vec<KeySet> = records.map(|record| self.suppressions.of(record)).collect();
        let mut columns = batch.columns().to_vec();
        for (number, (key, &place)) in self.keys.iter().zip(self.place_of).enumerate() {
            let hides = |set: &KeySet| set.contains(number);
            let broken = |error| failed(self.input.source(), error);
            columns[place] = if becomes_text(key, all_texts) {
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
        Ok(columns)
    }
}

/// Whether a variable cannot keep its type.
fn becomes_text(key: &Released, texts: bool) -> bool {
    texts || key.recoded.is_some() || !key.missing.is_empty()
}
