//! Numbers of records as fixed-point units.

use quell_model::{Decimals, Value};

/// Reads a number and rounds it, halves away from zero. `None` if it is no number or too large.
pub(crate) fn units(text: &str, decimals: Decimals) -> Option<Value> {
    if let Some(value) = plain(text.as_bytes(), decimals) {
        return Some(value);
    }
    let needed = Decimals::needed(text)?;
    if needed <= decimals {
        return decimals.parse(text).ok();
    }
    // Finer than the table: read it as fine as it is, or as a float if that is too fine.
    let parsed = (needed.0 <= Decimals::MOST).then(|| needed.parse(text).ok()).flatten();
    match parsed {
        Some(value) => {
            Some(rounded(i128::from(value), i128::from(Decimals(needed.0 - decimals.0).scale()))
                as Value)
        }
        None => decimals.round(text.parse().ok()?).ok(),
    }
}

/// The usual case, fast: a sign, up to 17 digits, no more decimals than there should be.
fn plain(text: &[u8], decimals: Decimals) -> Option<Value> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    let (mut value, mut fraction, mut point) = (0_i64, 0_u8, false);
    for &byte in digits {
        match byte {
            b'0'..=b'9' => {
                value = value * 10 + i64::from(byte - b'0');
                fraction += u8::from(point);
            }
            b'.' if !point => point = true,
            _ => return None,
        }
    }
    if fraction > decimals.0 || digits.len() == usize::from(point) {
        return None;
    }
    let value = value.checked_mul(Decimals(decimals.0 - fraction).scale())?;
    let value = if negative { -value } else { value };
    (value.abs() <= Value::MAX / 4).then_some(value)
}

/// `a / b` rounded to the nearest, halves away from zero; `b > 0`.
pub(crate) fn rounded(a: i128, b: i128) -> i128 {
    let half = b / 2;
    if a >= 0 { (a + half) / b } else { -((-a + half) / b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_rounded_halves_away_from_zero() {
        let one = Decimals(1);
        assert_eq!(units("0.25", one), Some(3));
        assert_eq!(units("-0.25", one), Some(-3));
        assert_eq!(units("63.16852476447821", Decimals(4)), Some(631_685));
        assert_eq!(units("0.12345678901234567890", Decimals(2)), Some(12));
        assert_eq!(units("1e3", one), Some(10_000));
        assert_eq!(units("+7.", one), Some(70));
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in ["", "-", ".", "-.", "1,5", "1.2.3", "x", "NaN", "inf", "99999999999999999999"]
        {
            assert_eq!(units(text, Decimals(2)), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_fast_way_and_the_model_agree(text in "-?[0-9]{0,12}(\\.[0-9]{0,3})?") {
            prop_assert_eq!(units(&text, Decimals(3)), Decimals(3).parse(&text).ok());
        }
    }
}
