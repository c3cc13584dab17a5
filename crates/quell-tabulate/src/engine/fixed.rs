//! Fixed-width files, cut into partitions at line ends.

use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch, StringBuilder};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::error::DataFusionError;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::PartitionStream;
use futures::stream;

use crate::{Error, Field, Microdata};

/// Records a batch.
const BATCH: usize = 8_192;

/// Files smaller than this are not cut.
const SMALL: u64 = 1 << 20;

/// The partitions of a file: at most `count`.
pub(super) fn partitions(
    data: &Microdata,
    schema: &SchemaRef,
    count: usize,
) -> Result<Vec<Arc<dyn PartitionStream>>, Error> {
    let mut fields = Vec::with_capacity(data.variables.len());
    for variable in &data.variables {
        match variable.field {
            Some(field) if field.start > 0 => fields.push(field),
            _ => {
                return Err(Error::Malformed {
                    file: data.path.clone(),
                    message: format!(
                        "variable \"{}\" has no place in the line; give its start (from 1) and length",
                        variable.name
                    ),
                });
            }
        }
    }
    let unreadable = |source| Error::Unreadable { file: data.path.clone(), source };
    let cuts = cuts(&data.path, count).map_err(unreadable)?;
    let fields: Arc<[Field]> = fields.into();
    Ok(cuts
        .windows(2)
        .map(|ends| {
            let part = Part {
                path: data.path.clone(),
                schema: Arc::clone(schema),
                fields: Arc::clone(&fields),
                start: ends[0],
                end: ends[1],
            };
            Arc::new(part) as Arc<dyn PartitionStream>
        })
        .collect())
}

/// Byte positions of line starts that cut the file in about equal parts.
fn cuts(path: &Path, count: usize) -> std::io::Result<Vec<u64>> {
    let mut file = BufReader::new(File::open(path)?);
    let length = file.seek(SeekFrom::End(0))?;
    let count = if length < SMALL { 1 } else { count as u64 };
    let mut cuts = vec![0];
    for part in 1..count {
        file.seek(SeekFrom::Start(length / count * part))?;
        file.skip_until(b'\n')?;
        let position = file.stream_position()?;
        if cuts.last().is_some_and(|&last| position > last) && position < length {
            cuts.push(position);
        }
    }
    cuts.push(length);
    Ok(cuts)
}

/// One part of a file.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    schema: SchemaRef,
    fields: Arc<[Field]>,
    start: u64,
    end: u64,
}

impl PartitionStream for Part {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let opened = File::open(&self.path).and_then(|mut file| {
            file.seek(SeekFrom::Start(self.start))?;
            Ok(BufReader::with_capacity(1 << 18, file.take(self.end - self.start)))
        });
        let schema = Arc::clone(&self.schema);
        let batches: SendableBatches = match opened {
            Ok(reader) => {
                let fields = Arc::clone(&self.fields);
                Box::new(Batches { reader, fields, schema: Arc::clone(&schema) })
            }
            Err(error) => Box::new(std::iter::once(Err(DataFusionError::IoError(error)))),
        };
        Box::pin(RecordBatchStreamAdapter::new(schema, stream::iter(batches)))
    }
}

type SendableBatches = Box<dyn Iterator<Item = Result<RecordBatch, DataFusionError>> + Send>;

/// The batches of one part.
struct Batches {
    reader: BufReader<std::io::Take<File>>,
    fields: Arc<[Field]>,
    schema: SchemaRef,
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, DataFusionError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut columns: Vec<StringBuilder> =
            self.fields.iter().map(|_| StringBuilder::new()).collect();
        let (mut line, mut records) = (Vec::new(), 0);
        while records < BATCH {
            line.clear();
            match self.reader.read_until(b'\n', &mut line) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => return Some(Err(DataFusionError::IoError(error))),
            }
            let line = content(&line);
            if line.is_empty() {
                continue;
            }
            for (column, field) in columns.iter_mut().zip(self.fields.iter()) {
                let start = (field.start - 1).min(line.len());
                let end = start.saturating_add(field.length).min(line.len());
                column.append_value(decoded(&line[start..end]));
            }
            records += 1;
        }
        (records > 0).then(|| {
            let columns = columns.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
            Ok(RecordBatch::try_new(Arc::clone(&self.schema), columns.collect())?)
        })
    }
}

/// A line without its end.
fn content(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// UTF-8, or else Latin-1: what τ-ARGUS users' machines wrote.
fn decoded(field: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(field) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => field.iter().map(|&byte| char::from(byte)).collect::<String>().into(),
    }
}
