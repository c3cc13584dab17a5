//! Arrow batches in memory.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;

use crate::Error;
use crate::files::{BATCH, Take, batch, projected};

/// Batches in memory: one list, however often it is cloned.
#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    batches: Arc<Vec<RecordBatch>>,
    schema: SchemaRef,
}

impl Memory {
    /// Takes in batches, under one schema.
    pub(super) fn new(
        name: &Path,
        schema: &SchemaRef,
        batches: Vec<RecordBatch>,
    ) -> Result<Self, Error> {
        let taken = batches.into_iter().enumerate().map(|(number, given)| {
            let same = given.num_columns() == schema.fields().len()
                && given.schema().fields().iter().zip(schema.fields()).all(|(own, declared)| {
                    own.name() == declared.name() && own.data_type() == declared.data_type()
                });
            if !same {
                let message = format!("batch {} has other columns than the schema", number + 1);
                return Err(Error::malformed(name, message));
            }
            // Their metadata may differ, which is nobody's concern.
            batch(name, schema, given.columns().to_vec(), given.num_rows())
        });
        let batches = Arc::new(taken.collect::<Result<_, _>>()?);
        Ok(Self { batches, schema: Arc::clone(schema) })
    }

    /// How many records there are.
    pub fn rows(&self) -> u64 {
        self.batches.iter().map(|batch| batch.num_rows() as u64).sum()
    }

    /// Ranges of rows, about equal, none of them small.
    pub(super) fn parts(&self, count: usize) -> Vec<Range<u64>> {
        let rows = self.rows();
        let count = rows.div_ceil(BATCH as u64).clamp(1, count.max(1) as u64);
        (0..count).map(|part| rows * part / count..rows * (part + 1) / count).collect()
    }

    /// The rows of a range in slices of some columns. Large batches are cut: whoever reads may
    /// have to hold several at once.
    pub(super) fn slices(
        &self,
        range: Range<u64>,
        columns: &[usize],
    ) -> impl Iterator<Item = RecordBatch> + use<> {
        let (columns, schema) = (columns.to_vec(), projected(&self.schema, columns));
        let mut left = Vec::new();
        let mut start = 0;
        for (number, batch) in self.batches.iter().enumerate() {
            let end = start + batch.num_rows() as u64;
            let from = range.start.max(start);
            for from in (from..range.end.min(end)).step_by(BATCH) {
                let to = (from + BATCH as u64).min(range.end).min(end);
                left.push((number, (from - start) as usize, (to - from) as usize));
            }
            start = end;
        }
        let batches = Arc::clone(&self.batches);
        left.into_iter().filter_map(move |(number, from, length)| {
            let slice = batches[number].slice(from, length);
            let chosen = columns.iter().map(|&column| Arc::clone(slice.column(column)));
            batch(Path::new(""), &schema, chosen.collect(), length).ok()
        })
    }

    pub(super) fn each_batch(
        &self,
        range: Range<u64>,
        columns: &[usize],
        take: Take,
    ) -> Result<(), Error> {
        for batch in self.slices(range, columns) {
            if take(batch).is_break() {
                break;
            }
        }
        Ok(())
    }
}
