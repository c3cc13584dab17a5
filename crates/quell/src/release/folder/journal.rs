//! Publishing in steps of which each can be the last: whoever comes next finishes or undoes it.
//!
//! A release is two folders, and no system replaces two in one step. So what is to be done is
//! written down first; then the public folder is exchanged, which decides that the new release
//! is the one that counts, then that of the office, and last the old ones are kept or removed.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use quell_formats::PrivateFolder;
use serde::{Deserialize, Serialize};

use super::exchange::Moves;
use super::manifest::Manifest;
use super::{Folders, Previous};

/// The file that says what is to be done.
const JOURNAL: &str = "journal.json";

/// The new release, by the lists of its folders.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct Journal {
    /// That of the public folder.
    pub public: String,
    /// That of the office.
    pub office: String,
    /// Whether the old release is kept.
    pub keep: bool,
}

/// Where things are in the folder in the making.
pub struct Making<'a>(pub &'a Path);

impl Making<'_> {
    /// The new folders; after they were exchanged, the old ones.
    pub fn fresh(&self) -> Folders {
        Folders { public: self.0.join("public"), office: self.0.join("office") }
    }

    /// The old folders, where folders cannot be exchanged in one step.
    fn old(&self) -> Folders {
        Folders { public: self.0.join("old-public"), office: self.0.join("old-office") }
    }

    /// The release that was kept before the one that is kept now.
    fn older(&self) -> Folders {
        Folders { public: self.0.join("older-public"), office: self.0.join("older-office") }
    }

    fn journal(&self) -> PathBuf {
        self.0.join(JOURNAL)
    }

    fn write(&self, journal: &Journal) -> io::Result<()> {
        // Whole or not at all, like everything else.
        let half = self.0.join("journal.half");
        let mut file = std::fs::File::create(&half)?;
        file.write_all(serde_json::to_string(journal)?.as_bytes())?;
        file.sync_all()?;
        std::fs::rename(half, self.journal())?;
        sync(self.0);
        Ok(())
    }

    fn read(&self) -> Option<Journal> {
        serde_json::from_slice(&std::fs::read(self.journal()).ok()?).ok()
    }
}

/// Puts the new release, complete in `making`, in its place.
///
/// # Errors
/// If the system refuses; then the old release is there as it was.
pub fn publish(making: &Path, folders: &Folders, previous: Previous) -> io::Result<()> {
    let own = Making(making);
    let sha256 = |folder: &Path| {
        let manifest = Manifest::read(folder);
        manifest
            .map(|own| own.sha256())
            .ok_or_else(|| io::Error::other("there is no list of files"))
    };
    let journal = Journal {
        public: sha256(&own.fresh().public)?,
        office: sha256(&own.fresh().office)?,
        keep: previous == Previous::Kept,
    };
    own.write(&journal)?;
    let mut moves = Moves::default();
    let result = moves
        .replace(&own.fresh().public, &folders.public, &own.old().public)
        .and_then(|()| finish(&own, &journal, folders, &mut moves));
    if result.is_err() {
        moves.undo();
    }
    result
}

/// Finishes what was decided, from wherever it stopped.
fn finish(
    own: &Making<'_>,
    journal: &Journal,
    folders: &Folders,
    moves: &mut Moves,
) -> io::Result<()> {
    let is = |folder: &Path, sha256: &str| {
        Manifest::read(folder).is_some_and(|manifest| manifest.sha256() == sha256)
    };
    let (new, old, older) = (own.fresh(), own.old(), own.older());
    if !is(&folders.office, &journal.office) && is(&new.office, &journal.office) {
        moves.replace(&new.office, &folders.office, &old.office)?;
    }
    if journal.keep {
        let kept = Folders::beside(&folders.public, "-previous");
        let steps = [
            (&new.public, &old.public, &kept.public, &older.public),
            (&new.office, &old.office, &kept.office, &older.office),
        ];
        for (new, old, kept, older) in steps {
            // Where the old one is depends on how it was replaced.
            if let Some(replaced) = [old, new].into_iter().find(|path| path.exists()) {
                moves.move_over(replaced, kept, older)?;
            }
        }
    }
    if let Some(parent) = folders.public.parent() {
        sync(parent);
    }
    Ok(())
}

/// Puts in order what a run that was killed left: its release is there if it was decided, and
/// else the one before it. Then nothing is in the making.
///
/// # Errors
/// If the system refuses.
pub fn recover(making: &PrivateFolder, folders: &Folders) -> io::Result<()> {
    let own = Making(making.path());
    if let Some(journal) = own.read() {
        // Where folders cannot be exchanged in one step, it may have been killed between two.
        if !folders.public.exists() && own.old().public.exists() {
            std::fs::rename(own.old().public, &folders.public)?;
        }
        let present = Manifest::read(&folders.public).map(|manifest| manifest.sha256());
        if present.as_ref() == Some(&journal.public) {
            finish(&own, &journal, folders, &mut Moves::default())?;
        }
        // Only now: until here the next run could do the same again.
        std::fs::remove_file(own.journal())?;
    }
    for entry in making.entries()? {
        let is_folder = std::fs::symlink_metadata(&entry)?.is_dir();
        if is_folder { std::fs::remove_dir_all(entry)? } else { std::fs::remove_file(entry)? }
    }
    Ok(())
}

/// Brings the names in a folder to the disk, where the system can.
pub fn sync(folder: &Path) {
    if let Ok(folder) = std::fs::File::open(folder) {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Audience;

    /// A place with an old release, a new one in the making, and what was decided.
    struct Scene {
        place: tempfile::TempDir,
        folders: Folders,
        journal: Journal,
    }

    fn release(folders: &Folders, name: &str) {
        let mut public = None;
        for audience in [Audience::Public, Audience::Office] {
            let folder = folders.of(audience);
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(folder.join("name"), name).unwrap();
            let manifest = Manifest::of(folder, audience, public.take()).unwrap();
            std::fs::write(folder.join(super::super::manifest::MANIFEST), manifest.text()).unwrap();
            public = Some(manifest.sha256());
        }
    }

    impl Scene {
        fn new(has_old: bool, keep: bool) -> Self {
            let place = tempfile::tempdir().unwrap();
            let folders = Folders::beside(&place.path().join("out"), "");
            if has_old {
                release(&folders, "old");
            }
            let making = place.path().join(".out.quell-new");
            let new = Making(&making).fresh();
            release(&new, "new");
            let sha256 = |folder: &Path| Manifest::read(folder).unwrap().sha256();
            let journal =
                Journal { public: sha256(&new.public), office: sha256(&new.office), keep };
            Self { place, folders, journal }
        }

        fn making(&self) -> PathBuf {
            self.place.path().join(".out.quell-new")
        }

        fn name(&self, folder: &str) -> String {
            let file = self.place.path().join(folder).join("name");
            std::fs::read_to_string(file).unwrap_or_else(|_| "nothing".to_owned())
        }

        /// The next run comes.
        fn recovered(&self) -> [String; 2] {
            let making = PrivateFolder::at(&self.making()).unwrap().unwrap();
            recover(&making, &self.folders).unwrap();
            assert!(making.entries().unwrap().is_empty());
            [self.name("out"), self.name("out-office")]
        }
    }

    /// All moves that publishing makes where folders cannot be exchanged.
    fn moves(scene: &Scene) -> [(PathBuf, PathBuf); 4] {
        let making = scene.making();
        let (new, old) = (Making(&making).fresh(), Making(&making).old());
        let folders = &scene.folders;
        [
            (folders.public.clone(), old.public),
            (new.public, folders.public.clone()),
            (folders.office.clone(), old.office),
            (new.office, folders.office.clone()),
        ]
    }

    #[test]
    fn wherever_it_stops_one_release_is_there_whole() {
        for keep in [false, true] {
            // Without a journal nothing was decided.
            let scene = Scene::new(true, keep);
            assert_eq!(scene.recovered(), ["old", "old"]);
            for done in 0..=moves(&scene).len() {
                let scene = Scene::new(true, keep);
                Making(&scene.making()).write(&scene.journal).unwrap();
                for (from, to) in moves(&scene).into_iter().take(done) {
                    std::fs::rename(from, to).unwrap();
                }
                let expected = if done < 2 { "old" } else { "new" };
                assert_eq!(scene.recovered(), [expected, expected], "{done} moves, keep {keep}");
                let kept = if keep && done >= 2 { "old" } else { "nothing" };
                assert_eq!(scene.name("out-previous"), kept);
                assert_eq!(scene.name("out-previous-office"), kept);
            }
        }
    }

    #[test]
    fn folders_that_were_exchanged_are_finished_as_well() {
        let scene = Scene::new(true, true);
        Making(&scene.making()).write(&scene.journal).unwrap();
        let new = Making(&scene.making()).fresh();
        let mut moves = Moves::default();
        let aside = scene.place.path().join("aside");
        moves.replace(&new.public, &scene.folders.public, &aside).unwrap();
        if aside.exists() {
            return;
        }
        assert_eq!([scene.name("out"), scene.name("out-office")], ["new", "old"]);
        assert_eq!(scene.recovered(), ["new", "new"]);
        assert_eq!([scene.name("out-previous"), scene.name("out-previous-office")], ["old", "old"]);
    }

    #[test]
    fn a_first_release_is_finished_or_not_begun() {
        let scene = Scene::new(false, false);
        Making(&scene.making()).write(&scene.journal).unwrap();
        assert_eq!(scene.recovered(), ["nothing", "nothing"]);
        let scene = Scene::new(false, false);
        Making(&scene.making()).write(&scene.journal).unwrap();
        std::fs::rename(Making(&scene.making()).fresh().public, &scene.folders.public).unwrap();
        assert_eq!(scene.recovered(), ["new", "new"]);
    }

    #[test]
    fn a_failure_gives_the_old_release_back() {
        let scene = Scene::new(true, true);
        // The kept one of before cannot be moved out of the way.
        let making = scene.making();
        release(&Folders::beside(&scene.folders.public, "-previous"), "older");
        let in_the_way = Making(&making).older().public;
        std::fs::create_dir_all(in_the_way.join("not empty")).unwrap();
        assert!(publish(&making, &scene.folders, Previous::Kept).is_err());
        assert_eq!([scene.name("out"), scene.name("out-office")], ["old", "old"]);
        assert_eq!(scene.name("out-previous"), "older");
    }
}
