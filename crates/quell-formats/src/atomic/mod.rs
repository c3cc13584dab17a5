//! A file is written whole or not at all, and what is in the making is nobody else's to read.
//!
//! - [`write_whole`], [`write_private`]: one file;
//! - [`PrivateFolder`]: a folder for many, held by one process at a time;
//! - [`sweep`]: what dead processes left is removed by whoever comes next.

mod private_folder;
mod stale;

use std::fs::{File, Permissions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::Error;
pub use private_folder::PrivateFolder;
pub use stale::sweep;

/// What the names of files and folders in the making begin with.
pub const IN_THE_MAKING: &str = ".quell-";

/// Who may read a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Readers {
    /// Whoever could read the one that it replaces, or else any new file.
    AsUsual,
    /// Its owner.
    Owner,
}

/// Writes a file through a temporary one in the same folder that takes its name only
/// when everything is on the disk: no reader ever sees half a table, and a failure
/// leaves what was there before. The file gets the permissions of the one it replaces,
/// else the usual ones. A link stays a link; what is no file at all (a pipe, a terminal)
/// is written directly.
///
/// What processes that died left half in the same folder is removed.
///
/// # Errors
/// What the operating system or `content` report; then nothing has changed.
pub fn write_whole(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> Result<(), Error>,
) -> Result<(), Error> {
    write(path, Readers::AsUsual, content)
}

/// As [`write_whole`], a file that only its owner can read.
///
/// # Errors
/// As [`write_whole`].
pub fn write_private(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> Result<(), Error>,
) -> Result<(), Error> {
    write(path, Readers::Owner, content)
}

fn write(
    path: &Path,
    readers: Readers,
    content: impl FnOnce(&mut BufWriter<File>) -> Result<(), Error>,
) -> Result<(), Error> {
    let failed = |source| Error::write(path, source);
    let present = std::fs::metadata(path).ok();
    if present.as_ref().is_some_and(|present| !present.is_file()) {
        let file = File::options().write(true).open(path).map_err(failed)?;
        let mut writer = BufWriter::new(file);
        content(&mut writer)?;
        return writer.flush().map_err(failed);
    }
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    sweep(folder, IN_THE_MAKING);
    let (temporary, usual) = temporary(folder).map_err(failed)?;
    let mut writer =
        BufWriter::with_capacity(1 << 16, temporary.as_file().try_clone().map_err(failed)?);
    content(&mut writer)?;
    writer.flush().map_err(failed)?;
    if readers == Readers::AsUsual {
        let permissions = present.map_or(usual, |present| present.permissions());
        temporary.as_file().set_permissions(permissions).map_err(failed)?;
    }
    temporary.as_file().sync_all().map_err(failed)?;
    temporary.persist(&target).map_err(|error| failed(error.error))?;
    // The new name itself must survive a power cut; not every system can sync a folder.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// A file in the making that only its owner can read and whose lock is ours, and the
/// permissions that a new file usually gets.
fn temporary(folder: &Path) -> io::Result<(NamedTempFile, Permissions)> {
    loop {
        let mut builder = tempfile::Builder::new();
        builder.prefix(IN_THE_MAKING);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // What a plain creation would ask for; the umask takes its share.
            builder.permissions(Permissions::from_mode(0o666));
        }
        let temporary = builder.tempfile_in(folder)?;
        let usual = temporary.as_file().metadata()?.permissions();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            temporary.as_file().set_permissions(Permissions::from_mode(0o600))?;
        }
        // Somebody who sweeps may just have taken it for a leftover.
        let is_ours = !matches!(temporary.as_file().try_lock(), Err(TryLockError::WouldBlock))
            && private_folder::is_at(temporary.as_file(), temporary.path());
        if is_ours {
            return Ok((temporary, usual));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_failure_leaves_the_old_file_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jj");
        std::fs::write(&path, "old").unwrap();
        let result = write_whole(&path, |out| {
            out.write_all(b"half").unwrap();
            Err(Error::Unwritable { what: "this".into(), format: "JJ", advice: "" })
        });
        assert!(result.is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["t.jj"]);
    }

    #[test]
    fn success_replaces_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jj");
        std::fs::write(&path, "old").unwrap();
        write_whole(&path, |out| out.write_all(b"new").map_err(|e| Error::write(&path, e)))
            .unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["t.jj"]);
    }

    #[test]
    fn a_folder_that_does_not_exist_is_reported_with_the_name_asked_for() {
        let path = Path::new("no such folder/t.jj");
        let error = write_whole(path, |_| Ok(())).unwrap_err();
        assert_eq!(error.to_string(), "cannot write no such folder/t.jj");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("t.jj"), folder.path().join("link.jj"));
        std::fs::write(&path, "old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_whole(&link, |out| out.write_all(b"new").map_err(|e| Error::write(&link, e)))
            .unwrap();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
    }

    #[test]
    fn what_a_dead_process_left_is_removed_and_what_a_living_one_holds_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let dead = folder.path().join(format!("{IN_THE_MAKING}dead"));
        std::fs::write(&dead, "half").unwrap();
        let (path, other) = (folder.path().join("t.jj"), folder.path().join("u.jj"));
        write_whole(&path, |_| {
            assert!(!dead.exists());
            // While the first is in the making.
            write_whole(&other, |_| Ok(()))
        })
        .unwrap();
        let mut names = names(folder.path());
        names.sort();
        assert_eq!(names, ["t.jj", "u.jj"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_in_the_making_and_a_private_one_are_their_owners() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let path = folder.path().join("t.jj");
        std::fs::write(&path, "old").unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        write_whole(&path, |_| {
            let half = names(folder.path()).into_iter().find(|name| name != "t.jj").unwrap();
            assert_eq!(mode(&folder.path().join(half)), 0o600);
            Ok(())
        })
        .unwrap();
        assert_eq!(mode(&path), 0o644);
        write_private(&path, |_| Ok(())).unwrap();
        assert_eq!(mode(&path), 0o600);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_of_a_replaced_file_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jj");
        std::fs::write(&path, "old").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        write_whole(&path, |_| Ok(())).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
