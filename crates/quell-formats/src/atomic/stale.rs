//! What dead processes left behind.

use std::fs::{File, TryLockError};
use std::path::Path;

use super::private_folder::LOCK;

/// Removes the files and folders in `place` whose names begin with `prefix` and that no process
/// holds a lock on. What cannot be removed stays: it is no reason to fail.
pub fn sweep(place: &Path, prefix: &str) {
    let Ok(entries) = std::fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        if !entry.file_name().to_string_lossy().starts_with(prefix) {
            continue;
        }
        let path = entry.path();
        let held = match entry.file_type() {
            Ok(kind) if kind.is_dir() => path.join(LOCK),
            Ok(kind) if kind.is_file() => path.clone(),
            _ => continue,
        };
        match File::options().write(true).open(held) {
            Ok(file) => {
                if !matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
                    remove(&path);
                }
            }
            // A folder whose process died before it had a lock.
            Err(_) if path.is_dir() => drop(std::fs::remove_dir(&path)),
            Err(_) => {}
        }
    }
}

/// Removes a file or a folder with all that is in it, if it can be.
pub(super) fn remove(path: &Path) {
    let is_folder = std::fs::symlink_metadata(path).is_ok_and(|data| data.is_dir());
    let _ = if is_folder { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
}
