//! Apache Parquet.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow::datatypes::SchemaRef;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::{Take, failed};
use crate::{Error, Result};

fn open(path: &Path) -> Result<ParquetRecordBatchReaderBuilder<File>> {
    let file = File::open(path).map_err(|source| Error::io(path, source))?;
    ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| failed(path, error))
}

pub(super) fn schema(path: &Path) -> Result<SchemaRef> {
    Ok(Arc::clone(open(path)?.schema()))
}

pub(super) fn each_batch(path: &Path, wanted: Option<&[usize]>, take: Take) -> Result<()> {
    let builder = open(path)?;
    let mask = match wanted {
        Some(places) => ProjectionMask::roots(builder.parquet_schema(), places.iter().copied()),
        None => ProjectionMask::all(),
    };
    let reader = builder.with_projection(mask).build().map_err(|error| failed(path, error))?;
    for batch in reader {
        take(batch.map_err(|error| failed(path, error))?)?;
    }
    Ok(())
}
