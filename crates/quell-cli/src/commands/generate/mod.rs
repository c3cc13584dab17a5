//! `quell generate`: synthetic tables of the classes in the literature, and a survey.

mod cta;
mod herrington;
mod ons;
mod random;
mod survey;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use quell::generate::TableClass;
use quell::text::counted;
use quell::{Error, Problem, Progress, table_file};
use quell_gen::Weights;
use serde::Serialize;

use crate::exit::Exit;
use crate::output;
use crate::progress::ProgressBar;
use cta::CtaArguments;
use herrington::HerringtonArguments;
use ons::OnsArguments;
use random::RandomArguments;

/// Make a synthetic table of one of the classes in the literature.
///
/// The same class, options and seed always give the same table.
#[derive(Debug, Args)]
pub struct GenerateArguments {
    /// The class of the table.
    #[command(subcommand)]
    pub class: Class,
}

/// The classes.
#[derive(Debug, Subcommand)]
pub enum Class {
    /// k-way tables with hierarchies and contributors (serpell-2011, serpell-2013)
    Ons(OnsArguments),
    /// Large two-way tables with few primaries (herrington-2015)
    Herrington(HerringtonArguments),
    /// Tables for controlled tabular adjustment (cox-2005)
    Cta(CtaArguments),
    /// Small random systems of any shape, corner cases included, for tests
    Random(RandomArguments),
    /// The microdata of a fictional business survey, with its classifications
    Survey(survey::SurveyArguments),
}

/// Where the table goes.
#[derive(Debug, Clone, Args)]
pub struct Target {
    /// The file to write: T.jj, or T.csv for a pair of CSV files
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,

    /// The seed of all chance
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,

    /// Say what was written as JSON
    #[arg(long)]
    pub json: bool,
}

/// What suppressing a cell costs.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum WeightsChoice {
    /// Its value
    Value,
    /// One
    One,
    /// The number of its contributors
    Contributors,
}

impl From<WeightsChoice> for Weights {
    fn from(choice: WeightsChoice) -> Self {
        match choice {
            WeightsChoice::Value => Self::Value,
            WeightsChoice::One => Self::One,
            WeightsChoice::Contributors => Self::Contributors,
        }
    }
}

/// What was written.
#[derive(Debug, Serialize)]
struct Written {
    file: String,
    seed: u64,
    cells: usize,
    equations: usize,
    entries: usize,
    primaries: usize,
    decimals: u8,
}

impl Written {
    fn of(problem: &Problem, target: &Target) -> Self {
        Self {
            file: target.out.display().to_string(),
            seed: target.seed,
            cells: problem.cell_count(),
            equations: problem.system().equation_count(),
            entries: problem.system().entry_count(),
            primaries: problem.primaries().count(),
            decimals: problem.decimals().0,
        }
    }
}

/// Runs the sub-command.
///
/// # Errors
/// If the options make no table, or it cannot be written.
pub fn run(arguments: &GenerateArguments) -> Result<Exit, Error> {
    let (target, class) = match &arguments.class {
        Class::Ons(options) => (&options.target, TableClass::Ons(options.parameters()?)),
        Class::Herrington(options) => {
            (&options.target, TableClass::Herrington(options.parameters()?))
        }
        Class::Cta(options) => (&options.target, TableClass::Cta(options.parameters())),
        Class::Random(options) => (&options.target, options.class()),
        Class::Survey(options) => return survey::run(options),
    };
    let progress = ProgressBar::new();
    progress.stage("generating", None);
    let problem = quell::generate(&class, target.seed).map_err(in_own_words)?;
    progress.stage("writing", None);
    table_file::write(&target.out, &problem)?;
    drop(progress);
    show(&Written::of(&problem, target), target);
    Ok(Exit::Done)
}

fn show(written: &Written, target: &Target) {
    match target.json {
        true => output::json(written),
        false => output::line(format_args!(
            "wrote {}: {}, {}, {}",
            table_file::names(&target.out),
            counted(written.cells, "cell"),
            counted(written.equations, "equation"),
            counted(written.primaries, "primary")
        )),
    }
}

/// A refused parameter in the words of the command line.
fn in_own_words(error: Error) -> Error {
    let Error::Generate(error) = error else { return error };
    let advice = match error.parameter {
        "contributors" => "see --primary-share, --mean and --threshold",
        "dimensions" => "see --dims: sizes with totals, such as 20,20,20 or 100,158H,9",
        "levels" => "see --level-percent",
        "upper_bound" => "see --upper-bound and --upper-factor",
        "primaries" => "see --primaries and --primary-share",
        _ => "see the option of that name in --help",
    };
    Error::arguments(error.to_string(), advice)
}
