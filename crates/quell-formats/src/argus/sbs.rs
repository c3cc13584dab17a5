//! SBS files of τ-ARGUS: one line per cell that is not empty, with its value, contributors, flag
//! and the shares of the largest.
//!
//! They have no header: the spanning variables must be named. Each code may be followed by its
//! level.

use std::ops::Range;

use super::CellStatus;
use super::tab::{Row, Table};
use crate::number::Exact;
use crate::{Error, Text};

/// Reads a table of these spanning variables.
///
/// # Errors
/// A mistake with its place.
pub fn parse(text: &Text, dimensions: &[String]) -> Result<Table, Error> {
    let mut rows = Vec::new();
    for line in text.lines().filter(|line| !line.text.trim().is_empty()) {
        let fields = fields(line.text, line.start);
        let count = dimensions.len();
        let flagged = |at: usize| fields.get(at).is_some_and(|field| status(field.text).is_some());
        let step = match (flagged(count + 2), flagged(2 * count + 2)) {
            (true, _) => 1,
            (false, true) => 2,
            (false, false) => {
                let place = fields.get(count + 2).map_or(line.place(), |field| field.place.clone());
                let expected = format!("a flag (A, B, C, F, D or V) after {count} codes");
                let advice = "name as many spanning variables as the file has codes";
                return Err(text.mistake(place, expected, advice));
            }
        };
        let after = count * step;
        let field = |at: usize| &fields[after + at];
        let number = |at: usize, what: &str| {
            Exact::read(field(at).text.as_bytes()).map_err(|_| {
                text.mistake(field(at).place.clone(), what, "a value, contributors, and a flag")
            })
        };
        let contributors = number(1, "a number of contributors")?;
        let frequency =
            u32::try_from(contributors.digits).ok().filter(|_| contributors.decimals == 0);
        if frequency.is_none() {
            let advice = "a whole number that is not negative";
            return Err(text.mistake(field(1).place.clone(), "a number of contributors", advice));
        }
        rows.push(Row {
            line: line.number,
            codes: (0..count).map(|code| fields[code * step].text.to_owned()).collect(),
            value: Some(number(0, "the value of a cell")?),
            frequency,
            frequency_imputed: false,
            shadow: None,
            cost: None,
            tops: Vec::new(),
            status: status(field(2).text),
            lower: None,
            upper: None,
        });
    }
    Ok(Table { dimensions: dimensions.to_vec(), rows })
}

/// The status that a flag stands for.
fn status(flag: &str) -> Option<CellStatus> {
    match flag {
        "A" => Some(CellStatus::UnsafeFrequency),
        "B" | "C" | "F" => Some(CellStatus::UnsafeRule),
        "D" => Some(CellStatus::Secondary),
        "V" => Some(CellStatus::Safe),
        _ => None,
    }
}

/// A field with its place in the file.
struct Field<'a> {
    text: &'a str,
    place: Range<usize>,
}

/// The fields of a line; separators within quotes belong to their field.
fn fields(line: &str, start: usize) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    let (mut from, mut quoted) = (0, false);
    for (at, letter) in line.char_indices().chain([(line.len(), ',')]) {
        match letter {
            '"' => quoted = !quoted,
            ',' | ';' if !quoted || at == line.len() => {
                let raw = &line[from..at];
                let text = raw.trim().trim_matches('"');
                fields.push(Field { text, place: start + from..start + at });
                from = at + letter.len_utf8();
            }
            _ => {}
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Table, Error> {
        let names = ["sector", "region"].map(str::to_owned);
        parse(&Text::new("t.sbs", text.as_bytes()), &names)
    }

    #[test]
    fn flags_levels_and_shares_are_read() {
        let plain = "\"Total\",\"Total\",30.5,7,V\r\n\"A,1\",\"N\",10,2,B,97.8,2.2\r\n\"A,1\",\"S\",3,1,D\r\n";
        let table = read(plain).unwrap();
        assert_eq!(table.rows[0].value, Some(Exact { digits: 305, decimals: 1 }));
        assert_eq!(table.rows[1].codes, ["A,1", "N"]);
        let statuses: Vec<_> = table.rows.iter().map(|row| row.status.unwrap()).collect();
        assert_eq!(statuses, [CellStatus::Safe, CellStatus::UnsafeRule, CellStatus::Secondary]);
        assert_eq!(table.rows[1].frequency, Some(2));
        let levels = "\"Total\",0,\"Total\",0,30.5,7,V\n\"A,1\",1,\"N\",1,10,2,B\n";
        assert_eq!(read(levels).unwrap().rows[1].codes, ["A,1", "N"]);
    }

    #[test]
    fn mistakes_have_their_place() {
        let place = |text: &str| {
            let error = read(text).unwrap_err();
            let mistake = error.mistake().unwrap();
            (mistake.line, mistake.column)
        };
        assert_eq!(place("a,b,1,2,V\na,b,x,2,V\n"), (2, 5));
        assert_eq!(place("a,b,1,-2,V\n"), (1, 7));
        assert_eq!(place("a,b,1,2,Q\n"), (1, 9));
        assert_eq!(place("a\n"), (1, 1));
    }
}
