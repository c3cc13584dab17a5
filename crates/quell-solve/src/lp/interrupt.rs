//! Stopping a solve: asked every few iterations, so that neither a deadline nor Ctrl-C waits for it.

use super::{Solver, ffi::check};
use crate::Error;
use highs_sys::{HighsCallbackDataIn, HighsCallbackDataOut};
use std::ffi::{c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Says whether a solve is to stop now; asked often, so it should be quick.
pub type Stopping = Arc<dyn Fn() -> bool + Send + Sync>;

/// The places where HiGHS asks whether to go on: simplex, interior point, branch and cut.
const INTERRUPT_CALLBACKS: [i32; 3] = [1, 2, 6];

/// Called by HiGHS every few iterations.
///
/// # Safety
/// `user` must point to a live [`Stopping`], `input` to HiGHS's answer record or be null.
unsafe extern "C" fn ask(
    _kind: c_int,
    _message: *const c_char,
    _output: *const HighsCallbackDataOut,
    input: *mut HighsCallbackDataIn,
    user: *mut c_void,
) {
    // SAFETY: `Solver` keeps the question alive, in a box of its own, for as long as HiGHS holds the
    // pointer.
    let stopping = unsafe { &*user.cast::<Stopping>() };
    // A panic must not cross into C++; one that asks a clock or a flag does not panic, and if it
    // did, the solve would better end.
    let stop = catch_unwind(AssertUnwindSafe(|| stopping())).unwrap_or(true);
    // SAFETY: HiGHS passes a record that lives for the length of the call.
    if let Some(input) = unsafe { input.as_mut() } {
        input.user_interrupt = c_int::from(stop);
    }
}

impl Solver {
    /// Gives the solver a question that stops a solve when answered with yes, with
    /// [`Outcome::Interrupted`](super::Outcome::Interrupted); `None` takes it away.
    ///
    /// It is asked every simplex iteration, interior-point iteration and at many places of branch
    /// and cut, but not during presolve or PDLP. Answered with yes before, it stops the solve before
    /// it starts; what can be read then is the answer of the solve before.
    pub fn set_stopping(&mut self, stopping: Option<Stopping>) -> Result<(), Error> {
        let stopping = stopping.map(Box::new);
        let user = match &stopping {
            None => std::ptr::null_mut(),
            Some(stopping) => std::ptr::from_ref(stopping.as_ref()).cast_mut().cast::<c_void>(),
        };
        if stopping.is_none() && self.stopping.is_none() {
            return Ok(());
        }
        // SAFETY: the instance is alive; `ask` fits the callback type, and the question it is given
        // is kept in `self` until another one replaces it here or the instance is destroyed.
        unsafe {
            if stopping.is_none() {
                for kind in INTERRUPT_CALLBACKS {
                    check(
                        "Highs_stopCallback",
                        highs_sys::Highs_stopCallback(self.pointer(), kind),
                    )?;
                }
            } else {
                check(
                    "Highs_setCallback",
                    highs_sys::Highs_setCallback(self.pointer(), Some(ask), user),
                )?;
                for kind in INTERRUPT_CALLBACKS {
                    check(
                        "Highs_startCallback",
                        highs_sys::Highs_startCallback(self.pointer(), kind),
                    )?;
                }
            }
        }
        self.stopping = stopping;
        Ok(())
    }

    pub(super) fn is_to_stop(&self) -> bool {
        self.stopping.as_ref().is_some_and(|stopping| stopping())
    }
}
