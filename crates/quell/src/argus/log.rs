//! The logbook: what was done, command by command.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::csv_file;

/// A logbook in the making.
#[derive(Debug, Default)]
pub struct Log {
    lines: Vec<String>,
    file: Option<PathBuf>,
}

impl Log {
    /// A logbook that goes to a file, if one is given.
    pub fn new(file: Option<&Path>) -> Self {
        Self { lines: Vec::new(), file: file.map(Path::to_owned) }
    }

    /// Sends it to another file.
    pub fn redirect(&mut self, file: PathBuf) {
        self.file = Some(file);
    }

    /// Notes what was done at a line of the batch.
    pub fn note(&mut self, line: usize, text: impl Into<String>) {
        self.lines.push(format!("line {line}: {}", text.into()));
    }

    /// Notes how the batch ended.
    pub fn end(&mut self, text: impl Into<String>) {
        self.lines.push(text.into());
    }

    /// Everything noted so far.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// Writes it, if it has a file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(&self) -> Result<(), Error> {
        match &self.file {
            Some(file) => csv_file::write(file, |out| out.write_all(self.text().as_bytes())),
            None => Ok(()),
        }
    }
}
