//! `quell init`: a first job file from a look at the data.

use std::path::{Path, PathBuf};

use clap::Args;
use quell::job::init::first_job;
use quell::{Error, Job};
use quell_formats::{Error as FileError, write_whole};

use crate::exit::Exit;
use crate::output;

/// Write a commented first job file from a look at the data.
///
/// Guesses which variables are dimensions, responses, ids and weights; read the file before
/// you use it. A file with one row for each combination of codes, totals among them, is taken for a
/// finished table. A batch file of τ-ARGUS becomes the job that does the same, if one job can.
#[derive(Debug, Args)]
pub struct InitArguments {
    /// The data: CSV with a header, Parquet, Stata, SPSS or SAS, records or a finished table; or a batch file of τ-ARGUS, .arb
    #[arg(value_name = "DATA")]
    data: PathBuf,

    /// The job file to write [default: the data's name with .toml]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the sub-command.
///
/// # Errors
/// If the data cannot be read, the batch has no form in a job, or there is a job file already.
pub fn run(arguments: &InitArguments) -> Result<Exit, Error> {
    let out = arguments.out.clone().unwrap_or_else(|| arguments.data.with_extension("toml"));
    if out.exists() {
        return Err(Error::arguments(
            format!("{} exists already", out.display()),
            "give another name with --out, or remove it",
        ));
    }
    let batch = arguments.data.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("arb"));
    let (text, what) = match batch {
        true => of_batch(&arguments.data, &out)?,
        false => of_data(&arguments.data, &out)?,
    };
    write_whole(&out, |file| {
        std::io::Write::write_all(file, text.as_bytes())
            .map_err(|source| FileError::Write { file: out.clone(), source })
    })?;
    let out = out.display();
    output::line(format_args!("wrote {out}: {what}; read it, then run quell protect {out}"));
    Ok(Exit::Done)
}

/// A first job, and what it was made of.
fn of_data(data: &Path, out: &Path) -> Result<(String, String), Error> {
    // Data are looked for from the job's folder.
    let job = first_job(data, out.parent().unwrap_or(data))?;
    let records = match job.records {
        1 => "one record".to_owned(),
        records => format!("{records} records"),
    };
    Ok((job.text, format!("{} variables, {records} looked at", job.variables)))
}

/// The job of a batch, and what it was made of.
fn of_batch(batch: &Path, out: &Path) -> Result<(String, String), Error> {
    let folder = batch.parent().unwrap_or(Path::new(""));
    if out.parent() != batch.parent() {
        return Err(Error::arguments(
            "the job of a batch names its files from the batch's folder",
            format!("write it there: --out {}", batch.with_extension("toml").display()),
        ));
    }
    let text = std::fs::read(batch)
        .map_err(|source| FileError::Read { file: batch.to_owned(), source })?;
    let job = Job::from_arb(text, folder)?;
    Ok((job.to_toml().to_owned(), format!("the tables of {}", batch.display())))
}
