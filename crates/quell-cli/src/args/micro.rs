//! What the sub-commands of `quell micro` have in common.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use quell::micro::{Check, MissingCode, RecordsPlace, RecordsSource, Scope};
use quell_micro::{ListedCombination, Meaning, Threshold, Thresholds};

use super::LimitArguments;

/// Where the data is and which variables identify.
#[derive(Debug, Args)]
pub struct DataArguments {
    /// The microdata: a CSV file with a header, .parquet, .dta, .sav, .zsav, .sas7bdat, or whatever
    /// --rda describes
    #[arg(value_name = "DATA")]
    pub data: PathBuf,

    /// Description of the file (µ-ARGUS): places, missing codes, weight, household, levels
    #[arg(long, value_name = "FILE")]
    pub rda: Option<PathBuf>,

    /// What stands between the fields of a CSV file; found out if not given
    #[arg(long, value_name = "CHAR")]
    pub separator: Option<char>,

    /// The identifying variables, separated by commas; with --rda those of a level by default
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub keys: Vec<String>,

    /// Codes that mean "missing": for all variables (99) or for one (age=99)
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub missing: Vec<MissingCode>,

    /// The sampling weight
    #[arg(long, value_name = "NAME")]
    pub weight: Option<String>,

    /// The variable that names the household
    #[arg(long, value_name = "NAME")]
    pub household: Option<String>,
}

impl DataArguments {
    /// The records that are meant.
    pub fn source(&self) -> RecordsSource {
        RecordsSource {
            place: RecordsPlace::File {
                path: self.data.clone(),
                metadata: self.rda.clone(),
                separator: self.separator,
            },
            keys: self.keys.clone(),
            missing: self.missing.clone(),
            weight: self.weight.clone(),
            household: self.household.clone(),
        }
    }
}

/// What is written of records that were made safe, and what that may use.
#[derive(Debug, Args)]
pub struct SafeFileArguments {
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

/// What "safe" means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MeaningName {
    /// What is left must be frequent in the original file (µ-ARGUS)
    Static,
    /// A missing value matches every value (sdcMicro)
    Wildcard,
    /// A missing value is one more category (ARX)
    Identical,
}

impl From<MeaningName> for Meaning {
    fn from(name: MeaningName) -> Self {
        match name {
            MeaningName::Static => Self::Static,
            MeaningName::Wildcard => Self::Wildcard,
            MeaningName::Identical => Self::IdenticalTuple,
        }
    }
}

/// Which combinations of variables are checked, and how often is enough.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is checked")]
pub struct CheckArguments {
    /// All combinations of up to this many variables
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub max_dim: usize,

    /// Unsafe if it occurs FEWER THAN this often; one number, or one for each dimension
    #[arg(long, value_name = "N", value_delimiter = ',', conflicts_with = "at_most")]
    pub threshold: Vec<u32>,

    /// Unsafe if it occurs AT MOST this often (as in µ-ARGUS); one number, or one per dimension
    #[arg(long, value_name = "N", value_delimiter = ',')]
    pub at_most: Vec<u32>,

    /// Only these combinations, such as age*sex*town,age*job, or with thresholds of their own:
    /// "age*sex<3,age*sex*town<=5"
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        conflicts_with_all = ["levels", "all_together"]
    )]
    pub combinations: Option<Vec<ListedCombination>>,

    /// With --combinations or --all-together: check all parts of the combinations too
    #[arg(long)]
    pub parts: bool,

    /// The combinations that the identification levels of the --rda file make
    #[arg(long, requires = "rda", conflicts_with = "all_together")]
    pub levels: bool,

    /// Only all variables together: k-anonymity
    #[arg(long)]
    pub all_together: bool,

    /// What "safe" means
    #[arg(long, value_enum, default_value_t = MeaningName::Static)]
    pub meaning: MeaningName,
}

impl CheckArguments {
    /// What is to be checked.
    pub fn check(&self) -> Check {
        let fewer = Thresholds::of_numbers(&self.threshold, Threshold::FewerThan);
        Check {
            scope: self.scope(),
            thresholds: fewer.or(Thresholds::of_numbers(&self.at_most, Threshold::AtMost)),
            meaning: self.meaning.into(),
        }
    }

    fn scope(&self) -> Scope {
        let parts = self.parts;
        match &self.combinations {
            Some(list) => Scope::Listed { list: list.clone(), parts },
            None if self.all_together => Scope::AllTogether { parts },
            None if self.levels => Scope::IdentificationLevels,
            None => Scope::UpTo(self.max_dim),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_names_are_those_of_jobs() {
        let names = MeaningName::value_variants().iter().map(|name| {
            let value = name.to_possible_value().expect("no meaning is hidden");
            assert_eq!(value.get_name(), Meaning::from(*name).name());
            value.get_name().to_owned()
        });
        assert_eq!(names.collect::<BTreeSet<_>>().len(), Meaning::ALL.len());
    }
}
