//! Jobs: a TOML file that says what to protect, with good defaults for how.
//!
//! - [`file`]: the file as it is written;
//! - [`Job`]: the file with its text, so that mistakes are shown where they stand;
//! - [`plan`]: what it means: the tables to make, their rules and costs;
//! - [`rules`]: rules in the words of the file and of the report;
//! - [`init`]: a first job file from a look at the data.

pub mod classification;
pub mod file;
pub mod init;
mod mistake;
mod one_or_many;
pub mod plan;
pub mod rules;

use std::ops::Range;
use std::path::{Path, PathBuf};

use quell_formats::Error as FileError;
use quell_formats::csv_pair::Pair;
use toml::Spanned;

use crate::Error;
use crate::report::InputFile;
use crate::table_file;
use file::{JobFile, SystemPart};
pub use mistake::{JobMistake, did_you_mean, suggestion};

/// A job file and its text.
#[derive(Debug)]
pub struct Job {
    /// What it says.
    pub file: JobFile,
    path: PathBuf,
    text: String,
}

impl Job {
    /// Reads a job file.
    ///
    /// # Errors
    /// If it cannot be read, or is not a job.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = std::fs::read(path)
            .map_err(|source| FileError::Read { file: path.to_owned(), source })?;
        let name = path.display().to_string();
        let text = String::from_utf8(bytes).map_err(|error| {
            let start = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let advice = "save the file as UTF-8";
            JobMistake::new(&name, &text, start..start + 1, "this is not UTF-8", advice)
        })?;
        let file =
            toml::from_str(&text).map_err(|error| JobMistake::of_toml(&name, &text, &error))?;
        Ok(Self { file, path: path.to_owned(), text })
    }

    /// Whether there are tables to protect; a job may be about microdata only.
    pub fn has_tables(&self) -> bool {
        let file = &self.file;
        let parts = [file.data.is_some(), file.system.is_some(), !file.table.is_empty()];
        file.micro.is_none() || parts.contains(&true)
    }

    /// A file that the job names: from the job file's folder.
    pub fn locate(&self, name: &Path) -> PathBuf {
        match self.path.parent() {
            Some(folder) => folder.join(name),
            None => name.to_owned(),
        }
    }

    /// A file that the job names, which must be there.
    ///
    /// # Errors
    /// If it is not.
    pub fn existing(&self, name: &Spanned<PathBuf>) -> Result<PathBuf, Error> {
        let path = self.locate(name.get_ref());
        if path.is_file() {
            return Ok(path);
        }
        let message = format!("there is no file {}", path.display());
        let advice = "files are looked for from the folder of the job file";
        Err(self.mistake(name.span(), message, advice))
    }

    /// A mistake in the job file.
    pub fn mistake(
        &self,
        place: Range<usize>,
        message: impl Into<String>,
        advice: impl Into<String>,
    ) -> Error {
        JobMistake::new(&self.path.display().to_string(), &self.text, place, message, advice).into()
    }

    /// Checks that a name is one of the known ones.
    ///
    /// # Errors
    /// If it is not, with a guess at what was meant.
    pub fn known(&self, name: &Spanned<String>, known: &[&str], what: &str) -> Result<(), Error> {
        if known.contains(&name.get_ref().as_str()) {
            return Ok(());
        }
        let message = format!("there is no {what} \"{}\"", name.get_ref());
        let advice = suggestion(name.get_ref(), known, &format!("{what}s"));
        Err(self.mistake(name.span(), message, advice))
    }

    /// The files that a system stands in, from the job file's folder.
    fn system_files(&self, part: &SystemPart) -> Vec<PathBuf> {
        let name = part.file.get_ref();
        match table_file::Format::of(name) {
            table_file::Format::Jj => vec![name.clone()],
            table_file::Format::CsvPair => {
                let pair = Pair::of(name);
                vec![pair.cells, pair.equations]
            }
        }
    }

    /// The job file and every file it names, with their hashes.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn inputs(&self) -> Result<Vec<InputFile>, Error> {
        let mut names: Vec<&Path> = Vec::new();
        if let Some(data) = &self.file.data {
            names.push(data.file.get_ref());
            names.extend(data.metadata.as_ref().map(|file| file.get_ref().as_path()));
        }
        let system = self.file.system.as_ref().map(|part| self.system_files(part));
        let system = system.unwrap_or_default();
        names.extend(system.iter().map(PathBuf::as_path));
        for dimension in &self.file.dimension {
            let files = dimension.hierarchy.iter().flat_map(|files| &files.get_ref().0);
            names.extend(files.map(PathBuf::as_path));
            names.extend(dimension.labels.as_ref().map(|file| file.get_ref().as_path()));
        }
        for table in &self.file.table {
            if let Some(given) = &table.given {
                names.push(given.file.get_ref());
                names.extend(given.metadata.as_ref().map(|file| file.get_ref().as_path()));
            }
            names.extend(table.apriori.as_ref().map(|apriori| apriori.file.get_ref().as_path()));
        }
        if let Some(micro) = &self.file.micro {
            names.push(micro.file.get_ref());
            names.extend(micro.metadata.as_ref().map(|file| file.get_ref().as_path()));
            let recodings = micro.recode.iter().map(|part| part.get_ref());
            let files = recodings.flat_map(|part| {
                part.apply.values().chain(part.ladder.values()).chain(&part.losses)
            });
            names.extend(files.map(|file| file.get_ref().as_path()));
        }
        names.dedup();
        let job =
            self.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
        let mut inputs = vec![InputFile::of(job, &self.path)?];
        for name in names {
            inputs.push(InputFile::of(name.display().to_string(), &self.locate(name))?);
        }
        Ok(inputs)
    }
}
