//! Reading records in batches, in as many partitions as there are threads.
//!
//! Who reads, and who sorts what does not fit into memory, is [`Engine`]: DataFusion, or without the
//! feature `datafusion` the readers of [`quell_data`] and a sort in memory.

use std::collections::BTreeSet;
use std::pin::Pin;

use futures::{Stream, StreamExt, stream};
use quell_data::arrow::array::RecordBatch;
use quell_data::{Records, texts};
use quell_model::Budget;

#[cfg(feature = "datafusion")]
use super::datafusion::Engine;
#[cfg(not(feature = "datafusion"))]
use super::in_memory::Engine;
use super::running;
use crate::{Error, Resources};

/// Batches of records, one after another.
pub(super) type Batches = Pin<Box<dyn Stream<Item = Result<RecordBatch, Error>> + Send>>;

/// Records and the means to read them.
pub(super) struct Scan {
    pub(super) records: Records,
    pub(super) budget: Budget,
    pub(super) engine: Engine,
}

impl Scan {
    pub(super) fn new(records: &Records, resources: &Resources<'_>) -> Result<Self, Error> {
        let engine = Engine::new(records, resources)?;
        Ok(Self { records: records.clone(), budget: resources.budget.clone(), engine })
    }

    /// Threads for the work.
    pub(super) fn runtime(&self) -> Result<tokio::runtime::Runtime, Error> {
        running::threads(self.budget.threads())
    }

    /// The column of a variable.
    pub(super) fn column(&self, name: &str) -> Result<usize, Error> {
        Ok(self.records.position(name)?)
    }

    /// Some columns in partitions that can be read at the same time.
    pub(super) async fn partitions(&self, columns: &[usize]) -> Result<Vec<Batches>, Error> {
        self.engine.partitions(&self.records, columns, self.budget.threads()).await
    }

    /// Does the same with every batch of every partition, all partitions at once. Gives what
    /// each partition came to, in order.
    pub(super) async fn each<T: Send + 'static, E: From<Error> + Send + 'static>(
        &self,
        columns: &[usize],
        start: impl Fn() -> T,
        step: impl Fn(&mut T, &RecordBatch) -> Result<(), E> + Clone + Send + 'static,
    ) -> Result<Vec<T>, E> {
        let mut tasks = Vec::new();
        for mut stream in self.partitions(columns).await? {
            let (mut state, step) = (start(), step.clone());
            let budget = self.budget.clone();
            tasks.push(tokio::spawn(async move {
                while let Some(batch) = stream.next().await {
                    if let Some(stop) = budget.stop() {
                        return Err(Error::Stopped(stop).into());
                    }
                    step(&mut state, &batch?)?;
                }
                Ok::<T, E>(state)
            }));
        }
        let mut states = Vec::with_capacity(tasks.len());
        for task in tasks {
            states.push(task.await.map_err(|error| Error::Resources(error.to_string()))??);
        }
        Ok(states)
    }

    /// The different texts of some columns, sorted.
    pub(super) async fn distinct(&self, columns: &[usize]) -> Result<Vec<Vec<String>>, Error> {
        let count = columns.len();
        let step = |found: &mut Vec<BTreeSet<String>>, batch: &RecordBatch| {
            for (found, column) in found.iter_mut().zip(batch.columns()) {
                let mut last = None;
                for text in texts(column).iter().flatten().flatten() {
                    // Runs of one code are common in sorted files.
                    if last != Some(text) && !found.contains(text) {
                        found.insert(text.to_owned());
                    }
                    last = Some(text);
                }
            }
            Ok::<(), Error>(())
        };
        let parts = self.each(columns, || vec![BTreeSet::new(); count], step).await?;
        let mut all = vec![BTreeSet::new(); count];
        for part in parts {
            for (all, part) in all.iter_mut().zip(part) {
                all.extend(part);
            }
        }
        Ok(all.into_iter().map(|codes| codes.into_iter().collect()).collect())
    }
}

/// The parts of records that [`quell_data`] reads itself.
pub(super) fn parts(
    records: &Records,
    columns: &[usize],
    threads: usize,
) -> Result<Vec<Batches>, Error> {
    let batches = |part: quell_data::Part| {
        let batches = part.stream(columns).map(|batch| batch.map_err(Error::from));
        Box::pin(stream::iter(batches)) as Batches
    };
    Ok(records.parts(threads)?.into_iter().map(batches).collect())
}
