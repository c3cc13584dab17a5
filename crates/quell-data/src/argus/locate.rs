//! Files that other files name.

use std::path::{Path, PathBuf};

/// The file that a name in another file means: as it is written, else its last part in
/// one of `folders`, else there in another case. Names come from Windows, where a
/// backslash separates folders and case does not count.
pub fn locate(name: &str, folders: &[&Path]) -> Option<PathBuf> {
    let forward = name.replace('\\', "/");
    for written in [name, forward.as_str()] {
        let path = Path::new(written);
        let here = folders.iter().map(|folder| folder.join(path));
        let absolute = path.is_absolute().then(|| path.to_owned());
        if let Some(found) = absolute.into_iter().chain(here).find(|path| path.is_file()) {
            return Some(found);
        }
    }
    let last = forward.rsplit(['/', ':']).next().filter(|last| !last.is_empty())?;
    let exact = folders.iter().map(|folder| folder.join(last)).find(|path| path.is_file());
    exact.or_else(|| folders.iter().find_map(|folder| in_any_case(folder, last)))
}

fn in_any_case(folder: &Path, name: &str) -> Option<PathBuf> {
    let name = name.to_lowercase();
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            path.file_name().is_some_and(|file| file.to_string_lossy().to_lowercase() == name)
                && path.is_file()
        })
        .collect();
    // Which of several comes first must not depend on the disk.
    found.sort();
    found.into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_windows_are_found() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("Region.hrc"), "").unwrap();
        std::fs::create_dir(folder.path().join("sub")).unwrap();
        std::fs::write(folder.path().join("sub").join("b.cdl"), "").unwrap();
        let find = |name: &str| {
            let found = locate(name, &[Path::new("no such"), folder.path()])?;
            found.strip_prefix(folder.path()).ok().map(Path::to_owned)
        };
        assert_eq!(find("Region.hrc"), Some("Region.hrc".into()));
        assert_eq!(find("REGION.HRC"), Some("Region.hrc".into()));
        assert_eq!(find("D:\\Tau data\\region.hrc"), Some("Region.hrc".into()));
        assert_eq!(find("sub\\b.cdl"), Some("sub/b.cdl".into()));
        assert_eq!(find("a.hrc"), None);
        assert_eq!(find(""), None);
        assert_eq!(find("sub"), None);
        assert_eq!(find("\\"), None);
    }
}
