//! Reading batches.

use super::order::Order;
use super::{
    AprioriFile, Command, Cost, RecodeBy, RuleForm, Step, TableSpec, Totals, rules, suppress,
    write_table,
};
use crate::Error;
use crate::argus::tokens::{self, Token, Tokens};
use crate::suggest::advise;
use crate::text::Text;

const COMMANDS: [&str; 20] = [
    "<OPENMICRODATA>",
    "<OPENTABLEDATA>",
    "<OPENMETADATA>",
    "<SPECIFYTABLE>",
    "<SAFETYRULE>",
    "<READMICRODATA>",
    "<READTABLE>",
    "<APRIORI>",
    "<APRIORY>",
    "<RECODE>",
    "<SUPPRESS>",
    "<WRITETABLE>",
    "<SOLVER>",
    "<LOGBOOK>",
    "<VERSIONINFO>",
    "<CLEAR>",
    "<GOINTERACTIVE>",
    "<COVER>",
    "<SILENT>",
    "<ANCO>",
];

/// Reads a batch, with these sensitivity rules.
///
/// # Errors
/// A mistake with its place: an unknown command, a wrong argument, a command that comes
/// too early or too late.
pub fn parse(text: &Text, rules: &[RuleForm]) -> Result<Vec<Step>, Error> {
    let mut steps = Vec::new();
    let mut order = Order::default();
    for mut line in tokens::lines(text) {
        let Some(keyword) = line.piece()? else { continue };
        if keyword.text.starts_with("\\\\") || keyword.is("<COMMENT>") {
            continue;
        }
        let command = command(&keyword, &mut line, rules)?;
        order
            .check(&command)
            .map_err(|wrong| text.mistake(keyword.place.clone(), wrong.expected, wrong.advice))?;
        steps.push(Step { line: line.line, command });
    }
    Ok(steps)
}

fn command(
    keyword: &Token<'_>,
    line: &mut Tokens<'_>,
    forms: &[RuleForm],
) -> Result<Command, Error> {
    let no_more = "this command needs no more";
    let command = match keyword.text.as_ref() {
        "<OPENMICRODATA>" => Command::OpenMicrodata(file(line)?),
        "<OPENTABLEDATA>" => Command::OpenTableData(file(line)?),
        "<OPENMETADATA>" => Command::OpenMetadata(file(line)?),
        "<LOGBOOK>" => Command::Logbook(file(line)?),
        "<VERSIONINFO>" => Command::VersionInfo(file(line)?),
        "<SPECIFYTABLE>" => Command::SpecifyTable(specify_table(line)?),
        "<SAFETYRULE>" => Command::SafetyRule(rules::read(line, forms)?),
        "<READMICRODATA>" => Command::ReadMicrodata,
        "<READTABLE>" => read_table(line)?,
        "<APRIORI>" | "<APRIORY>" => Command::Apriori(apriori(line)?),
        "<RECODE>" => recode(line)?,
        "<SUPPRESS>" => suppress::read(line)?,
        "<WRITETABLE>" => write_table::read(line)?,
        "<SOLVER>" => solver(line)?,
        "<CLEAR>" => Command::Clear,
        "<GOINTERACTIVE>" => Command::GoInteractive,
        "<COVER>" => Command::Cover,
        "<SILENT>" => Command::Silent,
        "<ANCO>" => Command::Anco,
        other => {
            let advice = advise(other, &COMMANDS);
            return Err(line.mistake(keyword.place.clone(), "a command of a batch", advice));
        }
    };
    line.need_end(no_more)?;
    Ok(command)
}

fn file(line: &mut Tokens<'_>) -> Result<String, Error> {
    let advice = "write the name of the file in quotes";
    let quoted = line.peek()?.is_some_and(|piece| piece.quoted);
    let name = if quoted { line.piece()? } else { line.rest() };
    match name.filter(|name| !name.text.trim().is_empty()) {
        Some(name) => Ok(name.text.into_owned()),
        None => {
            let place = line.here();
            Err(line.mistake(place, "the name of a file", advice))
        }
    }
}

/// A name between two bars; none if there is nothing.
fn name(line: &mut Tokens<'_>, ends: &[&str]) -> Result<Option<String>, Error> {
    let Some(piece) = line.peek()? else { return Ok(None) };
    if ends.iter().any(|end| piece.is(end)) {
        return Ok(None);
    }
    let piece = line.piece()?;
    Ok(piece.map(|piece| piece.text.into_owned()).filter(|name| !name.is_empty()))
}

fn specify_table(line: &mut Tokens<'_>) -> Result<TableSpec, Error> {
    let advice = "the command reads: \"E1\"\"E2\"|\"Response\"|\"Shadow\"|\"Cost\",lambda; the last three \
         may be left out";
    let mut explanatory = Vec::new();
    loop {
        let piece = line.need("a spanning variable or |", advice)?;
        if piece.is("|") {
            break;
        }
        let sign = !piece.quoted && matches!(piece.text.as_ref(), "," | "(" | ")");
        if sign || piece.text.is_empty() {
            return Err(line.mistake(piece.place, "a spanning variable or |", advice));
        }
        explanatory.push(piece.text.into_owned());
    }
    if explanatory.is_empty() {
        let place = line.here();
        return Err(line.mistake(place, "a spanning variable before |", advice));
    }
    let place = line.here();
    let response = name(line, &["|"])?
        .ok_or_else(|| line.mistake(place, "a response variable or <FREQ>", advice))?;
    let mut spec = TableSpec {
        explanatory,
        response: Some(response).filter(|name| !name.eq_ignore_ascii_case("<FREQ>")),
        shadow: None,
        cost: Cost::Response,
        lambda: 1.0,
    };
    if line.at_end() {
        return Ok(spec);
    }
    line.need_sign("|", advice)?;
    spec.shadow = name(line, &["|"])?;
    if line.at_end() {
        return Ok(spec);
    }
    line.need_sign("|", advice)?;
    spec.cost = match name(line, &["|", ","])?.as_deref() {
        None => Cost::Response,
        Some("-1") => Cost::Frequency,
        Some("-2") => Cost::Unity,
        Some("-3") => Cost::Distance,
        Some(variable) => Cost::Variable(variable.to_owned()),
    };
    if line.skip(",")? && !line.at_end() {
        spec.lambda = line.need_number("lambda, a number", advice)?;
    }
    // Some scripts close the command with another bar.
    line.skip("|")?;
    Ok(spec)
}

fn read_table(line: &mut Tokens<'_>) -> Result<Command, Error> {
    let advice = "0 check totals, 1 compute them, 2 they need not add up; 1T keeps statuses";
    let Some(word) = line.word()? else {
        return Ok(Command::ReadTable { totals: Totals::Check, keep_status: false });
    };
    let (totals, rest) = match word.text.split_at_checked(1) {
        Some(("0", rest)) => (Totals::Check, rest),
        Some(("1", rest)) => (Totals::Recompute, rest),
        Some(("2", rest)) => (Totals::NotRequired, rest),
        _ => return Err(line.mistake(word.place, "0, 1, 1T or 2", advice)),
    };
    let keep_status = match rest.to_uppercase().as_str() {
        "T" => totals == Totals::Recompute,
        "" | "F" => false,
        _ => return Err(line.mistake(word.place, "0, 1, 1T or 2", advice)),
    };
    Ok(Command::ReadTable { totals, keep_status })
}

/// A number of a table, from 1.
pub(super) fn table(line: &mut Tokens<'_>, advice: &str) -> Result<usize, Error> {
    let expected = "the number of a table, from 1";
    let piece = line.need(expected, advice)?;
    let number: usize = line.number(&piece, expected, advice)?;
    if number == 0 { Err(line.mistake(piece.place, expected, advice)) } else { Ok(number) }
}

/// 0 or 1.
pub(super) fn flag(piece: &Token<'_>, line: &Tokens<'_>, advice: &str) -> Result<bool, Error> {
    match piece.text.as_ref() {
        "0" => Ok(false),
        "1" => Ok(true),
        _ => Err(line.mistake(piece.place.clone(), "0 or 1", advice)),
    }
}

fn apriori(line: &mut Tokens<'_>) -> Result<AprioriFile, Error> {
    let advice = "the command reads: \"file.hst\",table,\"separator\",ignore 0/1,expand 0/1";
    let file = line.need("the name of a file", advice)?.text.into_owned();
    line.need_sign(",", advice)?;
    let table = table(line, advice)?;
    line.need_sign(",", advice)?;
    let separator = line.need("a separator in quotes", advice)?;
    if !separator.quoted || separator.text.is_empty() {
        return Err(line.mistake(separator.place, "a separator in quotes", advice));
    }
    let mut command = AprioriFile {
        file,
        table,
        separator: separator.text.into_owned(),
        ignore_errors: true,
        expand_trivial: false,
    };
    for option in [&mut command.ignore_errors, &mut command.expand_trivial] {
        if !line.skip(",")? {
            break;
        }
        let left_out = line.peek()?.is_none_or(|piece| piece.is(","));
        if !left_out {
            let piece = line.need("0 or 1", advice)?;
            *option = flag(&piece, line, advice)?;
        }
    }
    Ok(command)
}

fn recode(line: &mut Tokens<'_>) -> Result<Command, Error> {
    let advice = "the command reads: table, variable, \"file.grc\" or a level";
    let table = table(line, advice)?;
    line.need_sign(",", advice)?;
    let variable = line.need("a variable", advice)?.text.into_owned();
    line.need_sign(",", advice)?;
    let name = file(line)?;
    let by = match name.parse() {
        Ok(level @ 1..=9) => RecodeBy::Level(level),
        _ => RecodeBy::File(name),
    };
    Ok(Command::Recode { table, variable, by })
}

fn solver(line: &mut Tokens<'_>) -> Result<Command, Error> {
    let (expected, advice) = ("FREE, CPLEX or XPRESS", "a licence file may follow a comma");
    let name = line.need(expected, advice)?;
    let upper = name.text.to_uppercase();
    if !["FREE", "CPLEX", "XPRESS"].contains(&upper.as_str()) {
        return Err(line.mistake(name.place, expected, advice));
    }
    let licence = if line.skip(",")? { Some(file(line)?) } else { None };
    Ok(Command::Solver { name: upper, licence })
}
