//! Apache Parquet.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::{Head, Take};
use crate::variable::Kind;
use crate::{Error, Variable};

fn open(path: &Path) -> Result<ParquetRecordBatchReaderBuilder<File>, Error> {
    let file = File::open(path).map_err(|source| Error::read(path, source))?;
    ParquetRecordBatchReaderBuilder::try_new(file)
        .map_err(|error| Error::malformed(path, format!("not a Parquet file: {error}")))
}

pub(crate) fn head(path: &Path) -> Result<Head, Error> {
    let schema = Arc::clone(open(path)?.schema());
    let variables = schema.fields().iter().map(|field| Variable {
        kind: Kind::of(field.data_type()),
        ..Variable::named(field.name())
    });
    Ok(Head { variables: variables.collect(), schema })
}

/// Reads some columns, which rise.
pub(crate) fn each_batch(path: &Path, columns: &[usize], take: Take) -> Result<(), Error> {
    let builder = open(path)?;
    let mask = ProjectionMask::roots(builder.parquet_schema(), columns.iter().copied());
    let broken = |error: &dyn std::fmt::Display| Error::malformed(path, error);
    let reader = builder.with_projection(mask).build().map_err(|error| broken(&error))?;
    for batch in reader {
        if take(batch.map_err(|error| broken(&error))?).is_break() {
            break;
        }
    }
    Ok(())
}
