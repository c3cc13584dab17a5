//! Commands that measure Quell on the tables of the papers, one file for each measurement.
//!
//! - [`adjust`]: controlled tabular adjustment on the tables of cox-2005;
//! - [`campaign`]: random tables, protected and attacked by a second auditor;
//! - [`contributors`]: what contributors as attackers cost, in time and in hidden cells;
//! - [`figures`]: figures 1 to 4 of that paper;
//! - [`unpick`]: unpicking alone;
//! - [`audit`]: unpicking and the audit, with time, memory and verdicts;
//! - [`herrington`]: suppression of large two-way tables, method by method;
//! - [`intervals`]: exact intervals against solving each linear program from scratch;
//! - [`tabulate`]: tables from millions of records;
//! - [`preprocessing`]: which primaries need protecting, and what that saves;
//! - [`serpell`]: Tables 3 and 4 of serpell-2011;
//! - [`mutation`]: its figure 2, operators of the genetic algorithm;
//! - [`grouping`]: its section 3.6, grouping and pre-selection;
//! - [`everyday`]: tables of 400 to 33,000 cells of every shape, in the time given;
//! - [`growth`]: time and memory by size;
//! - [`sparse_giant`]: millions of cells, most of them primaries;
//! - [`protected`]: a table protected in one process and audited in another;
//! - [`tables`], [`methods`]: what is measured, by name;
//! - [`plot`]: line charts as SVG;
//! - [`measure`]: clocks, memory and what is known of the machine;
//! - [`kept`]: which results are there already, and of which date;
//! - [`results`]: raw numbers as CSV, printed tables as Markdown.

mod adjust;
mod audit;
mod campaign;
mod contributors;
mod everyday;
mod figures;
mod grouping;
mod growth;
mod herrington;
mod intervals;
mod kept;
mod measure;
mod methods;
mod mutation;
mod plot;
mod preprocessing;
mod protected;
mod results;
mod seconds;
mod serpell;
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
    /// Adjust the tables of cox-2005, or tables in files, with each method
    Adjust(adjust::AdjustArguments),
    /// Unpick tables of the class ONS before protection
    Unpick(unpick::UnpickArguments),
    /// Unpick and audit tables of the class ONS before protection
    Audit(audit::AuditArguments),
    /// Protect random tables with each method in turn, and attack them with a second auditor
    Campaign(campaign::CampaignArguments),
    /// What contributors and sums as attackers cost, beside the outsider alone
    Contributors(contributors::ContributorsArguments),
    /// Suppress the tables of herrington-2015 with each method
    Herrington(herrington::HerringtonArguments),
    /// Exact intervals of all hidden cells against each linear program from scratch
    Intervals(intervals::IntervalsArguments),
    /// Tabulate a file of generated records
    Tabulate(tabulate::TabulateArguments),
    /// Which primaries need protecting, and what that saves three methods (serpell-2013)
    Preprocessing(preprocessing::PreprocessingArguments),
    /// Protect the tables of Table 3 of serpell-2011
    SerpellTable3(serpell::SerpellArguments),
    /// Protect the tables of Table 4 of serpell-2011
    SerpellTable4(serpell::SerpellArguments),
    /// Figure 2 of serpell-2011: self-adaptive mutation against four fixed operators
    Mutation(mutation::MutationArguments),
    /// Section 3.6 of serpell-2011: grouping and pre-selection
    Grouping(grouping::GroupingArguments),
    /// Protect tables of everyday size, each method in the time given
    Everyday(everyday::EverydayArguments),
    /// Time and memory by size
    Growth(growth::GrowthArguments),
    /// Protect the sparse giant: 650,000 base cells, 3.7 million cells, 2.4 million primaries
    SparseGiant(sparse_giant::SparseGiantArguments),
    /// Protect one table in this process and write it
    #[command(hide = true)]
    Alone(protected::AloneArguments),
}

fn main() -> ExitCode {
    let result: Result<(), Box<dyn Error>> = match CommandLine::parse().command {
        Measurement::Adjust(arguments) => adjust::run(&arguments),
        Measurement::Unpick(arguments) => unpick::run(&arguments),
        Measurement::Audit(arguments) => audit::run(&arguments),
        Measurement::Campaign(arguments) => campaign::run(&arguments),
        Measurement::Contributors(arguments) => contributors::run(&arguments),
        Measurement::Herrington(arguments) => herrington::run(&arguments),
        Measurement::Intervals(arguments) => intervals::run(&arguments),
        Measurement::Tabulate(arguments) => tabulate::run(&arguments),
        Measurement::Preprocessing(arguments) => preprocessing::run(&arguments),
        Measurement::SerpellTable3(arguments) => serpell::table3(&arguments),
        Measurement::SerpellTable4(arguments) => serpell::table4(&arguments),
        Measurement::Mutation(arguments) => mutation::run(&arguments),
        Measurement::Grouping(arguments) => grouping::run(&arguments),
        Measurement::Everyday(arguments) => everyday::run(&arguments),
        Measurement::Growth(arguments) => growth::run(&arguments),
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
