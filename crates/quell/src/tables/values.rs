//! The values of a column, exact, with the place of what cannot be read.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Decimal128Type, Float32Type, Float64Type, Int64Type};
use arrow::error::ArrowError;

use quell_formats::Exact;
use quell_formats::argus::CellStatus;
use quell_model::{Decimals, ValueError};
use quell_tabulate::Place;

use crate::Error;

/// A column of a batch.
pub(super) struct Column<'a> {
    /// Its name.
    pub name: &'a str,
    /// What is in it.
    pub array: &'a ArrayRef,
    /// The number of records in earlier batches.
    pub before: usize,
    /// The decimals to which floats are rounded, if any.
    pub decimals: Option<u8>,
}

impl Column<'_> {
    /// Codes as texts; nulls are empty.
    pub fn codes(&self) -> Result<Vec<String>, Error> {
        let is_float = self.array.data_type().is_floating();
        let texts = match is_float {
            true => return Err(self.wrong_type("codes: texts or whole numbers")),
            false => self.cast(&DataType::Utf8, "codes: texts or whole numbers")?,
        };
        let texts = texts.as_string::<i32>();
        Ok(texts.iter().map(|text| text.unwrap_or_default().trim().to_owned()).collect())
    }

    /// Numbers, exactly as they are; floats by the shortest decimal number that means them.
    pub fn numbers(&self) -> Result<Vec<Option<Exact>>, Error> {
        match self.array.data_type() {
            DataType::Float64 => {
                let floats = self.array.as_primitive::<Float64Type>();
                self.floats(floats.iter().map(|one| one.map(|one| (one, one.to_string()))))
            }
            DataType::Float32 => {
                let floats = self.array.as_primitive::<Float32Type>();
                self.floats(
                    floats.iter().map(|one| one.map(|one| (f64::from(one), one.to_string()))),
                )
            }
            DataType::Decimal128(_, scale) => {
                let digits = self.array.as_primitive::<Decimal128Type>();
                self.exact(digits.iter(), *scale)
            }
            kind if kind.is_integer() || *kind == DataType::Null => {
                let whole = self.cast(&DataType::Int64, "numbers")?;
                let whole = whole.as_primitive::<Int64Type>();
                Ok(whole.iter().map(|one| one.map(|one| exact_of(one, 0))).collect())
            }
            _ => Err(self.wrong_type("numbers")),
        }
    }

    /// Counts: whole numbers of at least 0.
    pub fn counts(&self) -> Result<Vec<Option<u32>>, Error> {
        let numbers = self.numbers()?;
        let count = |(row, number): (usize, Option<Exact>)| {
            let Some(number) = number else { return Ok(None) };
            let whole = u32::try_from(number.digits).ok().filter(|_| number.decimals == 0);
            whole.map(Some).ok_or_else(|| {
                let found = Decimals(number.decimals).format(number.digits);
                self.mistake(row, &found, "a whole number of at least 0")
            })
        };
        numbers.into_iter().enumerate().map(count).collect()
    }

    /// Statuses by their words or letters; nulls are safe.
    pub fn statuses(&self) -> Result<Vec<Option<CellStatus>>, Error> {
        let words = self.cast(&DataType::Utf8, "statuses")?;
        let words = words.as_string::<i32>();
        let read = |(row, word): (usize, Option<&str>)| {
            let word = word.unwrap_or_default().trim().to_lowercase();
            status(&word).map(Some).ok_or_else(|| {
                self.mistake(row, &format!("\"{word}\""), "safe, protected, primary or secondary")
            })
        };
        words.iter().enumerate().map(read).collect()
    }

    /// What is wrong in a row.
    pub fn mistake(&self, row: usize, found: &str, expected: &str) -> Error {
        let place = Place::Record((self.before + row + 1) as u64);
        Error::arguments(
            format!("column \"{}\", {place}: found {found}, expected {expected}", self.name),
            "correct the value; a null means that there is none",
        )
    }

    fn wrong_type(&self, expected: &str) -> Error {
        Error::arguments(
            format!(
                "column \"{}\" holds values of type {}, expected {expected}",
                self.name,
                self.array.data_type()
            ),
            "convert the column, or name another",
        )
    }

    fn cast(&self, kind: &DataType, expected: &str) -> Result<ArrayRef, Error> {
        let strict = CastOptions { safe: false, ..CastOptions::default() };
        cast_with_options(self.array, kind, &strict).map_err(|error| match error {
            ArrowError::CastError(_) if self.array.data_type().is_integer() => Error::arguments(
                format!("column \"{}\" holds a number too large for exact arithmetic", self.name),
                "express the table in a larger unit, such as thousands",
            ),
            _ => self.wrong_type(expected),
        })
    }

    fn floats(
        &self,
        floats: impl Iterator<Item = Option<(f64, String)>>,
    ) -> Result<Vec<Option<Exact>>, Error> {
        let read = |(row, float): (usize, Option<(f64, String)>)| {
            float.map(|(float, text)| self.float(row, float, &text)).transpose()
        };
        floats.enumerate().map(read).collect()
    }

    fn float(&self, row: usize, float: f64, text: &str) -> Result<Exact, Error> {
        if !float.is_finite() {
            return Err(self.mistake(row, text, "a number or null"));
        }
        let text = match self.decimals {
            Some(decimals) => format!("{float:.*}", usize::from(decimals.min(Decimals::MOST))),
            None => text.to_owned(),
        };
        let needed = Decimals::needed(&text).filter(|needed| needed.0 <= Decimals::MOST);
        let needed = needed.ok_or_else(|| {
            let expected = format!("at most {} decimals; say to how many to round", Decimals::MOST);
            self.mistake(row, &text, &expected)
        })?;
        let too_large = |_: ValueError| self.mistake(row, &text, "a number of exact arithmetic");
        Ok(exact_of(needed.parse(&text).map_err(too_large)?, needed.0))
    }

    fn exact(
        &self,
        numbers: impl Iterator<Item = Option<i128>>,
        scale: i8,
    ) -> Result<Vec<Option<Exact>>, Error> {
        let read = |(row, digits): (usize, Option<i128>)| {
            let Some(digits) = digits else { return Ok(None) };
            reduced(digits, scale).map(Some).ok_or_else(|| {
                self.mistake(row, &format!("{digits}e{}", -scale), "a number of exact arithmetic")
            })
        };
        numbers.enumerate().map(read).collect()
    }
}

fn status(word: &str) -> Option<CellStatus> {
    Some(match word {
        "" | "safe" | "published" | "s" => CellStatus::Safe,
        "protected" | "z" => CellStatus::Protected,
        "primary" | "u" => CellStatus::UnsafeManual,
        "secondary" | "m" => CellStatus::Secondary,
        _ => return None,
    })
}

/// A number with the fewest decimals.
fn exact_of(mut digits: i64, mut decimals: u8) -> Exact {
    while decimals > 0 && digits % 10 == 0 {
        (digits, decimals) = (digits / 10, decimals - 1);
    }
    Exact { digits, decimals }
}

/// `digits / 10^scale` with the fewest decimals, if exact arithmetic can hold it.
fn reduced(mut digits: i128, mut scale: i8) -> Option<Exact> {
    while scale > 0 && digits % 10 == 0 {
        (digits, scale) = (digits / 10, scale - 1);
    }
    while scale < 0 {
        (digits, scale) = (digits.checked_mul(10)?, scale + 1);
    }
    let decimals = u8::try_from(scale).ok().filter(|&scale| scale <= Decimals::MOST)?;
    Some(Exact { digits: i64::try_from(digits).ok()?, decimals })
}

/// Whether a number is smaller than another.
pub(super) fn is_less(one: Exact, other: Exact) -> bool {
    let decimals = one.decimals.max(other.decimals);
    let aligned = |number: Exact| {
        i128::from(number.digits) * i128::from(Decimals(decimals - number.decimals).scale())
    };
    aligned(one) < aligned(other)
}
