//! The logbook: what was done, command by command, while it is done.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use quell_formats::Error as FileError;

use crate::Error;

/// A logbook in the making. It says how far a batch is to whoever looks at it meanwhile.
#[derive(Debug, Default)]
pub struct Log {
    lines: Vec<String>,
    file: Option<(PathBuf, File)>,
    /// The first failure to write it, told in the end: the tables are what counts.
    failed: Option<io::Error>,
}

impl Log {
    /// A logbook that goes to a file, if one is given.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn new(file: Option<&Path>) -> Result<Self, Error> {
        let mut log = Self::default();
        if let Some(file) = file {
            log.redirect(file.to_owned())?;
        }
        Ok(log)
    }

    /// Sends it to another file, with all that was noted so far.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn redirect(&mut self, path: PathBuf) -> Result<(), Error> {
        let mut file = File::create(&path)
            .and_then(|mut file| file.write_all(self.text().as_bytes()).map(|()| file))
            .map_err(|source| FileError::Write { file: path.clone(), source })?;
        // What is there must be readable now, not when the batch is done.
        self.failed = file.flush().err();
        self.file = Some((path, file));
        Ok(())
    }

    /// Notes what was done at a line of the batch.
    pub fn note(&mut self, line: usize, text: impl Into<String>) {
        self.add(format!("line {line}: {}", text.into()));
    }

    /// Notes how the batch ended.
    pub fn end(&mut self, text: impl Into<String>) {
        self.add(text.into());
    }

    fn add(&mut self, line: String) {
        if let Some((_, file)) = &mut self.file {
            // In one piece: lines of others may go to the same file.
            let written = file.write_all(format!("{line}\n").as_bytes());
            self.failed = self.failed.take().or(written.err());
        }
        self.lines.push(line);
    }

    /// Everything noted so far.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// Tells whether all of it is in its file, if it has one.
    ///
    /// # Errors
    /// If it is not.
    pub fn check(&mut self) -> Result<(), Error> {
        match (&self.file, self.failed.take()) {
            (Some((file, _)), Some(source)) => {
                Err(FileError::Write { file: file.clone(), source }.into())
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_can_be_read_while_the_batch_runs() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        let mut log = Log::new(Some(&one)).unwrap();
        log.note(3, "first");
        assert_eq!(std::fs::read_to_string(&one).unwrap(), "line 3: first\n");
        log.redirect(two.clone()).unwrap();
        log.end("done");
        assert_eq!(std::fs::read_to_string(&two).unwrap(), "line 3: first\ndone\n");
        assert_eq!(log.text(), "line 3: first\ndone\n");
        log.check().unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told() {
        let mut log = Log::new(Some(Path::new("/dev/full"))).unwrap();
        log.note(1, "x");
        assert!(log.check().is_err());
    }
}
