//! Ctrl-C stops the work in good order; a second one ends it at once.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::thread::Builder;
use std::time::Duration;

use quell::{Cancel, Error, TemporaryFolders};

use crate::guard::NO_ROOM;
use crate::output;

/// What shells report for a program ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// How long the audit of what a search has found may take once the user has asked to stop: who
/// presses Ctrl-C wants the command to end, and an audit that is nearly done is worth a moment.
const GRACE: Duration = Duration::from_secs(1);

/// What the first Ctrl-C stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// All of the work.
    Everything,
    /// The search. What it has found is audited for a second at most: if that is enough, hours of
    /// work are not lost; if not, it is *not proven*.
    Search,
}

/// Ctrl-C and requests to terminate, and what they cancel.
///
/// It is told of temporary folders: if the program ends at once, nothing half may stay behind.
#[derive(Debug, Clone, Default)]
pub struct Signals {
    cancel: Cancel,
    /// Whom to ask to cancel everything in a moment.
    grace: Arc<OnceLock<mpsc::Sender<()>>>,
    folders: Arc<Mutex<Vec<PathBuf>>>,
}

impl Signals {
    /// Listens from now on. To be called once.
    ///
    /// # Errors
    /// If there is no room for the threads that listen.
    pub fn listen(&self, first: First) -> Result<(), Error> {
        let no_room = |_| Error::arguments("cannot listen to Ctrl-C", NO_ROOM);
        let (ask, asked) = mpsc::channel();
        let cancel = self.cancel.clone();
        // While there is room: when the signal comes there may be none.
        Builder::new()
            .spawn(move || {
                if asked.recv().is_ok() {
                    std::thread::sleep(GRACE);
                    cancel.everything();
                }
            })
            .map_err(no_room)?;
        drop(self.grace.set(ask));
        let own = self.clone();
        match ctrlc::set_handler(move || own.received(first)) {
            // Signals would be taken, and nobody would hear of them.
            Err(ctrlc::Error::System(error)) => Err(no_room(error)),
            // Without a handler Ctrl-C still ends the program, only less politely.
            _ => Ok(()),
        }
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
        output::remark("stopping; press Ctrl-C again to end at once");
        match first {
            First::Everything => self.cancel.everything(),
            First::Search => {
                self.cancel.search();
                // It fails only if nobody listens any more.
                self.grace.get().map(|grace| grace.send(()));
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

    fn settled(&self, folder: &Path) {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        folders.retain(|own| own != folder);
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
        std::fs::create_dir(&there).unwrap();
        signals.made(&there);
        signals.settled(&there);
        signals.remove_folders();
        assert!(there.exists(), "it tells the next run what to do");
    }
}
