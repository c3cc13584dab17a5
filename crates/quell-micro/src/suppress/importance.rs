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
        self.check_range()?;
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

    /// Checks that a value may weigh so much, and that the lightest still count beside the heaviest.
    fn check_range(&self) -> Result<()> {
        let range = |weights: &mut dyn Iterator<Item = &f64>| {
            let positive = weights.filter(|weight| **weight > 0.0);
            positive.fold((1.0_f64, 1.0_f64), |(least, most), &weight| {
                (least.min(weight), most.max(weight))
            })
        };
        let parts = [
            range(&mut self.keys.iter()),
            range(&mut self.values.iter().flatten()),
            range(&mut self.records.iter()),
        ];
        let of_values =
            parts.iter().fold((1.0, 1.0), |all: (f64, f64), own| (all.0 * own.0, all.1 * own.1));
        for (least, most) in [of_values, range(&mut self.categories.iter().flatten())] {
            if most / least > WIDEST {
                return Err(Error::Request(format!(
                    "weights of importance from {least:e} to {most:e}: the largest may be a billion \
                     times the smallest (and 1, which others have), or small ones do not count"
                )));
            }
        }
        Ok(())
    }
}

/// How much heavier one value may be than another. Sums of weights further apart cannot be told from
/// each other within the tolerances of integer programs.
const WIDEST: f64 = 1e9;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;

    #[test]
    fn weights_that_no_solver_tells_apart_are_refused() {
        let column = Column::from_labels("age", ["1", "2"], &[]);
        let data = Microdata::new(vec![column]).unwrap();
        let of = |weight: f64| Importance::equal().with_keys(vec![weight]).check(&data);
        assert!(of(1e9).is_ok() && of(1e-9).is_ok() && of(0.0).is_ok());
        assert!(of(1e10).unwrap_err().to_string().contains("a billion"));
        assert!(of(1e300).is_err() && of(1e-12).is_err());
        let records = Importance::equal().with_keys(vec![1e6]).with_records(vec![1e-2, 1e6]);
        assert!(records.check(&data).is_err());
    }
}
