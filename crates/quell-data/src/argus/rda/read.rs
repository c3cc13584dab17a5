//! Reading metadata.

use super::options::{self, Pending};
use super::{Layout, Metadata, Role, StatusLetters, Variable};
use crate::Error;
use crate::argus::tokens::{self, Token, Tokens};
use crate::text::Text;

/// Which of the two grammars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flavour {
    Micro,
    Table,
}

/// Reads the metadata of a microdata file.
///
/// # Errors
/// A mistake with its place.
pub fn parse_micro(text: &Text) -> Result<Metadata, Error> {
    read(text, Flavour::Micro)
}

/// Reads the metadata of a table file.
///
/// # Errors
/// A mistake with its place.
pub fn parse_table(text: &Text) -> Result<Metadata, Error> {
    read(text, Flavour::Table)
}

fn read(text: &Text, flavour: Flavour) -> Result<Metadata, Error> {
    let layout = match flavour {
        Flavour::Micro => Layout::Fixed,
        Flavour::Table => Layout::Table(";".to_owned()),
    };
    let mut metadata =
        Metadata { layout, letters: StatusLetters::default(), variables: Vec::new() };
    let mut pending: Option<Pending> = None;
    for mut line in tokens::lines(text) {
        let Some(first) = line.word()? else { continue };
        if !first.is_keyword() {
            if let Some(done) = pending.take() {
                metadata.variables.push(done.finish(text, flavour)?);
            }
            pending = Some(Pending::new(
                variable(&first, &mut line, &metadata, flavour)?,
                first.place.clone(),
            ));
            continue;
        }
        match pending.as_mut() {
            None => header(&first, &mut line, &mut metadata, flavour)?,
            Some(pending) => {
                if HEADER.contains(&first.text.as_ref()) {
                    let advice = "put it above the first variable";
                    return Err(line.mistake(first.place, "an option of a variable", advice));
                }
                options::read(&first, &mut line, pending, flavour)?;
            }
        }
    }
    if let Some(done) = pending {
        metadata.variables.push(done.finish(text, flavour)?);
    }
    check(text, &metadata, flavour)?;
    Ok(metadata)
}

const HEADER: [&str; 5] = ["<SEPARATOR>", "<SPSS>", "<SAFE>", "<UNSAFE>", "<PROTECT>"];

/// A line before the first variable.
fn header(
    first: &Token<'_>,
    line: &mut Tokens<'_>,
    metadata: &mut Metadata,
    flavour: Flavour,
) -> Result<(), Error> {
    let mut value = |what: &str| -> Result<String, Error> {
        match line.word()? {
            Some(word) if !word.text.is_empty() => Ok(word.text.into_owned()),
            _ => {
                let advice = "write it in quotes behind the keyword";
                let place = line.here();
                Err(line.mistake(place, what, advice))
            }
        }
    };
    match (first.text.as_ref(), flavour) {
        ("<SEPARATOR>", Flavour::Micro) => metadata.layout = Layout::Free(value("a separator")?),
        ("<SEPARATOR>", Flavour::Table) => metadata.layout = Layout::Table(value("a separator")?),
        ("<SPSS>", Flavour::Micro) => metadata.layout = Layout::Spss,
        ("<SAFE>", Flavour::Table) => metadata.letters.safe = value("the word for safe")?,
        ("<UNSAFE>", Flavour::Table) => metadata.letters.unsafe_ = value("the word for unsafe")?,
        ("<PROTECT>", Flavour::Table) => {
            metadata.letters.protect = value("the word for protected")?;
        }
        (keyword, _) if options::KEYWORDS.contains(&keyword) => {
            let advice = "an option belongs below the line of its variable";
            return Err(line.mistake(first.place.clone(), "the first variable", advice));
        }
        (keyword, _) => {
            return Err(options::unknown(keyword, first, line, &HEADER));
        }
    }
    Ok(())
}

/// The line of a variable.
fn variable(
    name: &Token<'_>,
    line: &mut Tokens<'_>,
    metadata: &Metadata,
    flavour: Flavour,
) -> Result<Variable, Error> {
    let mut variable =
        Variable { name: name.text.clone().into_owned(), line: line.line, ..Variable::default() };
    if flavour == Flavour::Micro {
        let fixed = metadata.layout.has_places();
        let advice = if fixed {
            "a line of fixed-width metadata reads: name, first column, length, missing codes"
        } else {
            "a line of free-format metadata reads: name, length, missing codes"
        };
        let mut number = |expected: &str, least: usize| -> Result<usize, Error> {
            let word = line.word()?;
            let place = word.as_ref().map_or_else(|| line.here(), |word| word.place.clone());
            let number = word.and_then(|word| word.text.parse().ok());
            number
                .filter(|&number| (least..=LONGEST).contains(&number))
                .ok_or_else(|| line.mistake(place, expected, advice))
        };
        if fixed {
            variable.start = Some(number("the first column, a number from 1", 1)?);
        }
        let least = usize::from(fixed);
        variable.length = Some(number("the length, a number of columns", least)?);
    }
    while let Some(word) = line.word()? {
        if word.is_keyword() {
            let advice = "put options on lines of their own";
            return Err(line.mistake(word.place, "a missing code", advice));
        }
        let length = word.text.chars().count();
        if variable.length.is_some_and(|columns| columns > 0 && length > columns) {
            let expected = "a missing code no longer than the variable";
            return Err(line.mistake(word.place, expected, "shorten the code"));
        }
        if variable.missing.len() == 2 {
            let advice = "a variable has at most two missing codes";
            return Err(line.mistake(word.place, "the end of the line", advice));
        }
        if !word.text.trim().is_empty() {
            variable.missing.push(word.text.into_owned());
        }
    }
    Ok(variable)
}

/// Records are no longer than this in τ-ARGUS; ten times that is no number of columns.
const LONGEST: usize = 320_000;

/// What must hold of all variables together.
fn check(text: &Text, metadata: &Metadata, flavour: Flavour) -> Result<(), Error> {
    let end = text.as_str().trim_end().len();
    if metadata.variables.is_empty() {
        let advice = "describe each variable on a line of its own";
        return Err(text.mistake(end..end, "a variable", advice));
    }
    let place = |variable: &Variable| {
        let line = text.lines().nth(variable.line - 1);
        line.map_or(0..0, |line| line.place())
    };
    for (position, variable) in metadata.variables.iter().enumerate() {
        if metadata.position(&variable.name) != Some(position) {
            let advice = "names count as equal whatever their case";
            return Err(text.mistake(place(variable), "a name not used before", advice));
        }
        let Some(role) = &variable.role else { continue };
        let many = matches!(role, Role::Top | Role::Household);
        if !many && metadata.with_role(role).is_some_and(|first| first.line != variable.line) {
            let advice = "only one variable can have this role";
            return Err(text.mistake(place(variable), "a role not given before", advice));
        }
    }
    let has_response = metadata
        .variables
        .iter()
        .any(|variable| variable.is_response() || variable.role == Some(Role::Frequency));
    if flavour == Flavour::Table && !has_response {
        let advice = "a table has a <NUMERIC> or a <FREQUENCY> variable";
        return Err(text.mistake(end..end, "a response or frequency", advice));
    }
    Ok(())
}
