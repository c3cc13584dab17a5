//! Folders moved to the places of others, each in one step, and back again if one fails.

use std::io;
use std::path::{Path, PathBuf};

/// What was moved so far.
#[derive(Debug, Default)]
pub struct Moves {
    done: Vec<Move>,
}

#[derive(Debug)]
enum Move {
    /// From here to there.
    Renamed(PathBuf, PathBuf),
    /// One for the other.
    Exchanged(PathBuf, PathBuf),
}

impl Moves {
    /// Moves a file or folder to where nothing is.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        std::fs::rename(from, to)?;
        self.done.push(Move::Renamed(from.to_owned(), to.to_owned()));
        Ok(())
    }

    /// Moves a file or folder to a place. What is there goes to `aside` first.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn move_over(&mut self, from: &Path, place: &Path, aside: &Path) -> io::Result<()> {
        if place.exists() {
            self.rename(place, aside)?;
        }
        self.rename(from, place)
    }

    /// Puts the folder `new` where `place` is. What was there is then at `new`, if the system
    /// can exchange two folders in one step, and else at `aside`.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn replace(&mut self, new: &Path, place: &Path, aside: &Path) -> io::Result<()> {
        if place.exists()
            && let Some(exchanged) = exchange(new, place)
        {
            exchanged?;
            self.done.push(Move::Exchanged(new.to_owned(), place.to_owned()));
            return Ok(());
        }
        self.move_over(new, place, aside)
    }

    /// Takes all moves back, the last one first.
    pub fn undo(self) {
        for done in self.done.into_iter().rev() {
            // The first failure is the one to tell of.
            match done {
                Move::Renamed(from, to) => drop(std::fs::rename(to, from)),
                Move::Exchanged(one, other) => drop(exchange(&one, &other)),
            }
        }
    }
}

/// Exchanges two folders; none if the system or the disk cannot.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(one: &Path, other: &Path) -> Option<io::Result<()>> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Err(Errno::NOSYS | Errno::INVAL | Errno::NOTSUP) => None,
        result => Some(result.map_err(io::Error::from)),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> Option<io::Result<()>> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(place: &Path, name: &str) -> PathBuf {
        let path = place.join(name);
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("name"), name).unwrap();
        path
    }

    fn name(path: &Path) -> String {
        std::fs::read_to_string(path.join("name")).unwrap_or_default()
    }

    #[test]
    fn a_folder_takes_the_place_of_another_and_gives_it_back() {
        let place = tempfile::tempdir().unwrap();
        let (new, old) = (folder(place.path(), "new"), folder(place.path(), "old"));
        let aside = place.path().join("aside");
        let mut moves = Moves::default();
        moves.replace(&new, &old, &aside).unwrap();
        assert_eq!(name(&old), "new");
        assert!(name(&new) == "old" || name(&aside) == "old");
        moves.undo();
        assert_eq!([name(&new), name(&old)], ["new", "old"]);
    }

    #[test]
    fn so_it_does_where_folders_cannot_be_exchanged() {
        let place = tempfile::tempdir().unwrap();
        let (new, old) = (folder(place.path(), "new"), folder(place.path(), "old"));
        let aside = place.path().join("aside");
        let mut moves = Moves::default();
        moves.move_over(&new, &old, &aside).unwrap();
        assert_eq!([name(&old), name(&aside)], ["new", "old"]);
        assert!(moves.rename(&place.path().join("nothing"), &new).is_err());
        moves.undo();
        assert_eq!([name(&new), name(&old)], ["new", "old"]);
    }
}
