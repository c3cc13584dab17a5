//! Whether a file is still the one that was read.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use crate::Error;

/// What a file was: its content, and when it was written.
///
/// Records are read several times, because they need not fit into memory. A file that is saved
/// in between would be judged in one version and released in another.
///
/// It is derived from the content: for whoever can guess the content it is as good as the
/// content itself, so it is not for publication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    bytes: u64,
    modified: Option<SystemTime>,
    sha256: String,
}

impl Fingerprint {
    /// That of a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(path: &Path) -> Result<Self, Error> {
        let failed = |source| Error::read(path, source);
        let mut file = File::open(path).map_err(failed)?;
        let before = file.metadata().map_err(failed)?;
        let mut hash = Sha256Writer::default();
        let bytes = io::copy(&mut file, &mut hash).map_err(failed)?;
        // When it was written, as of before it was read: a later time is a change.
        Ok(Self { bytes, modified: modified(&before), sha256: hash.hexadecimal() })
    }

    /// That of what is in memory.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let mut hash = Sha256Writer::default();
        hash.0.update(bytes);
        Self { bytes: bytes.len() as u64, modified: None, sha256: hash.hexadecimal() }
    }

    /// The SHA-256 of the content, in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// How long the content is.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Checks that a file is still the same, all of it.
    ///
    /// # Errors
    /// If it is another one by now, is gone, or cannot be read.
    pub fn check(&self, path: &Path) -> Result<(), Error> {
        let changed = || Error::Changed { file: path.to_owned() };
        // A look at it saves reading it in most cases; that it looks the same proves nothing.
        let present = std::fs::metadata(path).map_err(|_| changed())?;
        if present.len() != self.bytes || modified(&present) != self.modified {
            return Err(changed());
        }
        match Self::of(path)? == *self {
            true => Ok(()),
            false => Err(changed()),
        }
    }
}

fn modified(data: &Metadata) -> Option<SystemTime> {
    data.modified().ok()
}

#[derive(Default)]
struct Sha256Writer(Sha256);

impl Sha256Writer {
    fn hexadecimal(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl io::Write for Sha256Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_everyone() {
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Fingerprint::of_bytes(b"abc").sha256(), hash);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        std::fs::write(&path, "abc").unwrap();
        let print = Fingerprint::of(&path).unwrap();
        assert_eq!((print.sha256(), print.bytes()), (hash, 3));
    }

    #[test]
    fn a_file_is_the_same_until_it_is_saved_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records");
        std::fs::write(&path, "1;2").unwrap();
        let print = Fingerprint::of(&path).unwrap();
        print.check(&path).unwrap();
        let same = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let file = File::options().write(true).open(&path).unwrap();
            // Even if nothing shows that it was saved.
            file.set_modified(print.modified.unwrap()).unwrap();
            print.check(&path)
        };
        same("1;2").unwrap();
        assert!(matches!(same("2;1"), Err(Error::Changed { .. })));
        assert!(matches!(same("1;23"), Err(Error::Changed { .. })));
        same("1;2").unwrap();
        let later = print.modified.unwrap() + std::time::Duration::from_secs(1);
        File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
        assert!(matches!(print.check(&path), Err(Error::Changed { .. })));
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(print.check(&path), Err(Error::Changed { .. })));
    }
}
