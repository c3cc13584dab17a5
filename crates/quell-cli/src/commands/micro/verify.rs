//! `quell micro verify`: is a released file safe, and does it hide only?

use std::path::PathBuf;

use clap::Args;
use quell::Error;
use quell::micro;

use super::{show, within};
use crate::args::LimitArguments;
use crate::args::micro::{CheckArguments, DataArguments};
use crate::exit::Exit;

/// Check that a released file is safe and hides values of its original only.
///
/// Ends with 0 if it is safe and with 2 otherwise.
#[derive(Debug, Args)]
pub struct VerifyArguments {
    /// The data.
    #[command(flatten)]
    pub data: DataArguments,

    /// The released file
    #[arg(value_name = "RELEASED")]
    pub released: PathBuf,

    /// What is checked.
    #[command(flatten)]
    pub check: CheckArguments,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    /// Time and threads.
    #[command(flatten)]
    pub limits: LimitArguments,
}

/// Runs the sub-command.
///
/// # Errors
/// If the input is wrong.
pub fn run(arguments: &VerifyArguments) -> Result<Exit, Error> {
    let verdict = within(&arguments.limits, |context| {
        let original = arguments.data.source().read(&[], context)?;
        let released = micro::read_released(&arguments.released, &original, context)?;
        micro::verify(&original, &released, &arguments.check.check(), context)
    })?;
    show(arguments.json, &verdict, || verdict.text(), None);
    Ok(if verdict.safe { Exit::Done } else { Exit::NotSafe })
}
