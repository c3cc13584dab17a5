//! The arithmetic of the rules, in integers.

use quell_model::Value;

/// Parameters are taken to millionths.
const FINE: f64 = 1e6;

/// No percentage and no number of contributors means anything beyond this, and products must
/// stay within 128 bits.
pub(super) const LARGEST_PARAMETER: f64 = 1e6;

/// No amount means anything beyond this: with the decimals that values may have it is near
/// the largest total of exact arithmetic.
pub(super) const LARGEST_AMOUNT: f64 = 1e12;

/// 100 percent in millionths.
pub(super) const HUNDRED_PERCENT: i128 = 100_000_000;

/// A parameter in millionths.
pub(super) fn fine(parameter: f64) -> i128 {
    (parameter.clamp(0.0, LARGEST_PARAMETER) * FINE).round() as i128
}

/// `a / b` rounded up, for `a ≥ 0` and `b > 0`.
fn ceiling(a: i128, b: i128) -> i128 {
    a / b + i128::from(a % b != 0)
}

/// So many percent of the size of a value, rounded up.
pub(super) fn percentage(percent: f64, value: Value) -> i128 {
    ceiling(fine(percent) * i128::from(value.unsigned_abs()), HUNDRED_PERCENT)
}

/// By how much the total of a cell falls short of what a rule asks, as a share of the total.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortfall {
    numerator: i128,
    denominator: i128,
}

impl Shortfall {
    /// The share `numerator / denominator`, if it is more than nothing: a rule is violated iff
    /// the total falls short. The denominator must be positive.
    pub(super) fn of(numerator: i128, denominator: i128) -> Option<Self> {
        (numerator > 0).then_some(Self { numerator, denominator })
    }

    /// The larger of two.
    pub(super) fn max(self, other: Self) -> Self {
        if other.exceeds(&self) { other } else { self }
    }

    fn exceeds(&self, other: &Self) -> bool {
        let exact = self
            .numerator
            .checked_mul(other.denominator)
            .zip(other.numerator.checked_mul(self.denominator));
        match exact {
            Some((own, other)) => own > other,
            None => self.ratio() > other.ratio(),
        }
    }

    fn ratio(&self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// This share of `amount`, rounded up: protection is never less than asked for.
    pub(super) fn share_of(&self, amount: Value) -> i128 {
        let amount = i128::from(amount);
        match amount.checked_mul(self.numerator) {
            Some(product) => ceiling(product, self.denominator),
            None => (amount as f64 * self.ratio()).ceil() as i128,
        }
    }
}
