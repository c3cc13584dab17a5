//! `quell generate survey`: microdata to try everything on.

use std::path::PathBuf;

use clap::Args;
use quell_formats::Error as FileError;
use quell_gen::{Survey, survey_classifications, survey_csv};

use crate::Error;
use crate::exit::Exit;
use crate::output;
use crate::together::Together;

/// Options of the survey.
#[derive(Debug, Args)]
pub struct SurveyArguments {
    /// The folder to write into
    #[arg(long, short, value_name = "FOLDER")]
    out: PathBuf,

    /// Firms in the sample
    #[arg(long, value_name = "N", default_value_t = 4000)]
    firms: usize,

    /// The seed of all chance
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
}

/// Writes the survey and its classifications.
///
/// # Errors
/// If the options make no survey, or the files cannot be written.
pub fn run(arguments: &SurveyArguments) -> Result<Exit, Error> {
    let firms =
        Survey { firms: arguments.firms }.generate(arguments.seed).map_err(super::refused)?;
    let mut files = Together::new(&arguments.out)?;
    let mut write = |name: String, text: &str| {
        let file = files.file(name)?;
        std::fs::write(&file, text).map_err(|source| Error::from(FileError::Write { file, source }))
    };
    write("survey.csv".to_owned(), &survey_csv(&firms))?;
    for classification in survey_classifications() {
        write(format!("{}.hrc", classification.name), &classification.hierarchy)?;
        write(format!("{}.cdl", classification.name), &classification.labels)?;
    }
    files.publish()?;
    output::line(format_args!("wrote {}: {} firms", arguments.out.display(), firms.len()));
    Ok(Exit::Done)
}
