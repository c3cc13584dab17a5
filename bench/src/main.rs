//! Commands that measure Quell on the tables of the papers, one file a measurement.
//!
//! - [`adjust`]: controlled tabular adjustment on the tables of cox-2005;
//! - [`unpick`]: unpicking alone;
//! - [`audit`]: unpicking and the audit, with time, memory and verdicts;
//! - [`herrington`]: suppression of large two-way tables, method by method;
//! - [`intervals`]: exact intervals against solving each linear program from scratch;
//! - [`tabulate`]: tables from millions of records;
//! - [`preprocessing`]: which primaries need protecting, and what that saves;
//! - [`measure`]: clocks, memory and what is known of the machine;
//! - [`results`]: raw numbers as CSV, printed tables as Markdown.

mod adjust;
mod audit;
mod herrington;
mod intervals;
mod measure;
mod preprocessing;
mod results;
mod tabulate;
mod unpick;

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measure Quell on the tables of the papers.
#[derive(Debug, Parser)]
#[command(name = "quell-bench", version)]
struct CommandLine {
    #[command(subcommand)]
    command: Measurement,
}

#[derive(Debug, Subcommand)]
enum Measurement {
    /// Adjust the tables of cox-2005, or tables in files, with each method
    Adjust(adjust::AdjustArguments),
    /// Unpick tables of the class ONS before protection
    Unpick(unpick::UnpickArguments),
    /// Unpick and audit tables of the class ONS before protection
    Audit(audit::AuditArguments),
    /// Suppress the tables of herrington-2015 with each method
    Herrington(herrington::HerringtonArguments),
    /// Exact intervals of all hidden cells against each linear program from scratch
    Intervals(intervals::IntervalsArguments),
    /// Tabulate a file of generated records
    Tabulate(tabulate::TabulateArguments),
    /// Which primaries need protecting, and what that saves three methods (serpell-2013)
    Preprocessing(preprocessing::PreprocessingArguments),
}

fn main() -> ExitCode {
    let result: Result<(), Box<dyn Error>> = match CommandLine::parse().command {
        Measurement::Adjust(arguments) => adjust::run(&arguments),
        Measurement::Unpick(arguments) => unpick::run(&arguments),
        Measurement::Audit(arguments) => audit::run(&arguments),
        Measurement::Herrington(arguments) => herrington::run(&arguments),
        Measurement::Intervals(arguments) => intervals::run(&arguments),
        Measurement::Tabulate(arguments) => tabulate::run(&arguments),
        Measurement::Preprocessing(arguments) => preprocessing::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("quell-bench: {error}");
            ExitCode::FAILURE
        }
    }
}
