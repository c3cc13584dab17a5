//! `quell exposure`: which primaries need protecting.

use std::path::PathBuf;

use clap::Args;
use quell::Error;
use quell::exposure::CandidateAlgorithm;
use quell::table_file::{self, Check};
use quell::text::ExposureReport;

use super::Session;
use crate::args::LimitArguments;
use crate::exit::Exit;
use crate::output;

/// Find the primaries that need protecting; the others are safe once those are.
///
/// The preprocessing of serpell-2013: the sets E, E_f, E_p, E_u, E_n, K_1, K_pl, K_nv and
/// K_s of the table before protection, and the candidates for initially exposed cells by
/// one of its algorithms.
#[derive(Debug, Args)]
pub struct ExposureArguments {
    /// The table before protection
    #[arg(value_name = "TABLE")]
    table: PathBuf,

    /// How to find candidates: e, k1, k3 or k5
    #[arg(long, value_name = "NAME", default_value_t = CandidateAlgorithm::K5)]
    algorithm: CandidateAlgorithm,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    limits: LimitArguments,
}

/// Runs the sub-command.
///
/// # Errors
/// If the table cannot be read or makes no sense.
pub fn run(arguments: &ExposureArguments) -> Result<Exit, Error> {
    let session = Session::begin();
    let problem = table_file::read(&arguments.table, Check::Table)?;
    let exposed = quell::exposure(&problem, &session.limited(&arguments.limits)?)?;
    drop(session);
    let report = ExposureReport::new(&problem, &exposed, arguments.algorithm);
    match arguments.json {
        true => output::json(&report),
        false => output::line(report.text().trim_end()),
    }
    if exposed.decided {
        return Ok(Exit::Done);
    }
    output::remark("the time ended first; what was not settled counts as exposed");
    Ok(Exit::NotSafe)
}
