//! `quell init`: a first job file from a look at the data.

use std::path::PathBuf;

use clap::Args;
use quell::Error;
use quell::job::init::first_job;
use quell_formats::{Error as FileError, write_whole};

use crate::exit::Exit;
use crate::output;

/// Write a commented first job file from a look at the data.
///
/// Guesses which variables are dimensions, responses, ids and weights; read the file before
/// you use it.
#[derive(Debug, Args)]
pub struct InitArguments {
    /// The data, a CSV file with a header
    #[arg(value_name = "DATA")]
    data: PathBuf,

    /// The job file to write [default: the data's name with .toml]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the sub-command.
///
/// # Errors
/// If the data cannot be read, or there is a job file already.
pub fn run(arguments: &InitArguments) -> Result<Exit, Error> {
    let out = arguments.out.clone().unwrap_or_else(|| arguments.data.with_extension("toml"));
    if out.exists() {
        return Err(Error::arguments(
            format!("{} exists already", out.display()),
            "give another name with --out, or remove it",
        ));
    }
    // Data are looked for from the job's folder.
    let job = first_job(&arguments.data, out.parent().unwrap_or(&arguments.data))?;
    write_whole(&out, |file| {
        std::io::Write::write_all(file, job.text.as_bytes())
            .map_err(|source| FileError::Write { file: out.clone(), source })
    })?;
    output::line(format_args!(
        "wrote {}: {} variables, {} looked at; read it, then run quell protect {}",
        out.display(),
        job.variables,
        match job.records {
            1 => "one record".to_owned(),
            records => format!("{records} records"),
        },
        out.display()
    ));
    Ok(Exit::Done)
}
