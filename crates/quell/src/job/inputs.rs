//! The files of a job, as they were when it began.

use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use quell_data::Fingerprint;
use quell_formats::{Error as FileError, jj};

use super::Job;
use crate::Error;
use crate::report::InputFile;
use crate::table_file::Format;

/// The files of a job, as they were when it began.
///
/// Records are read more than once. Whoever saves a file meanwhile would get a release that was
/// judged in one version and written in another.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    files: Vec<Input>,
}

#[derive(Debug, Clone)]
struct Input {
    /// As the job says it.
    name: String,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    /// The text of the job.
    Text(Fingerprint),
    /// A file; none if it was not there: whoever needs it says so where it is named.
    File(PathBuf, Option<Fingerprint>),
    /// So many records in memory.
    Records(usize),
}

impl Inputs {
    /// The job and every file it names, as they are now.
    pub fn of(job: &Job) -> Self {
        let own = Path::new(&job.name).file_name();
        let own = own.map_or_else(String::new, |name| name.to_string_lossy().into());
        let text = Content::Text(Fingerprint::of_bytes(job.text.as_bytes()));
        let mut files = vec![Input { name: own, content: text }];
        for name in job.names_of_files() {
            let content = match job.in_memory(&name) {
                Some(batches) => Content::Records(batches.iter().map(RecordBatch::num_rows).sum()),
                None => {
                    let path = job.locate(&name);
                    let print = Fingerprint::of(&path).ok();
                    Content::File(path, print)
                }
            };
            files.push(Input { name: name.display().to_string(), content });
        }
        Self { files }
    }

    /// Checks that all files are still what they were.
    ///
    /// # Errors
    /// If one changed, came or went.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        for input in &self.files {
            match &input.content {
                Content::File(path, Some(print)) => print.check(path)?,
                Content::File(path, None) if path.exists() => {
                    return Err(FileError::Changed { file: path.clone() }.into());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Where the files are.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().filter_map(|input| match &input.content {
            Content::File(path, _) => Some(path.as_path()),
            Content::Text(_) | Content::Records(_) => None,
        })
    }

    /// Their names and hashes, for the office.
    pub fn shown(&self) -> Vec<InputFile> {
        let shown = |input: &Input| {
            let sha256 = match &input.content {
                Content::Text(print) | Content::File(_, Some(print)) => print.sha256().to_owned(),
                Content::File(_, None) => return None,
                // There is nothing that a second run could compare.
                Content::Records(count) => format!("given in memory: {count} records"),
            };
            Some(InputFile { name: input.name.clone(), sha256 })
        };
        self.files.iter().filter_map(shown).collect()
    }
}

/// The contributors beside a JJ file belong to it, whichever name they have.
pub(super) fn companions(system: &Path) -> Vec<PathBuf> {
    match Format::of(system) {
        Format::Jj => {
            vec![jj::frequencies::beside(system), jj::frequencies::beside_as_argus(system)]
        }
        Format::CsvPair => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_change_come_or_go_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.jj");
        let job = Job::from_toml("[system]\nfile = \"t.jj\"\n", folder.path()).unwrap();
        let none = Inputs::of(&job);
        none.check_unchanged().unwrap();
        std::fs::write(&path, "1").unwrap();
        assert!(none.check_unchanged().is_err());
        let one = Inputs::of(&job);
        one.check_unchanged().unwrap();
        assert_eq!(one.shown().len(), 2);
        std::fs::write(folder.path().join("t.frq"), "1").unwrap();
        let error = one.check_unchanged().unwrap_err().to_string();
        assert!(error.contains("t.frq changed while it was read"), "{error}");
        std::fs::remove_file(&path).unwrap();
        assert!(Inputs::of(&job).check_unchanged().is_ok());
    }
}
