//! What the classes' parameters have in common: their error and the choice of weights.

use quell_model::{Decimals, Value};
use thiserror::Error;

/// A parameter that makes no table.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{parameter} is {found}, but must be {expected}")]
pub struct ParameterError {
    /// Which parameter, by its field name.
    pub parameter: &'static str,
    /// What it was.
    pub found: String,
    /// What it may be.
    pub expected: &'static str,
}

impl ParameterError {
    pub(crate) fn new(
        parameter: &'static str,
        found: impl ToString,
        expected: &'static str,
    ) -> Self {
        Self { parameter, found: found.to_string(), expected }
    }
}

/// Checks that a share is one.
pub(crate) fn share(parameter: &'static str, share: f64) -> Result<(), ParameterError> {
    if (0.0..=1.0).contains(&share) {
        Ok(())
    } else {
        Err(ParameterError::new(parameter, share, "a share between 0 and 1"))
    }
}

/// Checks that a percentage is not negative and finite.
pub(crate) fn percent(parameter: &'static str, percent: f64) -> Result<(), ParameterError> {
    if (0.0..=1e6).contains(&percent) {
        Ok(())
    } else {
        Err(ParameterError::new(parameter, percent, "a percentage of at least 0"))
    }
}

/// More decimals would leave sums of large tables no room in 64 bits.
const MOST_DECIMALS: u8 = 6;

pub(crate) fn decimals(decimals: u8) -> Result<Decimals, ParameterError> {
    if decimals <= MOST_DECIMALS {
        Ok(Decimals(decimals))
    } else {
        Err(ParameterError::new("decimals", decimals, "at most 6"))
    }
}

/// `percent` % of a value, to the nearest unit, but at least one.
pub(crate) fn level(value: Value, percent: f64) -> Value {
    ((value.abs() as f64 * percent / 100.0).round() as Value).max(1)
}

/// What suppressing a cell costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Weights {
    /// Its value, in whole numbers of the table (not units): the papers' choice.
    #[default]
    Value,
    /// One, so that the number of suppressions counts.
    One,
    /// The number of its contributors.
    Contributors,
}

impl Weights {
    pub(crate) fn of(self, value: Value, decimals: Decimals, contributors: u32) -> f64 {
        match self {
            Self::Value => decimals.to_f64(value.abs()),
            Self::One => 1.0,
            Self::Contributors => f64::from(contributors),
        }
    }
}
