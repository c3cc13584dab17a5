//! What holds for one table: its rules, its costs, what was set by hand.

use quell_formats::Text;
use quell_formats::argus::hst;
use quell_tabulate::{Cost, CostMeasure, Rules, Transformation, TrivialLevels};

use super::{AprioriPlan, EmptyCellsPlan, is_weighted};
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

/// The empty cells that may be hidden.
///
/// # Errors
/// If a dimension is not one of the table, another table says of the same cells that they are empty,
/// or their file cannot be read.
pub fn empty_cells(job: &Job, table: &TablePart) -> Result<Option<EmptyCellsPlan>, Error> {
    let Some(part) = &table.empty_cells else { return Ok(None) };
    let dimensions: Vec<&str> =
        table.dimensions.get_ref().iter().map(|name| name.get_ref().as_str()).collect();
    for name in part.only.keys() {
        job.known(name, &dimensions, "dimension of this table")?;
    }
    if let Some(other) = job.file.table.iter().find(|other| shows_empty_cells(job, table, other)) {
        let message = format!(
            "\"{}\" would tell which cells of \"{}\" are empty",
            other.name.get_ref(),
            table.name.get_ref()
        );
        let advice =
            "say the same of it, if it has the same dimensions, or let both publish empty cells";
        return Err(job.mistake(other.name.span(), message, advice));
    }
    let only = dimensions.iter().map(|dimension| {
        let codes = part.only.iter().find(|(name, _)| name.get_ref() == dimension);
        let codes = codes.map_or(&[][..], |(_, codes)| codes);
        codes.iter().map(|code| code.get_ref().clone()).collect()
    });
    let only = only.collect();
    let Some(file) = &part.file else { return Ok(Some(EmptyCellsPlan { only, listed: None })) };
    let file = job.locate(file.get_ref());
    let text = Text::read(&file)?;
    let mut cells = Vec::new();
    for line in text.lines().filter(|line| !line.text.trim().is_empty()) {
        let codes: Vec<String> = line.text.split(&part.separator).map(code_or_any).collect();
        if codes.len() != dimensions.len() {
            let found = format!("{} codes", codes.len());
            let expected = format!("{}, separated by \"{}\"", dimensions.len(), part.separator);
            let advice = "a line has one code for each dimension of the table, or * for any";
            return Err(text.mistake_found(line.place(), found, expected, advice).into());
        }
        cells.push(codes);
    }
    Ok(Some(EmptyCellsPlan { only, listed: Some((file, cells)) }))
}

/// A code, or nothing for any.
fn code_or_any(field: &str) -> String {
    match field.trim() {
        "*" => String::new(),
        code => code.to_owned(),
    }
}

/// Whether another table publishes which cells of a table are empty: it shows them, or figures that
/// an equation ties to them.
fn shows_empty_cells(job: &Job, table: &TablePart, other: &TablePart) -> bool {
    let response = |table: &TablePart| table.response.as_ref().map(|name| name.get_ref().clone());
    let names = |table: &TablePart| {
        let names = table.dimensions.get_ref().iter();
        names.map(|name| name.get_ref().clone()).collect::<std::collections::BTreeSet<String>>()
    };
    let (own, others) = (names(table), names(other));
    let is_tied = job.file.equation.iter().any(|equation| {
        let parts = || equation.parts.iter().chain([&equation.total]);
        let has = |name: &Option<String>| parts().any(|part| Some(part.get_ref()) == name.as_ref());
        has(&response(table)) && has(&response(other))
    });
    let has_them = own.is_subset(&others) && (response(table) == response(other) || is_tied);
    let says_so = own == others && other.empty_cells.is_some();
    table.name.get_ref() != other.name.get_ref() && has_them && !says_so
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
