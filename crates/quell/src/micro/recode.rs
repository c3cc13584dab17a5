//! Categories joined, by given recodings or the best choice, and the rest suppressed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use quell_data::{FileKind, Options, Origin, Records};
use quell_micro::recode::Recoding;
use quell_micro::recode::choose::{Choice, ChoiceRequest, choose_within};
use quell_micro::recode::grc;
use quell_micro::recode::limits::top_and_bottom;
use quell_micro::recode::loss::{Measure, MeasureName};
use quell_micro::recode::tree::Ladder;
use quell_micro::{Column, Error, Meaning, Microdata, Minucs, Result, Solution};
use serde::Serialize;

use super::check::Check;
use super::on_threads;
use super::records::{KeyedRecords, OfVariable};
use super::released::ReleasedRecords;
use super::summary::{RecodedVariable, RecodingSummary, RiskSummary, SuppressionSummary};
use super::suppress::weights;
use crate::Context;

/// What to recode.
///
/// Recodings that are named are carried out first, in order. Variables with a tree of codings
/// get the level that loses least information together with the suppressions that are still
/// needed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecodeRequest {
    /// What is checked.
    pub check: Check,
    /// Recodings to carry out.
    pub joinings: Vec<OfVariable<Joining>>,
    /// Codings to choose from.
    pub trees: Vec<OfVariable<Tree>>,
    /// How the loss of information is measured.
    pub measure: LossMeasure,
    /// How much variables matter; 1 if not named.
    pub importance: Vec<OfVariable<f64>>,
}

/// A recoding of one variable.
#[derive(Debug, Clone, PartialEq)]
pub enum Joining {
    /// By a recode file of µ-ARGUS.
    File(PathBuf),
    /// By the new code of every old one; others stay as they are.
    Codes(BTreeMap<String, String>),
    /// All numbers from here on up.
    Top(f64),
    /// All numbers from here on down.
    Bottom(f64),
}

/// Codings of one variable, from fine to coarse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tree {
    /// A CSV file with one line per code: the code, then its groups from fine to coarse.
    File(PathBuf),
    /// Such lines.
    Lines(Vec<Vec<String>>),
    /// The last digits are cut off, one by one.
    Digits,
}

/// How the loss of information is measured.
#[derive(Debug, Clone, PartialEq)]
pub enum LossMeasure {
    /// In bits or levels, or by losses in memory.
    Known(Measure),
    /// By losses in a CSV file with one line per variable: its name, the loss of each suppressed
    /// value, then that of each coarser coding of the whole file.
    File(PathBuf),
}

impl Default for LossMeasure {
    fn default() -> Self {
        MeasureName::default().into()
    }
}

impl From<MeasureName> for LossMeasure {
    fn from(name: MeasureName) -> Self {
        Self::Known(name.into())
    }
}

/// A safe file of coarser categories.
#[derive(Debug, Clone, Serialize)]
pub struct Recoded {
    /// The risk before.
    pub before: RiskSummary,
    /// What was recoded.
    pub recoding: RecodingSummary,
    /// What was suppressed of the rest.
    pub suppression: SuppressionSummary,
    /// The recoded file and what is suppressed in it.
    #[serde(skip)]
    pub choice: Choice,
}

/// Joins categories, by given recodings or the best choice, and suppresses what is left.
///
/// # Errors
/// If the request does not fit the records, or the budget is spent before a safe file is known
/// and verified.
pub fn recode(
    records: &KeyedRecords,
    request: &RecodeRequest,
    context: &Context<'_>,
) -> std::result::Result<Recoded, crate::Error> {
    on_threads(context, || find(records, request, context))
}

fn find(records: &KeyedRecords, request: &RecodeRequest, context: &Context<'_>) -> Result<Recoded> {
    if request.check.meaning != Meaning::Static {
        return Err(Error::Request(
            "recoding is chosen under the static meaning; recode first, then suppress the result \
             with another meaning (quell micro suppress)"
                .into(),
        ));
    }
    let (original, progress) = (records.data(), context.progress);
    let budget = context.whole_search_budget();
    let combinations = request.check.combinations(records)?;
    let data = original.with_keys(joined(original, &request.joinings)?)?;
    let ladders = ladders(&data, &request.trees)?;
    let measure = match &request.measure {
        LossMeasure::Known(measure) => measure.clone(),
        LossMeasure::File(file) => Measure::read(file, separator(file)?, &data)?,
    };
    let importance = weights(records, &data, &request.importance)?;
    let minucs = Minucs::find(original, &combinations, &budget, progress)?;
    let own = ChoiceRequest {
        data: &data,
        combinations: &combinations,
        ladders: &ladders,
        measure: &measure,
        importance: &importance,
    };
    let choice = choose_within(&own, &budget, &context.audit_budget(), progress)?;
    Ok(Recoded {
        before: RiskSummary::new(original, &minucs),
        recoding: summary(original, &ladders, &choice),
        suppression: SuppressionSummary::new(&choice.data, &solution(&choice)),
        choice,
    })
}

/// The identifying variables after the recodings that are named.
fn joined(data: &Microdata, joinings: &[OfVariable<Joining>]) -> Result<Vec<Column>> {
    let mut columns = data.keys().to_vec();
    for OfVariable { variable, value } in joinings {
        let key = data.key(variable)?;
        let column = &columns[key];
        columns[key] = match value {
            Joining::File(file) => {
                let groups = grc::read(file)?;
                let missing = groups.missing.first().map_or("", String::as_str);
                grc::recoding(&groups, column)?.apply(column, missing)?
            }
            Joining::Codes(new) => {
                let of = |old: &str| new.get(old.trim()).map_or(old, String::as_str).to_owned();
                Recoding::by(column, |old| Ok(Some(of(old))))?.apply(column, "")?
            }
            Joining::Top(limit) => top_and_bottom(column, None, Some(*limit))?.apply(column, "")?,
            Joining::Bottom(limit) => {
                top_and_bottom(column, Some(*limit), None)?.apply(column, "")?
            }
        };
    }
    Ok(columns)
}

fn ladders(data: &Microdata, trees: &[OfVariable<Tree>]) -> Result<Vec<Ladder>> {
    let mut ladders: Vec<Ladder> = data.keys().iter().map(Ladder::original).collect();
    for OfVariable { variable, value } in trees {
        let key = data.key(variable)?;
        let column = &data.keys()[key];
        ladders[key] = match value {
            Tree::File(file) => Ladder::read(file, separator(file)?, column)?,
            Tree::Lines(lines) => Ladder::from_lines(lines.clone(), column, "")?,
            Tree::Digits => Ladder::truncating(column)?,
        };
    }
    Ok(ladders)
}

/// What stands between the fields of a small file.
fn separator(file: &Path) -> Result<u8> {
    let options = Options { kind: Some(FileKind::Csv), ..Options::default() };
    match Records::open_with(file, &options)?.origin() {
        Origin::Delimited(dialect) => Ok(dialect.separator),
        _ => Err(Error::Request(format!("{} is no CSV file", file.display()))),
    }
}

fn summary(original: &Microdata, ladders: &[Ladder], choice: &Choice) -> RecodingSummary {
    let variable = |(key, ladder): (usize, &Ladder)| RecodedVariable {
        name: original.keys()[key].name().to_owned(),
        categories_before: original.keys()[key].categories(),
        categories_after: choice.data.keys()[key].categories(),
        level: choice.levels[key],
        levels: ladder.levels(),
    };
    RecodingSummary {
        variables: ladders.iter().enumerate().map(variable).collect(),
        coding_loss: choice.coding_loss,
        suppression_loss: choice.suppression_loss,
        bound: choice.bound,
        proved: choice.proved,
        evaluated: choice.evaluated,
        choices: choice.choices,
    }
}

/// The suppressions of the chosen coding, weighed by what they lose.
fn solution(choice: &Choice) -> Solution {
    Solution {
        suppressions: choice.suppressions.clone(),
        weight: choice.suppression_loss,
        category_weight: choice.suppressions.categories(&choice.data) as f64,
        bound: choice.bound - choice.coding_loss,
        proved: choice.proved,
    }
}

impl Recoded {
    /// The released records. The marker, or the variable's missing code, stands for a suppressed
    /// value.
    pub fn released<'a>(
        &'a self,
        records: &'a KeyedRecords,
        marker: Option<&'a str>,
    ) -> ReleasedRecords<'a> {
        let Choice { data, suppressions, .. } = &self.choice;
        ReleasedRecords { records, data, suppressions, marker }
    }
}
