//! Ctrl-C stops the work in good order; a second one ends it at once.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What shells report for a program ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Folders of files in the making, to be removed if the program ends at once.
static IN_THE_MAKING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Has a folder removed if a second Ctrl-C ends the program: nothing half may stay behind.
/// A folder that is no longer there then is no matter.
pub fn remove_if_ended(folder: PathBuf) {
    IN_THE_MAKING.lock().unwrap_or_else(PoisonError::into_inner).push(folder);
}

/// A flag that Ctrl-C (or a request to terminate) raises. To be called once.
pub fn cancel_flag() -> Arc<AtomicBool> {
    let cancel = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&cancel);
    let handler = move || {
        if raised.swap(true, Ordering::Relaxed) {
            let folders = IN_THE_MAKING.lock().unwrap_or_else(PoisonError::into_inner);
            for folder in folders.iter() {
                let _ = std::fs::remove_dir_all(folder);
            }
            std::process::exit(INTERRUPTED);
        }
        eprintln!("quell: stopping; press Ctrl-C again to end at once");
    };
    // Without a handler Ctrl-C still ends the program, only less politely.
    let _ = ctrlc::set_handler(handler);
    cancel
}
