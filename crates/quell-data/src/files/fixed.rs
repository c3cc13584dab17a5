//! Text with fields by position. May be cut into parts at line ends.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Take as Limited};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, StringBuilder};
use arrow::datatypes::SchemaRef;

use super::{BATCH, Take};
use crate::encoding::decoded;
use crate::{Error, Field};

/// Files smaller than this are not cut.
const SMALL: u64 = 1 << 20;

/// Bytes read in one go.
const BUFFER: usize = 1 << 18;

/// Ranges of bytes between line starts that cut a file in about equal parts, at most `count`.
pub(crate) fn parts(path: &Path, count: usize) -> Result<Vec<Range<u64>>, Error> {
    let cuts = cuts(path, count).map_err(|source| Error::read(path, source))?;
    Ok(cuts.windows(2).map(|ends| ends[0]..ends[1]).collect())
}

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

/// The lines of a part of a file that are not empty.
pub(crate) struct Lines<'a> {
    path: &'a Path,
    reader: BufReader<Limited<File>>,
    line: Vec<u8>,
    number: u64,
}

impl<'a> Lines<'a> {
    pub fn open(path: &'a Path, part: Range<u64>) -> Result<Self, Error> {
        let opened = File::open(path).and_then(|mut file| {
            file.seek(SeekFrom::Start(part.start))?;
            Ok(BufReader::with_capacity(BUFFER, file.take(part.end - part.start)))
        });
        let reader = opened.map_err(|source| Error::read(path, source))?;
        Ok(Self { path, reader, line: Vec::new(), number: 0 })
    }

    /// The next line with its number in the part, from 1; none at the end.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn next(&mut self) -> Result<Option<(u64, &[u8])>, Error> {
        loop {
            self.line.clear();
            let read = self.reader.read_until(b'\n', &mut self.line);
            if read.map_err(|source| Error::read(self.path, source))? == 0 {
                return Ok(None);
            }
            self.number += 1;
            while matches!(self.line.last(), Some(b'\n' | b'\r')) {
                self.line.pop();
            }
            if !self.line.is_empty() {
                return Ok(Some((self.number, &self.line)));
            }
        }
    }
}

/// Reads some columns of a part in batches of texts. What lies beyond the end of a line is empty:
/// editors cut blanks there.
pub(crate) fn each_batch(
    path: &Path,
    part: Range<u64>,
    schema: &SchemaRef,
    fields: &[Field],
    columns: &[usize],
    take: Take,
) -> Result<(), Error> {
    let mut lines = Lines::open(path, part)?;
    let schema = super::projected(schema, columns);
    let mut texts: Vec<StringBuilder> = columns.iter().map(|_| StringBuilder::new()).collect();
    loop {
        let mut records = 0;
        while records < BATCH
            && let Some((_, line)) = lines.next()?
        {
            for (text, &column) in texts.iter_mut().zip(columns) {
                let range = fields[column].range();
                let (start, end) = (range.start.min(line.len()), range.end.min(line.len()));
                text.append_value(decoded(&line[start..end]));
            }
            records += 1;
        }
        if records == 0 {
            return Ok(());
        }
        let arrays = texts.iter_mut().map(|text| Arc::new(text.finish()) as ArrayRef).collect();
        if take(super::batch(path, &schema, arrays, records)?).is_break() {
            return Ok(());
        }
    }
}

/// The line of a record, counted from 0.
pub(crate) fn line_of(path: &Path, row: u64) -> Option<u64> {
    let mut lines = Lines::open(path, 0..u64::MAX).ok()?;
    for _ in 0..row {
        lines.next().ok()??;
    }
    lines.next().ok()?.map(|(number, _)| number)
}
