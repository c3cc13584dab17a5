//! Releases: protected tables as files that appear together or not at all.
//!
//! - [`Protected`]: what is released: the system, what is hidden, the audit, the tables;
//! - [`Format`]: in which formats;
//! - [`write()`]: all files of all tables into a folder in the making.

mod csv;
mod format;
mod parquet;
mod protected;
mod rows;
pub mod tau_argus;
mod xlsx;

use std::fs::File;
use std::path::{Path, PathBuf};

use quell_attack::TableVerdict;
use quell_formats::argus::arb::{OutputFormat, WriteOptions};
use quell_formats::argus::output::{self, CostName};
use quell_formats::{Error as FileError, jj};
use quell_model::Reason;
use quell_tabulate::Assessment;

pub use format::Format;
pub use protected::{Protected, ProtectedTable};
pub use rows::{Row, file_stem, rows};
use tau_argus::{HiddenValues, Shown};

use crate::Error;
use crate::csv_file;
use crate::together::Together;

/// The folder, inside a release, of what is not for publication.
pub const OFFICE: &str = "office";

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

/// Writes all tables in all formats.
///
/// # Errors
/// If a file cannot be written, or a table does not fit in a format.
pub fn write(
    files: &mut Together,
    protected: &Protected,
    formats: &[Format],
    suppressed: &str,
) -> Result<(), Error> {
    let marking = Marking::of(protected.verdict());
    let name = |format: Format, stem: &str, ending: &str| {
        let folder = if format.is_for_the_office() { format!("{OFFICE}/") } else { String::new() };
        format!("{folder}{}{stem}.{ending}", marking.prefix())
    };
    let stems = stems(protected);
    for &format in formats {
        match format {
            Format::Xlsx => {
                let path = files.file(name(format, "tables", "xlsx"))?;
                xlsx::write(&path, protected, suppressed, marking)?;
            }
            Format::Jj => {
                let path = files.file(name(format, "system", "jj"))?;
                let statuses = protected.pattern.statuses(&protected.problem);
                jj::write(&path, &protected.problem.clone().with_statuses(statuses))?;
                files.adopt_beside(&path)?;
            }
            Format::Csv if protected.tables.is_empty() => {
                let path = files.file(name(format, "cells", "csv"))?;
                csv_file::write(&path, |out| {
                    csv::write_system(out, protected, suppressed, marking)
                })?;
            }
            Format::Csv => {
                for (table, stem) in protected.tables.iter().zip(&stems) {
                    let path = files.file(name(format, stem, "csv"))?;
                    csv_file::write(&path, |out| {
                        csv::write(out, protected, table, suppressed, marking)
                    })?;
                }
            }
            Format::Parquet => {
                for (table, stem) in protected.tables.iter().zip(&stems) {
                    let path = files.file(name(format, stem, "parquet"))?;
                    write_parquet(&path, protected, table, marking)?;
                }
            }
            Format::CodeValue | Format::Pivot | Format::Sbs | Format::Intermediate => {
                for (table, stem) in protected.tables.iter().zip(&stems) {
                    let path = files.file(name(format, stem, argus_ending(format)))?;
                    write_argus(files, &path, protected, table, format)?;
                }
            }
        }
    }
    Ok(())
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

fn argus_ending(format: Format) -> &'static str {
    match format {
        Format::Pivot => "pivot.txt",
        Format::Sbs => "sbs.txt",
        Format::Intermediate => "tab",
        _ => "code-value.txt",
    }
}

/// Writes one of τ-ARGUS' formats, with its companions.
fn write_argus(
    files: &mut Together,
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
fn stems(protected: &Protected) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    for table in &protected.tables {
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
