//! Stopping a solve from another thread.

use super::{Solver, ffi::check};
use crate::Error;
use highs_sys::{HighsCallbackDataIn, HighsCallbackDataOut};
use std::ffi::{c_char, c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The places where HiGHS asks whether to go on: simplex, interior point, branch and cut.
const INTERRUPT_CALLBACKS: [i32; 3] = [1, 2, 6];

/// Called by HiGHS every few iterations.
///
/// # Safety
/// `user` must point to a live `AtomicBool`, `input` to HiGHS's answer record or be null.
unsafe extern "C" fn ask(
    _kind: c_int,
    _message: *const c_char,
    _output: *const HighsCallbackDataOut,
    input: *mut HighsCallbackDataIn,
    user: *mut c_void,
) {
    // SAFETY: `Solver` keeps the flag alive for as long as HiGHS holds the pointer.
    let raised = unsafe { &*user.cast::<AtomicBool>() }.load(Ordering::Relaxed);
    // SAFETY: HiGHS passes a record that lives for the length of the call.
    if let Some(input) = unsafe { input.as_mut() } {
        input.user_interrupt = c_int::from(raised);
    }
}

impl Solver {
    /// Gives the solver a flag that stops a solve when raised, with
    /// [`Outcome::Interrupted`](super::Outcome::Interrupted); `None` takes it away.
    ///
    /// The flag is looked at every simplex iteration, interior-point iteration and at many places of
    /// branch and cut, but not during presolve or PDLP. Raised before, it stops the solve before it
    /// starts; what can be read then is the answer of the solve before.
    pub fn set_cancel(&mut self, flag: Option<Arc<AtomicBool>>) -> Result<(), Error> {
        let user = match &flag {
            None => std::ptr::null_mut(),
            Some(flag) => Arc::as_ptr(flag).cast_mut().cast::<c_void>(),
        };
        if flag.is_none() && self.cancel.is_none() {
            return Ok(());
        }
        // SAFETY: the instance is alive; `ask` fits the callback type, and the flag it is given is kept
        // in `self` until another one replaces it here or the instance is destroyed.
        unsafe {
            if flag.is_none() {
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
        self.cancel = flag;
        Ok(())
    }

    pub(super) fn cancelled(&self) -> bool {
        self.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
