//! Running the work of tabulation so that it tells how far it is and ends at once when it is to
//! stop, wherever it is: sorting many records, for one, cannot be asked to stop.

use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use futures::channel::oneshot;
use futures::future::{Either, select};
use quell_model::{Progress, Stop};
use tokio::runtime::Runtime;

use crate::{Error, Resources};

/// How often the work is looked at.
const LOOK: Duration = Duration::from_millis(25);

/// Counts records as they are taken in, on any thread.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows(Arc<AtomicU64>);

impl Rows {
    pub(super) fn add(&self, rows: usize) {
        self.0.fetch_add(rows as u64, Ordering::Relaxed);
    }

    /// Tells those counted since they were last told.
    pub(super) fn tell(&self, progress: &dyn Progress) {
        let done = self.0.swap(0, Ordering::Relaxed);
        if done > 0 {
            progress.advance(done);
        }
    }
}

/// Threads that wait for disks, besides those that work: so many must be had.
const WAITING: usize = 2;

/// How long a thread that the system has granted may take to begin.
const START: Duration = Duration::from_secs(60);

/// A runtime of so many threads.
///
/// Where the system has no room for another thread the runtime says nothing: work that waits for
/// one would wait for ever. So all are asked for beforehand, and seen to begin.
///
/// # Errors
/// If there is no room for them.
pub(super) fn threads(count: usize) -> Result<Runtime, Error> {
    let refused = |error: std::io::Error| {
        Error::Resources(format!("there is no room for {} threads ({error})", count + WAITING))
    };
    // All at the same time: each waits until there is a word on all of them.
    let (go, gone) = mpsc::channel::<()>();
    let gone = Mutex::new(gone);
    let wait = || drop(gone.lock().map(|gone| gone.recv()));
    std::thread::scope(|scope| {
        let asked = (0..count + WAITING)
            .try_for_each(|_| std::thread::Builder::new().spawn_scoped(scope, wait).map(drop));
        drop(go);
        asked
    })
    .map_err(refused)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(count)
        .enable_all()
        .build()
        .map_err(refused)?;
    let (begin, begun) = mpsc::channel();
    for _ in 0..WAITING {
        let begin = begin.clone();
        drop(runtime.spawn_blocking(move || begin.send(())));
    }
    for _ in 0..count {
        let begin = begin.clone();
        drop(runtime.spawn(async move { begin.send(()) }));
    }
    if (0..count + WAITING).any(|_| begun.recv_timeout(START).is_err()) {
        // Its threads are left behind: those that never began would be waited for.
        runtime.shutdown_background();
        return Err(refused(std::io::ErrorKind::WouldBlock.into()));
    }
    Ok(runtime)
}

/// Does work on the threads of a runtime. Work that is to stop is left behind: what its
/// threads do at that moment they finish on their own.
pub(super) fn run<T>(
    runtime: Runtime,
    resources: &Resources<'_>,
    rows: &Rows,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let over = AtomicBool::new(false);
    let (raise, raised) = oneshot::channel();
    let outcome = std::thread::scope(|scope| {
        let watching = || watch(resources, rows, raise, &over);
        let watcher = match std::thread::Builder::new().spawn_scoped(scope, watching) {
            Ok(watcher) => watcher,
            Err(error) => {
                let message = format!("there is no room for one more thread ({error})");
                return Err(Error::Resources(message));
            }
        };
        let outcome = runtime.block_on(until_stopped(work, raised));
        over.store(true, Ordering::Release);
        watcher.thread().unpark();
        outcome
    });
    runtime.shutdown_background();
    // Whatever else a thread says that was to stop, this is why.
    match resources.budget.stop() {
        Some(stop) => outcome.map_err(|_| Error::Stopped(stop)),
        None => outcome,
    }
}

async fn until_stopped<T>(
    work: impl Future<Output = Result<T, Error>>,
    raised: oneshot::Receiver<Stop>,
) -> Result<T, Error> {
    match select(pin!(work), raised).await {
        Either::Left((outcome, _)) => outcome,
        Either::Right((Ok(stop), _)) => Err(Error::Stopped(stop)),
        // Nobody watches any more.
        Either::Right((Err(oneshot::Canceled), work)) => work.await,
    }
}

/// Tells how many records are done, and raises the alarm when the work is to stop.
fn watch(resources: &Resources<'_>, rows: &Rows, raise: oneshot::Sender<Stop>, over: &AtomicBool) {
    let mut raise = Some(raise);
    let mut last_look = false;
    while !last_look {
        std::thread::park_timeout(LOOK);
        // Before the rows are counted, so that none is left out in the end.
        last_look = over.load(Ordering::Acquire);
        rows.tell(resources.progress);
        if let Some(stop) = resources.budget.stop()
            && let Some(raise) = raise.take()
        {
            // Nobody hears it when the work has just ended.
            let _ = raise.send(stop);
        }
    }
}
