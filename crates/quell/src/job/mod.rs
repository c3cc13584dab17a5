//! Jobs: what to protect, with good defaults for how; a TOML file, or built in a program.
//!
//! - [`Job`]: the file with its text, so that mistakes are shown where they stand, and with
//!   records that are given in memory;
//! - [`JobBuilder`]: the same from a program;
//! - [`mod@file`]: the file as it is written;
//! - [`Inputs`]: its files, as they were when it began;
//! - [`Limits`], [`Overrides`]: what a job may use, and what its user says instead of the file;
//! - [`plan`]: what it means: the tables to make, their rules and costs;
//! - [`rules`]: rules in the words of the file and of the report;
//! - [`init`]: a first job file from a look at the data.

mod builder;
pub mod classification;
pub mod file;
pub mod init;
mod inputs;
mod limits;
mod mistake;
mod one_or_many;
pub mod plan;
pub mod rules;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use quell_formats::Error as FileError;
use quell_formats::csv_pair::Pair;
use quell_tabulate::SumsBy;
use toml::Spanned;

use crate::release::file_stem;
use crate::{ContributorAttackers, Error, parse_time, table_file};
pub use builder::JobBuilder;
use file::{JobFile, PreviousPattern, Sums, SystemPart, TablePart};
pub use inputs::Inputs;
pub use limits::{Limits, Overrides, USUAL_SEARCH_TIME};
pub use mistake::{JobMistake, did_you_mean, suggestion};

/// What messages call a job that is not in a file.
const UNNAMED: &str = "job.toml";

/// What to protect, and how.
///
/// # Examples
///
/// A job is a TOML text; docs/job.md explains every key. The files it names are looked for from
/// a folder. Mistakes tell where they stand and what to do:
///
/// ```
/// use quell::{Error, Job};
///
/// let text = "[[table]]\nname = \"Turnover\"\ndimensoins = [\"region\"]\n";
/// let Err(Error::Job(mistake)) = Job::from_toml(text, ".") else { panic!("misspelt") };
/// assert_eq!(&text[mistake.place.clone()], "dimensoins");
/// assert_eq!(mistake.advice, "did you mean \"dimensions\"?");
/// ```
#[derive(Debug, Clone)]
pub struct Job {
    /// What it says.
    pub file: JobFile,
    /// What holds instead of that.
    pub overrides: Overrides,
    /// What messages call the file.
    name: String,
    /// Where the files are that it names.
    folder: PathBuf,
    text: String,
    /// Records that are given in memory, by the name of the file they stand for.
    in_memory: BTreeMap<String, Vec<RecordBatch>>,
}

impl Job {
    /// Reads a job file. The files it names are looked for from its folder.
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
        Self::parse(name, text, path.parent().unwrap_or(Path::new("")))
    }

    /// The job that a text says. The files it names are looked for from `folder`.
    ///
    /// # Errors
    /// If it is not a job.
    pub fn from_toml(text: impl Into<String>, folder: impl AsRef<Path>) -> Result<Self, Error> {
        Self::parse(UNNAMED.to_owned(), text.into(), folder.as_ref())
    }

    /// The text of the job that a JSON object describes, with the keys of docs/job.md: for languages
    /// that have objects rather than TOML. What a rule leaves open stands in it as it is meant.
    ///
    /// ```
    /// let text = quell::Job::text_of_json(r#"{"rules": {"frequency": {"minimum": 3}}}"#)?;
    /// assert_eq!(text, "[rules.frequency]\nminimum = 3.0\nmargin = 20.0\n");
    /// # Ok::<(), quell::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it is not a job.
    pub fn text_of_json(json: &str) -> Result<String, Error> {
        let advice = "give texts, numbers, lists and tables, with the keys of docs/job.md";
        let parsed: toml::Table = serde_json::from_str(json)
            .map_err(|error| Error::arguments(error.to_string(), advice))?;
        let written = |error: toml::ser::Error| Error::arguments(error.to_string(), advice);
        let text = toml::to_string_pretty(&parsed).map_err(written)?;
        toml::to_string_pretty(&Self::from_toml(text, "")?.file).map_err(written)
    }

    /// A job to be built in a program.
    pub fn builder() -> JobBuilder {
        JobBuilder::default()
    }

    fn parse(name: String, text: String, folder: &Path) -> Result<Self, Error> {
        let file =
            toml::from_str(&text).map_err(|error| JobMistake::of_toml(&name, &text, &error))?;
        Ok(Self {
            file,
            overrides: Overrides::default(),
            name,
            folder: folder.to_owned(),
            text,
            in_memory: BTreeMap::new(),
        })
    }

    /// Gives records, or the rows of a table that is made already, in memory: they take the
    /// place of the file that the job calls `name`.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};
    /// use quell::{Context, Job};
    ///
    /// let cells = RecordBatch::try_from_iter([
    ///     ("region", Arc::new(StringArray::from(vec!["N", "S", "E"])) as ArrayRef),
    ///     ("turnover", Arc::new(Int64Array::from(vec![100, 50, 70])) as ArrayRef),
    ///     ("status", Arc::new(StringArray::from(vec!["S", "U", "S"])) as ArrayRef),
    /// ])?;
    /// let job = Job::from_toml(
    ///     r#"
    ///     [[dimension]]
    ///     name = "region"
    ///     [[table]]
    ///     name = "Turnover"
    ///     dimensions = ["region"]
    ///     response = "turnover"
    ///     given = { file = "turnover", status = "status", totals = "recompute" }
    ///     "#,
    ///     ".",
    /// )?
    /// .with_records("turnover", vec![cells]);
    /// let release = quell::run(&job, &Context::default())?;
    /// assert_eq!(release.tables()?[0].cells.column(1).null_count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_records(mut self, name: impl Into<String>, batches: Vec<RecordBatch>) -> Self {
        self.in_memory.insert(name.into(), batches);
        self
    }

    /// What holds instead of the words of the file.
    pub fn with_overrides(self, overrides: Overrides) -> Self {
        Self { overrides, ..self }
    }

    /// Whether contributors are attackers.
    pub fn contributor_attackers(&self) -> ContributorAttackers {
        let own = ContributorAttackers::of(self.file.attacker.contributors);
        self.overrides.contributors.unwrap_or(own)
    }

    /// Whether contributors know their parts of cells in which they are not alone.
    pub fn contributors_know_parts(&self) -> bool {
        self.file.attacker.parts.unwrap_or(true)
    }

    /// By what sums of hidden cells are judged.
    pub fn sums(&self) -> SumsBy {
        match self.file.attacker.sums {
            None | Some(Sums::Rules) => SumsBy::Rules,
            Some(Sums::Frequency) => SumsBy::Frequency,
            Some(Sums::None) => SumsBy::Nothing,
        }
    }

    /// The text that says what the job is.
    pub fn to_toml(&self) -> &str {
        &self.text
    }

    /// The title of its report; the file's name if it has none.
    pub fn title(&self) -> String {
        self.file.title.clone().unwrap_or_else(|| {
            let stem = Path::new(&self.name).file_stem();
            stem.map_or_else(|| "job".to_owned(), |stem| stem.to_string_lossy().into_owned())
        })
    }

    /// The folder of its release.
    pub fn release_folder(&self) -> PathBuf {
        self.locate(&self.file.release.folder)
    }

    /// What it may use: as its user says, or else as its file says.
    ///
    /// # Errors
    /// If the file's time is none.
    pub fn limits(&self) -> Result<Limits, Error> {
        let part = &self.file.protect;
        let time = part.time.as_ref().map(|time| {
            parse_time(time.get_ref())
                .map_err(|message| self.mistake(time.span(), "this is not a time", message))
        });
        Ok(self.overrides.limits.or(Limits {
            time: time.transpose()?,
            work: part.work,
            seed: part.seed,
            threads: part.threads.map(usize::from),
        }))
    }

    /// The records that are given in memory instead of a file.
    pub fn in_memory(&self, name: &Path) -> Option<&[RecordBatch]> {
        self.in_memory.get(name.to_str()?).map(Vec::as_slice)
    }

    /// Whether there are tables to protect; a job may be about microdata only.
    pub fn has_tables(&self) -> bool {
        let file = &self.file;
        let parts = [file.data.is_some(), file.system.is_some(), !file.table.is_empty()];
        file.micro.is_none() || parts.contains(&true)
    }

    /// A file that the job names: from the job file's folder.
    pub fn locate(&self, name: &Path) -> PathBuf {
        self.folder.join(name)
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
        JobMistake::new(&self.name, &self.text, place, message, advice).into()
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
            table_file::Format::Jj => {
                [name.clone()].into_iter().chain(inputs::companions(name)).collect()
            }
            table_file::Format::CsvPair => {
                let pair = Pair::of(name);
                vec![pair.cells, pair.equations]
            }
        }
    }

    /// Where every file is that it names and that is not given in memory.
    pub fn input_files(&self) -> Vec<PathBuf> {
        let names = self.names_of_files().into_iter();
        let names = names.filter(|name| self.in_memory(name).is_none());
        names.map(|name| self.locate(&name)).collect()
    }

    /// Every file that it names, as it names them, in the order of its parts.
    fn names_of_files(&self) -> Vec<PathBuf> {
        fn name(file: &Spanned<PathBuf>) -> PathBuf {
            file.get_ref().clone()
        }
        let file = &self.file;
        let mut names: Vec<PathBuf> = Vec::new();
        if let Some(data) = &file.data {
            names.push(name(&data.file));
            names.extend(data.metadata.as_ref().map(name));
        }
        names.extend(file.system.iter().flat_map(|part| self.system_files(part)));
        for dimension in &file.dimension {
            names.extend(dimension.hierarchy.iter().flat_map(|files| files.get_ref().0.clone()));
            names.extend(dimension.labels.as_ref().map(name));
        }
        for table in &file.table {
            if let Some(given) = &table.given {
                names.push(name(&given.file));
                names.extend(given.metadata.as_ref().map(name));
            }
            names.extend(table.apriori.as_ref().map(|apriori| name(&apriori.file)));
            names
                .extend(table.empty_cells.as_ref().and_then(|empty| empty.file.as_ref()).map(name));
            names.extend(self.earlier_table(table).map(|(file, _)| file));
        }
        names.extend(file.adjust.limits.clone());
        if let Some(micro) = &file.micro {
            names.push(name(&micro.file));
            names.extend(micro.metadata.as_ref().map(name));
            if let Some(part) = &micro.recode {
                let part = part.get_ref();
                names.extend(part.apply.values().chain(part.ladder.values()).map(name));
                names.extend(part.losses.as_ref().map(name));
            }
        }
        names.dedup();
        names
    }

    /// The file of an earlier release of a table, as the job names it, and what it means.
    pub fn earlier_table(&self, table: &TablePart) -> Option<(PathBuf, PreviousPattern)> {
        if let Some(previous) = &table.previous {
            return Some((previous.file.get_ref().clone(), previous.pattern));
        }
        let protect = &self.file.protect;
        let folder = protect.previous.as_ref()?.get_ref();
        let file = folder.join(format!("{}.csv", file_stem(table.name.get_ref())));
        // A table may be new.
        self.locate(&file).exists().then_some((file, protect.previous_pattern))
    }

    /// Checks that every record given in memory stands for a file of the job.
    ///
    /// # Errors
    /// If one does not, with a guess at what was meant.
    pub fn check_in_memory(&self) -> Result<(), Error> {
        let names: Vec<String> =
            self.names_of_files().iter().map(|name| name.display().to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        match self.in_memory.keys().find(|name| !names.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => Err(Error::arguments(
                format!("records are given in memory for \"{name}\", which the job does not name"),
                suggestion(name, &names, "files of the job"),
            )),
        }
    }
}
