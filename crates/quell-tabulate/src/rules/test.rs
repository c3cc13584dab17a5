//! The arithmetic of the rules, in integers.

use quell_model::Value;

use super::{Dominance, OnRequest, PriorPosterior};
use crate::{Contributors, Wish};

/// Parameters are taken to millionths.
const FINE: f64 = 1e6;

/// No parameter means anything beyond this, and products must stay within 128 bits.
const LARGEST_PARAMETER: f64 = 1e6;

/// A parameter in millionths.
pub(super) fn fine(parameter: f64) -> i128 {
    (parameter.clamp(0.0, LARGEST_PARAMETER) * FINE).round() as i128
}

/// 100 percent in millionths.
const WHOLE: i128 = 100_000_000;

/// A quotient of integers: by how much the total of a cell falls short of what a rule asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shortfall {
    pub(super) numerator: i128,
    pub(super) denominator: i128,
}

impl Shortfall {
    /// The rule is violated iff the total falls short.
    fn of(numerator: i128, denominator: i128) -> Option<Self> {
        (numerator > 0).then_some(Self { numerator, denominator })
    }

    /// Whether it is more than another.
    pub(super) fn exceeds(&self, other: &Self) -> bool {
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

/// `a / b` rounded up, for `a ≥ 0` and `b > 0`.
pub(super) fn ceiling(a: i128, b: i128) -> i128 {
    a / b + i128::from(a % b != 0)
}

/// The contributors of a cell as the rules see them.
pub(super) struct View<'a> {
    contributors: &'a Contributors,
    /// Units in a weight of 1.
    unit: i128,
    weighted: bool,
}

impl<'a> View<'a> {
    pub(super) fn new(contributors: &'a Contributors, weight_unit: Value, weighted: bool) -> Self {
        Self { contributors, unit: i128::from(weight_unit), weighted }
    }

    /// The total the rules compare with, in units of value × weight.
    pub(super) fn total(&self) -> i128 {
        let size =
            if self.weighted { self.contributors.weighted_size } else { self.contributors.size };
        i128::from(size) * self.unit
    }

    /// What the first `n` contributors contribute, and the smallest of these contributions.
    /// A contribution of weight 3.5 stands for three and a half contributors.
    fn first(&self, n: usize) -> (i128, i128) {
        let (mut left, mut sum, mut least) = (n as i128 * self.unit, 0, 0);
        for entry in self.contributors.top.entries() {
            if left == 0 {
                break;
            }
            let weight = if self.weighted { i128::from(entry.weight) } else { self.unit };
            let taken = weight.min(left);
            least = i128::from(entry.value.unsigned_abs());
            sum += least * taken;
            left -= taken;
        }
        (sum, if left > 0 { 0 } else { least })
    }

    /// How many contribute, in units of the weights.
    pub(super) fn count(&self, weight: Value) -> i128 {
        if self.weighted {
            i128::from(weight)
        } else {
            i128::from(self.contributors.count) * self.unit
        }
    }

    /// Whether the largest contributor asked for protection, and whether its share of the
    /// total is above the percentage for its kind of request.
    pub(super) fn requested(&self, rule: &OnRequest) -> Option<bool> {
        let largest = self.contributors.top.entries().first()?;
        let percent = match largest.wish {
            Wish::FirstRequest => rule.first,
            Wish::SecondRequest => rule.second,
            Wish::None | Wish::Waived => return None,
        };
        let size = i128::from(largest.value.unsigned_abs()) * self.unit;
        Some(percent > 0.0 && WHOLE * size > fine(percent) * self.total())
    }

    /// Units in a weight of 1.
    pub(super) fn unit(&self) -> i128 {
        self.unit
    }

    /// Everybody waived.
    pub(super) fn all_waived(&self) -> bool {
        self.contributors.waived == self.contributors.count
    }

    /// (n, k): 100·Σ top n / k − total > 0, unless nobody of these minds, as a share of the
    /// total.
    pub(super) fn dominance(&self, rule: &Dominance) -> Option<Shortfall> {
        let (sum, least) = self.first(rule.n);
        let protected = i128::from(self.contributors.largest_unwaived);
        if !rule.applies() || protected < least {
            return None;
        }
        let (k, total) = (fine(rule.k), self.total());
        if total <= 0 || k == 0 {
            return None;
        }
        Shortfall::of(WHOLE * sum - k * total, k * total)
    }

    /// pq: p/q·x + Σ top n+1 − total > 0, where x is the largest contribution that needs
    /// protection, as a share of the total.
    pub(super) fn prior_posterior(&self, rule: &PriorPosterior) -> Option<Shortfall> {
        if !rule.applies() {
            return None;
        }
        let target = i128::from(self.contributors.largest_unwaived);
        let (mut sum, least) = self.first(rule.n.saturating_add(1));
        if target < least {
            // The intruders are the n largest, and the target is not one of the next.
            sum = self.first(rule.n).0 + target * self.unit;
        }
        let (p, q, total) = (fine(rule.p), fine(rule.q), self.total());
        if total <= 0 || q == 0 {
            return None;
        }
        Shortfall::of(p * target * self.unit + q * (sum - total), q * total)
    }
}
