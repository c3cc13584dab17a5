//! `quell micro recode`: join categories, by given recodings or the best choice.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use quell::Error;
use quell::micro::{Joining, LossMeasure, OfVariable, RecodeRequest, Request, Tree};
use quell_micro::recode::loss;

use super::make_safe;
use crate::args::micro::{CheckArguments, DataArguments, SafeFileArguments};
use crate::exit::Exit;

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
    pub apply: Vec<OfVariable<PathBuf>>,

    /// Join all numbers from here on up
    #[arg(long, value_name = "NAME=NUMBER")]
    pub top: Vec<OfVariable<f64>>,

    /// Join all numbers from here on down
    #[arg(long, value_name = "NAME=NUMBER")]
    pub bottom: Vec<OfVariable<f64>>,

    /// Codings to choose from: a CSV file with one line per code, the code first, then its
    /// ancestors from fine to coarse
    #[arg(long, value_name = "NAME=FILE.csv")]
    pub ladder: Vec<OfVariable<PathBuf>>,

    /// Codings to choose from: cut off last digits
    #[arg(long, value_name = "NAME")]
    pub truncate: Vec<String>,

    /// How the loss of information is measured
    #[arg(long, value_enum, default_value_t = MeasureName::Entropy)]
    pub measure: MeasureName,

    /// Losses of your own instead: a CSV file with one line per variable: its name, the loss of
    /// each suppressed value, then that of each coarser coding of the whole file
    #[arg(long, value_name = "FILE.csv", conflicts_with = "measure")]
    pub losses: Option<PathBuf>,

    /// How much variables matter, such as age=2,town=0.5 (1 if not named)
    #[arg(long, value_name = "NAME=WEIGHT", value_delimiter = ',')]
    pub importance: Vec<OfVariable<f64>>,

    /// What is written.
    #[command(flatten)]
    pub safe_file: SafeFileArguments,
}

/// How the loss of information is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum MeasureName {
    /// Bits that the joined values no longer tell
    Entropy,
    /// Levels of the ladder that were climbed
    Precision,
}

impl From<MeasureName> for loss::MeasureName {
    fn from(name: MeasureName) -> Self {
        match name {
            MeasureName::Entropy => Self::Entropy,
            MeasureName::Precision => Self::Precision,
        }
    }
}

impl RecodeArguments {
    fn request(&self) -> RecodeRequest {
        RecodeRequest {
            check: self.check.check(),
            joinings: self.joinings(),
            trees: self.trees(),
            measure: match &self.losses {
                Some(file) => LossMeasure::File(file.clone()),
                None => loss::MeasureName::from(self.measure).into(),
            },
            importance: self.importance.clone(),
        }
    }

    fn joinings(&self) -> Vec<OfVariable<Joining>> {
        let files = self.apply.iter().map(|own| of(own, Joining::File));
        let tops = self.top.iter().map(|own| of(own, Joining::Top));
        let bottoms = self.bottom.iter().map(|own| of(own, Joining::Bottom));
        files.chain(tops).chain(bottoms).collect()
    }

    fn trees(&self) -> Vec<OfVariable<Tree>> {
        let files = self.ladder.iter().map(|own| of(own, Tree::File));
        let digits = self.truncate.iter().map(|name| OfVariable::new(name, Tree::Digits));
        files.chain(digits).collect()
    }
}

fn of<S: Clone, T>(own: &OfVariable<S>, make: fn(S) -> T) -> OfVariable<T> {
    OfVariable::new(&own.variable, make(own.value.clone()))
}

/// Runs the sub-command.
///
/// # Errors
/// If the input is wrong.
pub fn run(arguments: &RecodeArguments) -> Result<Exit, Error> {
    make_safe(&arguments.data, &Request::Recode(arguments.request()), &arguments.safe_file)
}
