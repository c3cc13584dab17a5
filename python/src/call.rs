//! A call of the library on a thread of its own, while this one listens to Ctrl-C and tells how
//! far it is.

use std::time::Duration;

use pyo3::prelude::*;
use quell::attended::{Attended, HowFar, Wish, attended};
use quell::{Budget, Context, Error, parse_time};

use crate::errors::{misuse, raised};

/// What a call may use, as Python says it.
#[derive(Debug, FromPyObject)]
pub(crate) struct Limits {
    /// `"60s"`, or seconds.
    time: Option<Time>,
    work: Option<u64>,
    seed: Option<u64>,
    threads: Option<usize>,
}

#[derive(Debug, FromPyObject)]
enum Time {
    Seconds(f64),
    Text(String),
}

impl Limits {
    pub(crate) fn time(&self, py: Python<'_>) -> PyResult<Option<Duration>> {
        let advice = "give seconds, or a text such as \"60s\", \"5m\" or \"1h\"";
        match &self.time {
            None => Ok(None),
            Some(Time::Text(text)) => parse_time(text)
                .map(Some)
                .map_err(|_| misuse(py, format!("\"{text}\" is no time"), advice)),
            Some(Time::Seconds(seconds)) => Duration::try_from_secs_f64(*seconds)
                .map(Some)
                .map_err(|_| misuse(py, format!("{seconds} is no time"), advice)),
        }
    }

    pub(crate) fn library(&self, py: Python<'_>) -> PyResult<quell::Limits> {
        Ok(quell::Limits {
            time: self.time(py)?,
            work: self.work,
            seed: self.seed,
            threads: self.threads,
        })
    }

    fn budget(&self, py: Python<'_>) -> PyResult<Budget> {
        let mut budget = Budget::default();
        if let Some(time) = self.time(py)? {
            budget = budget.with_time(time);
        }
        if let Some(work) = self.work {
            budget = budget.with_work(work);
        }
        if let Some(seed) = self.seed {
            budget = budget.with_seed(seed);
        }
        if let Some(threads) = self.threads {
            budget = budget.with_threads(threads);
        }
        Ok(budget)
    }

    pub(crate) fn work(&self) -> Option<u64> {
        self.work
    }

    /// Seed and threads alone, for calls that share time and work out themselves.
    pub(crate) fn without_time(&self) -> Budget {
        let budget = Budget::default().with_seed(self.seed.unwrap_or_default());
        match self.threads {
            Some(threads) => budget.with_threads(threads),
            None => budget,
        }
    }

    /// Whether nothing says how long a search may take.
    pub(crate) fn are_open(&self) -> bool {
        self.time.is_none() && self.work.is_none()
    }
}

/// What came of a call.
pub(crate) struct Done<T> {
    pub(crate) value: T,
    /// Whether Ctrl-C ended it early.
    pub(crate) interrupted: bool,
}

/// Makes a call within limits. `progress` is called with the stage, the steps done and their
/// number, if that is known.
pub(crate) fn call<T: Send>(
    py: Python<'_>,
    limits: &Limits,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Context<'_>) -> Result<T, Error> + Send,
) -> PyResult<Done<T>> {
    run(py, limits.budget(py)?, progress, work)
}

/// The same for calls with limits of their own.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    budget: Budget,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Context<'_>) -> Result<T, Error> + Send,
) -> PyResult<Done<T>> {
    let progress = progress.map(|callable| callable.clone().unbind());
    let mut interruption: Option<PyErr> = None;
    let Attended { outcome, interrupted } = py.detach(|| {
        attended(budget, work, |far| {
            match Python::attach(|py| listen(py, progress.as_ref(), far)) {
                Ok(()) => Wish::GoOn,
                Err(error) => {
                    interruption.get_or_insert(error);
                    Wish::Stop
                }
            }
        })
    });
    match (outcome, interruption) {
        (Ok(value), _) => Ok(Done { value, interrupted }),
        (Err(error), Some(interruption)) if error.is_stopped() => Err(interruption),
        (Err(error), _) => Err(raised(py, &error)),
    }
}

/// Runs Python's handlers of signals, and tells how far the call is.
fn listen(py: Python<'_>, progress: Option<&Py<PyAny>>, far: &HowFar) -> PyResult<()> {
    py.check_signals()?;
    let Some(progress) = progress.filter(|_| !far.stage.is_empty()) else { return Ok(()) };
    progress.call1(py, (&far.stage, far.steps, far.total)).map(drop)
}
