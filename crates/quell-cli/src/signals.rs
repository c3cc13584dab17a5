//! Ctrl-C stops the work in good order; a second one ends it at once.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use quell::{Cancel, TemporaryFolders};

/// What shells report for a program ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// How long the audit of what a search has found may take once the user has asked to stop.
const GRACE: Duration = Duration::from_secs(10);

/// What the first Ctrl-C stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// All of the work.
    Everything,
    /// The search. What it has found is audited if that does not take long: without a verdict
    /// hours of work would be lost.
    Search,
}

/// Ctrl-C and requests to terminate, and what they cancel.
///
/// It is told of temporary folders: if the program ends at once, nothing half may stay behind.
#[derive(Debug, Clone, Default)]
pub struct Signals {
    cancel: Cancel,
    folders: Arc<Mutex<Vec<PathBuf>>>,
}

impl Signals {
    /// Listens from now on. To be called once.
    pub fn listen(&self, first: First) {
        let own = self.clone();
        // Without a handler Ctrl-C still ends the program, only less politely.
        let _ = ctrlc::set_handler(move || own.received(first));
    }

    /// What the signals cancel.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    fn received(&self, first: First) {
        if self.cancel.is_search_ended() {
            self.remove_folders();
            std::process::exit(INTERRUPTED);
        }
        eprintln!("quell: stopping; press Ctrl-C again to end at once");
        match first {
            First::Everything => self.cancel.everything(),
            First::Search => {
                self.cancel.search();
                let cancel = self.cancel.clone();
                std::thread::spawn(move || {
                    std::thread::sleep(GRACE);
                    cancel.everything();
                });
            }
        }
    }

    fn remove_folders(&self) {
        let folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        for folder in folders.iter() {
            // One that is no longer there is no matter.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

impl TemporaryFolders for Signals {
    fn made(&self, folder: &Path) {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner).push(folder.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_signal_stops_the_search_or_everything() {
        let signals = Signals::default();
        signals.received(First::Search);
        assert!(signals.cancel.is_search_ended());
        assert!(!signals.cancel.flag().load(std::sync::atomic::Ordering::Relaxed));
        let signals = Signals::default();
        signals.received(First::Everything);
        assert!(signals.cancel.flag().load(std::sync::atomic::Ordering::Relaxed));
    }

    #[test]
    fn temporary_folders_can_be_removed() {
        let place = tempfile::tempdir().unwrap();
        let (there, gone) = (place.path().join("there"), place.path().join("gone"));
        std::fs::create_dir(&there).unwrap();
        let signals = Signals::default();
        signals.made(&there);
        signals.made(&gone);
        signals.remove_folders();
        assert!(!there.exists());
    }
}
