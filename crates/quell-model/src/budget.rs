//! How long work may run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::Random;

/// Why work stopped before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The time is over.
    Deadline,
    /// The user asked to stop.
    Cancelled,
    /// The deterministic effort is spent.
    Work,
}

/// What a piece of work may use: time, effort, threads, chance.
///
/// A deadline makes results depend on the machine; a work limit does not. Clones share
/// the cancel flag and the work counter.
#[derive(Debug, Clone)]
pub struct Budget {
    deadline: Option<Instant>,
    cancel: Arc<AtomicBool>,
    work_limit: u64,
    work_done: Arc<AtomicU64>,
    seed: u64,
    threads: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            deadline: None,
            cancel: Arc::default(),
            work_limit: u64::MAX,
            work_done: Arc::default(),
            seed: 1,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

impl Budget {
    /// With a time limit from now.
    pub fn with_time(mut self, time: Duration) -> Self {
        self.deadline = Some(Instant::now() + time);
        self
    }

    /// With a deterministic limit of effort, in units of one small solve.
    pub fn with_work(mut self, work: u64) -> Self {
        self.work_limit = work;
        self
    }

    /// With a seed for all chance.
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// With a number of threads, at least one.
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// With a flag that someone else raises to stop the work.
    pub fn with_cancel(mut self, cancel: Arc<AtomicBool>) -> Self {
        self.cancel = cancel;
        self
    }

    /// The flag that stops the work when raised.
    pub fn cancel_flag(&self) -> &Arc<AtomicBool> {
        &self.cancel
    }

    /// The same budget with whatever effort it takes, which counts for nobody: for what must not
    /// be cut short by a limit of effort, but ends with the time.
    pub fn without_work_limit(&self) -> Self {
        Self { work_limit: u64::MAX, work_done: Arc::default(), ..self.clone() }
    }

    /// The same budget less what is kept back of its time and effort for something later.
    pub fn keeping_back(&self, time: Duration, work: u64) -> Self {
        let mut rest = self.clone();
        // Before the clock began there was no time either.
        rest.deadline =
            self.deadline.map(|deadline| deadline.checked_sub(time).unwrap_or_else(Instant::now));
        if self.work_limit < u64::MAX {
            rest.work_limit = self.work_limit.saturating_sub(work);
        }
        rest
    }

    /// The limit of effort, if there is one.
    pub fn work_limit(&self) -> Option<u64> {
        (self.work_limit < u64::MAX).then_some(self.work_limit)
    }

    /// The effort left, if it is limited.
    pub fn work_left(&self) -> Option<u64> {
        let done = self.work_done.load(Ordering::Relaxed);
        self.work_limit().map(|limit| limit.saturating_sub(done))
    }

    /// Number of threads to use.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The chance of one task. Split by task, never by thread, so that the number of
    /// threads changes nothing.
    pub fn random(&self, task: u64) -> Random {
        Random::new(self.seed, task)
    }

    /// Time left, if there is a deadline.
    pub fn time_left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Whether time or patience is over: cancelled, or past the deadline. Unlike a limit of
    /// effort, neither can be foreseen, so work is given up where it stands.
    pub fn is_over(&self) -> bool {
        matches!(self.stop(), Some(Stop::Cancelled | Stop::Deadline))
    }

    /// Asks the same as [`Budget::is_over`], for those who must not know what a budget is.
    pub fn over(&self) -> Arc<dyn Fn() -> bool + Send + Sync> {
        let (cancel, deadline) = (Arc::clone(&self.cancel), self.deadline);
        Arc::new(move || {
            cancel.load(Ordering::Relaxed)
                || deadline.is_some_and(|deadline| Instant::now() >= deadline)
        })
    }

    /// Counts effort spent.
    pub fn spend(&self, work: u64) {
        self.work_done.fetch_add(work, Ordering::Relaxed);
    }

    /// Whether and why to stop now.
    pub fn stop(&self) -> Option<Stop> {
        if self.cancel.load(Ordering::Relaxed) {
            Some(Stop::Cancelled)
        } else if self.work_done.load(Ordering::Relaxed) >= self.work_limit {
            Some(Stop::Work)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Stop::Deadline)
        } else {
            None
        }
    }
}
