//! Everything needed to do it again: inputs by their hashes, version, seed, options.

use std::fs::File;
use std::io;
use std::path::Path;

use arrow::array::RecordBatch;
use maud::{Markup, html};
use quell_formats::Error as FileError;
use sha2::{Digest, Sha256};

use super::ReleaseReport;
use crate::Error;

/// A file that went into a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFile {
    /// Its name, as the job says it.
    pub name: String,
    /// Its SHA-256 in hexadecimal, or what was given in memory instead of it.
    pub sha256: String,
}

impl InputFile {
    /// Reads a file's hash.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(name: impl Into<String>, path: &Path) -> Result<Self, Error> {
        let failed = |source| FileError::Read { file: path.to_owned(), source };
        let mut hash = HashWriter(Sha256::new());
        let mut file = File::open(path).map_err(failed)?;
        io::copy(&mut file, &mut hash).map_err(failed)?;
        Ok(Self { name: name.into(), sha256: hash.hexadecimal() })
    }

    /// The hash of a text.
    pub fn of_bytes(name: impl Into<String>, bytes: &[u8]) -> Self {
        let mut hash = HashWriter(Sha256::new());
        hash.0.update(bytes);
        Self { name: name.into(), sha256: hash.hexadecimal() }
    }

    /// Records that no file holds: there is nothing to hash that a second run could compare.
    pub fn in_memory(name: impl Into<String>, batches: &[RecordBatch]) -> Self {
        let records: usize = batches.iter().map(RecordBatch::num_rows).sum();
        Self { name: name.into(), sha256: format!("given in memory: {records} records") }
    }
}

struct HashWriter(Sha256);

impl HashWriter {
    fn hexadecimal(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl io::Write for HashWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a second run needs to give the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reproduce {
    /// The version of Quell.
    pub version: &'static str,
    /// The files that went in.
    pub inputs: Vec<InputFile>,
    /// Names and values of all that was chosen: method, seed, bounds, outputs.
    pub choices: Vec<(String, String)>,
}

/// The section.
pub fn section(report: &ReleaseReport<'_>) -> Markup {
    let reproduce = report.reproduce;
    html! {
        h2 { "To do it again" }
        p.soft { "The same inputs, version and choices give the same release, on any number of threads, as long as the method ends before its time does." }
        div.card {
            div.scroll { table {
                tr { th { "input" } th { "SHA-256" } }
                @for input in &reproduce.inputs { tr { td { (input.name) } td { code { (input.sha256) } } } }
            } }
            div.scroll { table {
                tr { th { "choice" } th { "value" } }
                tr { td { "version" } td { code { "quell " (reproduce.version) } } }
                @for (name, value) in &reproduce.choices { tr { td { (name) } td { code { (value) } } } }
            } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_everyone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        std::fs::write(&path, "abc").unwrap();
        let input = InputFile::of("abc", &path).unwrap();
        assert_eq!(
            input.sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
