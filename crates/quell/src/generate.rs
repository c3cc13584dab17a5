//! `quell generate`: synthetic tables of the classes in the literature, and a survey.

mod survey;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use quell_gen::{
    Contributors, Cta, DimensionSize, EmptyCells, Herrington, Levels, Ons, PRESETS, ParameterError,
    Preset, Primaries, Shape, UpperBound, Weights, random_problem, random_problem_of,
};
use quell_model::{Problem, Progress, Random};
use serde::Serialize;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::progress_bar::ProgressBar;
use crate::table_file;

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

/// What the upper bound is a multiple of.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum UpperBoundChoice {
    /// The grand total
    Total,
    /// The cell's own value
    Own,
    /// Nothing: the attacker knows no upper bound
    None,
}

/// Options of the class ons.
#[derive(Debug, Args)]
pub struct OnsArguments {
    #[command(flatten)]
    target: Target,

    /// Sizes of the dimensions, totals included, H for one with sub-totals: 100,158H,9
    #[arg(long, value_delimiter = ',', value_name = "SIZES", conflicts_with = "preset")]
    dims: Option<Vec<DimensionSize>>,

    /// A table of serpell-2011 by its shape, such as 100x100x100; a wrong name lists all
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// Share of all cells that have at most the threshold's number of contributors
    #[arg(long, value_name = "SHARE", conflicts_with = "mean")]
    primary_share: Option<f64>,

    /// Mean number of contributors of a base cell that is not empty
    #[arg(long, value_name = "MEAN")]
    mean: Option<f64>,

    /// Share of base cells without contributors [default: 0]
    #[arg(long, value_name = "SHARE")]
    zeros: Option<f64>,

    /// Cells with at most so many contributors are primary; 0 for no such rule
    #[arg(long, value_name = "N", default_value_t = 2)]
    threshold: u32,

    /// Cells that fail the p% rule with this p are primary
    #[arg(long, value_name = "P")]
    p_percent: Option<f64>,

    /// Both protection levels, in percent of the value
    #[arg(long, value_name = "PERCENT", default_value_t = 10.0)]
    level_percent: f64,

    /// Cells that fail the p% rule get the levels that the rule asks for
    #[arg(long, requires = "p_percent")]
    levels_from_rule: bool,

    /// What suppressing a cell costs
    #[arg(long, value_enum, default_value_t = WeightsChoice::Value)]
    weights: WeightsChoice,

    /// What the attacker's upper bound is a multiple of; his lower bound is 0
    #[arg(long, value_enum, default_value_t = UpperBoundChoice::Total, value_name = "OF")]
    upper_bound: UpperBoundChoice,

    /// The multiple
    #[arg(long, value_name = "FACTOR", default_value_t = 2.0)]
    upper_factor: f64,

    /// Decimals of all values
    #[arg(long, value_name = "N", default_value_t = 2)]
    decimals: u8,

    /// Keep empty cells as published zeros instead of leaving them out
    #[arg(long)]
    publish_zeros: bool,
}

impl OnsArguments {
    fn parameters(&self) -> Result<Ons, Failure> {
        let start = match &self.preset {
            None => Ons::default(),
            Some(name) => Preset::find(name).map(Preset::parameters).ok_or_else(|| {
                let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
                let advice = format!("the presets are {}", names.join(", "));
                Failure::arguments(format!("there is no preset called \"{name}\""), advice)
            })?,
        };
        let contributors = match (self.mean, self.primary_share) {
            (Some(mean), _) => Contributors::Mean(mean),
            (_, Some(share)) => Contributors::PrimaryShare(share),
            _ => start.contributors,
        };
        let upper_bound = match self.upper_bound {
            UpperBoundChoice::Total => UpperBound::GrandTotal(self.upper_factor),
            UpperBoundChoice::Own => UpperBound::OwnValue(self.upper_factor),
            UpperBoundChoice::None => UpperBound::Unbounded,
        };
        Ok(Ons {
            dimensions: self.dims.clone().unwrap_or(start.dimensions),
            contributors,
            zeros: self.zeros.unwrap_or(start.zeros),
            threshold: (self.threshold > 0).then_some(self.threshold),
            p_percent: self.p_percent,
            levels: match self.levels_from_rule {
                true => Levels::FromRule(self.level_percent),
                false => Levels::Percent(self.level_percent),
            },
            weights: self.weights.into(),
            upper_bound,
            decimals: self.decimals,
            empty_cells: match self.publish_zeros {
                true => EmptyCells::Published,
                false => EmptyCells::Absent,
            },
        })
    }
}

/// Options of the class herrington.
#[derive(Debug, Args)]
pub struct HerringtonArguments {
    #[command(flatten)]
    target: Target,

    /// A table of the paper by its name, such as 10000Cells1
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// Rows, without the total [default: 100]
    #[arg(long, value_name = "N", conflicts_with = "preset")]
    rows: Option<usize>,

    /// Columns, without the total [default: 100]
    #[arg(long, value_name = "N", conflicts_with = "preset")]
    columns: Option<usize>,

    /// Share of internal cells that are primary [default: 0.005]
    #[arg(long, value_name = "SHARE", conflicts_with_all = ["primaries", "preset"])]
    primary_share: Option<f64>,

    /// Number of internal cells that are primary
    #[arg(long, value_name = "N", conflicts_with = "preset")]
    primaries: Option<usize>,

    /// Internal values are uniform from 0 up to this
    #[arg(long, value_name = "VALUE", default_value_t = 1000.0)]
    largest: f64,

    /// Both protection levels, in percent of the value
    #[arg(long, value_name = "PERCENT", default_value_t = 10.0)]
    level_percent: f64,

    /// What suppressing a cell costs
    #[arg(long, value_enum, default_value_t = WeightsChoice::Value)]
    weights: WeightsChoice,

    /// Decimals of all values
    #[arg(long, value_name = "N", default_value_t = 2)]
    decimals: u8,
}

impl HerringtonArguments {
    fn parameters(&self) -> Result<Herrington, Failure> {
        let presets = Herrington::presets();
        let start = match &self.preset {
            None => Herrington::default(),
            Some(name) => {
                let found = presets.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
                found.map(|(_, table)| table.clone()).ok_or_else(|| {
                    let names = presets.each_ref().map(|(name, _)| *name).join(", ");
                    let message = format!("there is no preset called \"{name}\"");
                    Failure::arguments(message, format!("the presets are {names}"))
                })?
            }
        };
        let primaries = match (self.primaries, self.primary_share) {
            (Some(count), _) => Primaries::Count(count),
            (_, Some(share)) => Primaries::Share(share),
            _ => start.primaries,
        };
        Ok(Herrington {
            rows: self.rows.unwrap_or(start.rows),
            columns: self.columns.unwrap_or(start.columns),
            primaries,
            largest: self.largest,
            level_percent: self.level_percent,
            weights: self.weights.into(),
            decimals: self.decimals,
        })
    }
}

/// Options of the class cta.
#[derive(Debug, Args)]
pub struct CtaArguments {
    #[command(flatten)]
    target: Target,

    /// Sizes of the dimensions, without totals
    #[arg(long, value_delimiter = ',', value_name = "SIZES", default_value = "10,10,10")]
    sizes: Vec<usize>,

    /// Internal values are uniform from 0 up to this
    #[arg(long, value_name = "VALUE", default_value_t = 1000.0)]
    largest: f64,

    /// Share of internal entries that are zero
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    zeros: f64,

    /// Share of internal entries that are sensitive
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    sensitive: f64,

    /// How far a sensitive value must move, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 20.0)]
    level_percent: f64,

    /// How far any value may move, in percent: its bounds
    #[arg(long, value_name = "PERCENT", default_value_t = 20.0)]
    limit_percent: f64,

    /// Decimals of all values
    #[arg(long, value_name = "N", default_value_t = 0)]
    decimals: u8,
}

impl CtaArguments {
    fn parameters(&self) -> Cta {
        Cta {
            sizes: self.sizes.clone(),
            largest: self.largest,
            zeros: self.zeros,
            sensitive: self.sensitive,
            level_percent: self.level_percent,
            limit_percent: self.limit_percent,
            decimals: self.decimals,
        }
    }
}

/// The shapes of random systems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShapeChoice {
    /// Any of the others
    Any,
    /// One to four flat dimensions
    Flat,
    /// The same with hierarchies
    Hierarchical,
    /// Two tables that share a margin
    Linked,
    /// Equations that come from no table
    General,
}

/// Options of the class random.
#[derive(Debug, Args)]
pub struct RandomArguments {
    #[command(flatten)]
    target: Target,

    /// About the most cells
    #[arg(long, value_name = "N", default_value_t = 40)]
    size: u32,

    /// The shape
    #[arg(long, value_enum, default_value_t = ShapeChoice::Any)]
    shape: ShapeChoice,
}

impl RandomArguments {
    fn generate(&self) -> Problem {
        let random = &mut Random::new(self.target.seed, 0);
        let size = self.size as usize;
        match self.shape {
            ShapeChoice::Any => random_problem(random, size),
            ShapeChoice::Flat => random_problem_of(Shape::Flat, random, size),
            ShapeChoice::Hierarchical => random_problem_of(Shape::Hierarchical, random, size),
            ShapeChoice::Linked => random_problem_of(Shape::Linked, random, size),
            ShapeChoice::General => random_problem_of(Shape::General, random, size),
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

/// Runs the sub-command.
///
/// # Errors
/// If the options make no table, or it cannot be written.
pub fn run(arguments: &GenerateArguments) -> Result<Exit, Failure> {
    let progress = ProgressBar::new();
    progress.stage("generating", None);
    let (target, problem) = match &arguments.class {
        Class::Ons(options) => {
            let problem = options.parameters()?.generate(options.target.seed);
            (&options.target, problem.map_err(refused)?)
        }
        Class::Herrington(options) => {
            let problem = options.parameters()?.generate(options.target.seed);
            (&options.target, problem.map_err(refused)?)
        }
        Class::Cta(options) => {
            let problem = options.parameters().generate(options.target.seed);
            (&options.target, problem.map_err(refused)?)
        }
        Class::Random(options) => (&options.target, options.generate()),
        Class::Survey(options) => return survey::run(options),
    };
    progress.stage("writing", None);
    table_file::write(&target.out, &problem)?;
    drop(progress);
    let written = Written {
        file: target.out.display().to_string(),
        seed: target.seed,
        cells: problem.cell_count(),
        equations: problem.system().equation_count(),
        entries: problem.system().entry_count(),
        primaries: problem.primaries().count(),
        decimals: problem.decimals().0,
    };
    if target.json {
        output::json(&written);
    } else {
        output::line(format_args!(
            "wrote {}: {} cells, {} equations, {} primaries",
            table_file::names(&target.out),
            written.cells,
            written.equations,
            written.primaries
        ));
    }
    Ok(Exit::Done)
}

/// A refused parameter in the words of the command line.
fn refused(error: ParameterError) -> Failure {
    let advice = match error.parameter {
        "contributors" => "see --primary-share, --mean and --threshold",
        "dimensions" => "see --dims: sizes with totals, such as 20,20,20 or 100,158H,9",
        "levels" => "see --level-percent",
        "upper_bound" => "see --upper-bound and --upper-factor",
        "primaries" => "see --primaries and --primary-share",
        _ => "see the option of that name in --help",
    };
    Failure::arguments(error.to_string(), advice)
}
