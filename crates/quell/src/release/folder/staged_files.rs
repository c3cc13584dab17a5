//! The files of a release in the making.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use quell_formats::Error as FileError;

use super::journal::{Making, publish, sync};
use super::manifest::{MANIFEST, Manifest};
use super::{Folders, ReleaseFolder};
use crate::report::Audience;
use crate::{Context, Error};

/// The files of a release in the making: those for everyone, and those for the office.
///
/// They are written into a private folder beside their place, and moved there when all are
/// complete. Dropped before that, nothing has changed.
#[derive(Debug)]
pub struct StagedFiles {
    place: ReleaseFolder,
    /// Names in the order in which they were asked for.
    names: Vec<(Audience, String)>,
}

impl ReleaseFolder {
    /// Begins a release.
    ///
    /// # Errors
    /// If nothing can be written beside its place.
    pub fn stage(self) -> Result<StagedFiles, Error> {
        let files = StagedFiles { place: self, names: Vec::new() };
        let new = files.new_folders();
        for folder in [&new.public, &new.office] {
            std::fs::create_dir(folder)
                .map_err(|source| FileError::Write { file: folder.clone(), source })?;
        }
        Ok(files)
    }
}

impl StagedFiles {
    /// Where the files for these readers will be.
    pub fn folder(&self, audience: Audience) -> &Path {
        self.place.folders.of(audience)
    }

    /// Refuses files that lie in the place of the release.
    ///
    /// # Errors
    /// As [`ReleaseFolder::refuse_inside`].
    pub fn refuse_inside<'a>(
        &self,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<(), Error> {
        self.place.refuse_inside(inputs)
    }

    fn new_folders(&self) -> Folders {
        Making(self.place.making.path()).fresh()
    }

    /// Where to write the file called `name`, which may lie in a folder inside.
    ///
    /// # Errors
    /// If that folder cannot be made, or another file has that name.
    pub fn file(&mut self, audience: Audience, name: impl Into<String>) -> Result<PathBuf, Error> {
        let name = name.into();
        let path = self.new_folders().of(audience).join(&name);
        let own = (audience, name);
        if self.names.contains(&own) || own.1 == MANIFEST {
            return Err(Error::arguments(
                format!("two files of the release would be called {}", own.1),
                "give the table, or the file of records, another name",
            ));
        }
        path.parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .map_err(|source| FileError::Write { file: path.clone(), source })?;
        self.names.push(own);
        Ok(path)
    }

    /// Takes in what a writer put beside a file, such as the metadata of a table.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn adopt_beside(&mut self, audience: Audience, file: &Path) -> Result<(), Error> {
        let failed = |source| FileError::Read { file: file.to_owned(), source };
        let whole = self.new_folders();
        let whole = whole.of(audience);
        let mut found = Vec::new();
        for entry in std::fs::read_dir(file.parent().unwrap_or(whole)).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let inside = path.strip_prefix(whole).ok().filter(|_| path.is_file());
            found.extend(inside.map(|name| (audience, name.to_string_lossy().into_owned())));
        }
        found.sort();
        found.retain(|name| !self.names.contains(name));
        self.names.append(&mut found);
        Ok(())
    }

    /// Puts all files in their place, instead of the release that is there, and tells where they
    /// are: first those for everyone.
    ///
    /// # Errors
    /// If a file cannot be brought to the disk, or a folder cannot be moved; then the old
    /// release is there as it was.
    pub fn publish(mut self, context: &Context<'_>) -> Result<Vec<PathBuf>, Error> {
        let new = self.new_folders();
        let mut release = None;
        for audience in [Audience::Public, Audience::Office] {
            let folder = new.of(audience);
            let failed = |source| FileError::Write { file: folder.to_owned(), source };
            let manifest = Manifest::of(folder, audience, release.take())?;
            let list = folder.join(MANIFEST);
            std::fs::write(&list, manifest.text()).map_err(failed)?;
            for listed in &manifest.files {
                settle(&folder.join(&listed.name), audience).map_err(failed)?;
            }
            settle(&list, audience).map_err(failed)?;
            self.set_readers(folder, audience).map_err(failed)?;
            sync(folder);
            self.names.push((audience, MANIFEST.to_owned()));
            release = Some(manifest.sha256());
        }
        // From here on what is in the making tells the next run what to do.
        context.settled(self.place.making.path());
        publish(self.place.making.path(), &self.place.folders, self.place.previous)
            .map_err(|source| FileError::Write { file: self.place.shown.clone(), source })?;
        let of = |audience| {
            let folder = self.place.shown_for(audience);
            let own = self.names.iter().filter(move |(own, _)| *own == audience);
            own.map(move |(_, name)| folder.join(name))
        };
        Ok(of(Audience::Public).chain(of(Audience::Office)).collect())
    }

    /// A folder for everyone is read by whoever could read the one before; that of the office by
    /// nobody else.
    fn set_readers(&self, folder: &Path, audience: Audience) -> io::Result<()> {
        if audience == Audience::Office {
            return make_private(folder, 0o700);
        }
        match std::fs::metadata(&self.place.folders.public) {
            Ok(present) => std::fs::set_permissions(folder, present.permissions()),
            Err(_) => Ok(()),
        }
    }
}

/// Brings a file to the disk, and sees to it that only the office reads what is for it.
fn settle(path: &Path, audience: Audience) -> io::Result<()> {
    if audience == Audience::Office {
        make_private(path, 0o600)?;
    }
    File::options().write(true).open(path)?.sync_all()
}

#[cfg(unix)]
fn make_private(path: &Path, mode: u32) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn make_private(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::Previous;
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn staged(folder: &Path, previous: Previous) -> StagedFiles {
        ReleaseFolder::take(folder, previous, &Context::default()).unwrap().stage().unwrap()
    }

    /// A release with these files for everyone, and one for the office.
    fn release(folder: &Path, files: &[&str], previous: Previous) -> Vec<PathBuf> {
        let mut staged = staged(folder, previous);
        for name in files {
            std::fs::write(staged.file(Audience::Public, *name).unwrap(), *name).unwrap();
        }
        std::fs::write(staged.file(Audience::Office, "report.html").unwrap(), "secret").unwrap();
        staged.publish(&Context::default()).unwrap()
    }

    #[test]
    fn two_files_cannot_have_one_name() {
        let place = tempfile::tempdir().unwrap();
        let mut files = staged(&place.path().join("out"), Previous::Removed);
        files.file(Audience::Public, "a").unwrap();
        files.file(Audience::Office, "a").unwrap();
        for name in ["a", "manifest.json"] {
            let Error::Arguments { message, .. } = files.file(Audience::Public, name).unwrap_err()
            else {
                panic!("another failure");
            };
            assert!(message.contains(&format!("would be called {name}")), "{message}");
        }
    }

    #[test]
    fn a_new_release_appears_with_all_its_files() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("out");
        let written = release(&folder, &["a", "inside/b"], Previous::Removed);
        assert_eq!(names(&folder), ["a", "inside", "manifest.json"]);
        assert_eq!(names(place.path()), ["out", "out-office"]);
        assert_eq!(written[1], folder.join("inside/b"));
        assert_eq!(written[3], place.path().join("out-office/report.html"));
        let public = Manifest::read(&folder).unwrap();
        let office = Manifest::read(&place.path().join("out-office")).unwrap();
        assert_eq!(office.release, Some(public.sha256()));
        assert_eq!(public.release, None);
    }

    #[test]
    fn a_release_takes_the_place_of_all_of_the_one_before() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("out");
        release(&folder, &["a", "b"], Previous::Removed);
        release(&folder, &["a"], Previous::Removed);
        assert_eq!(names(&folder), ["a", "manifest.json"]);
        assert_eq!(names(place.path()), ["out", "out-office"]);
        release(&folder, &["c"], Previous::Kept);
        assert_eq!(names(&folder), ["c", "manifest.json"]);
        assert_eq!(names(&place.path().join("out-previous")), ["a", "manifest.json"]);
        release(&folder, &["d"], Previous::Kept);
        assert_eq!(names(&place.path().join("out-previous")), ["c", "manifest.json"]);
        let all = ["out", "out-office", "out-previous", "out-previous-office"];
        assert_eq!(names(place.path()), all);
    }

    #[test]
    fn files_given_up_leave_no_trace() {
        let place = tempfile::tempdir().unwrap();
        let mut files = staged(&place.path().join("out"), Previous::Removed);
        std::fs::write(files.file(Audience::Public, "a").unwrap(), "1").unwrap();
        drop(files);
        assert!(names(place.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_office_reads_what_is_for_it() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("out");
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        std::fs::create_dir(&folder).unwrap();
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o750)).unwrap();
        release(&folder, &["a"], Previous::Removed);
        assert_eq!(mode(&folder), 0o750, "as before");
        let office = place.path().join("out-office");
        assert_eq!(mode(&office), 0o700);
        for name in names(&office) {
            assert_eq!(mode(&office.join(&name)), 0o600, "{name}");
        }
        assert_ne!(mode(&folder.join("a")) & 0o044, 0, "for everyone");
    }
}
