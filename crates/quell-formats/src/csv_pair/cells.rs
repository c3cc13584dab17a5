//! The cells file.

use std::borrow::Cow;
use std::ops::Range;

use quell_model::{
    Budget, Cell, Decimals, Labels, Problem, Protection, Reason, Status, System, UNBOUNDED_BELOW,
};
use rustc_hash::FxHashMap;

use super::Source;
use super::rows::{Field, Header, Rows, mistake};
use crate::Error;
use crate::number::{Column, Exact, NumberFault, weight};
use crate::pace::Pace;

/// The columns, required ones first.
pub(crate) const COLUMNS: [&str; 10] = [
    "cell",
    "value",
    "weight",
    "status",
    "lower_bound",
    "upper_bound",
    "lpl",
    "upl",
    "spl",
    "contributors",
];

/// The words for statuses.
pub(crate) const STATUSES: [(&str, Status); 10] = [
    ("safe", Status::Safe),
    ("protected", Status::Protected),
    ("secondary", Status::Secondary),
    ("primary", Status::Primary(Reason::Given)),
    ("primary:frequency", Status::Primary(Reason::Frequency)),
    ("primary:dominance", Status::Primary(Reason::Dominance)),
    ("primary:p-percent", Status::Primary(Reason::PPercent)),
    ("primary:request", Status::Primary(Reason::Request)),
    ("primary:zero", Status::Primary(Reason::Zero)),
    ("primary:manual", Status::Primary(Reason::Manual)),
];

/// The cells as read, numbers not yet in units.
pub(crate) struct Cells<'a> {
    source: Source<'a>,
    index: FxHashMap<Cow<'a, str>, u32>,
    values: Column,
    weights: Vec<Option<f64>>,
    statuses: Vec<Status>,
    lower_bounds: Option<Column>,
    upper_bounds: Column,
    levels: [Column; 3],
    contributors: Option<Vec<u32>>,
}

impl<'a> Cells<'a> {
    pub fn read(source: Source<'a>, budget: &Budget) -> Result<Self, Error> {
        let mut rows = Rows::new(source);
        let mut pace = Pace::new(budget);
        let header = Header::read(&mut rows, &COLUMNS, 2)?;
        let mut cells = Self {
            source,
            index: FxHashMap::default(),
            values: Column::default(),
            weights: Vec::new(),
            statuses: Vec::new(),
            lower_bounds: header.has(4).then(Column::default),
            upper_bounds: Column::default(),
            levels: Default::default(),
            contributors: header.has(9).then(Vec::new),
        };
        let mut row = Vec::new();
        while rows.next(&mut row)? {
            pace.line()?;
            header.check(&rows, &row)?;
            cells.row(&header, &row)?;
        }
        if cells.count() == 0 {
            let end = source.text.len();
            let advice = "a table without cells is no table";
            return Err(rows.mistake(end..end, "at least one cell", advice));
        }
        Ok(cells)
    }

    fn row(&mut self, header: &Header, row: &[Field<'a>]) -> Result<(), Error> {
        let source = self.source;
        let wrong = |field: &Field<'a>, expected: &str, advice: &str| {
            mistake(source, field.place.clone(), expected, advice)
        };
        let not_a_number = |field: &Field<'a>, column: usize, fault: NumberFault| {
            let (expected, advice) = fault.explain();
            wrong(field, &format!("{}: {expected}", COLUMNS[column]), advice)
        };
        // A field that is absent or empty counts as not given.
        let given = |column| header.get(row, column).filter(|field| !field.text.is_empty());
        if let Some(field) = header.get(row, 0) {
            if field.text.is_empty() {
                return Err(wrong(field, "the name of a cell", "every cell needs a name"));
            }
            let next = self.index.len() as u32;
            if self.index.insert(field.text.clone(), next).is_some() {
                return Err(wrong(field, "each cell once", "a cell of this name stands above"));
            }
        }
        if let Some(field) = header.get(row, 1) {
            let value = Exact::read(field.text.as_bytes());
            self.values.push(value.map_err(|fault| not_a_number(field, 1, fault))?);
        }
        self.weights.push(match given(2) {
            None => None,
            Some(field) => {
                let cost = weight(field.text.as_bytes());
                Some(cost.ok_or_else(|| not_a_number(field, 2, NumberFault::NotANumber))?)
            }
        });
        self.statuses.push(match given(3) {
            None => Status::Safe,
            Some(field) => status(&field.text).ok_or_else(|| {
                let expected = "a status: safe, protected, secondary or primary";
                let advice =
                    "primary may have a reason, as in primary:frequency; s, z, m, u are read too";
                wrong(field, expected, advice)
            })?,
        });
        let bound = |column: &mut Column, number: usize, negative: bool| {
            match given(number) {
                None => column.push_unbounded(negative),
                Some(field) => match Exact::read(field.text.as_bytes()) {
                    Ok(number) => column.push(number),
                    Err(NumberFault::TooLarge { negative }) => column.push_unbounded(negative),
                    Err(_) if field.text.eq_ignore_ascii_case("inf") => {
                        column.push_unbounded(false);
                    }
                    Err(_) if field.text.eq_ignore_ascii_case("-inf") => {
                        column.push_unbounded(true);
                    }
                    Err(fault) => return Err(not_a_number(field, number, fault)),
                },
            }
            Ok(())
        };
        if let Some(lower) = &mut self.lower_bounds {
            bound(lower, 4, true)?;
        }
        bound(&mut self.upper_bounds, 5, false)?;
        for (number, level) in (6..9).zip(&mut self.levels) {
            level.push(match given(number) {
                None => Exact { digits: 0, decimals: 0 },
                Some(field) => Exact::read(field.text.as_bytes())
                    .map_err(|fault| not_a_number(field, number, fault))?,
            });
        }
        if let (Some(contributors), Some(field)) = (&mut self.contributors, header.get(row, 9)) {
            let digits = field.text.bytes().all(|byte| byte.is_ascii_digit());
            let count = field.text.parse().ok().filter(|_| digits);
            contributors.push(count.ok_or_else(|| {
                let expected = "a number of contributors, a whole number";
                wrong(field, expected, "remove the column if contributors are not known")
            })?);
        }
        Ok(())
    }

    pub fn count(&self) -> usize {
        self.weights.len()
    }

    /// The position of a cell.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.index.get(name).copied()
    }

    pub fn decimals(&self) -> Decimals {
        let bounds = self.lower_bounds.iter().chain([&self.upper_bounds, &self.values]);
        bounds.chain(&self.levels).map(Column::decimals).max().unwrap_or_default()
    }

    /// The problem, now that the decimals are known.
    pub fn problem(self, system: System, decimals: Decimals) -> Result<Problem, Error> {
        let units = |column: &Column, name: &str| {
            column.units(decimals).map_err(|position| {
                let place = place(self.source, position, name);
                too_large(self.source, place, decimals)
            })
        };
        let values = units(&self.values, "value")?;
        let [lower, upper, sliding] = &self.levels;
        let (lower, upper, sliding) =
            (units(lower, "lpl")?, units(upper, "upl")?, units(sliding, "spl")?);
        let no_negative = values.iter().all(|&value| value >= 0);
        let default_bound = if no_negative { 0 } else { UNBOUNDED_BELOW };
        let lower_bounds = match &self.lower_bounds {
            Some(column) => column.bounds(decimals),
            None => vec![default_bound; values.len()],
        };
        let upper_bounds = self.upper_bounds.bounds(decimals);
        let cells = (0..values.len()).map(|index| Cell {
            value: values[index],
            weight: self.weights[index].unwrap_or_else(|| decimals.to_f64(values[index].abs())),
            status: self.statuses[index],
            lower_bound: lower_bounds[index],
            upper_bound: upper_bounds[index],
            protection: Protection {
                lower: lower[index],
                upper: upper[index],
                sliding: sliding[index],
            },
        });
        let problem = Problem::new(system, decimals, cells).with_labels(labels(self.index));
        Ok(match self.contributors {
            Some(contributors) => problem.with_contributors(contributors),
            None => problem,
        })
    }
}

/// Names, unless they are just the cells' numbers.
fn labels(index: FxHashMap<Cow<'_, str>, u32>) -> Labels {
    let mut names = vec![String::new(); index.len()];
    #[expect(clippy::iter_over_hash_type, reason = "each name has its own place")]
    for (name, position) in index {
        names[position as usize] = name.into_owned();
    }
    let numbered = names.iter().enumerate().all(|(position, name)| *name == position.to_string());
    if numbered { Labels::Numbered } else { Labels::Named(names) }
}

fn status(word: &str) -> Option<Status> {
    let letter = match word {
        "s" | "S" => Some(Status::Safe),
        "z" | "Z" => Some(Status::Protected),
        "m" | "M" => Some(Status::Secondary),
        "u" | "U" => Some(Status::Primary(Reason::Given)),
        _ => None,
    };
    let named = || STATUSES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
    letter.or_else(|| named().map(|&(_, status)| status))
}

pub(crate) fn too_large(source: Source<'_>, place: Range<usize>, decimals: Decimals) -> Error {
    let expected = format!("a number that exact arithmetic can hold with {} decimals", decimals.0);
    let advice = "some number of the table has so many decimals: round it, or use a larger unit";
    mistake(source, place, expected, advice)
}

/// The bytes of a field of a cell.
pub(crate) fn place(source: Source<'_>, cell: usize, column: &str) -> Range<usize> {
    let mut rows = Rows::new(source);
    let mut row = Vec::new();
    let header = Header::read(&mut rows, &COLUMNS, 2).ok();
    for _ in 0..=cell {
        if !matches!(rows.next(&mut row), Ok(true)) {
            break;
        }
    }
    let position = header.and_then(|header| header.position(column)).unwrap_or(0);
    row.get(position).map_or(0..0, |field| field.place.clone())
}
