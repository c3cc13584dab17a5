//! All files of all tables, in a folder in the making.

use std::fs::File;
use std::path::{Path, PathBuf};

use quell_formats::argus::arb::{OutputFormat, WriteOptions};
use quell_formats::argus::output::{self, CostName};
use quell_formats::{Error as FileError, jj};
use quell_model::Reason;
use quell_tabulate::Assessment;

use super::tau_argus::{HiddenValues, Shown};
use super::{
    Format, Marking, OFFICE, Protected, ProtectedTable, StagedFiles, csv, file_stem, parquet, xlsx,
};
use crate::csv_file;
use crate::{Context, Error};

/// Writes all tables in all formats.
///
/// # Errors
/// If a file cannot be written, a table does not fit in a format, or the call is cancelled.
pub fn write(
    files: &mut StagedFiles,
    protected: &Protected,
    formats: &[Format],
    suppressed: &str,
    context: &Context<'_>,
) -> Result<(), Error> {
    let writing = Writing { protected, suppressed, marking: Marking::of(protected.verdict()) };
    let stems = stems(protected.tables());
    for &format in formats {
        match format {
            Format::Xlsx => {
                context.go_on()?;
                let path = files.file(writing.name(format, "tables", "xlsx"))?;
                xlsx::write(&path, protected, suppressed, writing.marking)?;
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

/// What all files of a release have in common.
struct Writing<'a> {
    protected: &'a Protected,
    suppressed: &'a str,
    marking: Marking,
}

impl Writing<'_> {
    fn name(&self, format: Format, stem: &str, ending: &str) -> String {
        let folder = if format.is_for_the_office() { format!("{OFFICE}/") } else { String::new() };
        format!("{folder}{}{stem}.{ending}", self.marking.prefix())
    }

    /// The whole linked system.
    fn system(&self, files: &mut StagedFiles) -> Result<(), Error> {
        let path = files.file(self.name(Format::Jj, "system", "jj"))?;
        let problem = self.protected.problem();
        let statuses = problem.system().cells().map(|cell| self.protected.status(cell)).collect();
        jj::write(&path, &problem.clone().with_statuses(statuses))?;
        files.adopt_beside(&path)
    }

    /// The cells of a system that has no tables.
    fn cells(&self, files: &mut StagedFiles) -> Result<(), Error> {
        let path = files.file(self.name(Format::Csv, "cells", "csv"))?;
        csv_file::write(&path, |out| {
            csv::write_system(out, self.protected, self.suppressed, self.marking)
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
        let path = files.file(self.name(format, stem, ending(format)))?;
        match format {
            Format::Csv => csv_file::write(&path, |out| {
                csv::write(out, self.protected, table, self.suppressed, self.marking)
            }),
            Format::Parquet => write_parquet(&path, self.protected, table, self.marking),
            _ => write_argus(files, &path, self.protected, table, format),
        }
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

fn write_parquet(
    path: &Path,
    protected: &Protected,
    table: &ProtectedTable,
    marking: Marking,
) -> Result<(), Error> {
    let failed = |source| FileError::Write { file: PathBuf::from(path), source };
    let file = File::create(path).map_err(failed)?;
    parquet::write(file, protected, table, marking)
        .map_err(|error| failed(std::io::Error::other(error)).into())
}

/// Writes one of τ-ARGUS' formats, with its companions.
fn write_argus(
    files: &mut StagedFiles,
    path: &Path,
    protected: &Protected,
    table: &ProtectedTable,
    format: Format,
) -> Result<(), Error> {
    let output = match format {
        Format::Pivot => OutputFormat::Pivot,
        Format::Sbs => OutputFormat::Sbs,
        Format::Intermediate => OutputFormat::Intermediate,
        _ => OutputFormat::CodeValue,
    };
    // The status tells readers of a pivot table why a value is missing.
    let options = WriteOptions {
        status: format == Format::Pivot,
        first_line: true,
        ..WriteOptions::of(output)
    };
    let hidden = if format.is_for_the_office() { HiddenValues::Told } else { HiddenValues::Left };
    let by_p_percent = |cell: &Assessment| {
        cell.violated.iter().any(|violation| violation.reason() == Reason::PPercent)
    };
    let shown = Shown {
        table: &table.table,
        decided: &table.decided,
        statuses: table.cells.iter().map(|&cell| protected.status(cell)).collect(),
        cost: CostName::Response,
        missing: vec![Vec::new(); table.cube().dimensions().len()],
        p_percent: table.decided.assessments.iter().any(by_p_percent),
    };
    output::write(path, &shown.output_table(hidden, options), output, options)?;
    files.adopt_beside(path)
}

/// A file name for each table, numbered where two would be the same.
fn stems(tables: &[ProtectedTable]) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    for table in tables {
        let stem = file_stem(table.name());
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
