//! The release of a file of columns: Parquet with the types it came with, or CSV.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, RecordBatch, StringArray};
use arrow::compute::nullif;
use arrow::datatypes::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;

use super::{each_batch, failed, schema, texts};
use crate::release::{Released, changed};
use crate::{Error, KeySet, Result, Suppressions};

/// How a file of columns is released.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReleasedAs {
    Parquet,
    Csv,
}

impl ReleasedAs {
    /// By the ending of the released file's name.
    ///
    /// # Errors
    /// If it is another one.
    pub(crate) fn of(output: &Path) -> Result<Self> {
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
                let columns = batch.columns().iter().map(|column| texts(output, column));
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

/// Writes the released file. In Parquet a suppressed value is null, and its column keeps its
/// type; a column that is recoded, or has a code for missing, becomes one of texts.
///
/// # Errors
/// If a file cannot be read or written, or the input changed meanwhile.
pub(crate) fn write(
    input: &Path,
    format: ReleasedAs,
    output: &Path,
    keys: &[Released],
    place_of: &[usize],
    suppressions: &Suppressions,
) -> Result<()> {
    let records = keys.first().map_or(0, |key| key.original.codes().len());
    let becomes_text = |key: &Released| key.recoded.is_some() || !key.missing.is_empty();
    let mut fields: Vec<Field> =
        schema(input)?.fields().iter().map(|field| field.as_ref().clone()).collect();
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
    each_batch(input, None, &mut |batch| {
        if start + batch.num_rows() > records {
            return Err(changed(input));
        }
        let hidden: Vec<KeySet> =
            (start..start + batch.num_rows()).map(|record| suppressions.of(record)).collect();
        let mut columns = batch.columns().to_vec();
        for (number, (key, &place)) in keys.iter().zip(place_of).enumerate() {
            let hides = |set: &KeySet| set.contains(number);
            columns[place] = if becomes_text(key) {
                let old = texts(input, &columns[place])?;
                let new = old.iter().zip(&hidden).enumerate().map(|(row, (old, set))| {
                    Some(key.field(start + row, hides(set)).unwrap_or(old))
                });
                Arc::new(new.collect::<StringArray>()) as ArrayRef
            } else {
                let mask: BooleanArray = hidden.iter().map(|set| Some(hides(set))).collect();
                nullif(&columns[place], &mask).map_err(|error| failed(input, error))?
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
