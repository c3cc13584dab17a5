//! Ctrl-C stops the work in good order; a second one ends it at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What shells report for a program ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// A flag that Ctrl-C (or a request to terminate) raises. To be called once.
pub fn cancel_flag() -> Arc<AtomicBool> {
    let cancel = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&cancel);
    let handler = move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        eprintln!("quell: stopping; press Ctrl-C again to end at once");
    };
    // Without a handler Ctrl-C still ends the program, only less politely.
    let _ = ctrlc::set_handler(handler);
    cancel
}
