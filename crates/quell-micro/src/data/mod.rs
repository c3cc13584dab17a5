//! Microdata in memory: columns of small integers.
//!
//! A column keeps every record's code as a position in a sorted list of labels, in the
//! narrowest unsigned type. Missing codes stand apart, after the categories: they are
//! nobody's characteristic, so they neither identify nor are counted.

mod column;

pub(crate) use column::compare_labels;
pub use column::{Codes, Column, ColumnBuilder};

use crate::{Error, Result};

/// The identifying variables of a file, and what goes with them.
#[derive(Debug, Clone, PartialEq)]
pub struct Microdata {
    records: usize,
    keys: Vec<Column>,
    weights: Option<Vec<f64>>,
    household: Option<Column>,
    others: Vec<Column>,
}

/// The most identifying variables one file may have: sets of them are 64-bit masks.
pub const MAX_KEYS: usize = 64;

impl Microdata {
    /// A file from its identifying variables.
    ///
    /// # Errors
    /// If the columns differ in length, or are none, or are too many.
    pub fn new(keys: Vec<Column>) -> Result<Self> {
        let Some(first) = keys.first() else {
            return Err(Error::Request("no identifying variables are named".into()));
        };
        if keys.len() > MAX_KEYS {
            return Err(Error::TooLarge(format!(
                "{} identifying variables; at most {MAX_KEYS} can be treated together",
                keys.len()
            )));
        }
        let records = first.codes().len();
        if records > u32::MAX as usize {
            return Err(Error::TooLarge(format!("{records} records; at most 2³² − 1")));
        }
        let data = Self { records, keys, weights: None, household: None, others: Vec::new() };
        for column in &data.keys {
            data.check_length(column)?;
        }
        Ok(data)
    }

    fn check_length(&self, column: &Column) -> Result<()> {
        if column.codes().len() == self.records {
            Ok(())
        } else {
            Err(Error::Request(format!(
                "variable \"{}\" has {} records, not {}",
                column.name(),
                column.codes().len(),
                self.records
            )))
        }
    }

    /// With sampling weights.
    ///
    /// # Errors
    /// If their number is wrong or one is below 1 in a way that no sample can have
    /// (zero, negative, not finite).
    pub fn with_weights(mut self, weights: Vec<f64>) -> Result<Self> {
        if weights.len() != self.records {
            return Err(Error::Request(format!(
                "{} weights for {} records",
                weights.len(),
                self.records
            )));
        }
        if let Some(record) =
            weights.iter().position(|weight| !(*weight > 0.0 && weight.is_finite()))
        {
            return Err(Error::Request(format!(
                "record {} has the sampling weight {}, which is not a positive number",
                record + 1,
                weights[record]
            )));
        }
        self.weights = Some(weights);
        Ok(self)
    }

    /// With the household that each record belongs to.
    ///
    /// # Errors
    /// If the column's length is wrong.
    pub fn with_household(mut self, household: Column) -> Result<Self> {
        self.check_length(&household)?;
        self.household = Some(household);
        Ok(self)
    }

    /// With other variables (sensitive ones, for l-diversity and t-closeness).
    ///
    /// # Errors
    /// If a column's length is wrong.
    pub fn with_others(mut self, others: Vec<Column>) -> Result<Self> {
        for column in &others {
            self.check_length(column)?;
        }
        self.others = others;
        Ok(self)
    }

    /// The same file with other identifying variables (recoded ones).
    ///
    /// # Errors
    /// As [`Microdata::new`].
    pub fn with_keys(&self, keys: Vec<Column>) -> Result<Self> {
        let data = Self::new(keys)?;
        if data.records != self.records {
            return Err(Error::Request("recoding changed the number of records".into()));
        }
        Ok(Self {
            weights: self.weights.clone(),
            household: self.household.clone(),
            others: self.others.clone(),
            ..data
        })
    }

    /// Number of records.
    pub fn records(&self) -> usize {
        self.records
    }

    /// The identifying variables.
    pub fn keys(&self) -> &[Column] {
        &self.keys
    }

    /// The sampling weights.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The household of each record.
    pub fn household(&self) -> Option<&Column> {
        self.household.as_ref()
    }

    /// The other variables.
    pub fn others(&self) -> &[Column] {
        &self.others
    }

    /// The position of an identifying variable.
    ///
    /// # Errors
    /// If there is none of that name.
    pub fn key(&self, name: &str) -> Result<usize> {
        self.keys.iter().position(|column| column.name().eq_ignore_ascii_case(name)).ok_or_else(
            || Error::UnknownVariable {
                name: name.to_owned(),
                known: self.keys.iter().map(|column| column.name().to_owned()).collect(),
            },
        )
    }

    /// Bytes of memory held by the columns.
    pub fn bytes(&self) -> usize {
        self.keys
            .iter()
            .chain(&self.others)
            .chain(&self.household)
            .map(|c| c.codes().bytes())
            .sum::<usize>()
            + self.weights.as_ref().map_or(0, |weights| 8 * weights.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_different_length_are_refused() {
        let one = Column::from_labels("a", ["x"], &[]);
        let two = Column::from_labels("b", ["x", "y"], &[]);
        assert!(Microdata::new(vec![one, two]).is_err());
    }
}
