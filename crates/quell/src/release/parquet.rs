//! A table as Apache Parquet: codes, value or null, status.

use std::io::Write;
use std::sync::Arc;

use arrow::array::{ArrayRef, Decimal128Array, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use arrow::error::ArrowError;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::rows::{Row, rows};
use super::{Marking, Protected, ProtectedTable};

/// Rows of a batch: enough to be fast, few enough to be small.
const BATCH: usize = 65_536;

/// Digits that any value fits in.
const DIGITS: u8 = 19;

/// Writes a table. Whole numbers are 64-bit integers, others decimals: never floats.
///
/// # Errors
/// If `out` fails.
pub fn write(
    out: impl Write + Send,
    protected: &Protected,
    table: &ProtectedTable,
    marking: Marking,
) -> Result<(), ParquetError> {
    let text = |name: &str| Field::new(name, DataType::Utf8, false);
    let value = match table.decimals().0 {
        0 => DataType::Int64,
        decimals => DataType::Decimal128(DIGITS, decimals as i8),
    };
    let mut fields: Vec<Field> =
        table.cube().dimensions().iter().map(|dimension| text(&dimension.name)).collect();
    fields.push(Field::new(table.response(), value, true));
    fields.push(text("status"));
    fields.extend(marking.note().map(|_| text("note")));
    let schema = Arc::new(Schema::new(fields));
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = ArrowWriter::try_new(out, Arc::clone(&schema), Some(properties))?;
    let rows: Vec<Row> = rows(protected, table).collect();
    for rows in rows.chunks(BATCH) {
        let columns = columns(table, rows, marking)?;
        writer.write(&RecordBatch::try_new(Arc::clone(&schema), columns)?)?;
    }
    writer.close()?;
    Ok(())
}

fn columns(
    table: &ProtectedTable,
    rows: &[Row],
    marking: Marking,
) -> Result<Vec<ArrayRef>, ArrowError> {
    let mut columns: Vec<ArrayRef> = Vec::new();
    for (position, dimension) in table.cube().dimensions().iter().enumerate() {
        let codes = rows
            .iter()
            .map(|row| dimension.hierarchy.code(table.cube().coordinate(row.place, position)));
        columns.push(Arc::new(StringArray::from_iter_values(codes)));
    }
    let values = rows.iter().map(|row| row.value);
    columns.push(match table.decimals().0 {
        0 => Arc::new(values.collect::<Int64Array>()),
        decimals => {
            let values = values.map(|value| value.map(i128::from));
            let values = values.collect::<Decimal128Array>();
            Arc::new(values.with_precision_and_scale(DIGITS, decimals as i8)?)
        }
    });
    columns.push(Arc::new(StringArray::from_iter_values(rows.iter().map(|row| row.status))));
    if let Some(note) = marking.note() {
        columns.push(Arc::new(StringArray::from_iter_values(rows.iter().map(|_| note))));
    }
    Ok(columns)
}
