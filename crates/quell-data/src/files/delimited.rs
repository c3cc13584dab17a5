//! Text with separators: record by record, or in batches of texts.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, StringBuilder};
use arrow::datatypes::SchemaRef;
use csv::{ByteRecord, Reader};

use super::{BATCH, Take};
use crate::dialect::BYTE_ORDER_MARK;
use crate::encoding::decoded;
use crate::{Dialect, Error, Place};

/// Bytes read in one go.
const BUFFER: usize = 1 << 18;

/// The records of a file, one after another.
pub(crate) struct Lines<'a> {
    path: &'a Path,
    reader: Reader<Box<dyn Read>>,
    /// Bytes before what the reader reads.
    skipped: u64,
    fields: usize,
    record: ByteRecord,
}

impl<'a> Lines<'a> {
    pub fn open(path: &'a Path, dialect: Dialect, fields: usize) -> Result<Self, Error> {
        let mut file = File::open(path).map_err(|source| Error::read(path, source))?;
        let mut skipped = 0;
        if dialect.byte_order_mark {
            let mut mark = [0; BYTE_ORDER_MARK.len()];
            file.read_exact(&mut mark).map_err(|source| Error::read(path, source))?;
            skipped = mark.len() as u64;
        }
        let reader = csv::ReaderBuilder::new()
            .delimiter(dialect.separator)
            .has_headers(dialect.header)
            .flexible(true)
            .buffer_capacity(BUFFER)
            .from_reader(Box::new(file) as Box<dyn Read>);
        Ok(Self { path, reader, skipped, fields, record: ByteRecord::new() })
    }

    /// The next record with the byte at which it was looked for, see [`line_at`]; none at the end.
    ///
    /// # Errors
    /// If it has not as many fields as there are variables.
    pub fn next(&mut self) -> Result<Option<(u64, &ByteRecord)>, Error> {
        let read = self.reader.read_byte_record(&mut self.record);
        if !read.map_err(|error| broken(self.path, error))? {
            return Ok(None);
        }
        let byte = self.skipped + self.record.position().map_or(0, csv::Position::byte);
        if self.record.len() != self.fields {
            return Err(Error::Record {
                file: self.path.to_owned(),
                place: Place::Line(line_at(self.path, byte)),
                message: format!("{} fields, but {} variables", self.record.len(), self.fields),
            });
        }
        Ok(Some((byte, &self.record)))
    }
}

fn broken(path: &Path, error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(source) => Error::read(path, source),
        other => Error::malformed(path, format!("{other:?}")),
    }
}

/// Reads some columns in batches of texts.
pub(crate) fn each_batch(
    path: &Path,
    dialect: Dialect,
    schema: &SchemaRef,
    columns: &[usize],
    take: Take,
) -> Result<(), Error> {
    let mut lines = Lines::open(path, dialect, schema.fields().len())?;
    let schema = super::projected(schema, columns);
    let mut texts: Vec<StringBuilder> = columns.iter().map(|_| StringBuilder::new()).collect();
    loop {
        let mut records = 0;
        while records < BATCH
            && let Some((_, record)) = lines.next()?
        {
            for (text, &column) in texts.iter_mut().zip(columns) {
                text.append_value(decoded(&record[column]));
            }
            records += 1;
        }
        if records == 0 {
            return Ok(());
        }
        let arrays = texts.iter_mut().map(|text| Arc::new(text.finish()) as ArrayRef).collect();
        let batch = super::batch(path, &schema, arrays, records)?;
        if take(batch).is_break() {
            return Ok(());
        }
    }
}

/// The line of a record, counted from 0.
pub(crate) fn line_of(path: &Path, dialect: Dialect, row: u64) -> Option<u64> {
    let reader = BufReader::with_capacity(BUFFER, File::open(path).ok()?);
    let mut records = csv::ReaderBuilder::new()
        .delimiter(dialect.separator)
        .has_headers(dialect.header)
        .flexible(true)
        .from_reader(reader);
    let mut record = ByteRecord::new();
    for _ in 0..=row {
        records.read_byte_record(&mut record).ok().filter(|&read| read)?;
    }
    record.position().map(|position| line_at(path, position.byte()))
}

/// The line, as editors count them, of the record that was looked for from a byte on. The reader of
/// CSV leaves the end of a line, and lines that are empty, to the record behind them; only a
/// mistake is worth counting them.
pub(crate) fn line_at(path: &Path, byte: u64) -> u64 {
    let Ok(file) = File::open(path) else { return 0 };
    let mut line = 1;
    for (position, read) in (0_u64..).zip(BufReader::with_capacity(BUFFER, file).bytes()) {
        match read {
            Ok(b'\n') => line += 1,
            Ok(b'\r') => {}
            Ok(_) if position < byte => {}
            _ => break,
        }
    }
    line
}
