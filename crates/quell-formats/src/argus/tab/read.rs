//! Reading tables.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::{Row, Table, Wanted};
use crate::argus::CellStatus;
use crate::argus::rda::{Layout, Metadata, Role, Variable};
use crate::argus::tokens;
use crate::fields::{self, Field};
use crate::number::{Exact, weight};
use crate::text::{Line, Text};
use crate::{Error, suggest};

/// The audit columns that τ-ARGUS writes behind the others and does not read back.
const AUDIT_COLUMNS: usize = 6;

/// Reads a table file that `metadata` describe.
///
/// # Errors
/// A mistake with its place: a field that is no number, an unknown status, a cell that
/// stands twice, and what cannot be true of a cell: a value without contributors,
/// contributors without a value, largest contributions that do not fall or exceed the
/// value, a status of an empty cell, negative costs and levels.
pub fn parse(text: &Text, metadata: &Metadata, wanted: Wanted<'_>) -> Result<Table, Error> {
    let columns = Columns::new(text, metadata, wanted)?;
    let separator = match &metadata.layout {
        Layout::Table(separator) | Layout::Free(separator) => separator.as_str(),
        Layout::Fixed | Layout::Spss => ";",
    };
    let mut rows: Vec<Row> = Vec::new();
    for line in text.lines().filter(tokens::counts).skip(usize::from(wanted.header)) {
        let cell = Cell { text, metadata, line, fields: fields::split(&line, separator) };
        rows.push(cell.read(&columns)?);
    }
    refuse_repeats(text, &rows)?;
    let names = columns.codes.iter().map(|&at| metadata.variables[at].name.clone());
    Ok(Table { dimensions: names.collect(), rows })
}

/// Every cell stands once.
fn refuse_repeats(text: &Text, rows: &[Row]) -> Result<(), Error> {
    let mut seen: FxHashMap<&[String], usize> = FxHashMap::default();
    seen.reserve(rows.len());
    for row in rows {
        if let Some(before) = seen.insert(&row.codes, row.line) {
            let place = text.lines().nth(row.line - 1).map_or(0..0, |line| line.place());
            let expected = format!("a cell not given before; line {before} has it");
            return Err(text.mistake(place, expected, "every cell stands once"));
        }
    }
    Ok(())
}

/// Where the parts of a cell stand.
struct Columns {
    codes: Vec<usize>,
    /// None: the frequency is the response.
    response: Option<usize>,
    frequency: Option<usize>,
    shadow: Option<usize>,
    cost: Option<usize>,
    tops: Vec<usize>,
    status: Option<usize>,
    lower: Option<usize>,
    upper: Option<usize>,
}

impl Columns {
    fn new(text: &Text, metadata: &Metadata, wanted: Wanted<'_>) -> Result<Self, Error> {
        let all = |is: &dyn Fn(&Variable) -> bool| -> Vec<usize> {
            let variables = metadata.variables.iter().enumerate();
            variables.filter(|(_, variable)| is(variable)).map(|(at, _)| at).collect()
        };
        let role =
            |role: Role| all(&|variable| variable.role.as_ref() == Some(&role)).first().copied();
        let named = |name: &str| {
            metadata.position(name).ok_or_else(|| {
                let names: Vec<&str> =
                    metadata.variables.iter().map(|variable| variable.name.as_str()).collect();
                let found = format!("no variable \"{name}\" in the metadata");
                let advice = suggest::advise(name, &names);
                text.mistake_found(0..0, found, "a variable of the table", advice)
            })
        };
        let columns = Self {
            codes: all(&|variable| variable.categorical),
            response: wanted.response.map(named).transpose()?,
            frequency: role(Role::Frequency),
            shadow: wanted.shadow.map(named).transpose()?.or_else(|| role(Role::Shadow)),
            cost: wanted.cost.map(named).transpose()?.or_else(|| role(Role::Cost)),
            tops: all(&|variable| variable.role == Some(Role::Top)),
            status: role(Role::Status),
            lower: role(Role::LowerLevel),
            upper: role(Role::UpperLevel),
        };
        if columns.response.is_none() && columns.frequency.is_none() {
            let advice = "name a response, or give the metadata a <FREQUENCY> variable";
            return Err(text.mistake_found(0..0, "no response", "a response", advice));
        }
        if columns.codes.is_empty() {
            let advice = "mark the spanning variables as <RECODEABLE>";
            return Err(text.mistake_found(0..0, "no dimension", "a dimension", advice));
        }
        Ok(columns)
    }
}

/// A line on the way to a row.
struct Cell<'a> {
    text: &'a Text,
    metadata: &'a Metadata,
    line: Line<'a>,
    fields: Vec<Field<'a>>,
}

impl Cell<'_> {
    fn read(&self, columns: &Columns) -> Result<Row, Error> {
        self.check_count()?;
        let frequency = self.frequency(columns.frequency)?;
        let value = match columns.response {
            Some(column) => self.number(column)?,
            None => frequency.map(|count| Exact { digits: i64::from(count), decimals: 0 }),
        };
        let mut row = Row {
            line: self.line.number,
            codes: columns.codes.iter().map(|&column| self.code(column)).collect(),
            value,
            frequency,
            frequency_imputed: false,
            shadow: columns.shadow.map_or(Ok(None), |column| self.number(column))?,
            cost: columns.cost.map_or(Ok(None), |column| self.cost(column))?,
            tops: columns
                .tops
                .iter()
                .map(|&column| Ok(self.number(column)?.unwrap_or(Exact { digits: 0, decimals: 0 })))
                .collect::<Result<_, Error>>()?,
            status: columns.status.map_or(Ok(None), |column| self.status(column))?,
            lower: columns.lower.map_or(Ok(None), |column| self.level(column))?,
            upper: columns.upper.map_or(Ok(None), |column| self.level(column))?,
        };
        self.settle_emptiness(&mut row, columns)?;
        self.check_tops(&row, columns)?;
        Ok(row)
    }

    fn check_count(&self) -> Result<(), Error> {
        let expected = self.metadata.variables.len();
        let more = self.fields.get(expected..).unwrap_or_default();
        let idle = more.len() == AUDIT_COLUMNS || more.iter().all(|field| field.text.is_empty());
        if self.fields.len() >= expected && idle {
            return Ok(());
        }
        let found = format!("{} fields", self.fields.len());
        let expected = format!("{expected} fields, one field per variable of the metadata");
        let advice = "check the <SEPARATOR> and the variables of the metadata";
        Err(self.text.mistake_found(self.line.place(), found, expected, advice))
    }

    fn mistake(&self, column: usize, expected: &str, advice: &str) -> Error {
        let place = self.fields[column].place.clone();
        if place.is_empty() {
            return self.text.mistake_found(place, "nothing", expected, advice);
        }
        self.text.mistake(place, expected, advice)
    }

    fn code(&self, column: usize) -> String {
        let code = self.fields[column].text.as_ref();
        let total = self.metadata.variables[column].total();
        // Nothing is the total, too.
        if code.trim().is_empty() || code.trim() == total { total } else { code }.to_owned()
    }

    fn number(&self, column: usize) -> Result<Option<Exact>, Error> {
        let text = self.fields[column].text.trim();
        if matches!(text, "" | "-") {
            return Ok(None);
        }
        Exact::read(fields::with_point(text).as_bytes()).map(Some).map_err(|fault| {
            let (expected, advice) = fault.explain();
            self.mistake(column, expected, advice)
        })
    }

    fn frequency(&self, column: Option<usize>) -> Result<Option<u32>, Error> {
        let Some(column) = column else { return Ok(None) };
        let Some(number) = self.number(column)? else { return Ok(None) };
        let count = (number.decimals == 0).then(|| u32::try_from(number.digits).ok()).flatten();
        let advice = "contributors are counted: 0, 1, 2, …";
        count.map(Some).ok_or_else(|| self.mistake(column, "a number of contributors", advice))
    }

    fn cost(&self, column: usize) -> Result<Option<f64>, Error> {
        let text = self.fields[column].text.trim();
        if matches!(text, "" | "-") {
            return Ok(None);
        }
        let cost = weight(fields::with_point(text).as_bytes());
        // A response may be the cost; what it costs is then its size.
        let is_response = self.metadata.variables[column].is_response();
        match cost {
            Some(cost) if cost >= 0.0 => Ok(Some(cost)),
            Some(cost) if is_response => Ok(Some(-cost)),
            _ => {
                let advice = "a cost is what suppressing the cell loses";
                Err(self.mistake(column, "a cost of at least 0", advice))
            }
        }
    }

    fn level(&self, column: usize) -> Result<Option<Exact>, Error> {
        let level = self.number(column)?;
        if level.is_some_and(Exact::is_negative) {
            let advice = "levels are distances from the value, not values";
            return Err(self.mistake(column, "a level of at least 0", advice));
        }
        Ok(level)
    }

    fn status(&self, column: usize) -> Result<Option<CellStatus>, Error> {
        let letters = &self.metadata.letters;
        let word = self.fields[column].text.trim();
        let is = |letter: &str| letter.eq_ignore_ascii_case(word);
        Ok(Some(if is(&letters.safe) {
            CellStatus::SafeManual
        } else if is(&letters.unsafe_) {
            CellStatus::UnsafeManual
        } else if is(&letters.protect) {
            CellStatus::Protected
        } else if word.is_empty() || is("E") {
            CellStatus::Empty
        } else if is("M") {
            CellStatus::Secondary
        } else {
            let known = format!(
                "{}, {}, {}, M, E or nothing",
                letters.safe, letters.unsafe_, letters.protect
            );
            let advice = "other letters are declared by <SAFE>, <UNSAFE> and <PROTECT>";
            return Err(self.mistake(column, &known, advice));
        }))
    }

    /// Whether a cell is empty, said in up to three columns, which must agree.
    fn settle_emptiness(&self, row: &mut Row, columns: &Columns) -> Result<(), Error> {
        let at = |column: Option<usize>| column.unwrap_or(columns.codes[0]);
        let not_zero = row.value.is_some_and(|value| value.digits != 0);
        match (row.value, row.frequency) {
            (None, Some(count)) if count > 0 => {
                let advice = "give the cell its value, or no contributors";
                return Err(self.mistake(at(columns.response), "a value", advice));
            }
            (Some(_), Some(0)) if not_zero => {
                let advice = "a cell with a value has contributors; leave it out to mean unknown";
                let expected = "a number of contributors above 0";
                return Err(self.mistake(at(columns.frequency), expected, advice));
            }
            _ => {}
        }
        let empty = row.value.is_none() || (!not_zero && row.frequency == Some(0));
        if empty {
            let fits = row
                .status
                .is_none_or(|status| matches!(status, CellStatus::Empty | CellStatus::SafeManual));
            if !fits {
                let advice = "an empty cell has nothing to protect";
                return Err(self.mistake(
                    at(columns.status),
                    "E, the status of an empty cell",
                    advice,
                ));
            }
            row.status = Some(CellStatus::Empty);
            row.value = None;
            return Ok(());
        }
        if row.status == Some(CellStatus::Empty) {
            if not_zero || row.frequency.is_some_and(|count| count > 0) {
                let advice = "a cell with a value is not empty";
                return Err(self.mistake(at(columns.status), "a status other than empty", advice));
            }
            // Zero without contributors known: as empty as the status says.
            row.value = None;
            return Ok(());
        }
        if columns.frequency.is_some() && row.frequency.is_none() {
            row.frequency = Some(1);
            row.frequency_imputed = true;
        }
        Ok(())
    }

    fn check_tops(&self, row: &Row, columns: &Columns) -> Result<(), Error> {
        for (pair, &column) in row.tops.windows(2).zip(columns.tops.iter().skip(1)) {
            if compare(pair[1], pair[0]).is_gt() {
                let advice = "the largest contributions stand in falling order";
                return Err(self.mistake(
                    column,
                    "a contribution no larger than the one before",
                    advice,
                ));
            }
        }
        let (Some(value), Some(&last)) = (row.value, columns.tops.last()) else { return Ok(()) };
        // Contributions to a negative value say nothing about its size.
        if !value.is_negative() && exceeds(&row.tops, value) {
            let place = self.span(columns.tops[0], last);
            let advice = "the largest contributions are part of the value";
            let expected = "contributions that are together no larger than the value";
            return Err(self.text.mistake(place, expected, advice));
        }
        Ok(())
    }

    fn span(&self, from: usize, to: usize) -> Range<usize> {
        self.fields[from].place.start..self.fields[to].place.end
    }
}

/// Digits at 15 decimals: enough for every number a file may have.
fn units(number: Exact) -> i128 {
    i128::from(number.digits) * 10_i128.pow(15 - u32::from(number.decimals.min(15)))
}

fn compare(one: Exact, other: Exact) -> std::cmp::Ordering {
    units(one).cmp(&units(other))
}

fn exceeds(tops: &[Exact], value: Exact) -> bool {
    tops.iter().fold(0_i128, |sum, &top| sum.saturating_add(units(top))) > units(value)
}
