//! Folders for what nobody else may read, and that are cleaned up after those who died.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::stale;

/// The file whose lock says that a process still works in the folder.
pub(super) const LOCK: &str = "lock";

/// How often a place is asked for that its last owner is just leaving.
const ATTEMPTS: usize = 100;

/// A folder that only its owner can read, and that one process at a time works in.
///
/// The process holds a lock in it, which the system takes back however the process ends. So
/// whoever comes next can tell what is left of a dead process from what is in use, on every
/// machine that shares the disk. Dropped, the folder is removed.
#[derive(Debug)]
pub struct PrivateFolder {
    path: PathBuf,
    /// Held until the folder is gone.
    _lock: File,
}

impl PrivateFolder {
    /// A new folder inside `place` whose name begins with `prefix`. What dead processes left
    /// there under such names is removed.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new_in(place: &Path, prefix: &str) -> io::Result<Self> {
        stale::sweep(place, prefix);
        loop {
            let mut builder = tempfile::Builder::new();
            builder.prefix(prefix);
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                builder.permissions(std::fs::Permissions::from_mode(0o700));
            }
            let path = builder.tempdir_in(place)?.keep();
            // Somebody who sweeps may just have taken it for a leftover.
            if let Some(lock) = locked(&path)? {
                return Ok(Self { path, _lock: lock });
            }
        }
    }

    /// The folder of this name, made if it is not there; none if another process works in it.
    /// What a dead process left in it is still there.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn at(path: &Path) -> io::Result<Option<Self>> {
        for _ in 0..ATTEMPTS {
            match make_private(path) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
            match locked(path) {
                Ok(Some(lock)) => return Ok(Some(Self { path: path.to_owned(), _lock: lock })),
                Ok(None) if path.exists() => return Ok(None),
                // Its last owner has just removed it.
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its entries, without what belongs to the lock.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn entries(&self) -> io::Result<Vec<PathBuf>> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(&self.path)? {
            let entry = entry?;
            if entry.file_name() != LOCK {
                entries.push(entry.path());
            }
        }
        Ok(entries)
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        // What cannot be removed now is removed by whoever comes next. The lock goes last: until
        // then nobody takes half of it for the whole.
        for entry in self.entries().unwrap_or_default() {
            stale::remove(&entry);
        }
        let _ = std::fs::remove_file(self.path.join(LOCK));
        // Not with all that is in it: somebody else may own it already.
        let _ = std::fs::remove_dir(&self.path);
    }
}

fn make_private(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(path)
}

/// The lock of a folder, if nobody else has it.
fn locked(folder: &Path) -> io::Result<Option<File>> {
    let path = folder.join(LOCK);
    let file = File::options().create(true).truncate(false).write(true).open(&path)?;
    match file.try_lock() {
        // It may have been removed between opening and locking.
        Ok(()) => Ok(is_at(&file, &path).then_some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        // A disk without locks: better no word of others than no work at all.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
            Ok(Some(file))
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Whether the open file still has this name.
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let known = |data: std::fs::Metadata| (data.dev(), data.ino());
        match (file.metadata(), std::fs::symlink_metadata(path)) {
            (Ok(one), Ok(other)) => known(one) == known(other),
            _ => false,
        }
    }
    #[cfg(not(unix))]
    {
        // An open file cannot be removed there.
        let _ = file;
        path.exists()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time_works_in_a_folder() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("work");
        let first = PrivateFolder::at(&path).unwrap().unwrap();
        assert!(PrivateFolder::at(&path).unwrap().is_none());
        std::fs::write(path.join("half"), "x").unwrap();
        drop(first);
        assert!(!path.exists());
        assert!(PrivateFolder::at(&path).unwrap().is_some());
    }

    #[test]
    fn what_a_dead_process_left_is_found_and_removed() {
        let place = tempfile::tempdir().unwrap();
        let dead = place.path().join("work-dead");
        std::fs::create_dir(&dead).unwrap();
        std::fs::write(dead.join(LOCK), "").unwrap();
        std::fs::write(dead.join("half"), "x").unwrap();
        let alive = PrivateFolder::new_in(place.path(), "other-").unwrap();
        let taken = PrivateFolder::at(&dead).unwrap().unwrap();
        assert_eq!(taken.entries().unwrap(), [dead.join("half")]);
        // In use: it stays.
        let next = PrivateFolder::new_in(place.path(), "work-").unwrap();
        assert!(dead.exists() && alive.path().exists());
        drop((taken, next));
        std::fs::create_dir(&dead).unwrap();
        let _next = PrivateFolder::new_in(place.path(), "work-").unwrap();
        assert!(!dead.exists());
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let mode = |folder: &PrivateFolder| {
            std::fs::metadata(folder.path()).unwrap().permissions().mode() & 0o777
        };
        assert_eq!(mode(&PrivateFolder::new_in(place.path(), "a").unwrap()), 0o700);
        assert_eq!(mode(&PrivateFolder::at(&place.path().join("b")).unwrap().unwrap()), 0o700);
    }
}
