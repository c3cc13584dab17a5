//! Files that appear together or not at all.

use std::io;
use std::path::{Path, PathBuf};

use quell_formats::Error as FileError;
use tempfile::TempDir;

use crate::{Context, Error};

/// A folder of files in the making.
///
/// Files are written into a temporary folder beside the final one and moved there when
/// all are complete. Dropped before that, nothing has changed.
#[derive(Debug)]
pub struct StagedFiles {
    folder: PathBuf,
    making: TempDir,
    names: Vec<String>,
}

impl StagedFiles {
    /// Files that will appear in `folder`, which need not exist yet.
    ///
    /// # Errors
    /// If nothing can be written beside it.
    pub fn new(folder: &Path, context: &Context<'_>) -> Result<Self, Error> {
        let failed = |source| FileError::Write { file: folder.to_owned(), source };
        if folder.exists() && !folder.is_dir() {
            return Err(Error::arguments(
                format!("{} is a file, not a folder", folder.display()),
                "give a folder, or remove the file",
            ));
        }
        let beside = match folder.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        // An existing folder may be all that we may write in.
        let place = if folder.is_dir() { folder } else { beside };
        std::fs::create_dir_all(place).map_err(failed)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".quell-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o777));
        }
        let making = builder.tempdir_in(place).map_err(failed)?;
        context.made_temporary(making.path());
        Ok(Self { folder: folder.to_owned(), making, names: Vec::new() })
    }

    /// Where the files will be.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where to write the file called `name`, which may lie in a folder inside.
    ///
    /// # Errors
    /// If that folder cannot be made, or another file has that name.
    pub fn file(&mut self, name: impl Into<String>) -> Result<PathBuf, Error> {
        let name = name.into();
        let path = self.making.path().join(&name);
        make_folder_of(&path).map_err(|source| FileError::Write { file: path.clone(), source })?;
        if self.names.contains(&name) {
            return Err(Error::arguments(
                format!("two files of the release would be called {name}"),
                "give the table, or the file of records, another name",
            ));
        }
        self.names.push(name);
        Ok(path)
    }

    /// Takes in what a writer put beside a file, such as the metadata of a table.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn adopt_beside(&mut self, file: &Path) -> Result<(), Error> {
        let failed = |source| FileError::Read { file: file.to_owned(), source };
        let folder = file.parent().unwrap_or(self.making.path());
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let inside = path.strip_prefix(self.making.path()).ok().filter(|_| path.is_file());
            found.extend(inside.map(|name| name.to_string_lossy().into_owned()));
        }
        found.sort();
        found.retain(|name| !self.names.contains(name));
        self.names.append(&mut found);
        Ok(())
    }

    /// Copies all files into those of another folder.
    ///
    /// # Errors
    /// If one cannot be copied, or the other folder has one of its name.
    pub fn copy_into(&self, other: &mut Self) -> Result<(), Error> {
        for name in &self.names {
            let file = other.file(name)?;
            std::fs::copy(self.making.path().join(name), &file)
                .map_err(|source| FileError::Write { file, source })?;
        }
        Ok(())
    }

    /// Puts all files in their place, instead of those of the same names.
    ///
    /// # Errors
    /// If one cannot be moved; then all is as it was before.
    pub fn publish(self) -> Result<Vec<PathBuf>, Error> {
        let Self { folder, making, names } = self;
        let paths = names.iter().map(|name| folder.join(name)).collect();
        let failed = |source| FileError::Write { file: folder.clone(), source };
        if !folder.exists() {
            std::fs::rename(making.path(), &folder).map_err(failed)?;
            // Renamed: there is nothing left to remove.
            let _ = making.keep();
            return Ok(paths);
        }
        let old = making.path().join("old files");
        std::fs::create_dir(&old).map_err(failed)?;
        let mut moved: Vec<(PathBuf, PathBuf)> = Vec::new();
        let result = names.iter().try_for_each(|name| {
            let (new, place) = (making.path().join(name), folder.join(name));
            if place.exists() {
                move_noted(&place, &old.join(name), &mut moved)?;
            }
            move_noted(&new, &place, &mut moved)
        });
        if result.is_err() {
            for (from, to) in moved.iter().rev() {
                // The first failure is the one to tell of.
                let _ = std::fs::rename(to, from);
            }
        }
        result.map_err(failed)?;
        Ok(paths)
    }
}

fn make_folder_of(file: &Path) -> io::Result<()> {
    file.parent().map_or(Ok(()), std::fs::create_dir_all)
}

fn move_noted(from: &Path, to: &Path, moved: &mut Vec<(PathBuf, PathBuf)>) -> io::Result<()> {
    make_folder_of(to)?;
    std::fs::rename(from, to)?;
    moved.push((from.to_owned(), to.to_owned()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn two_files_cannot_have_one_name() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = StagedFiles::new(folder.path(), &Context::default()).unwrap();
        files.file("a").unwrap();
        let Error::Arguments { message, .. } = files.file("a").unwrap_err() else {
            panic!("another failure");
        };
        assert!(message.contains("would be called a"), "{message}");
    }

    #[test]
    fn a_new_folder_appears_with_all_its_files() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("release");
        let mut files = StagedFiles::new(&folder, &Context::default()).unwrap();
        std::fs::write(files.file("a").unwrap(), "1").unwrap();
        std::fs::write(files.file("b").unwrap(), "2").unwrap();
        assert!(!folder.exists());
        files.publish().unwrap();
        assert_eq!(names(&folder), ["a", "b"]);
        assert_eq!(names(place.path()), ["release"]);
    }

    #[test]
    fn files_given_up_leave_no_trace() {
        let place = tempfile::tempdir().unwrap();
        let mut files =
            StagedFiles::new(&place.path().join("release"), &Context::default()).unwrap();
        std::fs::write(files.file("a").unwrap(), "1").unwrap();
        drop(files);
        assert!(names(place.path()).is_empty());
    }

    #[test]
    fn a_failure_brings_the_old_files_back() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("a"), "old").unwrap();
        let mut files = StagedFiles::new(place.path(), &Context::default()).unwrap();
        std::fs::write(files.file("a").unwrap(), "new").unwrap();
        let _never_written = files.file("b").unwrap();
        assert!(files.publish().is_err());
        assert_eq!(std::fs::read_to_string(place.path().join("a")).unwrap(), "old");
        assert_eq!(names(place.path()), ["a"]);
    }

    #[test]
    fn other_files_of_the_folder_stay() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("other"), "x").unwrap();
        std::fs::write(place.path().join("a"), "old").unwrap();
        let mut files = StagedFiles::new(place.path(), &Context::default()).unwrap();
        std::fs::write(files.file("a").unwrap(), "new").unwrap();
        std::fs::write(files.file("inside/b").unwrap(), "new").unwrap();
        files.publish().unwrap();
        assert_eq!(names(place.path()), ["a", "inside", "other"]);
        assert_eq!(std::fs::read_to_string(place.path().join("a")).unwrap(), "new");
    }
}
