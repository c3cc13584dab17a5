//! `quell micro recode`: join categories, by given recodings or the best choice.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use quell_micro::recode::choose::choose;
use quell_micro::recode::grc::Grc;
use quell_micro::recode::limits::top_and_bottom;
use quell_micro::recode::loss::Measure;
use quell_micro::recode::tree::Ladder;
use quell_micro::{Column, Error, Layout, Microdata, Minucs, Result, release};
use serde::Serialize;

use super::arguments::{
    CheckArguments, DataArguments, MeaningName, assignment, number, on_threads,
};
use super::report::{self, Page};
use super::summary::{RiskSummary, SuppressionSummary};
use super::suppress::{check_output, markers, weights};
use crate::exit::Exit;
use crate::limits::Limits;
use crate::output;

/// Join categories, by given recodings or the best choice, and suppress what is left.
///
/// Recodings that are named (--apply, --top, --bottom) are carried out first. Variables
/// with a ladder of codings (--ladder, --truncate) get the level that loses least
/// information together with the suppressions that are still needed.
#[derive(Debug, Args)]
pub struct RecodeArguments {
    /// The data.
    #[command(flatten)]
    pub data: DataArguments,

    /// What is checked.
    #[command(flatten)]
    pub check: CheckArguments,

    /// Recode a variable by a µ-ARGUS recode file
    #[arg(long, value_name = "NAME=FILE.grc")]
    pub apply: Vec<String>,

    /// Join all numbers from here on up
    #[arg(long, value_name = "NAME=NUMBER")]
    pub top: Vec<String>,

    /// Join all numbers from here on down
    #[arg(long, value_name = "NAME=NUMBER")]
    pub bottom: Vec<String>,

    /// Codings to choose from: a CSV file with a line a code, the code first, then its
    /// ancestors from fine to coarse
    #[arg(long, value_name = "NAME=FILE.csv")]
    pub ladder: Vec<String>,

    /// Codings to choose from: cut off last digits
    #[arg(long, value_name = "NAME")]
    pub truncate: Vec<String>,

    /// How the loss of information is measured
    #[arg(long, value_enum, default_value_t = MeasureName::Entropy)]
    pub measure: MeasureName,

    /// How much variables matter, such as age=2,town=0.5 (1 if not named)
    #[arg(long, value_name = "NAME=WEIGHT", value_delimiter = ',')]
    pub importance: Vec<String>,

    /// What stands for a suppressed value; the variable's missing code, or nothing
    #[arg(long, value_name = "TEXT")]
    pub marker: Option<String>,

    /// The safe file to write
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// A report to write, as an HTML page
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    /// Time and threads.
    #[command(flatten)]
    pub limits: Limits,
}

/// How the loss of information is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MeasureName {
    /// Bits that the joined values no longer tell
    Entropy,
    /// Levels of the ladder that were climbed
    Precision,
}

/// What recoding did.
#[derive(Debug, Serialize)]
pub struct RecodingSummary {
    /// By variable: name, categories before and after, level chosen, levels there are.
    pub variables: Vec<RecodedVariable>,
    /// Loss by recoding.
    pub coding_loss: f64,
    /// Loss by suppression.
    pub suppression_loss: f64,
    /// No choice loses less.
    pub bound: f64,
    /// Whether the choice is proved to be best.
    pub proved: bool,
    /// Choices counted, of how many.
    pub evaluated: usize,
    /// Choices there are.
    pub choices: f64,
}

/// One variable's recoding.
#[derive(Debug, Serialize)]
pub struct RecodedVariable {
    /// Its name.
    pub name: String,
    /// Categories in the file as read.
    pub categories_before: u32,
    /// Categories released.
    pub categories_after: u32,
    /// Level chosen, 0 for the finest.
    pub level: usize,
    /// Levels there are.
    pub levels: usize,
}

#[derive(Debug, Serialize)]
struct Done {
    before: RiskSummary,
    recoding: RecodingSummary,
    suppression: SuppressionSummary,
}

/// The identifying variables after the recodings that are named.
fn named_recodings(arguments: &RecodeArguments, data: &Microdata) -> Result<Vec<Column>> {
    let mut columns = data.keys().to_vec();
    for item in &arguments.apply {
        let (name, file) = assignment(item)?;
        let key = data.key(name)?;
        let grc = Grc::read(Path::new(file))?;
        let missing = grc.missing.first().map_or("", String::as_str);
        columns[key] = grc.recoding(&columns[key])?.apply(&columns[key], missing)?;
    }
    for (item, is_top) in arguments
        .top
        .iter()
        .map(|item| (item, true))
        .chain(arguments.bottom.iter().map(|item| (item, false)))
    {
        let (name, limit) = number(item)?;
        let key = data.key(name)?;
        let (bottom, top) = if is_top { (None, Some(limit)) } else { (Some(limit), None) };
        columns[key] = top_and_bottom(&columns[key], bottom, top)?.apply(&columns[key], "")?;
    }
    Ok(columns)
}

fn ladders(arguments: &RecodeArguments, data: &Microdata) -> Result<Vec<Ladder>> {
    let mut ladders: Vec<Ladder> = data.keys().iter().map(Ladder::original).collect();
    for item in &arguments.ladder {
        let (name, file) = assignment(item)?;
        let key = data.key(name)?;
        let file = Path::new(file);
        let Layout::Delimited { separator, .. } = Layout::of_csv(file, None)? else {
            return Err(Error::Request(format!("{} is no CSV file", file.display())));
        };
        ladders[key] = Ladder::read(file, separator, &data.keys()[key])?;
    }
    for name in &arguments.truncate {
        let key = data.key(name)?;
        ladders[key] = Ladder::truncating(&data.keys()[key])?;
    }
    Ok(ladders)
}

/// Runs the sub-command.
///
/// # Errors
/// If the input is wrong.
pub fn run(arguments: &RecodeArguments) -> Result<Exit> {
    if arguments.check.meaning != MeaningName::Static {
        return Err(Error::Request(
            "recoding is chosen under the static meaning; recode first, then run quell micro \
             suppress with another meaning on the result"
                .into(),
        ));
    }
    let budget = arguments.limits.budget();
    on_threads(budget.threads(), || {
        let source = arguments.data.read(&[])?;
        if let Some(out) = &arguments.out {
            check_output(&source, out)?;
        }
        let combinations = arguments.check.combinations(&source)?;
        let before = RiskSummary::new(&source.data, &Minucs::find(&source.data, &combinations));
        let data = source.data.with_keys(named_recodings(arguments, &source.data)?)?;
        let ladders = ladders(arguments, &data)?;
        let measure = match arguments.measure {
            MeasureName::Entropy => Measure::Entropy,
            MeasureName::Precision => Measure::Precision,
        };
        let importance = weights(&data, &arguments.importance)?;
        let choice = choose(&data, &combinations, &ladders, &measure, &importance, &budget)?;
        let violations = quell_micro::safety::violations(
            &choice.data,
            &choice.suppressions,
            &combinations,
            quell_micro::Meaning::Static,
        );
        if !violations.is_empty() {
            return Err(Error::Solver(format!("{} unsafe places are left", violations.len())));
        }
        let done = Done {
            before,
            recoding: RecodingSummary {
                variables: (0..ladders.len())
                    .map(|key| RecodedVariable {
                        name: data.keys()[key].name().to_owned(),
                        categories_before: source.data.keys()[key].categories(),
                        categories_after: choice.data.keys()[key].categories(),
                        level: choice.levels[key],
                        levels: ladders[key].levels(),
                    })
                    .collect(),
                coding_loss: choice.coding_loss,
                suppression_loss: choice.suppression_loss,
                bound: choice.bound,
                proved: choice.proved,
                evaluated: choice.evaluated,
                choices: choice.choices,
            },
            suppression: SuppressionSummary::new(
                &choice.data,
                &choice.suppressions,
                choice.suppression_loss,
                choice.suppressions.categories(&choice.data) as f64,
                choice.bound - choice.coding_loss,
                choice.proved,
            ),
        };
        if let Some(out) = &arguments.out {
            let markers = markers(&source, arguments.marker.as_deref());
            let keys: Vec<release::Released> = (0..ladders.len())
                .map(|key| {
                    let original = &source.data.keys()[key];
                    let recoded = &choice.data.keys()[key];
                    release::Released {
                        original,
                        recoded: (recoded.labels() != original.labels()).then_some(recoded),
                        missing: &markers[key],
                    }
                })
                .collect();
            release::write(&source.path, &source.layout, out, &keys, &choice.suppressions)?;
        }
        if let Some(path) = &arguments.report {
            let page = Page {
                title: format!("Recoding of {}", source.path.display()),
                meaning: arguments.check.meaning,
                before: &done.before,
                suppression: Some(&done.suppression),
                recoding: Some(&done.recoding),
            };
            report::write(path, &page)?;
        }
        if arguments.json {
            output::json(&done);
        } else {
            print(arguments, &done);
        }
        Ok(Exit::Done)
    })
}

fn print(arguments: &RecodeArguments, done: &Done) {
    output::line(format_args!(
        "{} of {} records have an unsafe combination before recoding",
        done.before.risky_records, done.before.records
    ));
    output::line(format_args!("{:<24}{:>10}{:>10}{:>12}", "variable", "before", "after", "level"));
    for variable in &done.recoding.variables {
        output::line(format_args!(
            "{:<24}{:>10}{:>10}{:>12}",
            variable.name,
            variable.categories_before,
            variable.categories_after,
            format!("{} of {}", variable.level, variable.levels - 1)
        ));
    }
    output::line(format_args!(
        "loss {:.1} by recoding and {:.1} by suppression; {} ({} of {} choices counted)",
        done.recoding.coding_loss,
        done.recoding.suppression_loss,
        if done.recoding.proved { "proved least" } else { "not proved least" },
        done.recoding.evaluated,
        done.recoding.choices
    ));
    done.suppression.print();
    if let Some(out) = &arguments.out {
        output::line(format_args!("wrote {}", out.display()));
    }
}
