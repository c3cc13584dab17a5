//! The list of the files of a release, in the release.

use std::fmt;
use std::io;
use std::path::Path;

use quell_data::Fingerprint;
use quell_formats::Error as FileError;
use serde::{Deserialize, Serialize};

use crate::report::Audience;

/// Its file.
pub const MANIFEST: &str = "manifest.json";

const FORMAT: &str = "quell release 1";

/// What systems put into folders that are looked at: they are nobody's work.
const DROPPINGS: [&str; 3] = [".DS_Store", "Thumbs.db", "desktop.ini"];

/// The most names that a message has.
const SHOWN: usize = 3;

/// The files of a folder of a release, with their hashes.
///
/// Hashes are those of the files beside it, so the one of the public folder tells nothing that
/// these do not tell. The one of the office has that of the public list: it says which release
/// it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// What this is.
    format: String,
    /// Whom the folder is for.
    pub audience: Audience,
    /// The SHA-256 of the list of the public folder, in that of the office.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub release: Option<String>,
    /// All files but this one.
    pub files: Vec<ListedFile>,
}

/// A file of a release.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ListedFile {
    /// Its name in the folder, with `/` between.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// Its hash.
    pub sha256: String,
}

/// What is in a folder that is not as a release was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Foreign {
    /// There is no list, or it is none of this kind.
    NoRelease(Vec<String>),
    /// Files that are not in the list, or not as it says.
    Changed(Vec<String>),
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, names) = match self {
            Self::NoRelease(names) => ("is no release of quell: it has", names),
            Self::Changed(names) => ("has files that are not as they were released:", names),
        };
        write!(f, "{what} {}", names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", "))?;
        match names.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

impl Manifest {
    /// The list of a folder's files as they are now.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn of(
        folder: &Path,
        audience: Audience,
        release: Option<String>,
    ) -> Result<Self, FileError> {
        let failed = |source| FileError::Read { file: folder.to_owned(), source };
        let mut files = Vec::new();
        for name in names(folder).map_err(failed)? {
            let print = Fingerprint::of(&folder.join(&name))?;
            let sha256 = print.sha256().to_owned();
            files.push(ListedFile { name, bytes: print.bytes(), sha256 });
        }
        files.sort();
        Ok(Self { format: FORMAT.to_owned(), audience, release, files })
    }

    /// The list in a folder, if there is one.
    pub fn read(folder: &Path) -> Option<Self> {
        let text = std::fs::read(folder.join(MANIFEST)).ok()?;
        serde_json::from_slice(&text).ok().filter(|own: &Self| own.format == FORMAT)
    }

    /// Its text: the same list gives the same bytes.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).map(|text| text + "\n").unwrap_or_default()
    }

    /// The hash of its text.
    pub fn sha256(&self) -> String {
        Fingerprint::of_bytes(self.text().as_bytes()).sha256().to_owned()
    }

    /// What would be lost with a folder: all that is not a release's own. None if it is not
    /// there, is empty, or holds a release as it was written.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn foreign(folder: &Path, audience: Audience) -> io::Result<Option<Foreign>> {
        if !folder.exists() {
            return Ok(None);
        }
        let mut names = names(folder)?;
        names.retain(|name| !DROPPINGS.contains(&name.as_str()));
        names.sort();
        let Some(manifest) = Self::read(folder).filter(|own| own.audience == audience) else {
            names.extend(folder.join(MANIFEST).exists().then(|| MANIFEST.to_owned()));
            return Ok((!names.is_empty()).then_some(Foreign::NoRelease(names)));
        };
        names.retain(|name| {
            let listed = manifest.files.iter().find(|file| file.name == *name);
            !listed.is_some_and(|file| file.is_at(&folder.join(name)))
        });
        Ok((!names.is_empty()).then_some(Foreign::Changed(names)))
    }
}

impl ListedFile {
    fn is_at(&self, path: &Path) -> bool {
        Fingerprint::of(path)
            .is_ok_and(|print| (print.bytes(), print.sha256()) == (self.bytes, &self.sha256))
    }
}

/// All files in a folder and below but its list, with `/` between the parts of their names.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    fn walk(folder: &Path, above: &str, names: &mut Vec<String>) -> io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let name = format!("{above}{}", entry.file_name().to_string_lossy());
            match entry.file_type()?.is_dir() {
                true => walk(&entry.path(), &format!("{name}/"), names)?,
                false if name == MANIFEST => {}
                false => names.push(name),
            }
        }
        Ok(())
    }
    let mut names = Vec::new();
    walk(folder, "", &mut names)?;
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_a_release_as_long_as_nobody_changes_it() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path();
        let foreign = || Manifest::foreign(folder, Audience::Public).unwrap();
        assert_eq!(foreign(), None);
        std::fs::create_dir(folder.join("inside")).unwrap();
        std::fs::write(folder.join("inside/a"), "1").unwrap();
        assert_eq!(foreign(), Some(Foreign::NoRelease(vec!["inside/a".to_owned()])));
        let manifest = Manifest::of(folder, Audience::Public, None).unwrap();
        std::fs::write(folder.join(MANIFEST), manifest.text()).unwrap();
        assert_eq!(Manifest::read(folder).unwrap(), manifest);
        assert_eq!(foreign(), None);
        // The folder of the office is no folder for everyone.
        assert!(Manifest::foreign(folder, Audience::Office).unwrap().is_some());
        std::fs::write(folder.join("Thumbs.db"), "").unwrap();
        assert_eq!(foreign(), None);
        std::fs::write(folder.join("inside/a"), "2").unwrap();
        assert_eq!(foreign(), Some(Foreign::Changed(vec!["inside/a".to_owned()])));
        std::fs::remove_file(folder.join("inside/a")).unwrap();
        assert_eq!(foreign(), None);
        for name in ["b", "c", "d", "e"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        let words = foreign().unwrap().to_string();
        assert_eq!(words, "has files that are not as they were released: b, c, d and 1 more");
    }
}
