//! What holds for one table: its rules, its costs, what was set by hand.

use quell_formats::Text;
use quell_formats::argus::hst;
use quell_tabulate::{Cost, CostMeasure, Rules, Transformation, TrivialLevels};

use super::{AprioriPlan, is_weighted};
use crate::Error;
use crate::argus::hst_entries;
use crate::given::Decides;
use crate::job::file::{CostChoice, TablePart};
use crate::job::{Job, rules};

/// Checks what can be wrong with a table by itself.
///
/// # Errors
/// If its name or its dimensions are not its own.
pub fn check(job: &Job, table: &TablePart, all: &[TablePart]) -> Result<(), Error> {
    let dimensions = table.dimensions.get_ref();
    if dimensions.is_empty() {
        let advice = "name at least one dimension";
        return Err(job.mistake(table.dimensions.span(), "a table without dimensions", advice));
    }
    for (position, name) in dimensions.iter().enumerate() {
        if dimensions[..position].iter().any(|other| other.get_ref() == name.get_ref()) {
            let message = format!("\"{}\" stands twice in one table", name.get_ref());
            return Err(job.mistake(name.span(), message, "name every dimension once"));
        }
    }
    let same = |other: &&TablePart| other.name.get_ref() == table.name.get_ref();
    if all.iter().filter(same).count() > 1 {
        let message = format!("there are two tables \"{}\"", table.name.get_ref());
        return Err(job.mistake(table.name.span(), message, "give every table its own name"));
    }
    if table.given.is_some() && table.weighted == Some(true) {
        let message = "a table that is given shows what its file shows";
        return Err(job.mistake(table.name.span(), message, "remove weighted"));
    }
    Ok(())
}

/// The rules and the cost of a table. `decides` tells who decides for a table that is given.
///
/// # Errors
/// If there are no rules, or rules for holdings that nobody knows.
pub fn decisions(
    job: &Job,
    table: &TablePart,
    decides: Option<Decides>,
) -> Result<(Rules, Cost), Error> {
    let part = table.rules.as_ref().unwrap_or(&job.file.rules);
    let rules = rules::rules(part, is_weighted(job, table));
    let by_rules = decides.is_none_or(|decides| decides == Decides::Rules);
    if rules.is_empty() && table.apriori.is_none() && by_rules {
        let message =
            format!("\"{}\" has no rules: every cell would be published", table.name.get_ref());
        let advice = "add [rules] with frequency, dominance or p-percent";
        return Err(job.mistake(table.name.span(), message, advice));
    }
    let holdings = job.file.data.as_ref().is_some_and(|data| data.holding.is_some());
    if part.holdings.is_some() && !holdings && decides.is_none() {
        let message = "rules for holdings need to know who belongs to which";
        return Err(job.mistake(table.name.span(), message, "add holding = \"…\" to [data]"));
    }
    let measure = match (&table.cost_variable, table.cost.unwrap_or_default()) {
        (Some(_), _) => CostMeasure::Variable,
        (None, CostChoice::Value) => CostMeasure::Value,
        (None, CostChoice::Unity) => CostMeasure::Unity,
        (None, CostChoice::Frequency) => CostMeasure::Frequency,
        (None, CostChoice::Digits) => CostMeasure::Digits,
        (None, CostChoice::Information) => CostMeasure::Information,
        (None, CostChoice::Inverse) => CostMeasure::Inverse,
        (None, CostChoice::RoundedSize) => CostMeasure::RoundedSize,
        (None, CostChoice::Distance) => CostMeasure::Distance(Vec::new()),
    };
    let transformation =
        table.cost_lambda.map_or(Transformation::None, Transformation::from_lambda);
    Ok((rules, Cost { measure, transformation }))
}

/// What was set by hand.
///
/// # Errors
/// If its file cannot be read.
pub fn apriori(job: &Job, table: &TablePart) -> Result<Option<AprioriPlan>, Error> {
    let Some(part) = &table.apriori else { return Ok(None) };
    let file = job.locate(part.file.get_ref());
    let entries =
        hst::parse(&Text::read(&file)?, &part.separator, table.dimensions.get_ref().len())?;
    Ok(Some(AprioriPlan {
        entries: hst_entries::entries(&entries),
        file,
        trivial: match part.expand_trivial_levels {
            true => TrivialLevels::Together,
            false => TrivialLevels::Apart,
        },
        ignore_errors: part.ignore_errors,
    }))
}
