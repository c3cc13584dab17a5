//! Records one by one, as fields: what becomes codes anyway need not become arrays before.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use arrow::array::{Array, StringViewArray};
use csv::ByteRecord;

use super::{Origin, Records, Watch};
use crate::encoding::decoded;
use crate::files::{BATCH, delimited, fixed};
use crate::{Dialect, Error, Place, texts};

/// A record, as far as its columns were asked for.
pub struct Row<'a> {
    start: Start<'a>,
    fields: Fields<'a>,
}

/// Where a record begins.
enum Start<'a> {
    Place(Place),
    /// At a byte of a file whose lines are counted when somebody asks.
    Byte(&'a Path, u64),
}

enum Fields<'a> {
    Delimited { record: &'a ByteRecord, columns: &'a [usize] },
    Fixed { line: &'a [u8], fields: &'a [Range<usize>] },
    Columns { texts: &'a [StringViewArray], row: usize },
}

impl Row<'_> {
    /// Where it stands.
    pub fn place(&self) -> Place {
        match self.start {
            Start::Place(place) => place,
            Start::Byte(path, byte) => Place::Line(delimited::line_at(path, byte)),
        }
    }

    /// The field of the column asked for at this position, empty for null; none if the line is
    /// too short to have it.
    #[inline]
    pub fn text(&self, position: usize) -> Option<Cow<'_, str>> {
        let bytes = match &self.fields {
            Fields::Delimited { record, columns } => record.get(*columns.get(position)?)?,
            Fields::Fixed { line, fields } => line.get(fields.get(position)?.clone())?,
            Fields::Columns { texts, row } => {
                let texts = texts.get(position)?;
                let text = if texts.is_valid(*row) { texts.value(*row) } else { "" };
                return Some(Cow::Borrowed(text));
            }
        };
        Some(decoded(bytes))
    }
}

impl Records {
    /// Gives some columns to `take`, record after record.
    ///
    /// # Errors
    /// If the records cannot be read, the work is stopped, or of `take`.
    pub fn each_row<E: From<Error>>(
        &self,
        columns: &[usize],
        watch: &Watch<'_>,
        mut take: impl FnMut(&Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.origin() {
            Origin::Delimited(dialect) => self.each_delimited(*dialect, columns, watch, take),
            Origin::Fixed => self.each_fixed(columns, watch, take),
            _ => {
                let mut start = 0;
                self.each_batch(columns, watch, |batch| {
                    let failed = |error| E::from(Error::malformed(self.source(), error));
                    let columns = batch.columns().iter().map(texts);
                    let texts = columns.collect::<Result<Vec<_>, _>>().map_err(failed)?;
                    for row in 0..batch.num_rows() {
                        let begins = Start::Place(Place::Record(start + row as u64 + 1));
                        take(&Row {
                            start: begins,
                            fields: Fields::Columns { texts: &texts, row },
                        })?;
                    }
                    start += batch.num_rows() as u64;
                    Ok(())
                })
            }
        }
    }

    fn each_delimited<E: From<Error>>(
        &self,
        dialect: Dialect,
        columns: &[usize],
        watch: &Watch<'_>,
        mut take: impl FnMut(&Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut lines = delimited::Lines::open(self.source(), dialect, self.variables.len())?;
        let mut records = 0;
        while let Some((byte, record)) = lines.next()? {
            let start = Start::Byte(self.source(), byte);
            take(&Row { start, fields: Fields::Delimited { record, columns } })?;
            records += 1;
            if records == BATCH {
                watch.step(records)?;
                records = 0;
            }
        }
        Ok(watch.step(records)?)
    }

    fn each_fixed<E: From<Error>>(
        &self,
        columns: &[usize],
        watch: &Watch<'_>,
        mut take: impl FnMut(&Row<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let all = self.fields();
        let fields: Vec<Range<usize>> = columns.iter().map(|&column| all[column].range()).collect();
        let mut lines = fixed::Lines::open(self.source(), 0..u64::MAX)?;
        let mut records = 0;
        while let Some((line, bytes)) = lines.next()? {
            let fields = Fields::Fixed { line: bytes, fields: &fields };
            take(&Row { start: Start::Place(Place::Line(line)), fields })?;
            records += 1;
            if records == BATCH {
                watch.step(records)?;
                records = 0;
            }
        }
        Ok(watch.step(records)?)
    }
}
