//! Exact decimal numbers, fast, before the table's decimals are known.
//!
//! A table has one number of decimals: the most that any of its numbers needs. Readers
//! therefore keep digits and decimals of each number apart until the end of the file.

use quell_model::{Decimals, UNBOUNDED_ABOVE, UNBOUNDED_BELOW, Value, ValueError};

/// The largest magnitude of a value in units; the same as the model's own limit.
const LARGEST: i64 = i64::MAX / 4;

/// A number as `digits / 10^decimals` with the fewest decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exact {
    /// The digits, with the number's sign.
    pub digits: i64,
    /// How many of the digits stand behind the point.
    pub decimals: u8,
}

/// Why a word is no number for us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NumberFault {
    NotANumber,
    /// Beyond exact arithmetic, with its sign.
    TooLarge {
        negative: bool,
    },
    TooPrecise,
}

impl NumberFault {
    /// What was expected and what to do, for messages.
    pub fn explain(self) -> (&'static str, &'static str) {
        match self {
            Self::NotANumber => (
                "a number",
                "write numbers as 12, -3.5 or 1e6, with a decimal point and no thousands separators",
            ),
            Self::TooLarge { .. } => (
                "a number that exact arithmetic can hold (up to about 2.3e18 in units of the last decimal)",
                "express the table in a larger unit, such as thousands, or drop decimals",
            ),
            Self::TooPrecise => {
                ("a number with at most 15 decimals", "round the table to fewer decimals")
            }
        }
    }
}

impl Exact {
    /// Whether it is below 0.
    pub fn is_negative(self) -> bool {
        self.digits < 0
    }

    /// The nearest float.
    pub fn to_f64(self) -> f64 {
        Decimals(self.decimals).to_f64(self.digits)
    }

    /// Reads a number.
    pub(crate) fn read(word: &[u8]) -> Result<Self, NumberFault> {
        Self::read_plain(word).map_or_else(|| Self::read_any(word), Ok)
    }

    /// The common case: up to 18 digits, no exponent.
    fn read_plain(word: &[u8]) -> Option<Self> {
        let (negative, unsigned) = match word.first()? {
            b'-' => (true, &word[1..]),
            _ => (false, word),
        };
        if unsigned.is_empty() || unsigned.len() > 18 {
            return None;
        }
        let mut digits = 0_i64;
        let mut after_point = None;
        for (position, &byte) in unsigned.iter().enumerate() {
            match byte {
                b'0'..=b'9' => digits = digits * 10 + i64::from(byte - b'0'),
                b'.' if after_point.is_none() => after_point = Some(position + 1),
                _ => return None,
            }
        }
        let decimals = match after_point {
            None => 0,
            // A lone point is left to the careful way to refuse.
            Some(_) if unsigned.len() == 1 => return None,
            Some(start) => (unsigned.len() - start) as u8,
        };
        Some(Self { digits: if negative { -digits } else { digits }, decimals }.reduced())
            .filter(|number| number.decimals <= Decimals::MOST)
    }

    fn read_any(word: &[u8]) -> Result<Self, NumberFault> {
        let text = std::str::from_utf8(word).map_err(|_| NumberFault::NotANumber)?;
        let needed = Decimals::needed(text).ok_or(NumberFault::NotANumber)?;
        match needed.parse(text) {
            Ok(digits) => {
                let number = Self { digits, decimals: needed.0 }.reduced();
                if number.decimals > Decimals::MOST {
                    return Err(NumberFault::TooPrecise);
                }
                Ok(number)
            }
            Err(ValueError::NotANumber) => Err(NumberFault::NotANumber),
            Err(ValueError::TooLarge(_)) if needed.0 > Decimals::MOST => {
                Err(NumberFault::TooPrecise)
            }
            Err(ValueError::TooLarge(_)) => {
                Err(NumberFault::TooLarge { negative: text.starts_with('-') })
            }
            Err(ValueError::TooPrecise(_)) => Err(NumberFault::TooPrecise),
        }
    }

    fn reduced(mut self) -> Self {
        if self.digits == 0 {
            self.decimals = 0;
        }
        while self.decimals > 0 && self.digits % 10 == 0 {
            self.digits /= 10;
            self.decimals -= 1;
        }
        self
    }

    /// The number in units of a table's decimals; `None` if it does not fit.
    pub fn units(self, decimals: Decimals) -> Option<Value> {
        let shift = u32::from(decimals.0.checked_sub(self.decimals)?);
        let units = self.digits.checked_mul(10_i64.checked_pow(shift)?)?;
        (units.abs() <= LARGEST).then_some(units)
    }
}

/// Numbers of one kind, one per cell or equation.
#[derive(Debug, Default)]
pub(crate) struct Column {
    digits: Vec<i64>,
    decimals: Vec<u8>,
}

/// The marks of absent bounds among the decimals.
const NO_LOWER: u8 = u8::MAX - 1;
const NO_UPPER: u8 = u8::MAX;

impl Column {
    pub fn with_capacity(capacity: usize) -> Self {
        Self { digits: Vec::with_capacity(capacity), decimals: Vec::with_capacity(capacity) }
    }

    pub fn push(&mut self, number: Exact) {
        self.digits.push(number.digits);
        self.decimals.push(number.decimals);
    }

    /// An attacker's bound that is none.
    pub fn push_unbounded(&mut self, negative: bool) {
        self.digits.push(0);
        self.decimals.push(if negative { NO_LOWER } else { NO_UPPER });
    }

    /// The most decimals that any number here needs.
    pub fn decimals(&self) -> Decimals {
        let finite = self.decimals.iter().copied().filter(|&decimals| decimals < NO_LOWER);
        Decimals(finite.max().unwrap_or(0))
    }

    /// All numbers in units of the table's decimals.
    ///
    /// # Errors
    /// The position of the first that does not fit.
    pub fn units(&self, decimals: Decimals) -> Result<Vec<Value>, usize> {
        let mut units = Vec::with_capacity(self.digits.len());
        for (position, number) in self.numbers().enumerate() {
            units.push(match number {
                Ok(number) => number.units(decimals).ok_or(position)?,
                Err(unbounded) => unbounded,
            });
        }
        Ok(units)
    }

    /// The same for bounds: one too large for exact arithmetic is none.
    pub fn bounds(&self, decimals: Decimals) -> Vec<Value> {
        let unit = |number: Result<Exact, Value>| match number {
            Ok(number) => number.units(decimals).unwrap_or(match number.digits {
                ..0 => UNBOUNDED_BELOW,
                _ => UNBOUNDED_ABOVE,
            }),
            Err(unbounded) => unbounded,
        };
        self.numbers().map(unit).collect()
    }

    fn numbers(&self) -> impl Iterator<Item = Result<Exact, Value>> + '_ {
        self.digits.iter().zip(&self.decimals).map(|(&digits, &decimals)| match decimals {
            NO_LOWER => Err(UNBOUNDED_BELOW),
            NO_UPPER => Err(UNBOUNDED_ABOVE),
            _ => Ok(Exact { digits, decimals }),
        })
    }
}

/// A cost: a finite decimal number.
pub(crate) fn weight(word: &[u8]) -> Option<f64> {
    let plain = !word.is_empty() && word.len() <= 15 && word.iter().all(u8::is_ascii_digit);
    if plain {
        let digits = word.iter().fold(0_u64, |sum, byte| sum * 10 + u64::from(byte - b'0'));
        return Some(digits as f64);
    }
    // Only digits, signs, points and exponents: the library also reads "nan" and "infinity".
    let allowed = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let text = std::str::from_utf8(word).ok().filter(|_| word.iter().all(allowed))?;
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A coefficient: a whole number other than zero.
pub(crate) fn coefficient(word: &[u8]) -> Option<i32> {
    match word {
        b"1" => Some(1),
        b"-1" => Some(-1),
        _ => {
            let number = Exact::read(word).ok().filter(|number| number.decimals == 0)?;
            i32::try_from(number.digits).ok().filter(|&coefficient| coefficient != 0)
        }
    }
}

/// Appends a value with exactly the table's decimals, zero as `0`.
pub(crate) fn print_value(out: &mut Vec<u8>, value: Value, decimals: Decimals) {
    if value < 0 {
        out.push(b'-');
    }
    let size = value.unsigned_abs();
    let scale = decimals.scale().unsigned_abs();
    print_whole(out, size / scale);
    if decimals.0 > 0 && value != 0 {
        out.push(b'.');
        let fraction = size % scale;
        let mut step = scale / 10;
        while step > 0 {
            out.push(b'0' + (fraction / step % 10) as u8);
            step /= 10;
        }
    }
}

/// Appends a cost so that it reads back as the very same float.
pub(crate) fn print_weight(out: &mut Vec<u8>, weight: f64) {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if weight.fract() == 0.0 && (0.0..EXACT).contains(&weight) {
        print_whole(out, weight as u64);
    } else if weight.abs() < 1e-5 || weight.abs() >= EXACT {
        out.extend_from_slice(format!("{weight:e}").as_bytes());
    } else {
        out.extend_from_slice(weight.to_string().as_bytes());
    }
}

/// Appends a whole number.
pub(crate) fn print_whole(out: &mut Vec<u8>, number: u64) {
    let mut digits = [0_u8; 20];
    let mut start = digits.len();
    let mut rest = number;
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[start..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Result<(i64, u8), NumberFault> {
        Exact::read(text.as_bytes()).map(|number| (number.digits, number.decimals))
    }

    #[test]
    fn numbers_keep_only_the_decimals_they_need() {
        assert_eq!(read("12"), Ok((12, 0)));
        assert_eq!(read("-12.50"), Ok((-125, 1)));
        assert_eq!(read("0.0"), Ok((0, 0)));
        assert_eq!(read("+.5"), Ok((5, 1)));
        assert_eq!(read("5."), Ok((5, 0)));
        assert_eq!(read("100000e-5"), Ok((1, 0)));
        assert_eq!(read("1.5e3"), Ok((1500, 0)));
        assert_eq!(read("12345678.000000000000000000000"), Ok((12_345_678, 0)));
        assert_eq!(read("0.000000000000001"), Ok((1, 15)));
    }

    #[test]
    fn what_is_no_exact_number_is_refused() {
        for text in ["", "-", ".", "+", "-.", "1,5", "1.2.3", "x", "1e", "--1", "nan", "inf", "0x1"]
        {
            assert_eq!(read(text), Err(NumberFault::NotANumber), "{text}");
        }
        assert_eq!(read("0.0000000000000001"), Err(NumberFault::TooPrecise));
        assert_eq!(read("-1e30"), Err(NumberFault::TooLarge { negative: true }));
        assert_eq!(read("99999999999999999999"), Err(NumberFault::TooLarge { negative: false }));
    }

    #[test]
    fn the_limit_is_that_of_the_model() {
        for (text, fits) in [(LARGEST.to_string(), true), ((LARGEST + 1).to_string(), false)] {
            assert_eq!(Decimals(0).parse(&text).is_ok(), fits);
            let number = Exact::read(text.as_bytes()).ok();
            assert_eq!(number.and_then(|number| number.units(Decimals(0))).is_some(), fits);
        }
    }

    #[test]
    fn weights_are_finite_numbers() {
        assert_eq!(weight(b"20000"), Some(20_000.0));
        assert_eq!(weight(b"0.5"), Some(0.5));
        assert_eq!(weight(b"-1e3"), Some(-1000.0));
        for wrong in ["", "nan", "inf", "infinity", "1e999", "1 2", "1,5", "e", "NaN"] {
            assert_eq!(weight(wrong.as_bytes()), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn printed_values_read_back(value in -LARGEST..=LARGEST, d in 0_u8..=15) {
            let mut text = Vec::new();
            print_value(&mut text, value, Decimals(d));
            let number = Exact::read(&text).unwrap();
            prop_assert_eq!(number.units(Decimals(d)), Some(value));
            let model = Decimals(d).parse(std::str::from_utf8(&text).unwrap());
            prop_assert_eq!(model, Ok(value));
        }

        #[test]
        fn printed_weights_read_back(bits in any::<u64>()) {
            let number = f64::from_bits(bits);
            prop_assume!(number.is_finite());
            let mut text = Vec::new();
            print_weight(&mut text, number);
            prop_assert_eq!(weight(&text), Some(number));
        }

        #[test]
        fn the_fast_way_agrees_with_the_careful_one(text in "[-+]?[0-9]{0,9}(\\.[0-9]{0,9})?") {
            let fast = Exact::read_plain(text.as_bytes());
            if let Some(fast) = fast {
                prop_assert_eq!(Ok(fast), Exact::read_any(text.as_bytes()));
            }
        }
    }
}
