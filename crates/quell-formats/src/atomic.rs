//! A file is written whole or not at all.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::Error;

/// Writes a file through a temporary one in the same folder that takes its name only
/// when everything is on the disk: no reader ever sees half a table, and a failure
/// leaves what was there before. The file gets the permissions of the one it replaces,
/// else the usual ones. A link stays a link; what is no file at all (a pipe, a terminal)
/// is written directly.
///
/// # Errors
/// What the operating system or `content` report; then nothing has changed.
pub fn write_whole(
    path: &Path,
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
    let mut builder = tempfile::Builder::new();
    builder.prefix(".quell-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What a plain creation would ask for; the umask takes its share.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let temporary = builder.tempfile_in(folder).map_err(failed)?;
    if let Some(present) = present {
        temporary.as_file().set_permissions(present.permissions()).map_err(failed)?;
    }
    let mut writer =
        BufWriter::with_capacity(1 << 16, temporary.as_file().try_clone().map_err(failed)?);
    content(&mut writer)?;
    writer.flush().map_err(failed)?;
    temporary.as_file().sync_all().map_err(failed)?;
    temporary.persist(&target).map_err(|error| failed(error.error))?;
    // The new name itself must survive a power cut; not every system can sync a folder.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
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
