//! A-priori information, `.hst`: what is known of single cells before protection.
//!
//! A line reads `code;code;…;type[;number[;number]]` with a separator that the batch
//! gives. Codes are taken without blanks around them; the total is its own code or
//! nothing.

use crate::argus::tokens;
use crate::fields::{self, Field};
use crate::number::{Exact, NumberFault, weight};
use crate::suggest::advise;
use crate::text::Text;
use crate::{Error, argus::CellStatus};

/// A line of a `.hst` file.
#[derive(Debug, Clone, PartialEq)]
pub struct Apriori {
    /// The line, from 1.
    pub line: usize,
    /// The cell: a code a dimension, empty for the total.
    pub codes: Vec<String>,
    /// What is known.
    pub change: Change,
}

/// What is known of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Change {
    /// `S`, `U`, `P`, `M` or `ML`: its status.
    Status(CellStatus),
    /// `C` or `W`: what suppressing it costs; never 0.
    Cost(f64),
    /// `PL`: its protection levels, at least 0.
    Levels {
        /// The lower one.
        lower: Exact,
        /// The upper one.
        upper: Exact,
    },
}

/// Reads a `.hst` text for a table of so many dimensions.
///
/// # Errors
/// A mistake with its place.
pub fn parse(text: &Text, separator: &str, dimensions: usize) -> Result<Vec<Apriori>, Error> {
    let mut all = Vec::new();
    for line in text.lines().filter(tokens::counts) {
        let row = fields::split(&line, separator);
        if row.len() <= dimensions {
            let found = format!("{} fields", row.len());
            let expected = format!("{dimensions} codes and a type, separated by \"{separator}\"");
            let advice = "the batch gives the separator; a line reads: codes, type, numbers";
            return Err(text.mistake_found(line.place(), found, expected, advice));
        }
        let (codes, rest) = row.split_at(dimensions);
        all.push(Apriori {
            line: line.number,
            codes: codes.iter().map(|code| code.text.trim().to_owned()).collect(),
            change: change(text, rest)?,
        });
    }
    Ok(all)
}

fn change(text: &Text, fields: &[Field<'_>]) -> Result<Change, Error> {
    let [kind, numbers @ ..] = fields else {
        return Err(text.mistake(0..0, "a type", "a line reads: codes, type, numbers"));
    };
    let used = match kind.text.to_uppercase().as_str() {
        "PL" | "AB" => 2,
        "C" | "W" => 1,
        _ => 0,
    };
    let change = match kind.text.to_uppercase().as_str() {
        "S" => Change::Status(CellStatus::SafeManual),
        "U" => Change::Status(CellStatus::UnsafeManual),
        "P" => Change::Status(CellStatus::Protected),
        "M" => Change::Status(CellStatus::SecondaryManual),
        "ML" => Change::Status(CellStatus::Secondary),
        "C" | "W" => Change::Cost(cost(text, kind, numbers)?),
        "PL" => {
            let lower = level(text, kind, numbers, 0)?;
            Change::Levels { lower, upper: level(text, kind, numbers, 1)? }
        }
        "AB" => {
            let advice = "attacker's bounds cannot be set by cell; remove the line";
            return Err(text.mistake(kind.place.clone(), "another type", advice));
        }
        other => {
            let advice = advise(other, &["S", "U", "P", "M", "ML", "C", "W", "PL"]);
            return Err(text.mistake(kind.place.clone(), "a type of change", advice));
        }
    };
    match numbers.iter().skip(used).find(|field| !field.text.is_empty()) {
        None => Ok(change),
        Some(more) => {
            let advice = format!("type {} needs {used} numbers", kind.text);
            Err(text.mistake(more.place.clone(), "the end of the line", advice))
        }
    }
}

fn number_field<'a, 'b>(
    text: &Text,
    kind: &Field<'_>,
    numbers: &'b [Field<'a>],
    position: usize,
) -> Result<&'b Field<'a>, Error> {
    numbers.get(position).filter(|field| !field.text.is_empty()).ok_or_else(|| {
        let place = numbers.last().map_or(kind.place.end, |field| field.place.end);
        let advice = "C and W need a cost, PL a lower and an upper level";
        text.mistake_found(place..place, "no number", "a number", advice)
    })
}

fn cost(text: &Text, kind: &Field<'_>, numbers: &[Field<'_>]) -> Result<f64, Error> {
    let field = number_field(text, kind, numbers, 0)?;
    match weight(fields::with_point(&field.text).as_bytes()) {
        // Cost 0 would make a cell free to hide; τ-ARGUS takes 1 for it, too.
        Some(0.0) => Ok(1.0),
        Some(cost) if cost > 0.0 => Ok(cost),
        _ => {
            Err(text.mistake(field.place.clone(), "a cost above 0", "costs are numbers like 12.5"))
        }
    }
}

fn level(
    text: &Text,
    kind: &Field<'_>,
    numbers: &[Field<'_>],
    position: usize,
) -> Result<Exact, Error> {
    let field = number_field(text, kind, numbers, position)?;
    let wrong = |(expected, advice)| text.mistake(field.place.clone(), expected, advice);
    let level = Exact::read(fields::with_point(&field.text).as_bytes())
        .map_err(|fault: NumberFault| wrong(fault.explain()))?;
    if level.is_negative() {
        let advice = "levels are distances from the value, not values";
        return Err(wrong(("a level of at least 0", advice)));
    }
    Ok(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Apriori>, Error> {
        parse(&Text::new("t.hst", text.as_bytes()), ";", 2)
    }

    #[test]
    fn every_type_of_change_is_read() {
        let text = "// known\nTotal;S1;U\n R2 ; ;c;0\nR2;S3;PL;50;7,5\n a;b;ml\na;b;S;;\r\n";
        let changes: Vec<Change> = read(text).unwrap().iter().map(|line| line.change).collect();
        let exact = |text: &str| Exact::read(text.as_bytes()).unwrap();
        assert_eq!(
            changes,
            [
                Change::Status(CellStatus::UnsafeManual),
                Change::Cost(1.0),
                Change::Levels { lower: exact("50"), upper: exact("7.5") },
                Change::Status(CellStatus::Secondary),
                Change::Status(CellStatus::SafeManual),
            ]
        );
        let lines = read(text).unwrap();
        assert_eq!(lines[1].codes, ["R2", ""]);
        assert_eq!(lines[2].line, 4);
    }

    #[test]
    fn mistakes_have_their_place() {
        let wrong = |text: &str| {
            let error = read(text).unwrap_err();
            error.mistake().map(|mistake| (mistake.line, mistake.column, mistake.expected.clone()))
        };
        assert_eq!(wrong("a;b;X"), Some((1, 5, "a type of change".into())));
        assert_eq!(wrong("a;b;AB;1;2"), Some((1, 5, "another type".into())));
        assert_eq!(wrong("a;b;C"), Some((1, 6, "a number".into())));
        assert_eq!(wrong("a;b;C;-1"), Some((1, 7, "a cost above 0".into())));
        assert_eq!(wrong("a;b;PL;1;-2"), Some((1, 10, "a level of at least 0".into())));
        assert_eq!(
            wrong("a;b;S\na,b,S"),
            Some((2, 1, "2 codes and a type, separated by \";\"".into()))
        );
        assert_eq!(wrong("a;b;S;1"), Some((1, 7, "the end of the line".into())));
    }
}
