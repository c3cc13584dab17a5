//! Jobs built in a program instead of written in a file.

use std::path::Path;

use super::Job;
use super::file::{
    AttackerPart, DataPart, DimensionPart, EquationPart, JobFile, ProtectPart, ReleasePart,
    ReportPart, RulesPart, TablePart, unplaced,
};
use crate::{Error, Format};

/// A job in the making; every part is the one that the file has.
///
/// ```
/// use quell::job::file::{DataPart, DimensionPart, RulesPart, TablePart};
/// use quell::{Job, PriorPosterior};
///
/// let builder = Job::builder()
///     .title("Turnover survey")
///     .data(DataPart::of("survey.csv").respondent("firm"))
///     .dimension(DimensionPart::flat("industry").digits([1, 2]))
///     .dimension(DimensionPart::flat("region"))
///     .table(TablePart::adding("Turnover", "turnover", ["industry", "region"]))
///     .rules(RulesPart::default().with(PriorPosterior::p_percent(10.0, 1)));
/// // To be kept in a file, and run by the command.
/// let text = builder.to_toml()?;
/// assert!(text.contains("response = \"turnover\""));
/// let job = builder.build(".")?;
/// assert_eq!(job.to_toml(), text);
/// # Ok::<(), quell::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct JobBuilder {
    file: JobFile,
}

impl JobBuilder {
    /// The title of the report.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.file.title = Some(title.into());
        self
    }

    /// The records.
    pub fn data(mut self, data: DataPart) -> Self {
        self.file.data = Some(data);
        self
    }

    /// One more dimension.
    pub fn dimension(mut self, dimension: DimensionPart) -> Self {
        self.file.dimension.push(dimension);
        self
    }

    /// One more table.
    pub fn table(mut self, table: TablePart) -> Self {
        self.file.table.push(table);
        self
    }

    /// The rules of all tables that have none of their own.
    pub fn rules(mut self, rules: RulesPart) -> Self {
        self.file.rules = rules;
        self
    }

    /// One more equation between responses.
    pub fn equation<P: Into<String>>(
        mut self,
        total: impl Into<String>,
        parts: impl IntoIterator<Item = P>,
    ) -> Self {
        let parts = parts.into_iter().map(|part| unplaced(part.into())).collect();
        self.file.equation.push(EquationPart { total: unplaced(total.into()), parts });
        self
    }

    /// How to protect.
    pub fn protect(mut self, protect: ProtectPart) -> Self {
        self.file.protect = protect;
        self
    }

    /// What an attacker knows.
    pub fn attacker(mut self, attacker: AttackerPart) -> Self {
        self.file.attacker = attacker;
        self
    }

    /// What to write.
    pub fn release(mut self, release: ReleasePart) -> Self {
        self.file.release = release;
        self
    }

    /// The formats to write.
    pub fn formats(mut self, formats: impl Into<Vec<Format>>) -> Self {
        self.file.release.formats = formats.into();
        self
    }

    /// The report.
    pub fn report(mut self, report: ReportPart) -> Self {
        self.file.report = report;
        self
    }

    /// Any other part of the file, such as the microdata.
    pub fn file(&mut self) -> &mut JobFile {
        &mut self.file
    }

    /// The job as a file has it.
    ///
    /// # Errors
    /// If a name or a path cannot stand in a file.
    pub fn to_toml(&self) -> Result<String, Error> {
        toml::to_string_pretty(&self.file).map_err(|error| {
            Error::arguments(
                format!("the job cannot be written as a file: {error}"),
                "give names and paths as plain text",
            )
        })
    }

    /// The job. The files it names are looked for from `folder`. It is made from its text, so
    /// that what is wrong is shown where it would stand, and the file means the same.
    ///
    /// # Errors
    /// If it cannot be written as a file.
    pub fn build(&self, folder: impl AsRef<Path>) -> Result<Job, Error> {
        Job::from_toml(self.to_toml()?, folder)
    }
}
