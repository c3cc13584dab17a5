//! Releases: what a job ends in, as values, reports and files.
//!
//! - [`Release`]: protected tables and microdata with their verdicts;
//! - [`Protected`]: the tables by the way they were protected, each with its own audit;
//! - [`Format`], [`Statuses`]: what its files tell;
//! - [`folder`]: where they are, all together or not at all.

pub(crate) mod batch;
mod csv;
mod files;
pub mod folder;
mod format;
mod office_table;
mod parquet;
mod protected;
pub(crate) mod published;
mod rows;
pub mod tau_argus;
mod xlsx;

use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use quell_attack::TableVerdict;
use quell_formats::Error as FileError;

pub use files::Style;
pub use folder::{FileSet, Previous, ReleaseFolder, StagedFiles};
pub use format::Format;
pub use protected::{AdjustedTables, Protected, ProtectedTable, SuppressedTables};
pub use rows::{Row, Statuses, file_stem, rows};

use crate::adjust::page;
use crate::job::Inputs;
use crate::micro::job::MicroRelease;
use crate::report::{Audience, ReleaseReport, Reproduce, RuleShown};
use crate::{Context, Error};

/// What a job ends in: protected tables, protected microdata, or both.
///
/// Nothing has been written yet. See [`run()`](crate::run()) for an example.
#[derive(Debug)]
pub struct Release {
    pub(crate) title: String,
    pub(crate) protected: Option<Protected>,
    pub(crate) microdata: Option<MicroRelease>,
    pub(crate) records: u64,
    pub(crate) notes: Vec<String>,
    pub(crate) rules: Vec<RuleShown>,
    pub(crate) reproduce: Reproduce,
    pub(crate) audience: Audience,
    pub(crate) style: Style,
    pub(crate) inputs: Inputs,
}

/// What is done with a release that is not proven safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WhenUnsafe {
    /// It is not written.
    #[default]
    Refuse,
    /// It is written, with a mark in every file and every file's name.
    Mark,
}

/// A released table.
#[derive(Debug, Clone, PartialEq)]
pub struct ReleasedTable {
    /// What it is called.
    pub name: String,
    /// A row for each cell: its codes, its value, null if it is hidden, and its status
    /// ([`Statuses`]); and a note if the release is not proven safe.
    pub cells: RecordBatch,
}

impl Release {
    /// The title of its report.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The verdict on all of it: safe only if the tables and the microdata are.
    pub fn verdict(&self) -> TableVerdict {
        let tables = self.tables_verdict();
        let microdata = self.microdata.as_ref().is_none_or(MicroRelease::is_safe);
        match tables {
            TableVerdict::Safe if !microdata => TableVerdict::NotSafe,
            verdict => verdict,
        }
    }

    /// The verdict on the tables; safe if there are none.
    pub fn tables_verdict(&self) -> TableVerdict {
        self.protected.as_ref().map_or(TableVerdict::Safe, Protected::verdict)
    }

    /// The tables by the way they were protected, if there are any.
    pub fn protected(&self) -> Option<&Protected> {
        self.protected.as_ref()
    }

    /// The microdata, if there are any.
    pub fn microdata(&self) -> Option<&MicroRelease> {
        self.microdata.as_ref()
    }

    /// Records that the tables were made of.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// What its reader should know: negative values, waived cells, methods replaced.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The tables as they may be published; the cells of a system without dimensions as one
    /// table called `cells`.
    ///
    /// # Errors
    /// If the columns make no table, such as two of one name.
    pub fn tables(&self) -> Result<Vec<ReleasedTable>, Error> {
        let Some(protected) = &self.protected else { return Ok(Vec::new()) };
        let (statuses, marking) = (self.style.statuses, Marking::of(protected.verdict()));
        let failed = |error: arrow::error::ArrowError| {
            Error::arguments(
                format!("a table cannot be shown as a record batch: {error}"),
                "give dimensions and responses names of their own",
            )
        };
        if protected.tables().is_empty() {
            let cells = batch::system(protected, statuses, marking).map_err(failed)?;
            return Ok(vec![ReleasedTable { name: "cells".to_owned(), cells }]);
        }
        let tables = protected.tables().iter().map(|table| {
            let cells = batch::whole(protected, table, statuses, marking).map_err(failed)?;
            Ok(ReleasedTable { name: table.name().to_owned(), cells })
        });
        tables.collect()
    }

    /// The report on the tables, or on the microdata if there are none, as one HTML file.
    pub fn report(&self, audience: Audience) -> String {
        match (&self.protected, &self.microdata) {
            (Some(Protected::Suppressed(tables)), _) => ReleaseReport {
                title: &self.title,
                protected: tables,
                audience,
                rules: &self.rules,
                notes: &self.notes,
                reproduce: &self.reproduce,
            }
            .html(),
            (Some(Protected::Adjusted(tables)), _) => match audience {
                Audience::Office => {
                    page::html(&self.title, &tables.summary, &self.reproduce.choices)
                }
                Audience::Public => page::public_html(&self.title, &tables.summary),
            },
            (None, Some(microdata)) => microdata.report(),
            (None, None) => String::new(),
        }
    }

    /// Writes all files into a folder, and those for the office into one beside it, together or
    /// not at all, and tells which. A release that is there is replaced, all of it.
    ///
    /// # Errors
    /// If the tables are not proven safe ([`Error::NotSafe`]), there is something in the folder
    /// that is no release, or a file cannot be written.
    pub fn write(&self, folder: impl AsRef<Path>) -> Result<Vec<PathBuf>, Error> {
        self.write_with(folder.as_ref(), WhenUnsafe::Refuse, &Context::default())
    }

    /// As [`Self::write`], with what is done if the tables are not proven safe, and with whom to
    /// tell and who may cancel.
    ///
    /// # Errors
    /// If the tables are not proven safe and are to be refused then, if a file cannot be written,
    /// or if the call is cancelled.
    pub fn write_with(
        &self,
        folder: &Path,
        when_unsafe: WhenUnsafe,
        context: &Context<'_>,
    ) -> Result<Vec<PathBuf>, Error> {
        self.refuse_unsafe(when_unsafe)?;
        let folder = ReleaseFolder::take(folder, Previous::Removed, context)?;
        self.write_to(folder, when_unsafe, context)
    }

    /// As [`Self::write_with`], into a place that is held already: nobody else can write there,
    /// and the release before may be kept.
    ///
    /// # Errors
    /// As [`Self::write_with`].
    pub fn write_to(
        &self,
        folder: ReleaseFolder,
        when_unsafe: WhenUnsafe,
        context: &Context<'_>,
    ) -> Result<Vec<PathBuf>, Error> {
        self.refuse_unsafe(when_unsafe)?;
        folder.refuse_inside(self.inputs.paths())?;
        let mut files = folder.stage()?;
        if let Some(microdata) = &self.microdata {
            microdata.write(&mut files, context)?;
        }
        if let Some(protected) = &self.protected {
            context.progress.stage("writing", None);
            files::write(&mut files, protected, &self.style, context)?;
            self.write_reports(&mut files, protected)?;
        }
        context.go_on()?;
        files.publish(context)
    }

    fn refuse_unsafe(&self, when_unsafe: WhenUnsafe) -> Result<(), Error> {
        match (self.tables_verdict(), when_unsafe) {
            (TableVerdict::Safe, _) | (_, WhenUnsafe::Mark) => Ok(()),
            (verdict, WhenUnsafe::Refuse) => Err(Error::NotSafe(verdict)),
        }
    }

    /// One for the office, and one for everyone if it is asked for.
    fn write_reports(&self, files: &mut StagedFiles, protected: &Protected) -> Result<(), Error> {
        let prefix = Marking::of(protected.verdict()).prefix();
        let public = (self.audience == Audience::Public).then_some(Audience::Public);
        for audience in [Audience::Office].into_iter().chain(public) {
            let file = files.file(audience, format!("{prefix}report.html"))?;
            std::fs::write(&file, self.report(audience))
                .map_err(|source| FileError::Write { file, source })?;
        }
        Ok(())
    }
}

/// Whether outputs must warn their readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marking {
    /// Proven safe: no mark.
    Safe,
    /// Released by order although not proven safe.
    NotProvenSafe,
}

impl Marking {
    /// The mark that a verdict asks for.
    pub fn of(verdict: TableVerdict) -> Self {
        match verdict {
            TableVerdict::Safe => Self::Safe,
            TableVerdict::NotSafe | TableVerdict::NotProven => Self::NotProvenSafe,
        }
    }

    /// What stands in every row.
    pub fn note(self) -> Option<&'static str> {
        match self {
            Self::Safe => None,
            Self::NotProvenSafe => Some("not proven safe"),
        }
    }

    /// What stands before every file name.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Safe => "",
            Self::NotProvenSafe => "NOT-SAFE-",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, Int64Array, StringArray};
    use quell_adjust::Breach;

    use super::*;
    use crate::Job;
    use crate::job::file::{
        Approach, DimensionPart, GivenPart, ProtectPart, TablePart, TotalsChoice,
    };

    /// Adjusted tables of which the audit finds that one is not as asked.
    fn unsafe_adjustment() -> Release {
        let cells = RecordBatch::try_from_iter([
            ("region", Arc::new(StringArray::from(vec!["N", "S", "E"])) as ArrayRef),
            ("turnover", Arc::new(Int64Array::from(vec![100, 50, 70])) as ArrayRef),
            ("status", Arc::new(StringArray::from(vec!["S", "U", "S"])) as ArrayRef),
        ])
        .unwrap();
        let given = GivenPart::of("cells").status("status").totals(TotalsChoice::Recompute);
        let job = Job::builder()
            .dimension(DimensionPart::flat("region"))
            .table(TablePart::adding("Turnover", "turnover", ["region"]).given(given))
            .protect(ProtectPart { approach: Approach::Adjust, ..ProtectPart::default() })
            .build(".")
            .unwrap()
            .with_records("cells", vec![cells]);
        let mut release = crate::run(&job, &Context::default()).unwrap();
        assert_eq!(release.verdict(), TableVerdict::Safe);
        if let Some(Protected::Adjusted(tables)) = &mut release.protected {
            tables.audit.breaches.push(Breach::Statistic(0));
        }
        release
    }

    #[test]
    fn an_unsafe_adjustment_is_written_only_by_order_and_marked() {
        let release = unsafe_adjustment();
        assert_eq!(release.verdict(), TableVerdict::NotSafe);
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("out");
        assert!(matches!(release.write(&folder), Err(Error::NotSafe(_))));
        assert!(!folder.exists());
        release.write_with(&folder, WhenUnsafe::Mark, &Context::default()).unwrap();
        let table = std::fs::read_to_string(folder.join("NOT-SAFE-turnover.csv")).unwrap();
        assert!(table.lines().skip(1).all(|line| line.ends_with(",not proven safe")), "{table}");
        assert!(place.path().join("out-office/NOT-SAFE-report.html").is_file());
    }

    #[test]
    fn everyone_is_told_less_of_an_adjustment_than_the_office() {
        let release = unsafe_adjustment();
        assert!(release.report(Audience::Office).contains("How much the table has changed"));
        assert!(!release.report(Audience::Public).contains("How much the table has changed"));
    }
}
