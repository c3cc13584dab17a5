//! The contributors of one cell as the rules see them.

use num_integer::Integer;
use quell_model::Value;

use super::amounts::{HUNDRED_PERCENT, fine};
use crate::{CellSummary, Contribution, Contributors, Table};

/// What a rule may ask of a cell: its value, and who contributes how much to it. Amounts are
/// in units of value × weight, so that rules compare integers.
#[derive(Debug)]
pub struct View<'a> {
    contributors: &'a Contributors,
    value: Value,
    /// The sum of the weights of the records.
    weight: Value,
    /// Units in a weight of 1.
    weight_unit: i128,
    /// The same times a number that makes whole ones of the weights of the largest contributors.
    unit: i128,
    weighted: bool,
}

/// Fractions of weights are exact as far as they have a common denominator of this size; those
/// beyond are rounded up, which asks for more protection.
const LARGEST_DENOMINATOR: i128 = 1_000_000_000;

/// What the largest contributors to a cell contribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Largest {
    /// All of them together.
    pub sum: i128,
    /// The smallest of these contributions; 0 if the cell has fewer contributors.
    pub least: i128,
}

impl<'a> View<'a> {
    pub(super) fn new(
        contributors: &'a Contributors,
        table: &Table,
        (summary, value): (&CellSummary, Value),
        weighted: bool,
    ) -> Self {
        let weight_unit = i128::from(table.weight_decimals.scale());
        let unit = match weighted {
            true => weight_unit * denominator(contributors.top.entries()),
            false => weight_unit,
        };
        Self { contributors, value, weight: summary.weight, weight_unit, unit, weighted }
    }

    /// Of a sum of hidden cells, whose contributors count one each.
    pub(super) fn of_sum(contributors: &'a Contributors, value: Value) -> Self {
        Self { contributors, value, weight: 0, weight_unit: 1, unit: 1, weighted: false }
    }

    /// What the table shows of the cell.
    pub fn value(&self) -> Value {
        self.value
    }

    /// The total that rules compare contributions with.
    pub fn total(&self) -> i128 {
        let size =
            if self.weighted { self.contributors.weighted_size } else { self.contributors.size };
        i128::from(size) * self.unit
    }

    /// The first `n` contributors. A contribution of weight 3.5 stands for three and a half
    /// of them if the rules are weighted.
    pub fn largest(&self, n: usize) -> Largest {
        let (mut left, mut sum, mut least) = (n as i128 * self.unit, 0, 0);
        for entry in self.contributors.top.entries() {
            if left == 0 {
                break;
            }
            least = i128::from(entry.value.unsigned_abs());
            let weight = if self.weighted { self.weight_of(entry) } else { self.unit };
            let taken = weight.min(left);
            sum += least * taken;
            left -= taken;
        }
        Largest { sum, least: if left > 0 { 0 } else { least } }
    }

    /// What a contributor weighs in units of this view.
    fn weight_of(&self, entry: &Contribution) -> i128 {
        let finer = self.unit / self.weight_unit;
        let size = i128::from(entry.value.unsigned_abs()).max(1);
        let rest = i128::from(entry.weight_rest) * finer;
        i128::from(entry.weight) * finer + rest / size + i128::from(rest % size != 0)
    }

    /// The largest contribution.
    pub fn first(&self) -> Option<&Contribution> {
        self.contributors.top.entries().first()
    }

    /// The size of the largest contribution of someone who did not sign a waiver, of one
    /// contributor: not in units of weights.
    pub fn largest_to_protect(&self) -> i128 {
        i128::from(self.contributors.largest_unwaived)
    }

    /// An amount of one contributor in the units of totals.
    pub fn unweighted(&self, amount: i128) -> i128 {
        amount * self.unit
    }

    /// Whether an amount is more than so many percent of the total.
    pub fn is_more_than(&self, percent: f64, amount: i128) -> bool {
        HUNDRED_PERCENT * amount > fine(percent) * self.total()
    }

    /// Whether fewer than so many contribute; their weights count if the rules are weighted.
    pub fn has_fewer_than(&self, minimum: f64) -> bool {
        let count = if self.weighted {
            i128::from(self.weight)
        } else {
            i128::from(self.contributors.count) * self.weight_unit
        };
        count * fine(1.0) < fine(minimum) * self.weight_unit
    }

    /// Whether everybody signed a waiver: then no rule applies.
    pub fn all_waived(&self) -> bool {
        self.contributors.waived == self.contributors.count
    }
}

/// A common denominator of the weights of contributors, of the largest first, as far as it goes.
fn denominator(entries: &[Contribution]) -> i128 {
    let mut all = 1;
    for entry in entries.iter().filter(|entry| entry.weight_rest > 0) {
        let size = i128::from(entry.value.unsigned_abs());
        let own = size / size.gcd(&i128::from(entry.weight_rest));
        let both = all / all.gcd(&own) * own;
        if both <= LARGEST_DENOMINATOR {
            all = both;
        }
    }
    all
}
