//! A number within the range of a parameter. It is checked as it is read, so that what is
//! wrong with it is shown where it stands.

use std::fmt;

use quell_tabulate::Parameter;
use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};

/// Reads a value of this parameter.
pub(super) struct Number(pub(super) &'static Parameter);

impl<'de> DeserializeSeed<'de> for Number {
    type Value = f64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<f64, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Number {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.range())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<f64, E> {
        self.visit_f64(number as f64)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<f64, E> {
        self.visit_f64(number as f64)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<f64, E> {
        self.0.check(number).map_err(E::custom)?;
        Ok(number)
    }
}
