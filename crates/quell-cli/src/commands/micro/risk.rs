//! `quell micro risk`: who can be recognised, and by what.

use clap::Args;
use quell::Error;
use quell::micro::{self, RiskRequest, SAMPLING_FRACTION};

use super::{show, within};
use crate::args::LimitArguments;
use crate::args::micro::{CheckArguments, DataArguments};
use crate::exit::Exit;

/// Find unsafe combinations of values and measure the risk of every record.
///
/// Ends with 0 if nothing is unsafe and with 2 otherwise.
#[derive(Debug, Args)]
pub struct RiskArguments {
    /// The data.
    #[command(flatten)]
    pub data: DataArguments,

    /// What is checked.
    #[command(flatten)]
    pub check: CheckArguments,

    /// Sensitive variables, for l-diversity and t-closeness
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub sensitive: Vec<String>,

    /// Special uniques of up to this many variables (SUDA scores)
    #[arg(long, value_name = "N")]
    pub suda: Option<usize>,

    /// Sampling fraction that DIS-SUDA supposes
    #[arg(long, value_name = "SHARE", default_value_t = SAMPLING_FRACTION, value_parser = fraction)]
    pub dis_fraction: f64,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    /// Time and threads.
    #[command(flatten)]
    pub limits: LimitArguments,
}

fn fraction(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    share
        .and_then(|share| micro::sampling_fraction(share).ok())
        .ok_or_else(|| "expected a share between 0 and 1".to_owned())
}

/// Runs the sub-command.
///
/// # Errors
/// If the input is wrong.
pub fn run(arguments: &RiskArguments) -> Result<Exit, Error> {
    let request = RiskRequest {
        check: arguments.check.check(),
        sensitive: arguments.sensitive.clone(),
        suda: arguments.suda,
        sampling_fraction: arguments.dis_fraction,
    };
    let found = within(&arguments.limits, |context| {
        let records = arguments.data.source().read(&arguments.sensitive, context)?;
        micro::risk(&records, &request, context)
    })?;
    show(arguments.json, &found, || found.text(), None);
    Ok(if found.is_safe() { Exit::Done } else { Exit::NotSafe })
}
