//! A table as Apache Parquet: codes, value or null, status.

use std::io::Write;
use std::sync::Arc;

use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::rows::{Row, rows};
use super::{Marking, Protected, ProtectedTable, Statuses, batch};

/// Rows of a batch: enough to be fast, few enough to be small.
const BATCH: usize = 65_536;

/// Writes a table.
///
/// # Errors
/// If `out` fails.
pub fn write(
    out: impl Write + Send,
    protected: &Protected,
    table: &ProtectedTable,
    statuses: Statuses,
    marking: Marking,
) -> Result<(), ParquetError> {
    let schema = batch::schema(table, marking);
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer = ArrowWriter::try_new(out, Arc::clone(&schema), Some(properties))?;
    let rows: Vec<Row> = rows(protected, table, statuses).collect();
    for rows in rows.chunks(BATCH) {
        writer.write(&batch::batch(&schema, table, rows, marking)?)?;
    }
    writer.close()?;
    Ok(())
}
