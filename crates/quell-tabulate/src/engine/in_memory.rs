//! Reading and sorting without DataFusion: the readers of [`quell_data`], and a sort in memory.
//!
//! The results are the same. What it has not: Parquet and CSV files read by several threads at once,
//! and records merged by contributor that do not fit into memory.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use futures::{StreamExt, stream};
use quell_data::Records;
use quell_data::arrow::array::{Array, AsArray, RecordBatch, StringArray};
use quell_data::arrow::compute::interleave_record_batch;
use quell_data::arrow::datatypes::SchemaRef;
use rustc_hash::FxHasher;

use super::scan::{Batches, parts};
use crate::{Error, Resources};

/// Records a batch of what is sorted.
const BATCH: usize = 16_384;

/// What it may use.
pub(super) struct Engine {
    memory: usize,
}

impl Engine {
    pub(super) fn new(_: &Records, resources: &Resources<'_>) -> Result<Self, Error> {
        Ok(Self { memory: resources.memory })
    }

    /// Some columns in partitions that can be read at the same time.
    pub(super) async fn partitions(
        &self,
        records: &Records,
        columns: &[usize],
        threads: usize,
    ) -> Result<Vec<Batches>, Error> {
        parts(records, columns, threads)
    }

    /// Records sorted by their name, the first column, in as many partitions as there are threads;
    /// all of one name are in one partition.
    pub(super) async fn sorted(
        &self,
        _: &Records,
        batches: Vec<Batches>,
        _: &SchemaRef,
        threads: usize,
    ) -> Result<Sorted, Error> {
        let read = batches.into_iter().map(|batches| tokio::spawn(all(batches, self.memory)));
        let mut held = Vec::new();
        for batches in read.collect::<Vec<_>>() {
            held.extend(batches.await.map_err(failed)??);
        }
        self.check(held.iter().map(RecordBatch::get_array_memory_size).sum())?;
        let held = Arc::new(held);
        let sorting = shares(&held, threads.max(1)).into_iter().map(|share| {
            let held = Arc::clone(&held);
            tokio::task::spawn_blocking(move || in_order(&held, share))
        });
        let mut partitions = Vec::new();
        for share in sorting.collect::<Vec<_>>() {
            partitions.push(in_batches(Arc::clone(&held), share.await.map_err(failed)?));
        }
        Ok(Sorted { partitions })
    }

    fn check(&self, bytes: usize) -> Result<(), Error> {
        enough(bytes, self.memory)
    }
}

fn enough(bytes: usize, memory: usize) -> Result<(), Error> {
    if bytes <= memory {
        return Ok(());
    }
    Err(Error::Resources(format!(
        "records that are to be merged by contributor take more than {} MB, and this build sorts in \
         memory only; a build with DataFusion sorts any number",
        memory >> 20
    )))
}

fn failed(error: tokio::task::JoinError) -> Error {
    Error::Resources(error.to_string())
}

/// All batches of a part.
async fn all(mut batches: Batches, memory: usize) -> Result<Vec<RecordBatch>, Error> {
    let (mut held, mut bytes) = (Vec::new(), 0);
    while let Some(batch) = batches.next().await {
        let batch = batch?;
        bytes += batch.get_array_memory_size();
        enough(bytes, memory)?;
        held.push(batch);
    }
    Ok(held)
}

/// Where a record is: batch and row.
type Spot = (usize, usize);

fn names(batch: &RecordBatch) -> &StringArray {
    batch.column(0).as_string::<i32>()
}

/// The records by thread, all of one name together.
fn shares(held: &[RecordBatch], threads: usize) -> Vec<Vec<Spot>> {
    let mut shares = vec![Vec::new(); threads];
    for (number, batch) in held.iter().enumerate() {
        let names = names(batch);
        for row in 0..names.len() {
            let mut hasher = FxHasher::default();
            names.value(row).hash(&mut hasher);
            // The upper bits are the mixed ones.
            let share = (hasher.finish() >> 32) as usize % threads;
            shares[share].push((number, row));
        }
    }
    shares
}

fn in_order(held: &[RecordBatch], mut share: Vec<Spot>) -> Vec<Spot> {
    let names: Vec<&StringArray> = held.iter().map(names).collect();
    share.sort_by_key(|&(batch, row)| names[batch].value(row));
    share
}

fn in_batches(held: Arc<Vec<RecordBatch>>, share: Vec<Spot>) -> Batches {
    let starts = (0..share.len()).step_by(BATCH);
    let batch = move |start: usize| {
        let rows = &share[start..share.len().min(start + BATCH)];
        let batches: Vec<&RecordBatch> = held.iter().collect();
        interleave_record_batch(&batches, rows).map_err(|error| Error::Resources(error.to_string()))
    };
    Box::pin(stream::iter(starts.map(batch)))
}

/// Sorted records.
pub(super) struct Sorted {
    pub(super) partitions: Vec<Batches>,
}

impl Sorted {
    /// Takes the partitions out.
    pub(super) fn take(&mut self) -> Vec<Batches> {
        std::mem::take(&mut self.partitions)
    }

    /// Bytes that went to disk: none.
    pub(super) fn spilled(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use quell_data::arrow::array::{ArrayRef, Int64Array};
    use quell_data::arrow::datatypes::{Int64Type, Schema};

    use super::*;

    fn batches(from: i64, to: i64) -> Batches {
        let batch = move |start: i64| {
            let rows = start..(start + 7).min(to);
            let names = rows.clone().map(|row| format!("firm {}", row * row % 31));
            let columns: [(&str, ArrayRef); 2] = [
                ("name", Arc::new(names.map(Some).collect::<StringArray>())),
                ("value", Arc::new(Int64Array::from_iter_values(rows))),
            ];
            Ok(RecordBatch::try_from_iter(columns).unwrap())
        };
        let starts: Vec<i64> = (from..to).step_by(7).collect();
        Box::pin(stream::iter(starts.into_iter().map(batch)))
    }

    fn sorted(memory: usize) -> Result<Vec<Vec<(String, i64)>>, Error> {
        let (engine, schema) = (Engine { memory }, Arc::new(Schema::empty()));
        let runtime = tokio::runtime::Builder::new_multi_thread().build().unwrap();
        runtime.block_on(async {
            let records = Records::batches("none", Arc::clone(&schema), Vec::new())?;
            let parts = vec![batches(0, 100), batches(100, 205)];
            let mut sorted = engine.sorted(&records, parts, &schema, 3).await?;
            let mut found = Vec::new();
            for mut partition in sorted.take() {
                let mut rows = Vec::new();
                while let Some(batch) = partition.next().await {
                    let batch = batch?;
                    let values = batch.column(1).as_primitive::<Int64Type>();
                    let names = names(&batch);
                    rows.extend(
                        (0..batch.num_rows())
                            .map(|row| (names.value(row).to_owned(), values.value(row))),
                    );
                }
                found.push(rows);
            }
            Ok(found)
        })
    }

    #[test]
    fn all_of_one_name_come_together_and_none_is_lost() {
        let partitions = sorted(1 << 20).unwrap();
        assert_eq!(partitions.len(), 3);
        let mut home: BTreeMap<&str, usize> = BTreeMap::new();
        let mut values: Vec<i64> = Vec::new();
        for (number, rows) in partitions.iter().enumerate() {
            assert!(rows.is_sorted_by(|one, other| one.0 <= other.0));
            for (name, value) in rows {
                assert_eq!(*home.entry(name).or_insert(number), number, "{name} is in two");
                assert_eq!(*name, format!("firm {}", value * value % 31));
                values.push(*value);
            }
        }
        values.sort_unstable();
        assert_eq!(values, (0..205).collect::<Vec<i64>>());
    }

    #[test]
    fn more_than_fits_into_memory_is_refused() {
        let error = sorted(1_000).unwrap_err().to_string();
        assert!(error.contains("DataFusion"), "{error}");
    }
}
