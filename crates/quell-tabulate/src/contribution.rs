//! The largest contributions to a cell.

use quell_model::Value;
use smallvec::SmallVec;

/// What a contributor asks of the office. When records of one contributor disagree, the
/// request for more protection counts: the later one here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[repr(u8)]
pub enum ProtectionRequest {
    /// A signed waiver: the contribution may be disclosed.
    Waived,
    /// Nothing.
    #[default]
    None,
    /// Protection, by the second code of the request variable.
    SecondRequest,
    /// Protection, by the first code of the request variable.
    FirstRequest,
}

impl ProtectionRequest {
    /// The request of a number that was made with `as u8`.
    pub(crate) fn from_number(number: u8) -> Self {
        [Self::Waived, Self::None, Self::SecondRequest, Self::FirstRequest]
            .get(usize::from(number))
            .copied()
            .unwrap_or_default()
    }
}

/// What one respondent or holding contributes to a cell, all its records together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contribution {
    /// The unweighted amount of the shadow variable, with its sign.
    pub value: Value,
    /// For how many contributors it stands, in units of the weights.
    pub weight: Value,
    /// What its contributor asks.
    pub request: ProtectionRequest,
}

impl Contribution {
    /// The order of a top list: by size, and then by all else, so that the order in which
    /// contributions arrive changes nothing.
    fn rank(&self) -> (u64, Value, ProtectionRequest, Value) {
        (self.value.unsigned_abs(), self.value, self.request, self.weight)
    }
}

/// The largest contributions to a cell, largest absolute value first.
///
/// A list for `n` contributors holds the `n` largest, and more if these weigh so little that
/// together they do not stand for `n`. So it serves rules with and without weights. Lists
/// merge in any order to the same list. Contributions of zero are not listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Top {
    wanted: usize,
    /// What `wanted` contributors weigh.
    weight: Value,
    entries: SmallVec<[Contribution; 2]>,
}

impl Top {
    /// An empty list for so many contributors, where a weight of 1 is `unit`.
    pub fn new(wanted: usize, unit: Value) -> Self {
        let weight = Value::try_from(wanted).unwrap_or(Value::MAX).saturating_mul(unit);
        Self { wanted, weight, entries: SmallVec::new() }
    }

    /// The entries, largest first.
    pub fn entries(&self) -> &[Contribution] {
        &self.entries
    }

    /// Adds the contribution of one who is not yet in the list.
    pub fn add(&mut self, contribution: Contribution) {
        if contribution.value == 0 || contribution.weight <= 0 {
            return;
        }
        let rank = contribution.rank();
        // For how many the larger ones stand.
        let mut before: Value = 0;
        let mut place = 0;
        for entry in &self.entries {
            if entry.rank() < rank {
                break;
            }
            before = before.saturating_add(entry.weight);
            place += 1;
        }
        if self.suffices(place, before) {
            return;
        }
        self.entries.insert(place, contribution);
        while place < self.entries.len() && !self.suffices(place, before) {
            before = before.saturating_add(self.entries[place].weight);
            place += 1;
        }
        self.entries.truncate(place);
    }

    /// Whether so many entries of this weight are enough.
    fn suffices(&self, count: usize, weight: Value) -> bool {
        count >= self.wanted && weight >= self.weight
    }

    /// Adds a list of other contributors.
    pub fn merge(&mut self, other: &Self) {
        for &contribution in &other.entries {
            self.add(contribution);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(value: Value, weight: Value) -> Contribution {
        Contribution { value, weight, request: ProtectionRequest::None }
    }

    #[test]
    fn the_largest_absolute_values_stay() {
        let mut top = Top::new(2, 1);
        [3, -9, 5, 0, 1].into_iter().for_each(|value| top.add(plain(value, 1)));
        assert_eq!(top.entries(), [plain(-9, 1), plain(5, 1)]);
    }

    #[test]
    fn light_contributions_need_company() {
        let mut top = Top::new(2, 10);
        [5, 4, 3, 2].into_iter().for_each(|value| top.add(plain(value, 7)));
        assert_eq!(top.entries(), [plain(5, 7), plain(4, 7), plain(3, 7)]);
        top.add(plain(9, 30));
        assert_eq!(top.entries(), [plain(9, 30), plain(5, 7)]);
    }

    proptest! {
        #[test]
        fn lists_merge_in_any_order(
            contributions in prop::collection::vec((-6_i64..6, 1_i64..5), 0..12),
            cut in 0_usize..12,
            wanted in 0_usize..5,
        ) {
            let all: Vec<_> = contributions.iter().map(|&(value, weight)| plain(value, weight)).collect();
            let collect = |part: &[Contribution]| {
                let mut top = Top::new(wanted, 2);
                part.iter().for_each(|&contribution| top.add(contribution));
                top
            };
            let (left, right) = all.split_at(cut.min(all.len()));
            let mut merged = collect(right);
            merged.merge(&collect(left));
            prop_assert_eq!(merged, collect(&all));
        }
    }
}
