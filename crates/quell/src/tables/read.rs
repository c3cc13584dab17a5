//! Record batches as the rows of a table.

use arrow::array::{ArrayRef, RecordBatch};

use quell_formats::Exact;
use quell_formats::argus::tab;
use quell_model::{Decimals, Value};

use super::columns::TableColumns;
use super::values::{self, Column};
use crate::Error;

/// The rows of a table, with what files of tables do not have: bounds and sliding levels.
pub(super) struct Rows {
    /// The rows; their numbers are those of records, from 1.
    pub table: tab::Table,
    more: Vec<More>,
}

#[derive(Default)]
struct More {
    sliding: Option<Exact>,
    lower_bound: Option<Exact>,
    upper_bound: Option<Exact>,
}

impl Rows {
    /// The sliding level of a row in units of the table.
    pub fn sliding(&self, row: usize, decimals: Decimals) -> Option<Value> {
        units(self.more[row].sliding?, decimals, Rounding::Up)
    }

    /// The lower bound of a row: the smallest value of the table that is not below it.
    pub fn lower_bound(&self, row: usize, decimals: Decimals) -> Option<Value> {
        units(self.more[row].lower_bound?, decimals, Rounding::Up)
    }

    /// The upper bound of a row: the largest value of the table that is not above it.
    pub fn upper_bound(&self, row: usize, decimals: Decimals) -> Option<Value> {
        units(self.more[row].upper_bound?, decimals, Rounding::Down)
    }
}

/// The rows of batches that have the same columns.
pub(super) fn rows(batches: &[RecordBatch], columns: &TableColumns) -> Result<Rows, Error> {
    if columns.dimensions.is_empty() {
        return Err(Error::arguments("a table has no dimension", "name a column of codes"));
    }
    if columns.value.is_none() && columns.contributors.is_none() {
        return Err(Error::arguments("a table has no values", "name a column of values"));
    }
    if columns.decimals.is_some_and(|decimals| decimals > Decimals::MOST) {
        let advice = format!("at most {} decimals are exact", Decimals::MOST);
        return Err(Error::arguments("too many decimals", advice));
    }
    let dimensions = columns.dimensions.iter().map(|dimension| dimension.column.clone());
    let mut rows = Rows {
        table: tab::Table { dimensions: dimensions.collect(), rows: Vec::new() },
        more: Vec::new(),
    };
    for batch in batches {
        Batch { batch, columns, before: rows.table.rows.len() }.read(&mut rows)?;
    }
    match rows.table.rows.is_empty() {
        true => Err(Error::arguments("a table has no rows", "give one row per cell")),
        false => Ok(rows),
    }
}

/// One batch on the way to rows.
struct Batch<'a> {
    batch: &'a RecordBatch,
    columns: &'a TableColumns,
    /// The number of records in earlier batches.
    before: usize,
}

impl Batch<'_> {
    fn read(&self, rows: &mut Rows) -> Result<(), Error> {
        let columns = self.columns;
        let size = self.batch.num_rows();
        let optional = |name: &Option<String>| self.numbers(name.as_deref());
        let codes = columns.dimensions.iter();
        let codes: Vec<Vec<String>> =
            codes.map(|one| self.column(&one.column)?.codes()).collect::<Result<_, _>>()?;
        let contributors = self.counts()?;
        let value = match &columns.value {
            Some(name) => self.numbers(Some(name))?,
            None => contributors.iter().map(|count| count.map(whole)).collect(),
        };
        let (shadow, sliding) =
            (optional(&columns.shadow)?, self.not_negative(&columns.sliding_level)?);
        let (lower, upper) =
            (self.not_negative(&columns.lower_level)?, self.not_negative(&columns.upper_level)?);
        let lower_bound = optional(&columns.lower_bound)?;
        let upper_bound = optional(&columns.upper_bound)?;
        let cost = self.costs()?;
        let status = match &columns.status {
            Some(name) => self.column(name)?.statuses()?,
            None => vec![None; size],
        };
        let largest: Vec<Vec<Option<Exact>>> = columns
            .largest
            .iter()
            .map(|name| self.numbers(Some(name)))
            .collect::<Result<_, _>>()?;
        for row in 0..size {
            let tops = self.falling(row, &largest)?;
            rows.table.rows.push(tab::Row {
                line: self.before + row + 1,
                codes: codes.iter().map(|column| column[row].clone()).collect(),
                value: value[row],
                frequency: contributors[row],
                frequency_imputed: false,
                shadow: shadow[row],
                cost: cost[row],
                tops,
                status: status[row],
                lower: lower[row],
                upper: upper[row],
            });
            rows.more.push(More {
                sliding: sliding[row],
                lower_bound: lower_bound[row],
                upper_bound: upper_bound[row],
            });
        }
        Ok(())
    }

    fn column<'a>(&'a self, name: &'a str) -> Result<Column<'a>, Error> {
        let array: &ArrayRef = self.batch.column_by_name(name).ok_or_else(|| {
            let schema = self.batch.schema();
            let names: Vec<&str> =
                schema.fields().iter().map(|field| field.name().as_str()).collect();
            Error::arguments(
                format!("there is no column \"{name}\""),
                format!("the columns are {}", names.join(", ")),
            )
        })?;
        Ok(Column { name, array, before: self.before, decimals: self.columns.decimals })
    }

    fn numbers(&self, name: Option<&str>) -> Result<Vec<Option<Exact>>, Error> {
        match name {
            Some(name) => self.column(name)?.numbers(),
            None => Ok(vec![None; self.batch.num_rows()]),
        }
    }

    /// Numbers that are not negative.
    fn not_negative(&self, name: &Option<String>) -> Result<Vec<Option<Exact>>, Error> {
        let numbers = self.numbers(name.as_deref())?;
        let negative = |number: &Option<Exact>| number.is_some_and(Exact::is_negative);
        match (name, numbers.iter().position(negative)) {
            (Some(name), Some(row)) => {
                Err(self.column(name)?.mistake(row, "a negative number", "a number of at least 0"))
            }
            _ => Ok(numbers),
        }
    }

    fn counts(&self) -> Result<Vec<Option<u32>>, Error> {
        match &self.columns.contributors {
            Some(name) => self.column(name)?.counts(),
            None => Ok(vec![None; self.batch.num_rows()]),
        }
    }

    fn costs(&self) -> Result<Vec<Option<f64>>, Error> {
        let costs = self.not_negative(&self.columns.cost)?;
        Ok(costs.into_iter().map(|cost| cost.map(Exact::to_f64)).collect())
    }

    /// The largest contributions of a row. Rules take them to be in order.
    fn falling(&self, row: usize, largest: &[Vec<Option<Exact>>]) -> Result<Vec<Exact>, Error> {
        let mut tops: Vec<Exact> = Vec::new();
        for (name, column) in self.columns.largest.iter().zip(largest) {
            let Some(next) = column[row] else { continue };
            if tops.last().is_some_and(|&last| values::is_less(last, next)) {
                let found = "a larger contribution than the one before";
                return Err(self.column(name)?.mistake(row, found, "contributions that fall"));
            }
            tops.push(next);
        }
        Ok(tops)
    }
}

fn whole(count: u32) -> Exact {
    Exact { digits: i64::from(count), decimals: 0 }
}

/// Where finer digits than those of the table go.
#[derive(Clone, Copy)]
enum Rounding {
    Down,
    Up,
}

/// A number in units of the table.
fn units(number: Exact, decimals: Decimals, rounding: Rounding) -> Option<Value> {
    let digits = i128::from(number.digits);
    let units = match decimals.0.checked_sub(number.decimals) {
        Some(finer) => digits * i128::from(Decimals(finer).scale()),
        None => {
            let unit = i128::from(Decimals(number.decimals - decimals.0).scale());
            match rounding {
                Rounding::Down => digits.div_euclid(unit),
                Rounding::Up => -(-digits).div_euclid(unit),
            }
        }
    };
    // Beyond all values of a table: the same as no bound.
    Value::try_from(units).ok()
}
