//! Which combinations of identifying variables are checked, and how often is enough.
//!
//! "Below the threshold" has cost users more than any other word here, so a
//! [`Combination`] keeps one number with one meaning: the *minimum safe frequency*.
//! A combination of values is safe if it occurs at least that often, and unsafe if it
//! occurs less often. [`Threshold`] translates the two ways of saying it.

use rustc_hash::FxHashSet;

use crate::{Error, MAX_KEYS, Microdata, Result};

/// A set of identifying variables, one bit each, by position in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct KeySet(pub u64);

impl KeySet {
    /// No variable.
    pub const EMPTY: Self = Self(0);

    /// The first `count` variables.
    pub fn first(count: usize) -> Self {
        if count >= 64 { Self(u64::MAX) } else { Self((1 << count) - 1) }
    }

    /// The variables of a list of positions.
    pub fn of(keys: &[usize]) -> Self {
        Self(keys.iter().fold(0, |set, &key| set | 1 << key))
    }

    /// Number of variables.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it has no variable.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a variable is in it.
    pub fn contains(self, key: usize) -> bool {
        self.0 >> key & 1 == 1
    }

    /// Whether all its variables are in another set.
    pub fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether it shares a variable with another set.
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// With one more variable.
    #[must_use]
    pub fn with(self, key: usize) -> Self {
        Self(self.0 | 1 << key)
    }

    /// Its variables, rising.
    pub fn iter(self) -> impl Iterator<Item = usize> + Clone {
        let mut left = self.0;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let key = left.trailing_zeros() as usize;
                left &= left - 1;
                key
            })
        })
    }
}

/// A threshold as people say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threshold {
    /// Unsafe if it occurs **fewer than** n times (`count < n`); n times are safe.
    /// sdcMicro, ARX ("k-anonymity") and dewaal-1998 speak so.
    FewerThan(u32),
    /// Unsafe if it occurs **at most** n times (`count ≤ n`); n times are unsafe.
    /// µ-ARGUS speaks so.
    AtMost(u32),
}

impl Threshold {
    /// The smallest frequency that is safe.
    pub fn minimum(self) -> u32 {
        match self {
            Self::FewerThan(count) => count,
            Self::AtMost(count) => count.saturating_add(1),
        }
    }
}

/// A set of variables whose joint values are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Combination {
    /// The variables.
    pub keys: KeySet,
    /// The smallest frequency that is safe.
    pub minimum: u32,
}

/// All combinations that are checked, by dimension, then in lexicographic order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Combinations {
    list: Vec<Combination>,
}

/// More checked combinations than this are refused.
const MAX_COMBINATIONS: usize = 2_000_000;

impl Combinations {
    /// The user's own list. Of two thresholds for one set of variables the stricter counts.
    ///
    /// # Errors
    /// If the list is empty or holds an empty combination.
    pub fn list(combinations: impl IntoIterator<Item = Combination>) -> Result<Self> {
        let mut list: Vec<Combination> = combinations.into_iter().collect();
        if list.is_empty() {
            return Err(Error::Request("no combination of variables is to be checked".into()));
        }
        if list.iter().any(|combination| combination.keys.is_empty()) {
            return Err(Error::Request("a combination of no variables cannot be checked".into()));
        }
        if list.len() > MAX_COMBINATIONS {
            return Err(Error::TooLarge(format!(
                "{} combinations of variables; at most {MAX_COMBINATIONS}",
                list.len()
            )));
        }
        list.sort_by(|left, right| {
            left.keys
                .len()
                .cmp(&right.keys.len())
                .then_with(|| left.keys.iter().cmp(right.keys.iter()))
                .then_with(|| right.minimum.cmp(&left.minimum))
        });
        list.dedup_by_key(|combination| combination.keys);
        Ok(Self { list })
    }

    /// All combinations of up to `thresholds.len()` of the first `keys` variables, with
    /// one threshold a dimension: `thresholds[0]` for single values, and so on.
    ///
    /// # Errors
    /// If there are none, or too many.
    pub fn by_dimension(keys: usize, thresholds: &[Threshold]) -> Result<Self> {
        if keys > MAX_KEYS {
            return Err(Error::TooLarge(format!("{keys} variables; at most {MAX_KEYS}")));
        }
        let mut list = Vec::new();
        for (dimension, threshold) in (1..=keys.min(thresholds.len())).zip(thresholds) {
            let mut chosen: Vec<usize> = (0..dimension).collect();
            loop {
                list.push(Combination { keys: KeySet::of(&chosen), minimum: threshold.minimum() });
                if list.len() > MAX_COMBINATIONS {
                    return Err(Error::TooLarge(format!(
                        "more than {MAX_COMBINATIONS} combinations of variables; \
                         lower the dimension or list your own"
                    )));
                }
                let Some(place) =
                    (0..dimension).rev().find(|&place| chosen[place] < keys - dimension + place)
                else {
                    break;
                };
                chosen[place] += 1;
                for next in place + 1..dimension {
                    chosen[next] = chosen[next - 1] + 1;
                }
            }
        }
        Self::list(list)
    }

    /// All combinations of up to `dimension` of the first `keys` variables, one threshold.
    ///
    /// # Errors
    /// As [`Combinations::by_dimension`].
    pub fn up_to(keys: usize, dimension: usize, threshold: Threshold) -> Result<Self> {
        Self::by_dimension(keys, &vec![threshold; dimension])
    }

    /// Only all variables together: k-anonymity.
    ///
    /// # Errors
    /// If there is no variable.
    pub fn all_together(keys: usize, threshold: Threshold) -> Result<Self> {
        Self::list([Combination { keys: KeySet::first(keys), minimum: threshold.minimum() }])
    }

    /// µ-ARGUS' identification levels: level 1 is the most identifying, 0 is not used.
    /// A combination takes one variable of level 1, one of level ≤ 2, one of level ≤ 3
    /// and so on, all different; its parts are checked too, each dimension with its
    /// threshold.
    ///
    /// # Errors
    /// If no combination comes out, or a dimension has no threshold.
    pub fn identification_levels(levels: &[u32], thresholds: &[Threshold]) -> Result<Self> {
        let deepest = levels.iter().copied().max().unwrap_or(0) as usize;
        if thresholds.len() < deepest {
            return Err(Error::Request(format!(
                "the identification levels go up to {deepest}, so {deepest} thresholds are \
                 needed, one a dimension; {} are given",
                thresholds.len()
            )));
        }
        let mut sets: FxHashSet<KeySet> = FxHashSet::default();
        sets.insert(KeySet::EMPTY);
        let mut found: Vec<KeySet> = Vec::new();
        let mut front = vec![KeySet::EMPTY];
        for level in 1..=deepest as u32 {
            let mut next = Vec::new();
            for set in front {
                for (key, &own) in levels.iter().enumerate() {
                    let larger = set.with(key);
                    if own >= 1 && own <= level && !set.contains(key) && sets.insert(larger) {
                        next.push(larger);
                    }
                }
            }
            found.extend(&next);
            front = next;
        }
        let mut list = Vec::new();
        for set in found {
            // The parts: every non-empty subset.
            let mut part = set.0;
            while part != 0 {
                let keys = KeySet(part);
                list.push(Combination { keys, minimum: thresholds[keys.len() - 1].minimum() });
                part = (part - 1) & set.0;
            }
        }
        Self::list(list)
    }

    /// A list like `age*sex*town, age*job`, with one threshold, and their parts if asked.
    ///
    /// # Errors
    /// If a name is unknown.
    pub fn named(data: &Microdata, text: &str, threshold: Threshold) -> Result<Self> {
        let mut list = Vec::new();
        for item in text.split(',') {
            let mut keys = KeySet::EMPTY;
            for name in item.split('*') {
                keys = keys.with(data.key(name.trim())?);
            }
            list.push(Combination { keys, minimum: threshold.minimum() });
        }
        Self::list(list)
    }

    /// The combinations with all their parts, each part as strict as the strictest
    /// combination it belongs to.
    ///
    /// With parts checked too, what is left of a combination after a suppression is
    /// known to be frequent; without, nobody looked.
    ///
    /// # Errors
    /// If they become too many.
    pub fn with_parts(&self) -> Result<Self> {
        let mut list = Vec::new();
        for combination in &self.list {
            if combination.keys.len() > 20 {
                return Err(Error::TooLarge(format!(
                    "a combination of {} variables has more than a million parts",
                    combination.keys.len()
                )));
            }
            let mut part = combination.keys.0;
            while part != 0 {
                list.push(Combination { keys: KeySet(part), ..*combination });
                part = (part - 1) & combination.keys.0;
            }
        }
        Self::list(list)
    }

    /// The combinations, by dimension, then lexicographic.
    pub fn as_slice(&self) -> &[Combination] {
        &self.list
    }

    /// The largest minimum frequency.
    pub fn largest_minimum(&self) -> u32 {
        self.list.iter().map(|combination| combination.minimum).max().unwrap_or(0)
    }

    /// All variables that occur.
    pub fn keys(&self) -> KeySet {
        KeySet(self.list.iter().fold(0, |all, combination| all | combination.keys.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_combinations_come_by_dimension_in_order() {
        let all = Combinations::up_to(4, 3, Threshold::FewerThan(3)).unwrap();
        let keys: Vec<Vec<usize>> =
            all.as_slice().iter().map(|combination| combination.keys.iter().collect()).collect();
        assert_eq!(keys.len(), 4 + 6 + 4);
        assert_eq!(keys[0], [0]);
        assert_eq!(keys[4], [0, 1]);
        assert_eq!(keys[13], [1, 2, 3]);
    }

    #[test]
    fn fewer_than_and_at_most_differ_by_one() {
        assert_eq!(Threshold::FewerThan(3).minimum(), 3);
        assert_eq!(Threshold::AtMost(3).minimum(), 4);
    }

    #[test]
    fn identification_levels_take_one_variable_a_level_and_lower_levels_count_higher_up() {
        // Town is extremely identifying, sex very, age and job identifying.
        let levels = [1, 2, 3, 3, 0];
        let thresholds = [Threshold::AtMost(1); 3];
        let found = Combinations::identification_levels(&levels, &thresholds).unwrap();
        let triples: Vec<KeySet> =
            found.as_slice().iter().map(|c| c.keys).filter(|keys| keys.len() == 3).collect();
        assert_eq!(triples, [KeySet::of(&[0, 1, 2]), KeySet::of(&[0, 1, 3])]);
        assert!(!found.keys().contains(4));
        // Two variables of level 1: one of them may stand in for level 2.
        let found = Combinations::identification_levels(&[1, 1, 2], &thresholds[..2]).unwrap();
        let pairs: Vec<KeySet> =
            found.as_slice().iter().map(|c| c.keys).filter(|keys| keys.len() == 2).collect();
        assert_eq!(pairs, [KeySet::of(&[0, 1]), KeySet::of(&[0, 2]), KeySet::of(&[1, 2])]);
    }

    #[test]
    fn the_stricter_of_two_thresholds_counts() {
        let list = Combinations::list([
            Combination { keys: KeySet(1), minimum: 2 },
            Combination { keys: KeySet(1), minimum: 5 },
        ])
        .unwrap();
        assert_eq!(list.as_slice(), [Combination { keys: KeySet(1), minimum: 5 }]);
    }
}
