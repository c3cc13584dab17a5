//! Batches to be pulled, from readers that push them.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use arrow::array::RecordBatch;

use super::{Origin, Part};
use crate::Error;

/// Batches, one after another.
pub type Batches = Box<dyn Iterator<Item = Result<RecordBatch, Error>> + Send>;

/// Batches that wait to be taken while the file is read on.
const WAITING: usize = 2;

/// The batches of a part. A file is read by a thread of its own, which ends when it finds nobody
/// to take the next batch.
pub(super) fn stream(part: &Part, columns: &[usize]) -> Batches {
    if let Origin::Memory(memory) = part.records.origin() {
        return Box::new(memory.slices(part.range.clone(), columns).map(Ok));
    }
    let source = part.records.source().to_owned();
    let (part, columns) = (part.clone(), columns.to_vec());
    let (give, taken) = sync_channel(WAITING);
    let reading = thread::Builder::new().spawn(move || push(&part, &columns, &give));
    match reading {
        Ok(reading) => Box::new(Pulled { taken, reading: Some(reading), source }),
        Err(error) => Box::new(std::iter::once(Err(Error::read(&source, error)))),
    }
}

fn push(part: &Part, columns: &[usize], give: &SyncSender<RecordBatch>) -> Result<(), Error> {
    part.records.read(part.range.clone(), columns, &mut |batch| match give.send(batch) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    })
}

/// What a thread reads.
struct Pulled {
    taken: Receiver<RecordBatch>,
    /// None once its end was told.
    reading: Option<JoinHandle<Result<(), Error>>>,
    source: PathBuf,
}

impl Iterator for Pulled {
    type Item = Result<RecordBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Ok(batch) = self.taken.recv() {
            return Some(Ok(batch));
        }
        // A reader that fails must never look like one that reached the end.
        match self.reading.take()?.join() {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(Err(error)),
            Err(_) => Some(Err(Error::malformed(&self.source, "the reader of this file failed"))),
        }
    }
}
