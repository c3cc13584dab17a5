//! Which combinations of identifying variables are checked, and how often is enough.
//!
//! "Below the threshold" has cost users more than any other word here, so a
//! [`Combination`] keeps one number with one meaning: the *minimum safe frequency*.
//! A combination of values is safe if it occurs at least that often, and unsafe if it
//! occurs less often. [`Threshold`] translates the two ways of saying it.

use rustc_hash::{FxHashMap, FxHashSet};

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

/// How often is enough, where it may depend on the number of variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Thresholds {
    /// One for all combinations.
    Same(Threshold),
    /// One per dimension: the first for single variables, the second for pairs, and so on.
    ByDimension(Vec<Threshold>),
}

impl Default for Thresholds {
    /// Fewer than three are unsafe.
    fn default() -> Self {
        Self::Same(Threshold::FewerThan(3))
    }
}

impl Thresholds {
    /// From numbers as people give them: one for all, or one per dimension; none of none.
    pub fn of_numbers(numbers: &[u32], threshold: fn(u32) -> Threshold) -> Option<Self> {
        match numbers {
            [] => None,
            [one] => Some(Self::Same(threshold(*one))),
            several => {
                Some(Self::ByDimension(several.iter().map(|&number| threshold(number)).collect()))
            }
        }
    }

    /// The thresholds of combinations of one, two, … and `dimension` variables.
    ///
    /// # Errors
    /// If there are too few: the last one given must not stand for larger combinations, whose
    /// threshold nobody has chosen.
    pub fn up_to(&self, dimension: usize) -> Result<Vec<Threshold>> {
        match self {
            Self::Same(one) => Ok(vec![*one; dimension]),
            Self::ByDimension(several) if several.len() >= dimension => {
                Ok(several[..dimension].to_vec())
            }
            Self::ByDimension(several) => Err(Error::Request(format!(
                "{} thresholds are given, and combinations of up to {dimension} variables are \
                 checked: give one, or one for each dimension",
                several.len()
            ))),
        }
    }

    /// The threshold of combinations of so many variables, of which a combination has one at
    /// least.
    ///
    /// # Errors
    /// As [`Thresholds::up_to`].
    pub fn of(&self, dimension: usize) -> Result<Threshold> {
        let all = self.up_to(dimension)?;
        all.last().copied().ok_or_else(no_variables)
    }

    /// The threshold that was given for a dimension itself, if there was one.
    fn of_dimension(&self, dimension: usize) -> Option<Threshold> {
        match self {
            Self::Same(_) => None,
            Self::ByDimension(several) => several.get(dimension - 1).copied(),
        }
    }
}

/// A combination that somebody asks for by name, perhaps with a threshold of its own:
/// `age*sex`, `age*sex<3` (fewer than three are unsafe) or `age*sex<=3` (three are, too).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedCombination {
    /// The names of its variables.
    pub variables: Vec<String>,
    /// How often is enough, if not as elsewhere.
    pub threshold: Option<Threshold>,
}

impl ListedCombination {
    /// A combination that is as rare as elsewhere when it is unsafe.
    pub fn of(variables: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { variables: variables.into_iter().map(Into::into).collect(), threshold: None }
    }

    fn keys(&self, data: &Microdata) -> Result<KeySet> {
        self.variables
            .iter()
            .try_fold(KeySet::EMPTY, |keys, name| Ok(keys.with(data.key(name.trim())?)))
    }
}

impl std::str::FromStr for ListedCombination {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (names, threshold) = match text.rsplit_once('<') {
            None => (text, None),
            Some((names, number)) => {
                let (make, number): (fn(u32) -> Threshold, &str) = match number.strip_prefix('=') {
                    Some(number) => (Threshold::AtMost, number),
                    None => (Threshold::FewerThan, number),
                };
                let number = number.trim().parse().map_err(|_| {
                    Error::Request(format!(
                        "\"{text}\": what follows < or <= must be a whole number, as in age*sex<3"
                    ))
                })?;
                (names, Some(make(number)))
            }
        };
        let variables = names.split('*').map(|name| name.trim().to_owned()).collect();
        Ok(Self { variables, threshold })
    }
}

fn no_variables() -> Error {
    Error::Request("a combination of no variables cannot be checked".into())
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
            return Err(no_variables());
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

    /// Only all of the first `keys` variables together: k-anonymity.
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
                 needed, one per dimension; {} are given",
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

    /// The combinations of a list, each with its own threshold or that of its dimension; with
    /// `parts` all their parts too.
    ///
    /// A part takes the threshold given for its dimension. Where none is given by dimension, it
    /// takes the largest of the combinations it belongs to. That is the safe choice: what is
    /// left of a combination after a suppression is a part, and so it is shared by as many
    /// records as the combination had to be. Of two thresholds for one set of variables the
    /// stricter counts.
    ///
    /// Without `thresholds` fewer than three are unsafe; but if some of the list have a
    /// threshold of their own, all must: one number forgotten would go unnoticed.
    ///
    /// # Errors
    /// If a name is unknown, a combination has no threshold, or they become too many.
    pub fn listed(
        data: &Microdata,
        list: &[ListedCombination],
        thresholds: Option<&Thresholds>,
        parts: bool,
    ) -> Result<Self> {
        let usual = Thresholds::default();
        let of_others = match thresholds {
            Some(given) => Some(given),
            None => Some(&usual).filter(|_| list.iter().all(|listed| listed.threshold.is_none())),
        };
        let mut found = Vec::new();
        for listed in list {
            let keys = listed.keys(data)?;
            let threshold = match (listed.threshold, of_others) {
                (Some(own), _) => own,
                (None, Some(others)) => others.of(keys.len())?,
                (None, None) => {
                    return Err(Error::Request(format!(
                        "the combination {} has no threshold while others have one of their own: \
                         write one behind it, or give one for all others",
                        listed.variables.join("*")
                    )));
                }
            };
            found.push(Combination { keys, minimum: threshold.minimum() });
        }
        let found = Self::list(found)?;
        match parts {
            true => found.with_parts_by(|dimension| thresholds?.of_dimension(dimension)),
            false => Ok(found),
        }
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
        self.with_parts_by(|_| None)
    }

    /// [`Combinations::with_parts`], where parts of some dimensions have a threshold of theirs.
    fn with_parts_by(&self, own: impl Fn(usize) -> Option<Threshold>) -> Result<Self> {
        let mut minimum_of: FxHashMap<KeySet, u32> = FxHashMap::default();
        for combination in &self.list {
            if combination.keys.len() > 20 {
                return Err(Error::TooLarge(format!(
                    "a combination of {} variables has more than a million parts",
                    combination.keys.len()
                )));
            }
            let mut part = combination.keys.0;
            while part != 0 {
                let keys = KeySet(part);
                let threshold = own(keys.len()).filter(|_| keys != combination.keys);
                let minimum = threshold.map_or(combination.minimum, Threshold::minimum);
                let known = minimum_of.entry(keys).or_insert(minimum);
                *known = minimum.max(*known);
                part = (part - 1) & combination.keys.0;
            }
            if minimum_of.len() > MAX_COMBINATIONS {
                break;
            }
        }
        // In whatever order: the list is sorted, and every set of variables is in it once.
        let list = minimum_of.into_iter().map(|(keys, minimum)| Combination { keys, minimum });
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

    fn people() -> Microdata {
        let column = |name: &str| crate::Column::from_labels(name, ["1", "2"], &[]);
        Microdata::new(vec![column("age"), column("sex"), column("town")]).unwrap()
    }

    fn listed(text: &str, thresholds: Option<Thresholds>, parts: bool) -> Result<Vec<(u64, u32)>> {
        let list: Vec<ListedCombination> =
            text.split(',').map(|one| one.parse().unwrap()).collect();
        let found = Combinations::listed(&people(), &list, thresholds.as_ref(), parts)?;
        Ok(found.as_slice().iter().map(|own| (own.keys.0, own.minimum)).collect())
    }

    fn fewer(numbers: &[u32]) -> Option<Thresholds> {
        Thresholds::of_numbers(numbers, Threshold::FewerThan)
    }

    #[test]
    fn listed_combinations_take_the_threshold_of_their_dimension_or_their_own() {
        let found = listed("age, sex*town, age*sex*town", fewer(&[3, 5, 20]), false).unwrap();
        assert_eq!(found, [(0b001, 3), (0b110, 5), (0b111, 20)]);
        let found = listed("age*sex<3, age*sex*town <= 5", None, false).unwrap();
        assert_eq!(found, [(0b011, 3), (0b111, 6)]);
        let found = listed("age*sex<9,town", fewer(&[4]), false).unwrap();
        assert_eq!(found, [(0b100, 4), (0b011, 9)]);
        assert_eq!(listed("town", None, false).unwrap(), [(0b100, 3)], "three if nobody says");
    }

    #[test]
    fn parts_take_the_threshold_of_their_dimension_or_the_strictest_of_their_combinations() {
        let found = listed("age*sex*town", fewer(&[20, 5, 3]), true).unwrap();
        assert_eq!(found, [(1, 20), (2, 20), (4, 20), (3, 5), (5, 5), (6, 5), (7, 3)]);
        let found = listed("age*sex<3,sex*town<7", None, true).unwrap();
        assert_eq!(found, [(0b001, 3), (0b010, 7), (0b100, 7), (0b011, 3), (0b110, 7)]);
        // The pair has its own threshold, its parts that of single variables.
        let found = listed("age*sex<3", fewer(&[20, 5]), true).unwrap();
        assert_eq!(found, [(0b001, 20), (0b010, 20), (0b011, 3)]);
    }

    #[test]
    fn thresholds_that_are_missing_are_asked_for() {
        let message = |result: Result<Vec<(u64, u32)>>| result.unwrap_err().to_string();
        let few = message(listed("age,age*sex*town", fewer(&[3, 5]), false));
        assert!(few.starts_with("2 thresholds are given, and combinations of up to 3"), "{few}");
        let forgotten = message(listed("age*sex<3,age*town", None, false));
        assert!(forgotten.contains("age*town has no threshold"), "{forgotten}");
        assert!("age*sex<many".parse::<ListedCombination>().is_err());
        assert!(Thresholds::default().of(0).is_err());
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
