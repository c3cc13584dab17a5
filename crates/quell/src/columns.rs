//! The variables of a data file.

use std::fs::File;
use std::io::Read;

use csv::ReaderBuilder;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use quell_formats::Error as FileError;
use quell_tabulate::{Layout, Microdata};

use crate::Error;

/// The most of a file that is looked at for its header.
const HEADER: u64 = 1 << 20;

/// The names of a file's variables, in order.
///
/// # Errors
/// If the file cannot be read or has no header.
pub fn names(data: &Microdata) -> Result<Vec<String>, Error> {
    let failed = |source| Error::from(FileError::Read { file: data.path.clone(), source });
    match data.layout {
        Layout::Delimited { separator, header: true } => {
            let file = File::open(&data.path).map_err(failed)?.take(HEADER);
            let mut reader =
                ReaderBuilder::new().delimiter(separator).flexible(true).from_reader(file);
            let header = reader.byte_headers().map_err(|error| failed(error.into()))?;
            let mut names: Vec<String> =
                header.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
            if let Some(first) = names.first_mut() {
                *first = first.trim_start_matches('\u{feff}').to_owned();
            }
            Ok(names)
        }
        Layout::Parquet => {
            let file = File::open(&data.path).map_err(failed)?;
            let reader = ParquetRecordBatchReaderBuilder::try_new(file)
                .map_err(|error| failed(std::io::Error::other(error)))?;
            Ok(reader.schema().fields().iter().map(|field| field.name().clone()).collect())
        }
        Layout::Delimited { header: false, .. } | Layout::FixedWidth => {
            Ok(data.variables.iter().map(|variable| variable.name.clone()).collect())
        }
    }
}
