//! Fixed-point values.
//!
//! Cell values are integers in units of 10⁻ᵈ, where `d` is the table's number of
//! decimals, so that additivity is exact and no table fails on 0.1 + 0.2.

use thiserror::Error;

/// A cell value in units of 10⁻ᵈ.
pub type Value = i64;

/// The lower bound of a cell of which the attacker knows none.
pub const UNBOUNDED_BELOW: Value = Value::MIN;

/// The upper bound of a cell of which the attacker knows none.
pub const UNBOUNDED_ABOVE: Value = Value::MAX;

/// Largest magnitude a finite value may have. A quarter of the type's range, so that
/// the difference of two values and a small sum of such differences cannot overflow.
const LARGEST: i128 = (i64::MAX / 4) as i128;

/// Why a text is not a fixed-point value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ValueError {
    /// Not of the form `-12.34`.
    #[error("not a number")]
    NotANumber,
    /// More than the supported magnitude at this many decimals.
    #[error("too large for exact arithmetic with {0} decimals")]
    TooLarge(u8),
    /// More decimals than the table has.
    #[error("more than {0} decimals")]
    TooPrecise(u8),
}

/// The number of decimals of a table, with its parsing and printing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Decimals(pub u8);

impl Decimals {
    /// The most decimals a table may have.
    pub const MOST: u8 = 15;

    /// Units in 1: 10ᵈ.
    pub fn scale(self) -> i64 {
        10_i64.pow(u32::from(self.0.min(18)))
    }

    /// How many decimals the number `text` needs, trailing zeros not counted.
    /// `None` if `text` is not a plain decimal number.
    pub fn needed(text: &str) -> Option<Self> {
        let number = Number::split(text)?;
        let needed = number.fraction.trim_end_matches('0').len() as i64 - number.exponent;
        u8::try_from(needed.max(0)).ok().map(Self)
    }

    /// Reads `text` exactly: digits with an optional sign, point and exponent.
    ///
    /// # Errors
    /// If it is no number, too large, or finer than these decimals.
    pub fn parse(self, text: &str) -> Result<Value, ValueError> {
        let number = Number::split(text).ok_or(ValueError::NotANumber)?;
        let fraction = number.fraction.trim_end_matches('0');
        let shift = i64::from(self.0) + number.exponent - fraction.len() as i64;
        let mut units: i128 = 0;
        for digit in number.whole.bytes().chain(fraction.bytes()) {
            units = units * 10 + i128::from(digit - b'0');
            if units > 10_i128.pow(30) {
                return Err(ValueError::TooLarge(self.0));
            }
        }
        if units == 0 {
            return Ok(0);
        }
        if shift < 0 {
            // The fraction may be finer only through an exponent that trailing zeros make good.
            let divisor = u32::try_from(-shift)
                .ok()
                .filter(|&by| by <= 30)
                .map(|by| 10_i128.pow(by))
                .ok_or(ValueError::TooPrecise(self.0))?;
            if units % divisor != 0 {
                return Err(ValueError::TooPrecise(self.0));
            }
            units /= divisor;
        } else {
            for _ in 0..shift {
                units *= 10;
                if units > LARGEST {
                    return Err(ValueError::TooLarge(self.0));
                }
            }
        }
        if units > LARGEST {
            return Err(ValueError::TooLarge(self.0));
        }
        let units = units as i64;
        Ok(if number.negative { -units } else { units })
    }

    /// Prints `value` with exactly these decimals.
    pub fn format(self, value: Value) -> String {
        match value {
            UNBOUNDED_BELOW => "-inf".to_owned(),
            UNBOUNDED_ABOVE => "inf".to_owned(),
            _ if self.0 == 0 => value.to_string(),
            _ => {
                let scale = self.scale().unsigned_abs();
                let size = value.unsigned_abs();
                let sign = if value < 0 { "-" } else { "" };
                let width = usize::from(self.0);
                format!("{sign}{}.{:0width$}", size / scale, size % scale)
            }
        }
    }

    /// The nearest value to a float, halves away from zero.
    ///
    /// # Errors
    /// If the float is not finite or too large.
    pub fn round(self, number: f64) -> Result<Value, ValueError> {
        let units = (number * self.scale() as f64).round();
        if !units.is_finite() {
            Err(ValueError::NotANumber)
        } else if units.abs() > LARGEST as f64 {
            Err(ValueError::TooLarge(self.0))
        } else {
            Ok(units as i64)
        }
    }

    /// The value as a float, for weights and solvers.
    pub fn to_f64(self, value: Value) -> f64 {
        match value {
            UNBOUNDED_BELOW => f64::NEG_INFINITY,
            UNBOUNDED_ABOVE => f64::INFINITY,
            _ => value as f64 / self.scale() as f64,
        }
    }
}

/// A decimal number in its written parts.
struct Number<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    exponent: i64,
}

impl<'a> Number<'a> {
    fn split(text: &'a str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => {
                // A sane exponent keeps later loops short.
                let exponent: i64 = exponent.parse().ok()?;
                (mantissa, (-60..=60).contains(&exponent).then_some(exponent)?)
            }
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        let sane = digits(whole) && digits(fraction) && whole.len() + fraction.len() > 0;
        sane.then_some(Self { negative, whole, fraction, exponent })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_numbers_are_read_exactly() {
        let two = Decimals(2);
        assert_eq!(two.parse("12.34"), Ok(1234));
        assert_eq!(two.parse("-0.1"), Ok(-10));
        assert_eq!(two.parse("+7"), Ok(700));
        assert_eq!(two.parse(".5"), Ok(50));
        assert_eq!(two.parse("5."), Ok(500));
        assert_eq!(two.parse("1e3"), Ok(100_000));
        assert_eq!(two.parse("125000e-5"), Ok(125));
        assert_eq!(two.parse("0.10000"), Ok(10));
        assert_eq!(two.parse("0e60"), Ok(0));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["", "-", ".", "1,5", "1.2.3", "x", "1e", "1e999", "--1", "NaN", "inf", "1_0"] {
            assert_eq!(Decimals(2).parse(text), Err(ValueError::NotANumber), "{text}");
        }
        assert_eq!(Decimals(2).parse("0.001"), Err(ValueError::TooPrecise(2)));
        assert_eq!(Decimals(2).parse("99999999999999999999"), Err(ValueError::TooLarge(2)));
        assert_eq!(Decimals(2).parse(&"9".repeat(400)), Err(ValueError::TooLarge(2)));
    }

    #[test]
    fn the_decimals_needed_ignore_trailing_zeros() {
        assert_eq!(Decimals::needed("1.50"), Some(Decimals(1)));
        assert_eq!(Decimals::needed("10"), Some(Decimals(0)));
        assert_eq!(Decimals::needed("1e-3"), Some(Decimals(3)));
        assert_eq!(Decimals::needed("abc"), None);
    }

    proptest! {
        #[test]
        fn printing_and_reading_are_inverse(value in -1_000_000_000_000_i64..1_000_000_000_000, d in 0_u8..6) {
            let decimals = Decimals(d);
            prop_assert_eq!(decimals.parse(&decimals.format(value)), Ok(value));
        }
    }
}
