//! Files that go to places of their own, together or not at all.

use std::path::{Path, PathBuf};

use quell_formats::{Error as FileError, IN_THE_MAKING, PrivateFolder};

use super::exchange::Moves;
use crate::{Context, Error};

/// Where the new ones are until all are complete.
const NEW: &str = "new";

/// Where those that are replaced are until all is done.
const OLD: &str = "replaced";

/// Files in the making, each for a place of its own.
///
/// Each is written into a private folder beside its place, and all are moved when all are
/// complete. Other files there stay. Dropped before that, nothing has changed.
#[derive(Debug)]
pub struct FileSet<'a> {
    context: &'a Context<'a>,
    making: Vec<(PathBuf, PrivateFolder)>,
    /// Where each is written, and where it goes.
    files: Vec<(PathBuf, PathBuf)>,
    /// Where there must be none: the place it would be moved aside to, and where it is.
    without: Vec<(PathBuf, PathBuf)>,
}

impl<'a> FileSet<'a> {
    /// No file yet.
    pub fn new(context: &'a Context<'a>) -> Self {
        Self { context, making: Vec::new(), files: Vec::new(), without: Vec::new() }
    }

    /// Where to write the file that goes to `place`. What is no file there, such as a pipe or a
    /// terminal, is written directly.
    ///
    /// # Errors
    /// If nothing can be written beside it.
    pub fn file(&mut self, place: &Path) -> Result<PathBuf, Error> {
        match std::fs::metadata(place) {
            Ok(present) if present.is_dir() => {
                return Err(Error::arguments(
                    format!("{} is a folder, not a file", place.display()),
                    "give the output another name, or move the folder away",
                ));
            }
            Ok(present) if !present.is_file() => return Ok(place.to_owned()),
            _ => {}
        }
        let path = self.making(place)?.join(NEW).join(place.file_name().unwrap_or_default());
        if !self.files.iter().any(|(own, _)| *own == path) {
            self.files.push((path.clone(), place.to_owned()));
        }
        Ok(path)
    }

    /// Takes away the file at `place`, if there is one and none takes its place.
    ///
    /// # Errors
    /// If nothing can be written beside it.
    pub fn without(&mut self, place: &Path) -> Result<(), Error> {
        let old = self.making(place)?.join(OLD).join(place.file_name().unwrap_or_default());
        self.without.push((old, place.to_owned()));
        Ok(())
    }

    /// The private folder beside a place.
    fn making(&mut self, place: &Path) -> Result<PathBuf, Error> {
        let folder = match place.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if let Some((_, making)) = self.making.iter().find(|(own, _)| own == folder) {
            return Ok(making.path().to_owned());
        }
        let failed = |source| FileError::Write { file: place.to_owned(), source };
        let making = PrivateFolder::new_in(folder, IN_THE_MAKING).map_err(failed)?;
        self.context.made_temporary(making.path());
        for inside in [NEW, OLD] {
            std::fs::create_dir(making.path().join(inside)).map_err(failed)?;
        }
        let path = making.path().to_owned();
        self.making.push((folder.to_owned(), making));
        Ok(path)
    }

    /// Takes in what a writer put beside a file, such as the metadata of a table.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn adopt_beside(&mut self, file: &Path) -> Result<(), Error> {
        let own = self.making.iter().find(|(_, making)| file.starts_with(making.path()));
        let Some((folder, making)) = own else { return Ok(()) };
        let failed = |source| FileError::Read { file: file.to_owned(), source };
        let mut found = Vec::new();
        for entry in std::fs::read_dir(making.path().join(NEW)).map_err(failed)? {
            found.push(entry.map_err(failed)?.path());
        }
        found.sort();
        found.retain(|path| path.is_file() && !self.files.iter().any(|(own, _)| own == path));
        let placed = |path: PathBuf| {
            let place = folder.join(path.file_name().unwrap_or_default());
            (path, place)
        };
        self.files.extend(found.into_iter().map(placed));
        Ok(())
    }

    /// Puts all files in their places and tells which.
    ///
    /// # Errors
    /// If one cannot be moved; then all is as it was before.
    pub fn publish(self) -> Result<Vec<PathBuf>, Error> {
        let mut moves = Moves::default();
        let mut places = Vec::with_capacity(self.files.len());
        for (path, place) in &self.files {
            let (new, name) = (path.parent().unwrap_or(path), path.file_name());
            let old = new.with_file_name(OLD).join(name.unwrap_or_default());
            if let Err(source) = moves.move_over(path, place, &old) {
                moves.undo();
                return Err(FileError::Write { file: place.clone(), source }.into());
            }
            places.push(place.clone());
        }
        for (old, place) in self.without {
            let is_new = self.files.iter().any(|(_, own)| *own == place);
            if place.exists()
                && !is_new
                && let Err(source) = moves.rename(&place, &old)
            {
                moves.undo();
                return Err(FileError::Write { file: place, source }.into());
            }
        }
        Ok(places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_several_folders_appear_together_or_not_at_all() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        std::fs::create_dir(at("inside")).unwrap();
        std::fs::write(at("a"), "old").unwrap();
        std::fs::write(at("other"), "x").unwrap();
        std::fs::write(at("away"), "x").unwrap();
        let context = Context::default();
        for missing in [true, false] {
            let mut files = FileSet::new(&context);
            for name in ["a", "inside/b", "c"] {
                let path = files.file(&at(name)).unwrap();
                if name != "c" || !missing {
                    std::fs::write(&path, "new").unwrap();
                    std::fs::write(path.with_extension("more"), "new").unwrap();
                    files.adopt_beside(&path).unwrap();
                }
            }
            files.without(&at("away")).unwrap();
            files.without(&at("a")).unwrap();
            assert_eq!(files.publish().is_err(), missing);
            assert_eq!(at("away").exists(), missing);
            let expected = if missing { "old" } else { "new" };
            assert_eq!(std::fs::read_to_string(at("a")).unwrap(), expected);
            assert_eq!(at("inside/b.more").exists(), !missing);
            let all = std::fs::read_dir(place.path()).unwrap().count();
            assert_eq!(all, if missing { 4 } else { 6 });
        }
    }
}
