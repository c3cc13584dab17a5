//! `quell micro verify`: is a released file safe, and does it hide only?

use std::path::PathBuf;

use clap::Args;
use quell_micro::{Result, release, safety};
use serde::Serialize;

use super::arguments::{CheckArguments, DataArguments, on_threads};
use super::summary::names;
use crate::exit::Exit;
use crate::limits::Limits;
use crate::output;

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
    pub limits: Limits,
}

#[derive(Debug, Serialize)]
struct Place {
    record: usize,
    variables: Vec<String>,
    minimum: u32,
}

#[derive(Debug, Serialize)]
struct Verdict {
    safe: bool,
    suppressions: usize,
    violations: usize,
    /// The first of them.
    shown: Vec<Place>,
}

/// Violations that are shown.
const SHOWN: usize = 20;

/// Runs the sub-command.
///
/// # Errors
/// If the input is wrong.
pub fn run(arguments: &VerifyArguments) -> Result<Exit> {
    let verdict = on_threads(arguments.limits.budget().threads(), || {
        let source = arguments.data.read(&[])?;
        let combinations = arguments.check.combinations(&source)?;
        let released = arguments.data.read_again(&arguments.released, &source)?;
        let hidden = release::hidden(&source.data, &released)?;
        let meaning = arguments.check.meaning.meaning();
        let found = safety::violations(&source.data, &hidden, &combinations, meaning);
        Ok(Verdict {
            safe: found.is_empty(),
            suppressions: hidden.count(),
            violations: found.len(),
            shown: found
                .iter()
                .take(SHOWN)
                .map(|violation| Place {
                    record: violation.record + 1,
                    variables: names(&source.data, violation.combination),
                    minimum: violation.combination.minimum,
                })
                .collect(),
        })
    })?;
    if arguments.json {
        output::json(&verdict);
    } else if verdict.safe {
        output::line(format_args!("safe; {} values are hidden", verdict.suppressions));
    } else {
        output::line(format_args!("not safe: {} unsafe combinations", verdict.violations));
        for place in &verdict.shown {
            output::line(format_args!(
                "record {}: {} occurs fewer than {} times",
                place.record,
                place.variables.join(" × "),
                place.minimum
            ));
        }
    }
    Ok(if verdict.safe { Exit::Done } else { Exit::NotSafe })
}
