//! Apache Parquet: read batch by batch, and released with the types it came with.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, BooleanArray, RecordBatch, StringArray};
use arrow::compute::nullif;
use arrow::datatypes::{DataType, Field, Schema};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use parquet::arrow::ArrowWriter;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use crate::release::Released;
use crate::{Error, KeySet, Result, Suppressions};

fn failed(path: &Path, error: impl std::fmt::Display) -> Error {
    Error::io(path, std::io::Error::other(error.to_string()))
}

fn open(path: &Path) -> Result<ParquetRecordBatchReaderBuilder<File>> {
    let file = File::open(path).map_err(|source| Error::io(path, source))?;
    ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| failed(path, error))
}

/// The names of the columns.
///
/// # Errors
/// If it is no such file.
pub(crate) fn names(path: &Path) -> Result<Vec<String>> {
    Ok(open(path)?.schema().fields().iter().map(|field| field.name().clone()).collect())
}

/// A column as text; nothing for null.
fn texts(path: &Path, column: &ArrayRef) -> Result<Vec<String>> {
    let options = FormatOptions::default();
    let formatter =
        ArrayFormatter::try_new(column.as_ref(), &options).map_err(|error| failed(path, error))?;
    Ok((0..column.len()).map(|row| formatter.value(row).to_string()).collect())
}

/// Gives every record to `take`: its number from 1, and its field in every column that is
/// wanted.
///
/// # Errors
/// If the file cannot be read, or of `take`.
pub(crate) fn each(
    path: &Path,
    wanted: &[usize],
    mut take: impl FnMut(u64, &dyn Fn(usize) -> Option<usize>, &[Vec<String>], usize) -> Result<()>,
) -> Result<()> {
    let builder = open(path)?;
    let mask = ProjectionMask::roots(builder.parquet_schema(), wanted.iter().copied());
    let mut places: Vec<usize> = wanted.to_vec();
    places.sort_unstable();
    places.dedup();
    let at = |place: usize| places.iter().position(|&other| other == place);
    let reader = builder.with_projection(mask).build().map_err(|error| failed(path, error))?;
    let mut record = 0;
    for batch in reader {
        let batch = batch.map_err(|error| failed(path, error))?;
        let columns =
            batch.columns().iter().map(|column| texts(path, column)).collect::<Result<Vec<_>>>()?;
        for row in 0..batch.num_rows() {
            record += 1;
            take(record, &at, &columns, row)?;
        }
    }
    Ok(())
}

/// Writes the released file. A suppressed value is null, and its column keeps its type; a
/// column that is recoded, or has a code for missing, becomes one of texts.
///
/// # Errors
/// If a file cannot be read or written, or the input changed meanwhile.
pub(crate) fn write(
    input: &Path,
    output: &Path,
    keys: &[Released],
    place_of: &[usize],
    suppressions: &Suppressions,
) -> Result<()> {
    let builder = open(input)?;
    let records = keys.first().map_or(0, |key| key.original.codes().len());
    let becomes_text = |key: &Released| key.recoded.is_some() || !key.missing.is_empty();
    let mut fields: Vec<Field> =
        builder.schema().fields().iter().map(|field| field.as_ref().clone()).collect();
    for (key, &place) in keys.iter().zip(place_of) {
        let kind = match becomes_text(key) {
            true => DataType::Utf8,
            false => fields[place].data_type().clone(),
        };
        fields[place] = Field::new(fields[place].name(), kind, true);
    }
    let schema = Arc::new(Schema::new(fields));
    let file = File::create(output).map_err(|source| Error::io(output, source))?;
    let mut writer = ArrowWriter::try_new(file, Arc::clone(&schema), None)
        .map_err(|error| failed(output, error))?;
    let mut start = 0;
    for batch in builder.build().map_err(|error| failed(input, error))? {
        let batch = batch.map_err(|error| failed(input, error))?;
        if start + batch.num_rows() > records {
            return Err(changed(input));
        }
        let hidden: Vec<KeySet> =
            (start..start + batch.num_rows()).map(|record| suppressions.of(record)).collect();
        let mut columns = batch.columns().to_vec();
        for (number, (key, &place)) in keys.iter().zip(place_of).enumerate() {
            columns[place] = if becomes_text(key) {
                let old = texts(input, &columns[place])?;
                let new = old.iter().zip(&hidden).enumerate().map(|(row, (old, set))| {
                    Some(key.field(start + row, set.contains(number)).unwrap_or(old))
                });
                Arc::new(new.collect::<StringArray>())
            } else {
                let mask: BooleanArray =
                    hidden.iter().map(|set| Some(set.contains(number))).collect();
                nullif(&columns[place], &mask).map_err(|error| failed(input, error))?
            };
        }
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns)
            .map_err(|error| failed(output, error))?;
        writer.write(&batch).map_err(|error| failed(output, error))?;
        start += batch.num_rows();
    }
    if start != records {
        return Err(changed(input));
    }
    writer.close().map_err(|error| failed(output, error))?;
    Ok(())
}

fn changed(input: &Path) -> Error {
    Error::Request(format!("{} changed while it was protected", input.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Layout, Selection, Variable, read, release};
    use arrow::array::Int64Array;

    #[test]
    fn a_parquet_file_is_read_and_released_with_its_types() {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
        let ages: ArrayRef = Arc::new(Int64Array::from(vec![Some(30), None, Some(31)]));
        let towns: ArrayRef = Arc::new(StringArray::from(vec!["A", "B", "A"]));
        let pay: ArrayRef = Arc::new(Int64Array::from(vec![7, 8, 9]));
        let columns = [("pay", pay), ("age", ages), ("town", towns)];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let mut writer =
            ArrowWriter::try_new(File::create(&input).unwrap(), batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        let layout = Layout::of_parquet(&input).unwrap();
        let selection = Selection {
            keys: vec![Variable::named("town"), Variable::named("age")],
            weight: Some("pay".into()),
            ..Selection::default()
        };
        let data = read(&input, &layout, &selection).unwrap();
        assert_eq!((data.records(), data.keys()[1].categories()), (3, 2));
        assert_eq!(data.weights().unwrap(), [7.0, 8.0, 9.0]);
        let keys: Vec<Released> = data
            .keys()
            .iter()
            .map(|original| Released { original, recoded: None, missing: "" })
            .collect();
        let hidden = Suppressions::new([(2, KeySet::of(&[0, 1]))]);
        release::write(&input, &layout, &output, &keys, &hidden).unwrap();
        let again = read(&output, &layout, &selection).unwrap();
        assert_eq!(release::hidden(&data, &again).unwrap(), hidden);
        let kind = open(&output).unwrap().schema().field(1).data_type().clone();
        assert_eq!(kind, DataType::Int64);
    }
}
