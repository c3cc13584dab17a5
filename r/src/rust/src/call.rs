//! A call of the library while R's thread listens to interrupts and tells how far it is.

use std::ffi::{c_int, c_void};
use std::time::Duration;

use extendr_api::prelude::*;
use quell::attended::{Attended, HowFar, Wish, attended};
use quell::{Budget, Context, parse_time};

use crate::failure::Failure;

/// What a call may use, as R says it: `list(time =, work =, seed =, threads =)`.
#[derive(Debug, Default)]
pub(crate) struct Limits {
    time: Option<Duration>,
    work: Option<u64>,
    seed: Option<u64>,
    threads: Option<usize>,
}

impl Limits {
    pub(crate) fn of(limits: &List) -> Result<Self, Failure> {
        let mut own = Self::default();
        for (name, value) in limits.iter().filter(|(_, value)| !value.is_null()) {
            match name {
                "time" => own.time = Some(time(&value)?),
                "work" => own.work = Some(whole(name, &value)?),
                "seed" => own.seed = Some(whole(name, &value)?),
                "threads" => own.threads = Some(whole(name, &value)?.max(1) as usize),
                other => {
                    let what = format!("there is no limit {other}");
                    return Err(Failure::misuse(what, "there are time, work, seed and threads"));
                }
            }
        }
        Ok(own)
    }

    pub(crate) fn library(&self) -> quell::Limits {
        let Self { time, work, seed, threads } = *self;
        quell::Limits { time, work, seed, threads }
    }

    pub(crate) fn budget(&self) -> Budget {
        let budget = match self.time {
            Some(time) => self.without_time().with_time(time),
            None => self.without_time(),
        };
        match self.work {
            Some(work) => budget.with_work(work),
            None => budget,
        }
    }

    /// Seed and threads alone, for calls that share time and work out themselves.
    pub(crate) fn without_time(&self) -> Budget {
        let budget = Budget::default().with_seed(self.seed.unwrap_or_default());
        match self.threads {
            Some(threads) => budget.with_threads(threads),
            None => budget,
        }
    }

    pub(crate) fn time(&self) -> Option<Duration> {
        self.time
    }

    pub(crate) fn work(&self) -> Option<u64> {
        self.work
    }

    /// How long a search may take if nothing says so.
    pub(crate) fn usual_search_time(&self) -> Option<Duration> {
        let open = self.time.is_none() && self.work.is_none();
        open.then_some(quell::job::USUAL_SEARCH_TIME)
    }
}

fn time(value: &Robj) -> Result<Duration, Failure> {
    let advice = "give seconds, or a text such as \"60s\", \"5m\" or \"1h\"";
    if let Some(text) = value.as_str() {
        let wrong = |_| Failure::misuse(format!("\"{text}\" is no time"), advice);
        return parse_time(text).map_err(wrong);
    }
    let seconds = value.as_real().or_else(|| value.as_integer().map(f64::from));
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| Failure::misuse("this is no time", advice))
}

fn whole(name: &str, value: &Robj) -> Result<u64, Failure> {
    let number = value.as_real().or_else(|| value.as_integer().map(f64::from));
    match number {
        Some(number) if number >= 0.0 && number.fract() == 0.0 => Ok(number as u64),
        _ => Err(Failure::misuse(format!("{name} is no whole number"), "give 0, 1, 2 …")),
    }
}

/// What came of a call.
pub(crate) struct Done<T> {
    pub(crate) value: T,
    /// Whether an interrupt ended it early.
    pub(crate) interrupted: bool,
}

/// Makes a call. `progress` is a function of the stage, the steps done and all steps, or `NULL`.
pub(crate) fn call<T: Send>(
    budget: Budget,
    progress: &Robj,
    work: impl FnOnce(&Context<'_>) -> Result<T, quell::Error> + Send,
) -> Result<Done<T>, Failure> {
    let progress = progress.as_function();
    let mut refused = false;
    let Attended { outcome, interrupted } = attended(budget, work, |far| {
        refused |= !told(progress.as_ref(), far);
        if refused || is_interrupted() { Wish::Stop } else { Wish::GoOn }
    });
    Ok(Done { value: outcome?, interrupted })
}

/// Tells how far a call is; whether the function took it.
fn told(progress: Option<&Function>, far: &HowFar) -> bool {
    let Some(progress) = progress.filter(|_| !far.stage.is_empty()) else { return true };
    let total = Rfloat::from(far.total.map(|total| total as f64));
    let arguments = pairlist!(far.stage.as_str(), far.steps as f64, total);
    progress.call(arguments).is_ok()
}

/// Whether the user has pressed Ctrl-C, or the stop button.
fn is_interrupted() -> bool {
    unsafe extern "C" fn check(_: *mut c_void) {
        // SAFETY: this is R's thread. An interrupt jumps to the caller of this function, over no
        // frame of Rust that has anything to drop.
        unsafe { R_CheckUserInterrupt() }
    }
    // SAFETY: this is R's thread, and `check` uses no data.
    unsafe { R_ToplevelExec(check, std::ptr::null_mut()) == 0 }
}

// Not among the functions that extendr declares; both are in R's manual "Writing R Extensions".
unsafe extern "C" {
    fn R_CheckUserInterrupt();
    fn R_ToplevelExec(function: unsafe extern "C" fn(*mut c_void), data: *mut c_void) -> c_int;
}
