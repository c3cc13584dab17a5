//! How much a value matters: weights of variables, values, records and categories.

use crate::{Error, Microdata, Result};

/// The user's weights. The weight of a value in a record (the paper's w_ij) is the
/// product of its variable's, its category's and its record's; all are 1 unless set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Importance {
    keys: Vec<f64>,
    values: Vec<Vec<f64>>,
    records: Vec<f64>,
    categories: Vec<Vec<f64>>,
}

impl Importance {
    /// Everything matters alike.
    pub fn equal() -> Self {
        Self::default()
    }

    /// With weights of variables.
    #[must_use]
    pub fn with_keys(mut self, keys: Vec<f64>) -> Self {
        self.keys = keys;
        self
    }

    /// With weights of values, `[variable][code]`; an empty list for a variable is all 1.
    #[must_use]
    pub fn with_values(mut self, values: Vec<Vec<f64>>) -> Self {
        self.values = values;
        self
    }

    /// With weights of records.
    #[must_use]
    pub fn with_records(mut self, records: Vec<f64>) -> Self {
        self.records = records;
        self
    }

    /// With weights of affected categories (§6), `[variable][code]`.
    #[must_use]
    pub fn with_categories(mut self, categories: Vec<Vec<f64>>) -> Self {
        self.categories = categories;
        self
    }

    /// Whether values of one variable may differ in weight.
    pub fn has_values(&self) -> bool {
        self.values.iter().any(|values| !values.is_empty())
    }

    /// The weight of a record.
    pub fn record(&self, record: usize) -> f64 {
        self.records.get(record).copied().unwrap_or(1.0)
    }

    /// The weight of a value, whoever's it is.
    pub fn value(&self, key: usize, code: u32) -> f64 {
        let own = self.values.get(key).and_then(|values| values.get(code as usize));
        self.keys.get(key).copied().unwrap_or(1.0) * own.copied().unwrap_or(1.0)
    }

    /// The weight of a value in a record.
    pub fn of(&self, data: &Microdata, record: usize, key: usize) -> f64 {
        self.record(record) * self.value(key, data.keys()[key].codes().get(record))
    }

    /// The weight of a category that is affected.
    pub fn category(&self, key: usize, code: u32) -> f64 {
        let own = self.categories.get(key).and_then(|weights| weights.get(code as usize));
        own.copied().unwrap_or(1.0)
    }

    /// Checks that the weights fit the file.
    ///
    /// # Errors
    /// If a weight is negative or not a number, or lists have wrong lengths.
    pub fn check(&self, data: &Microdata) -> Result<()> {
        let all = self
            .keys
            .iter()
            .chain(&self.records)
            .chain(self.values.iter().flatten())
            .chain(self.categories.iter().flatten());
        for weight in all {
            if !(*weight >= 0.0 && weight.is_finite()) {
                return Err(Error::Request(format!("{weight} is no weight of importance")));
            }
        }
        let fits = |given: usize, wanted: usize, what: &str| {
            if given == 0 || given == wanted {
                Ok(())
            } else {
                Err(Error::Request(format!("{given} weights of {what} for {wanted}")))
            }
        };
        fits(self.keys.len(), data.keys().len(), "variables")?;
        fits(self.records.len(), data.records(), "records")?;
        fits(self.values.len(), data.keys().len(), "variables' values")?;
        fits(self.categories.len(), data.keys().len(), "variables' categories")?;
        for (column, weights) in data.keys().iter().zip(&self.values) {
            fits(weights.len(), column.labels().len(), "values")?;
        }
        for (column, weights) in data.keys().iter().zip(&self.categories) {
            fits(weights.len(), column.labels().len(), "categories")?;
        }
        Ok(())
    }
}
