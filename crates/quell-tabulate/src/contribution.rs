//! The largest contributions to a cell.

use std::fmt;

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

/// Who contributes, as a number that is the same in all cells of all tables of one
/// [`Spec`](crate::Spec), whatever the order of the records and the number of threads.
///
/// It is made of the contributor's name, or of everything that a record without one says. Two
/// names can have the same number, but among ten million contributors the chance is one in
/// 400 000, and the two would then be taken for one who knows more: the error is on the safe
/// side. Two records without names that say the same share a number, too; they are in the same
/// cells, so that their place among those of the number tells them apart.
///
/// It stands for a person or a firm, so it must not be written anywhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ContributorKey(u64);

impl ContributorKey {
    /// Of a name.
    pub fn of_name(name: &str) -> Self {
        let bytes =
            name.bytes().fold(OFFSET, |key, byte| (key ^ u64::from(byte)).wrapping_mul(PRIME));
        Self(mixed(bytes))
    }

    /// The key with one more number that tells contributors apart.
    #[must_use]
    pub(crate) fn and(self, number: u64) -> Self {
        Self(mixed(self.0.rotate_left(5) ^ number.wrapping_mul(PRIME)))
    }
}

impl fmt::Debug for ContributorKey {
    /// Not the key: what is shown may be kept.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ContributorKey")
    }
}

/// The constants of the FNV-1a hash of 64 bits.
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// Spreads what differs over all bits: the last step of the SplitMix64 generator.
fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// What one respondent or holding contributes to a cell, all its records together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contribution {
    /// Who.
    pub who: ContributorKey,
    /// How much of what the table shows is from them, with its sign: of the response, weighted
    /// if the table is.
    pub shown: Value,
    /// The unweighted amount of the shadow variable, with its sign.
    pub value: Value,
    /// For how many contributors it stands, in units of the weights, rounded down.
    pub weight: Value,
    /// What that leaves out, in units of weight over the size of `value`: records of different
    /// weights weigh together what they come to, which is a fraction.
    pub weight_rest: Value,
    /// What its contributor asks.
    pub request: ProtectionRequest,
}

impl Contribution {
    /// The order of a top list: by size, and then by all else, so that the order in which
    /// contributions arrive changes nothing.
    fn rank(&self) -> (u64, Value, ProtectionRequest, [Value; 3], ContributorKey) {
        let size = self.value.unsigned_abs();
        let weights = [self.weight, self.weight_rest, self.shown];
        (size, self.value, self.request, weights, self.who)
    }

    /// Whether a top list has a place for it.
    pub(crate) fn is_listed(&self) -> bool {
        self.value != 0 && (self.weight > 0 || self.weight_rest > 0)
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
        if !contribution.is_listed() {
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
        let who = ContributorKey::default();
        let request = ProtectionRequest::None;
        Contribution { who, shown: value, value, weight, weight_rest: 0, request }
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
