//! A call on a thread of its own, while the thread that made it listens to its user: for faces whose
//! language must be asked for an interrupt on its own thread.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use quell_model::{Budget, Progress};

use crate::{Cancel, Context, Error};

/// How often the user is listened to.
const LOOK: Duration = Duration::from_millis(40);

/// How long the audit of what a search has found may take after an interrupt: a call is to end
/// within a second.
const GRACE: Duration = Duration::from_millis(700);

/// How far a call is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HowFar {
    /// What it is doing; empty before it has said anything.
    pub stage: String,
    /// Steps of it that are done.
    pub steps: u64,
    /// All steps of it, if that is known.
    pub total: Option<u64>,
}

/// What the user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// The call goes on.
    GoOn,
    /// The call ends: at the first time with the best that it has, at the second at once.
    Stop,
}

/// What came of a call.
#[derive(Debug)]
pub struct Attended<T> {
    /// What it gave.
    pub outcome: Result<T, Error>,
    /// Whether the user ended it.
    pub interrupted: bool,
}

/// Makes a call on a thread of its own. Meanwhile `listen` is asked, on this thread and some
/// twenty times a second, what the user wants.
///
/// The first [`Wish::Stop`] ends the search; what it has found is audited as far as a second
/// allows, and what is not proven by then is *not proven*.
///
/// ```
/// use quell::attended::{Wish, attended};
/// use quell::{Budget, Error};
///
/// let call = attended(Budget::default(), |_| Ok(2 + 2), |_| Wish::GoOn);
/// assert_eq!(call.outcome?, 4);
/// // A user who has had enough:
/// let busy = |context: &quell::Context<'_>| -> Result<(), Error> {
///     loop {
///         context.go_on()?;
///     }
/// };
/// let call = attended(Budget::default(), busy, |_| Wish::Stop);
/// assert!(call.interrupted && call.outcome.unwrap_err().is_stopped());
/// # Ok::<(), Error>(())
/// ```
///
/// # Panics
/// If the call does.
pub fn attended<T: Send>(
    budget: Budget,
    call: impl FnOnce(&Context<'_>) -> Result<T, Error> + Send,
    mut listen: impl FnMut(&HowFar) -> Wish,
) -> Attended<T> {
    let (cancel, told) = (Cancel::default(), Told::default());
    let mut stopped: Option<Instant> = None;
    thread::scope(|scope| {
        let (send, receive) = channel();
        let (own, progress) = (cancel.clone(), &told);
        let working = scope.spawn(move || {
            let context = Context { budget, progress, ..Context::default() };
            let outcome = call(&context.cancelled_by(&own));
            // Whoever waits is there until this has come.
            let _ = send.send(());
            outcome
        });
        while receive.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            let wish = listen(&told.how_far());
            match stopped {
                None if wish == Wish::Stop => {
                    cancel.search();
                    stopped = Some(Instant::now());
                }
                Some(since) if wish == Wish::Stop || since.elapsed() > GRACE => {
                    cancel.everything();
                }
                _ => {}
            }
        }
        let outcome = working.join().unwrap_or_else(|panic| resume_unwind(panic));
        Attended { outcome, interrupted: stopped.is_some() }
    })
}

/// What the call has told.
#[derive(Default)]
struct Told {
    stage: Mutex<(String, Option<u64>)>,
    steps: AtomicU64,
}

impl Told {
    fn how_far(&self) -> HowFar {
        let (stage, total) = self.stage.lock().unwrap_or_else(PoisonError::into_inner).clone();
        HowFar { stage, steps: self.steps.load(Ordering::Relaxed), total }
    }
}

impl Progress for Told {
    fn stage(&self, name: &str, total: Option<u64>) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = (name.to_owned(), total);
        self.steps.store(0, Ordering::Relaxed);
    }

    fn advance(&self, steps: u64) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }
}
