//! `quell generate survey`: microdata to try everything on.

use std::path::PathBuf;

use clap::Args;
use quell::generate::Survey;
use quell::release::FileSet;
use quell::{Context, Error};
use quell_formats::Error as FileError;

use crate::exit::Exit;
use crate::output;

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
    let survey = Survey { firms: arguments.firms };
    let made = quell::generate_survey(&survey, arguments.seed).map_err(super::in_own_words)?;
    std::fs::create_dir_all(&arguments.out)
        .map_err(|source| Error::from(FileError::Write { file: arguments.out.clone(), source }))?;
    let context = Context::default();
    let mut files = FileSet::new(&context);
    for (name, text) in made.files {
        let file = files.file(&arguments.out.join(name))?;
        std::fs::write(&file, text)
            .map_err(|source| Error::from(FileError::Write { file, source }))?;
    }
    files.publish()?;
    output::line(format_args!("wrote {}: {} firms", arguments.out.display(), made.firms));
    Ok(Exit::Done)
}
