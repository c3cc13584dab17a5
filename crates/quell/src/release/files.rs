//! All files of all tables, in a folder in the making.

use std::fs::File;
use std::path::{Path, PathBuf};

use quell_formats::argus::arb::{OutputFormat, WriteOptions};
use quell_formats::argus::output::{self, CostName};
use quell_formats::{Error as FileError, jj};
use quell_model::Reason;

use super::tau_argus::{HiddenValues, Shown};
use super::{
    Format, Marking, Protected, ProtectedTable, StagedFiles, Statuses, csv, file_stem,
    office_table, parquet, xlsx,
};
use crate::csv_file;
use crate::report::Audience;
use crate::{Context, Error};

/// What the files of a release have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    /// The formats.
    pub formats: Vec<Format>,
    /// What everyone is told of hidden cells.
    pub statuses: Statuses,
    /// What stands for a hidden value.
    pub suppressed: String,
}

/// Writes all tables in all formats, and once more for the office.
///
/// # Errors
/// If a file cannot be written, a table does not fit in a format, or the call is cancelled.
pub fn write(
    files: &mut StagedFiles,
    protected: &Protected,
    style: &Style,
    context: &Context<'_>,
) -> Result<(), Error> {
    let writing = Writing { protected, style, marking: Marking::of(protected.verdict()) };
    let names: Vec<&str> = protected.tables().iter().map(ProtectedTable::name).collect();
    let stems = stems(&names);
    writing.for_the_office(files, &stems, context)?;
    for &format in &style.formats {
        match format {
            Format::Xlsx => {
                context.go_on()?;
                let path = files.file(format.audience(), writing.name("tables", "xlsx"))?;
                xlsx::write(&path, protected, style, writing.marking)?;
            }
            Format::Jj => writing.system(files)?,
            Format::Csv if stems.is_empty() => writing.cells(files)?,
            _ => {
                for (table, stem) in protected.tables().iter().zip(&stems) {
                    context.go_on()?;
                    writing.table(files, format, table, stem)?;
                }
            }
        }
    }
    Ok(())
}

/// What is written, and how.
struct Writing<'a> {
    protected: &'a Protected,
    style: &'a Style,
    marking: Marking,
}

impl Writing<'_> {
    fn name(&self, stem: &str, ending: &str) -> String {
        format!("{}{stem}.{ending}", self.marking.prefix())
    }

    /// All tables with their true values, and why cells are hidden.
    fn for_the_office(
        &self,
        files: &mut StagedFiles,
        stems: &[String],
        context: &Context<'_>,
    ) -> Result<(), Error> {
        let protected = self.protected;
        if stems.is_empty() {
            let path = files.file(Audience::Office, self.name("cells", "csv"))?;
            return csv_file::write(&path, |out| office_table::write_system(out, protected));
        }
        for (table, stem) in protected.tables().iter().zip(stems) {
            context.go_on()?;
            let path = files.file(Audience::Office, self.name(stem, "csv"))?;
            csv_file::write(&path, |out| office_table::write(out, protected, table))?;
        }
        Ok(())
    }

    /// The whole linked system.
    fn system(&self, files: &mut StagedFiles) -> Result<(), Error> {
        let audience = Format::Jj.audience();
        let path = files.file(audience, self.name("system", "jj"))?;
        let problem = self.protected.problem();
        let statuses = problem.system().cells().map(|cell| self.protected.status(cell)).collect();
        jj::write(&path, &problem.clone().with_statuses(statuses))?;
        files.adopt_beside(audience, &path)
    }

    /// The cells of a system that has no tables.
    fn cells(&self, files: &mut StagedFiles) -> Result<(), Error> {
        let path = files.file(Format::Csv.audience(), self.name("cells", "csv"))?;
        csv_file::write(&path, |out| {
            csv::write_system(out, self.protected, self.style, self.marking)
        })
    }

    /// One table in a format that has a file for each.
    fn table(
        &self,
        files: &mut StagedFiles,
        format: Format,
        table: &ProtectedTable,
        stem: &str,
    ) -> Result<(), Error> {
        let path = files.file(format.audience(), self.name(stem, ending(format)))?;
        match format {
            Format::Csv => csv_file::write(&path, |out| {
                csv::write(out, self.protected, table, self.style, self.marking)
            }),
            Format::Parquet => self.parquet(&path, table),
            _ => self.argus(files, &path, table, format),
        }
    }

    fn parquet(&self, path: &Path, table: &ProtectedTable) -> Result<(), Error> {
        let failed = |source| FileError::Write { file: PathBuf::from(path), source };
        let file = File::create(path).map_err(failed)?;
        parquet::write(file, self.protected, table, self.style.statuses, self.marking)
            .map_err(|error| failed(std::io::Error::other(error)).into())
    }

    /// Writes one of τ-ARGUS' formats, with its companions.
    fn argus(
        &self,
        files: &mut StagedFiles,
        path: &Path,
        table: &ProtectedTable,
        format: Format,
    ) -> Result<(), Error> {
        let output = match format {
            Format::Pivot => OutputFormat::Pivot,
            Format::Sbs => OutputFormat::Sbs,
            Format::Intermediate => OutputFormat::Intermediate,
            _ => OutputFormat::CodeValue,
        };
        // The status tells readers of a pivot table that a value is missing on purpose.
        let options = WriteOptions {
            status: format == Format::Pivot,
            first_line: true,
            ..WriteOptions::of(output)
        };
        let (hidden, told) = match format.audience() {
            Audience::Office => (HiddenValues::Told, Statuses::Full),
            Audience::Public => (HiddenValues::Left, self.style.statuses),
        };
        let rules = &table.decided.rules.respondents;
        let shown = Shown {
            table: &table.table,
            decided: &table.decided,
            statuses: table.cells.iter().map(|&cell| self.protected.status(cell)).collect(),
            told,
            cost: CostName::Response,
            missing: vec![Vec::new(); table.cube().dimensions().len()],
            p_percent: rules.iter().any(|rule| rule.kind().reason == Reason::PPercent),
        };
        output::write(path, &shown.output_table(hidden, options), output, options)?;
        files.adopt_beside(format.audience(), path)
    }
}

/// The ending of a file that holds one table.
fn ending(format: Format) -> &'static str {
    match format {
        Format::Csv => "csv",
        Format::Parquet => "parquet",
        Format::Pivot => "pivot.txt",
        Format::Sbs => "sbs.txt",
        Format::Intermediate => "tab",
        Format::CodeValue => "code-value.txt",
        Format::Xlsx => "xlsx",
        Format::Jj => "jj",
    }
}

/// A file name for each table, numbered where two would be the same.
pub(super) fn stems(names: &[&str]) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    for name in names {
        let stem = file_stem(name);
        let taken = |stem: &String| stems.contains(stem);
        let mut own = stem.clone();
        let mut number = 1;
        while taken(&own) {
            number += 1;
            own = format!("{stem}-{number}");
        }
        stems.push(own);
    }
    stems
}
