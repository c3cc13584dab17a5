//! `quell micro suppress`: a safe file with as little missing as possible.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use quell_micro::{
    Error, Importance, Metadata, Microdata, Minucs, Objective, Request, Result, release, suppress,
};
use quell_model::Budget;
use serde::{Deserialize, Serialize};

use super::arguments::{CheckArguments, DataArguments, Source, key_set, number, on_threads};
use super::report::{self, Page};
use super::same_file;
use super::summary::{RiskSummary, SuppressionSummary};
use crate::exit::Exit;
use crate::limits::Limits;
use crate::output;

/// Set as few values as possible to missing, so that the file is safe.
///
/// The result is counted anew under the chosen meaning of "safe" before it is written.
#[derive(Debug, Args)]
pub struct SuppressArguments {
    /// The data.
    #[command(flatten)]
    pub data: DataArguments,

    /// What is checked.
    #[command(flatten)]
    pub check: CheckArguments,

    /// What is to be as small as possible
    #[arg(long, value_enum, default_value_t = ObjectiveName::Suppressions)]
    pub objective: ObjectiveName,

    /// How much variables and values matter, such as age=2,town:Rome=0.5 (1 if not named)
    #[arg(long, value_name = "NAME[:CODE]=WEIGHT", value_delimiter = ',')]
    pub importance: Vec<String>,

    /// The variable that says how much each record matters
    #[arg(long, value_name = "NAME")]
    pub record_importance: Option<String>,

    /// Variables that a household has in common: suppressed for all members or for none
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub household_keys: Vec<String>,

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

/// What is to be as small as possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ObjectiveName {
    /// The weight of suppressed values
    Suppressions,
    /// The number of categories suppressed in some record
    Categories,
    /// Suppressions; of equal ones, spread over the most categories
    SuppressionsSpread,
    /// Suppressions; of equal ones, in the fewest categories
    SuppressionsCategories,
    /// Categories; of equal ones, the fewest suppressions
    CategoriesSuppressions,
}

impl ObjectiveName {
    fn objective(self) -> Objective {
        match self {
            Self::Suppressions => Objective::Suppressions,
            Self::Categories => Objective::Categories,
            Self::SuppressionsSpread => Objective::SuppressionsThenMostCategories,
            Self::SuppressionsCategories => Objective::SuppressionsThenFewestCategories,
            Self::CategoriesSuppressions => Objective::CategoriesThenSuppressions,
        }
    }
}

/// What was done.
#[derive(Debug, Serialize)]
pub struct Done {
    before: RiskSummary,
    suppression: SuppressionSummary,
}

/// Importance of the variables by name; else that in the file's description (µ-ARGUS'
/// suppression weights), else 1.
pub(super) fn weights(
    data: &Microdata,
    metadata: Option<&Metadata>,
    list: &[String],
) -> Result<Vec<f64>> {
    let described =
        |name: &str| metadata?.variable(name)?.suppression.filter(|&weight| weight > 0.0);
    let names = data.keys().iter().map(|key| key.name());
    let mut weights: Vec<f64> = names.map(|name| described(name).unwrap_or(1.0)).collect();
    for item in list {
        let (name, weight) = number(item)?;
        weights[data.key(name)?] = weight;
    }
    Ok(weights)
}

/// Importance of variables and values by name, and of records by a variable. A category
/// that is affected weighs as much as its value.
fn importance(
    data: &Microdata,
    metadata: Option<&Metadata>,
    list: &[String],
    by_record: Option<&str>,
) -> Result<Importance> {
    let (of_values, of_keys): (Vec<String>, Vec<String>) = list.iter().cloned().partition(|item| {
        item.contains(':') && number(item).is_ok_and(|(name, _)| data.key(name).is_err())
    });
    let keys = weights(data, metadata, &of_keys)?;
    let mut values: Vec<Vec<f64>> = vec![Vec::new(); keys.len()];
    for item in &of_values {
        let (name, weight) = number(item)?;
        let (name, code) = name.split_once(':').unwrap_or((name, ""));
        let key = data.key(name.trim())?;
        let labels = data.keys()[key].labels();
        let place = labels.iter().position(|label| label.trim() == code.trim());
        let place = place.ok_or_else(|| Error::UnknownCode {
            variable: name.to_owned(),
            code: code.to_owned(),
        })?;
        values[key].resize(labels.len(), 1.0);
        values[key][place] = weight;
    }
    let mut categories = Vec::new();
    if !list.is_empty() {
        categories.extend(data.keys().iter().enumerate().map(|(key, column)| {
            let of = |code: usize| keys[key] * values[key].get(code).copied().unwrap_or(1.0);
            (0..column.labels().len()).map(of).collect::<Vec<f64>>()
        }));
    }
    let mut found =
        Importance::equal().with_keys(keys).with_values(values).with_categories(categories);
    if let Some(column) = by_record.and_then(|_| data.others().first()) {
        let records = (0..data.records()).map(|record| {
            let text = column.label(record);
            let weight = text.trim().replace(',', ".").parse();
            weight.map_err(|_| {
                let name = column.name();
                let place = record + 1;
                Error::Request(format!("record {place}: \"{text}\" of {name} is not a number"))
            })
        });
        found = found.with_records(records.collect::<Result<_>>()?);
    }
    Ok(found)
}

/// What stands for a suppressed value of every variable.
pub(super) fn markers(source: &Source, marker: Option<&str>) -> Vec<String> {
    source
        .missing
        .iter()
        .map(|codes| match marker {
            Some(marker) => marker.to_owned(),
            None => codes.first().cloned().unwrap_or_default(),
        })
        .collect()
}

/// Refuses to write over the input, or where there is no folder: before hours of work.
pub(super) fn check_output(source: &Source, out: &std::path::Path) -> Result<()> {
    if same_file(&source.path, out) {
        return Err(Error::Request(format!("{} is the input; name another file", out.display())));
    }
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(Error::Request(format!("there is no folder {}", folder.display())));
    }
    Ok(())
}

/// Runs the sub-command.
///
/// # Errors
/// If the input is wrong.
pub fn run(arguments: &SuppressArguments) -> Result<Exit> {
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
pub fn carry_out(arguments: &SuppressArguments, budget: &Budget) -> Result<Done> {
    on_threads(budget.threads(), || {
        let by_record = arguments.record_importance.as_deref();
        let others: Vec<String> = by_record.map(str::to_owned).into_iter().collect();
        let source = arguments.data.read(&others)?;
        let data = &source.data;
        if let Some(out) = &arguments.out {
            check_output(&source, out)?;
        }
        let combinations = arguments.check.combinations(&source)?;
        let importance =
            importance(data, source.metadata.as_ref(), &arguments.importance, by_record)?;
        let mut household = key_set(data, &arguments.household_keys)?;
        if let Some(metadata) = &source.metadata {
            for (key, column) in data.keys().iter().enumerate() {
                if metadata.variable(column.name()).is_some_and(|variable| variable.household) {
                    household = household.with(key);
                }
            }
        }
        let request = Request {
            data,
            combinations: &combinations,
            meaning: arguments.check.meaning.meaning(),
            objective: arguments.objective.objective(),
            importance: &importance,
            household,
        };
        let minucs = Minucs::find(data, &combinations);
        let solution = suppress(&request, budget)?;
        let done = Done {
            before: RiskSummary::new(data, &minucs),
            suppression: SuppressionSummary::new(
                data,
                &solution.suppressions,
                solution.weight,
                solution.category_weight,
                solution.bound,
                solution.proved,
            ),
        };
        if let Some(out) = &arguments.out {
            let markers = markers(&source, arguments.marker.as_deref());
            let keys: Vec<release::Released> = data
                .keys()
                .iter()
                .zip(&markers)
                .map(|(original, missing)| release::Released { original, recoded: None, missing })
                .collect();
            release::write(&source.path, &source.layout, out, &keys, &solution.suppressions)?;
        }
        if let Some(path) = &arguments.report {
            let page = Page {
                title: arguments
                    .title
                    .clone()
                    .unwrap_or_else(|| format!("Local suppression of {}", source.path.display())),
                meaning: arguments.check.meaning,
                before: &done.before,
                suppression: Some(&done.suppression),
                recoding: None,
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
            "{} of {} records have an unsafe combination",
            self.before.risky_records, self.before.records
        ));
        self.suppression.print();
    }
}
