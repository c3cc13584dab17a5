//! `quell micro suppress`: a safe file with as little missing as possible.

use clap::{Args, ValueEnum};
use quell::Error;
use quell::micro::{OfVariable, Request, SuppressRequest};
use quell_micro::Objective;

use super::make_safe;
use crate::args::micro::{CheckArguments, DataArguments, SafeFileArguments};
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

    /// What is written.
    #[command(flatten)]
    pub safe_file: SafeFileArguments,
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
    make_safe(&arguments.data, &Request::Suppress(request), &arguments.safe_file)
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
