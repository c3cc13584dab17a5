//! Commands that measure Quell on the tables of the papers, one file a measurement.
//!
//! - [`unpick`]: unpicking alone;
//! - [`audit`]: unpicking and the audit, with time, memory and verdicts;
//! - [`herrington`]: suppression of large two-way tables, method by method;
//! - [`intervals`]: exact intervals against solving each linear program from scratch;
//! - [`tabulate`]: tables from millions of records;
//! - [`preprocessing`]: which primaries need protecting, and what that saves;
//! - [`sparse_giant`]: millions of cells, most of them primaries;
//! - [`protected`]: a table protected in one process and audited in another;
//! - [`tables`], [`methods`]: what is measured, by name;
//! - [`measure`]: clocks, memory and what is known of the machine;
//! - [`results`]: raw numbers as CSV, printed tables as Markdown.

mod audit;
mod herrington;
mod intervals;
mod measure;
mod methods;
mod preprocessing;
mod protected;
mod results;
mod seconds;
mod sparse_giant;
mod tables;
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
    /// Protect the sparse giant: 650,000 base cells, 3.7 million cells, 2.4 million primaries
    SparseGiant(sparse_giant::SparseGiantArguments),
    /// Protect one table in this process and write it
    #[command(hide = true)]
    Alone(protected::AloneArguments),
}

fn main() -> ExitCode {
    let result: Result<(), Box<dyn Error>> = match CommandLine::parse().command {
        Measurement::Unpick(arguments) => unpick::run(&arguments),
        Measurement::Audit(arguments) => audit::run(&arguments),
        Measurement::Herrington(arguments) => herrington::run(&arguments),
        Measurement::Intervals(arguments) => intervals::run(&arguments),
        Measurement::Tabulate(arguments) => tabulate::run(&arguments),
        Measurement::Preprocessing(arguments) => preprocessing::run(&arguments),
        Measurement::SparseGiant(arguments) => sparse_giant::run(&arguments),
        Measurement::Alone(arguments) => protected::run_alone(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("quell-bench: {error}");
            ExitCode::FAILURE
        }
    }
}
