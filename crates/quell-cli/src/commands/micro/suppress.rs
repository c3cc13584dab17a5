//! `quell micro suppress`: a safe file with as little missing as possible.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use quell::Error;
use quell::micro::{self, OfVariable, SuppressRequest};
use quell_micro::Objective;

use super::{searching, show, write_report};
use crate::args::LimitArguments;
use crate::args::micro::{CheckArguments, DataArguments};
use crate::exit::Exit;

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
    pub importance: Vec<OfVariable<f64>>,

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
    pub limits: LimitArguments,
}

/// What is to be as small as possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
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

impl From<ObjectiveName> for Objective {
    fn from(name: ObjectiveName) -> Self {
        match name {
            ObjectiveName::Suppressions => Self::Suppressions,
            ObjectiveName::Categories => Self::Categories,
            ObjectiveName::SuppressionsSpread => Self::SuppressionsThenMostCategories,
            ObjectiveName::SuppressionsCategories => Self::SuppressionsThenFewestCategories,
            ObjectiveName::CategoriesSuppressions => Self::CategoriesThenSuppressions,
        }
    }
}

/// Runs the sub-command.
///
/// # Errors
/// If the input is wrong.
pub fn run(arguments: &SuppressArguments) -> Result<Exit, Error> {
    let request = SuppressRequest {
        check: arguments.check.check(),
        objective: arguments.objective.into(),
        importance: arguments.importance.clone(),
        record_importance: arguments.record_importance.clone(),
        household_keys: arguments.household_keys.clone(),
    };
    let others: Vec<String> = arguments.record_importance.iter().cloned().collect();
    let done = searching(&arguments.limits, |context| {
        let records = arguments.data.source().read(&others, context)?;
        if let Some(out) = &arguments.out {
            records.check_output(out)?;
        }
        let done = micro::suppress(&records, &request, context)?;
        if let Some(out) = &arguments.out {
            done.write(&records, out, arguments.marker.as_deref(), context)?;
        }
        let title = format!("Local suppression of {}", records.name());
        let (path, own) = (arguments.report.as_deref(), arguments.title.as_deref());
        write_report(path, own, title, |title| done.report(title))?;
        Ok(done)
    })?;
    show(arguments.json, &done, || done.text(), arguments.out.as_deref());
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_those_of_jobs() {
        let names = ObjectiveName::value_variants();
        assert_eq!(names.len(), Objective::ALL.len());
        for name in names {
            let value = name.to_possible_value().expect("no objective is hidden");
            assert_eq!(value.get_name(), Objective::from(*name).name());
        }
    }
}
