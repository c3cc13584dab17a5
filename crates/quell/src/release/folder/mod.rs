//! The place of a release on the disk: one folder for everyone, one for the office beside it.
//!
//! ```text
//! out/survey/            what may be published, all of it
//! out/survey-office/     what must not be; only its owner can read it
//! ```
//!
//! - [`ReleaseFolder`]: the place, held by one run at a time, cleaned of what a dead one left;
//! - [`StagedFiles`]: the files in the making, which appear together instead of the release that
//!   was there, or not at all;
//! - [`manifest`]: what is in a folder, so that a release can be told from anything else;
//! - `exchange`: one folder for another in one step;
//! - [`FileSet`]: files that go to places of their own, together or not at all.

mod exchange;
mod file_set;
mod journal;
pub mod manifest;
mod staged_files;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use quell_formats::{Error as FileError, PrivateFolder};

pub use file_set::FileSet;
pub use staged_files::StagedFiles;

use crate::report::Audience;
use crate::{Context, Error};
use manifest::Manifest;

/// What happens to the release that is in a folder when a new one takes its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Previous {
    /// It is removed.
    #[default]
    Removed,
    /// It is kept beside, its name followed by `-previous`, instead of the one kept there before.
    Kept,
}

/// The two folders of a release.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Folders {
    public: PathBuf,
    office: PathBuf,
}

impl Folders {
    /// The folders beside `public` whose names go on with `suffix`.
    fn beside(public: &Path, suffix: &str) -> Self {
        let with = |more: &str| {
            let mut name = OsString::from(public.file_name().unwrap_or_default());
            name.push(suffix);
            name.push(more);
            public.with_file_name(name)
        };
        Self { public: with(""), office: with("-office") }
    }

    fn of(&self, audience: Audience) -> &Path {
        match audience {
            Audience::Public => &self.public,
            Audience::Office => &self.office,
        }
    }
}

/// The place of a release.
///
/// As long as it is held no other run can write there. What a run that was killed left behind
/// has been put in order: either its release is there, whole, or the one before it.
#[derive(Debug)]
pub struct ReleaseFolder {
    /// What the user calls it.
    shown: PathBuf,
    folders: Folders,
    previous: Previous,
    /// Where the next release is made: beside its place, so that it can be moved there at once.
    making: PrivateFolder,
}

impl ReleaseFolder {
    /// Takes a place for a release: nothing, an empty folder, or a release that the next one
    /// is to replace.
    ///
    /// # Errors
    /// If another run writes there, nothing can be written beside it, or there is something that
    /// is no release and would be lost.
    pub fn take(folder: &Path, previous: Previous, context: &Context<'_>) -> Result<Self, Error> {
        let failed = |source| FileError::Write { file: folder.to_owned(), source };
        if folder.exists() && !folder.is_dir() {
            return Err(Error::arguments(
                format!("{} is a file, not a folder", folder.display()),
                "give a folder, or remove the file",
            ));
        }
        let public = resolved(folder).map_err(failed)?;
        let Some(name) = public.file_name() else {
            return Err(Error::arguments(
                format!("{} cannot be replaced by a release", folder.display()),
                "give a folder inside of it",
            ));
        };
        let mut making = OsString::from(".");
        making.push(name);
        making.push(".quell-new");
        let making = PrivateFolder::at(&public.with_file_name(making)).map_err(failed)?;
        let Some(making) = making else {
            return Err(Error::arguments(
                format!("another run is writing to {}", folder.display()),
                "wait until it has ended, or give another folder",
            ));
        };
        let folders = Folders::beside(&public, "");
        journal::recover(&making, &folders).map_err(failed)?;
        context.made_temporary(making.path());
        let place = Self { shown: folder.to_owned(), folders, previous, making };
        place.refuse_foreign(&place.folders)?;
        if previous == Previous::Kept {
            place.refuse_foreign(&place.kept())?;
        }
        place.refuse_unwritable()?;
        Ok(place)
    }

    /// What the user calls it.
    pub fn shown(&self) -> &Path {
        &self.shown
    }

    /// The folder of what is for these readers, as the user would call it.
    pub fn shown_for(&self, audience: Audience) -> PathBuf {
        match audience {
            Audience::Public => self.shown.clone(),
            Audience::Office => match self.shown.file_name() {
                Some(_) => Folders::beside(&self.shown, "").office,
                None => self.folders.office.clone(),
            },
        }
    }

    /// Refuses files that lie in it, or would: with the old release they would be gone.
    ///
    /// # Errors
    /// If one does.
    pub fn refuse_inside<'a>(
        &self,
        inputs: impl IntoIterator<Item = &'a Path>,
    ) -> Result<(), Error> {
        for input in inputs {
            let above = input.parent().filter(|above| !above.as_os_str().is_empty());
            let above = above.unwrap_or(Path::new("."));
            let places = [input, above].into_iter().filter_map(|path| path.canonicalize().ok());
            let inside = |place: PathBuf| {
                place.starts_with(&self.folders.public) || place.starts_with(&self.folders.office)
            };
            if places.into_iter().any(inside) {
                return Err(Error::arguments(
                    format!(
                        "{} lies in the folder of the release, where nothing of before stays",
                        input.display()
                    ),
                    "give another folder for the release",
                ));
            }
        }
        Ok(())
    }

    /// Where the release that was there goes, if it is kept.
    fn kept(&self) -> Folders {
        Folders::beside(&self.folders.public, "-previous")
    }

    fn refuse_foreign(&self, folders: &Folders) -> Result<(), Error> {
        for audience in [Audience::Public, Audience::Office] {
            let folder = folders.of(audience);
            let foreign = Manifest::foreign(folder, audience)
                .map_err(|source| FileError::Read { file: folder.to_owned(), source })?;
            if let Some(foreign) = foreign {
                return Err(Error::arguments(
                    format!("{} {foreign}", folder.display()),
                    "a release takes the place of all that is in its folder: give another one, or \
                     move these files away",
                ));
            }
        }
        Ok(())
    }

    /// A folder that cannot be moved is told before hours of work.
    fn refuse_unwritable(&self) -> Result<(), Error> {
        for folder in [&self.folders.public, &self.folders.office] {
            if folder.is_dir() {
                // Has no name, so nothing stays behind.
                tempfile::tempfile_in(folder)
                    .map_err(|source| FileError::Write { file: folder.clone(), source })?;
            }
        }
        Ok(())
    }
}

/// The folder without links, if need be with those above it.
fn resolved(folder: &Path) -> std::io::Result<PathBuf> {
    if folder.exists() {
        return folder.canonicalize();
    }
    let above = match folder.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(above)?;
    Ok(above.canonicalize()?.join(folder.file_name().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(folder: &Path) -> Result<ReleaseFolder, Error> {
        ReleaseFolder::take(folder, Previous::Removed, &Context::default())
    }

    fn message(result: Result<ReleaseFolder, Error>) -> String {
        result.expect_err("refused").to_string()
    }

    #[test]
    fn one_run_at_a_time_has_a_folder() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("out");
        let first = taken(&folder).unwrap();
        assert!(message(taken(&folder)).contains("another run is writing to"));
        let other = taken(&place.path().join("other")).unwrap();
        drop((first, other));
        assert!(taken(&folder).is_ok());
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_is_no_release_is_not_replaced() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("out");
        std::fs::create_dir(&folder).unwrap();
        assert!(taken(&folder).is_ok(), "an empty folder");
        std::fs::write(folder.join("thesis.docx"), "years of work").unwrap();
        let message = message(taken(&folder));
        assert!(message.contains("is no release") && message.contains("thesis.docx"), "{message}");
        assert!(folder.join("thesis.docx").exists());
    }

    #[test]
    fn the_place_of_the_office_is_looked_at_as_well() {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("out-office")).unwrap();
        std::fs::write(place.path().join("out-office/notes"), "").unwrap();
        let message = message(taken(&place.path().join("out")));
        assert!(message.contains("out-office is no release"), "{message}");
    }

    #[test]
    fn an_input_inside_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("out");
        let mut files = taken(&folder).unwrap().stage().unwrap();
        std::fs::write(files.file(Audience::Public, "t.csv").unwrap(), "1").unwrap();
        files.publish(&Context::default()).unwrap();
        let again = taken(&folder).unwrap();
        let (inside, beside) = (folder.join("t.csv"), place.path().join("t.csv"));
        assert!(again.refuse_inside([inside.as_path()]).is_err());
        assert!(again.refuse_inside([folder.join("not yet").as_path()]).is_err());
        assert!(again.refuse_inside([beside.as_path()]).is_ok());
    }
}
