//! `quell micro recode`: join categories, by given recodings or the best choice.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use quell_micro::recode::choose::choose;
use quell_micro::recode::grc::Grc;
use quell_micro::recode::limits::top_and_bottom;
use quell_micro::recode::loss::Measure;
use quell_micro::recode::tree::Ladder;
use quell_micro::{Column, Error, Layout, Microdata, Minucs, Result, release};
use quell_model::Budget;
use serde::{Deserialize, Serialize};

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

    /// Losses of your own instead: a CSV file with a line a variable: its name, the loss of
    /// each suppressed value, then that of each coarser coding of the whole file
    #[arg(long, value_name = "FILE.csv", conflicts_with = "measure")]
    pub losses: Option<PathBuf>,

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

    /// The title of the report
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,

    /// Time and threads.
    #[command(flatten)]
    pub limits: Limits,
}

/// How the loss of information is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
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

/// What was done.
#[derive(Debug, Serialize)]
pub struct Done {
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

/// What stands between the fields of a small file.
fn separator(file: &Path) -> Result<u8> {
    match Layout::of_csv(file, None)? {
        Layout::Delimited { separator, .. } => Ok(separator),
        _ => Err(Error::Request(format!("{} is no CSV file", file.display()))),
    }
}

fn ladders(arguments: &RecodeArguments, data: &Microdata) -> Result<Vec<Ladder>> {
    let mut ladders: Vec<Ladder> = data.keys().iter().map(Ladder::original).collect();
    for item in &arguments.ladder {
        let (name, file) = assignment(item)?;
        let key = data.key(name)?;
        let file = Path::new(file);
        ladders[key] = Ladder::read(file, separator(file)?, &data.keys()[key])?;
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
    let done = carry_out(arguments, &arguments.limits.budget())?;
    if arguments.json {
        output::json(&done);
    } else {
        done.print();
        if let Some(out) = &arguments.out {
            output::line(format_args!("wrote {}", out.display()));
        }
    }
    Ok(Exit::Done)
}

/// Does what the arguments say, and writes the files they name.
///
/// # Errors
/// If the input is wrong.
pub fn carry_out(arguments: &RecodeArguments, budget: &Budget) -> Result<Done> {
    if arguments.check.meaning != MeaningName::Static {
        return Err(Error::Request(
            "recoding is chosen under the static meaning; recode first, then run quell micro \
             suppress with another meaning on the result"
                .into(),
        ));
    }
    on_threads(budget.threads(), || {
        let source = arguments.data.read(&[])?;
        if let Some(out) = &arguments.out {
            check_output(&source, out)?;
        }
        let combinations = arguments.check.combinations(&source)?;
        let before = RiskSummary::new(&source.data, &Minucs::find(&source.data, &combinations));
        let data = source.data.with_keys(named_recodings(arguments, &source.data)?)?;
        let ladders = ladders(arguments, &data)?;
        let measure = match (&arguments.losses, arguments.measure) {
            (Some(file), _) => Measure::read(file, separator(file)?, &data)?,
            (None, MeasureName::Entropy) => Measure::Entropy,
            (None, MeasureName::Precision) => Measure::Precision,
        };
        let importance = weights(&data, source.metadata.as_ref(), &arguments.importance)?;
        let choice = choose(&data, &combinations, &ladders, &measure, &importance, budget)?;
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
                title: arguments
                    .title
                    .clone()
                    .unwrap_or_else(|| format!("Recoding of {}", source.path.display())),
                meaning: arguments.check.meaning,
                before: &done.before,
                suppression: Some(&done.suppression),
                recoding: Some(&done.recoding),
            };
            report::write(path, &page)?;
        }
        Ok(done)
    })
}

impl Done {
    /// Prints the summary.
    pub fn print(&self) {
        output::line(format_args!(
            "{} of {} records have an unsafe combination before recoding",
            self.before.risky_records, self.before.records
        ));
        output::line(format_args!(
            "{:<24}{:>10}{:>10}{:>12}",
            "variable", "before", "after", "level"
        ));
        for variable in &self.recoding.variables {
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
            self.recoding.coding_loss,
            self.recoding.suppression_loss,
            if self.recoding.proved { "proved least" } else { "not proved least" },
            self.recoding.evaluated,
            self.recoding.choices
        ));
        self.suppression.print();
    }
}
