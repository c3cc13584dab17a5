//! What "safe" means, and whether a released file is.
//!
//! Three meanings live side by side in practice and disagree, so one has to be named:
//!
//! - [`Meaning::Static`] (dewaal-1998, µ-ARGUS): a combination of values is unsafe if it
//!   is rare in the *original* file. A released record is safe if none of the checked
//!   combinations it still shows is.
//! - [`Meaning::Wildcard`] (sdcMicro): in the *released* file a missing value matches
//!   every value. A record is safe if, for every checked combination, enough records
//!   match it.
//! - [`Meaning::IdenticalTuple`] (ARX): in the *released* file a missing value is one
//!   more category. A record is safe if, for every checked combination, enough records
//!   show the very same tuple.
//!
//! Under the last two a record that shows nothing of a combination is safe there: there
//! is nothing to recognise. Values that were missing from the start count as missing.
//!
//! Verification counts the file anew and shares with the methods only the counting of
//! [`Meaning::Static`], which looks at all unsafe combinations, not at MINUCs.

use quell_model::{Budget, Progress};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::stop_check::StopCheck;
use crate::{
    Combination, Combinations, Error, KeySet, Limits, Microdata, Minucs, Result, Suppressions,
};

/// What "safe" means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Meaning {
    /// Counts of the original file.
    #[default]
    Static,
    /// A missing value matches everything.
    Wildcard,
    /// A missing value is a category.
    #[serde(rename = "identical")]
    IdenticalTuple,
}

impl Meaning {
    /// All meanings.
    pub const ALL: [Self; 3] = [Self::Static, Self::Wildcard, Self::IdenticalTuple];

    /// Its name on the command line and in jobs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Wildcard => "wildcard",
            Self::IdenticalTuple => "identical",
        }
    }
}

impl std::str::FromStr for Meaning {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        crate::error::named(text, "meaning of safe", &Self::ALL, |meaning| meaning.name())
    }
}

/// A combination that is not safe in a released record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Violation {
    /// The record, from 0.
    pub record: usize,
    /// The checked variables.
    pub combination: Combination,
}

/// The variables of a combination that no other combination already cares for: with
/// matching files, a combination that is frequent makes all its parts frequent.
pub(crate) fn widest(combinations: &Combinations) -> Vec<Combination> {
    let list = combinations.as_slice();
    list.iter()
        .copied()
        .filter(|own| {
            !list.iter().any(|other| {
                other.keys != own.keys
                    && own.keys.is_subset(other.keys)
                    && other.minimum >= own.minimum
            })
        })
        .collect()
}

/// Records that show the same of a combination.
pub(crate) struct Classes {
    missing: Vec<KeySet>,
    starts: Vec<usize>,
    members: Vec<u32>,
}

impl Classes {
    /// Missing variables and records of every class, in order of first record.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (KeySet, &[u32])> {
        self.missing
            .iter()
            .zip(self.starts.windows(2))
            .map(|(&missing, ends)| (missing, &self.members[ends[0]..ends[1]]))
    }
}

/// A released file: the original and what is suppressed.
pub(crate) struct Released<'a> {
    data: &'a Microdata,
    hidden: Vec<KeySet>,
}

impl<'a> Released<'a> {
    pub(crate) fn new(data: &'a Microdata, suppressions: &Suppressions) -> Self {
        let mut hidden: Vec<KeySet> = vec![KeySet::EMPTY; data.records()];
        for (key, column) in data.keys().iter().enumerate() {
            if column.labels().len() > column.categories() as usize {
                for (record, hidden) in hidden.iter_mut().enumerate() {
                    if column.is_missing(column.codes().get(record)) {
                        *hidden = hidden.with(key);
                    }
                }
            }
        }
        for (record, set) in suppressions.iter() {
            hidden[record].0 |= set.0;
        }
        Self { data, hidden }
    }

    fn tuple(&self, record: usize, keys: KeySet) -> Vec<u32> {
        keys.iter().map(|key| self.data.keys()[key].codes().get(record)).collect()
    }

    /// One number a record and combination: equal if missing variables and shown values
    /// are. Mixed radix where it fits into 64 bits, refined variable by variable where not.
    fn labels(&self, keys: KeySet, stop: &StopCheck) -> Result<Vec<u64>> {
        let mut labels = vec![0_u64; self.data.records()];
        let mut room = 1_u64;
        for key in keys.iter() {
            stop.check()?;
            let column = &self.data.keys()[key];
            let slots = column.labels().len() as u64 + 1;
            room = match room.checked_mul(slots) {
                Some(room) => room,
                None => {
                    let mut seen: FxHashMap<u64, u64> = FxHashMap::default();
                    for label in &mut labels {
                        let next = seen.len() as u64;
                        *label = *seen.entry(*label).or_insert(next);
                    }
                    (seen.len() as u64).saturating_mul(slots)
                }
            };
            for (record, label) in labels.iter_mut().enumerate() {
                let shown = !self.hidden[record].contains(key);
                let slot = if shown { u64::from(column.codes().get(record)) + 1 } else { 0 };
                *label = *label * slots + slot;
            }
        }
        Ok(labels)
    }

    /// Records by missing variables and shown tuple of a combination, in order.
    ///
    /// # Errors
    /// If the budget is spent before, here and below.
    pub(crate) fn classes(&self, keys: KeySet, stop: &StopCheck) -> Result<Classes> {
        let mut number: FxHashMap<u64, u32> = FxHashMap::default();
        let mut classes = Classes { missing: Vec::new(), starts: vec![0], members: Vec::new() };
        let mut sizes: Vec<usize> = Vec::new();
        let own = self
            .labels(keys, stop)?
            .into_iter()
            .enumerate()
            .map(|(record, label)| {
                stop.check_at(record)?;
                let next = sizes.len() as u32;
                let class = *number.entry(label).or_insert(next);
                if class == next {
                    classes.missing.push(KeySet(self.hidden[record].0 & keys.0));
                    sizes.push(0);
                }
                sizes[class as usize] += 1;
                Ok(class)
            })
            .collect::<Result<Vec<u32>>>()?;
        let mut total = 0;
        for size in &sizes {
            total += size;
            classes.starts.push(total);
        }
        let mut fill = classes.starts.clone();
        classes.members = vec![0; total];
        for (record, &class) in own.iter().enumerate() {
            classes.members[fill[class as usize]] = record as u32;
            fill[class as usize] += 1;
        }
        Ok(classes)
    }

    /// The sum of something over the records that show the same tuple.
    pub(crate) fn sums_of_equals<T>(
        &self,
        keys: KeySet,
        value: impl Fn(usize) -> T,
        stop: &StopCheck,
    ) -> Result<Vec<T>>
    where
        T: Copy + Default + std::ops::AddAssign,
    {
        let mut sums = vec![T::default(); self.data.records()];
        for (_, records) in self.classes(keys, stop)?.iter() {
            let mut sum = T::default();
            for &record in records {
                sum += value(record as usize);
            }
            for &record in records {
                sums[record as usize] = sum;
            }
        }
        Ok(sums)
    }

    /// Records with too few identical tuples.
    fn rare_tuples(
        &self,
        combination: Combination,
        found: &mut Vec<Violation>,
        stop: &StopCheck,
    ) -> Result<()> {
        for (missing, records) in self.classes(combination.keys, stop)?.iter() {
            if missing != combination.keys && records.len() < combination.minimum as usize {
                found
                    .extend(records.iter().map(|&r| Violation { record: r as usize, combination }));
            }
        }
        Ok(())
    }

    /// How many records match each record, itself among them.
    pub(crate) fn matches(&self, keys: KeySet, stop: &StopCheck) -> Result<Vec<u32>> {
        self.sums_of_matches(keys, |_| 1, stop)
    }

    /// The sum of something over the records that match each record, itself among them.
    pub(crate) fn sums_of_matches<T>(
        &self,
        keys: KeySet,
        value: impl Fn(usize) -> T,
        stop: &StopCheck,
    ) -> Result<Vec<T>>
    where
        T: Copy + Default + std::ops::AddAssign,
    {
        let classes = self.classes(keys, stop)?;
        let mut patterns: Vec<KeySet> = classes.missing.clone();
        patterns.sort_unstable();
        patterns.dedup();
        let mut counts = vec![T::default(); classes.missing.len()];
        // Two patterns of missing variables match on what neither misses.
        for &theirs in &patterns {
            let mut projected: FxHashMap<KeySet, FxHashMap<Vec<u32>, T>> = FxHashMap::default();
            for &own in &patterns {
                stop.check()?;
                let common = KeySet(keys.0 & !theirs.0 & !own.0);
                projected.entry(common).or_insert_with(|| {
                    let mut sums: FxHashMap<Vec<u32>, T> = FxHashMap::default();
                    for (missing, records) in classes.iter() {
                        if missing == theirs {
                            let tuple = self.tuple(records[0] as usize, common);
                            let sum = sums.entry(tuple).or_default();
                            for &record in records {
                                *sum += value(record as usize);
                            }
                        }
                    }
                    sums
                });
            }
            for (place, (count, (missing, records))) in
                counts.iter_mut().zip(classes.iter()).enumerate()
            {
                stop.check_at(place)?;
                let common = KeySet(keys.0 & !theirs.0 & !missing.0);
                let tuple = self.tuple(records[0] as usize, common);
                *count += projected[&common].get(&tuple).copied().unwrap_or_default();
            }
        }
        let mut matches = vec![T::default(); self.data.records()];
        for (count, (_, records)) in counts.iter().zip(classes.iter()) {
            for &record in records {
                matches[record as usize] = *count;
            }
        }
        Ok(matches)
    }

    /// Records that too few records match.
    fn rarely_matched(
        &self,
        combination: Combination,
        found: &mut Vec<Violation>,
        stop: &StopCheck,
    ) -> Result<()> {
        for (record, &count) in self.matches(combination.keys, stop)?.iter().enumerate() {
            if count < combination.minimum && !combination.keys.is_subset(self.hidden[record]) {
                found.push(Violation { record, combination });
            }
        }
        Ok(())
    }
}

/// Everything that is not safe in the released file.
///
/// # Errors
/// [`Error::Stopped`] if the budget's flag is raised, or its time over, before all is counted:
/// then nothing is proven.
pub fn violations(
    data: &Microdata,
    suppressions: &Suppressions,
    combinations: &Combinations,
    meaning: Meaning,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Vec<Violation>> {
    let stop = StopCheck::new(budget, progress);
    violations_until(data, suppressions, combinations, meaning, &stop)
}

/// Verifies what a method has found. Whatever is not safe is a mistake of the method.
///
/// # Errors
/// If it is not safe, or as [`violations`], but a moment after the budget is spent.
pub(crate) fn verify(
    data: &Microdata,
    suppressions: &Suppressions,
    combinations: &Combinations,
    meaning: Meaning,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<()> {
    let stop = StopCheck::patient(budget, progress);
    let found = violations_until(data, suppressions, combinations, meaning, &stop)?;
    if found.is_empty() {
        return Ok(());
    }
    Err(Error::Solver(format!(
        "the suppressed file is not safe in {} places; this is a mistake of ours",
        found.len()
    )))
}

/// [`violations`], as long as the budget lasts.
pub(crate) fn violations_until(
    data: &Microdata,
    suppressions: &Suppressions,
    combinations: &Combinations,
    meaning: Meaning,
    stop: &StopCheck,
) -> Result<Vec<Violation>> {
    stop.stage("verifying", combinations.as_slice().len());
    if meaning == Meaning::Static {
        return static_violations(data, suppressions, combinations, stop);
    }
    let mut found = Vec::new();
    let released = Released::new(data, suppressions);
    for combination in widest(combinations) {
        match meaning {
            Meaning::Wildcard => released.rarely_matched(combination, &mut found, stop)?,
            _ => released.rare_tuples(combination, &mut found, stop)?,
        }
        stop.advance(1);
    }
    Ok(found)
}

fn static_violations(
    data: &Microdata,
    suppressions: &Suppressions,
    combinations: &Combinations,
    stop: &StopCheck,
) -> Result<Vec<Violation>> {
    let all = Minucs::find_all_unsafe(data, combinations, &Limits::default(), stop)?;
    let mut found = Vec::new();
    for (position, &record) in all.records().iter().enumerate() {
        stop.check_at(position)?;
        let record = record as usize;
        let hidden = suppressions.of(record);
        for &member in all.members(all.signature_of(position)) {
            let combination = all.combinations()[member as usize].combination;
            if !combination.keys.intersects(hidden) {
                found.push(Violation { record, combination });
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, Threshold};
    use quell_model::Silent;

    fn file(rows: &[[&str; 2]]) -> Microdata {
        let column = |key: usize| {
            Column::from_labels(["a", "b"][key], rows.iter().map(|row| row[key]), &["?"])
        };
        Microdata::new(vec![column(0), column(1)]).unwrap()
    }

    #[test]
    fn the_three_meanings_disagree_on_one_file() {
        // The first record shows a = 1 only; both others with a = 1 differ in b.
        let data = file(&[["1", "x"], ["1", "y"], ["1", "y"], ["2", "y"], ["2", "y"]]);
        let combinations = Combinations::up_to(2, 2, Threshold::FewerThan(2)).unwrap();
        let count = |hidden: &[(u32, KeySet)], meaning| {
            let suppressions = Suppressions::new(hidden.iter().copied());
            let budget = Budget::default();
            violations(&data, &suppressions, &combinations, meaning, &budget, &Silent)
                .unwrap()
                .len()
        };
        let meanings = [Meaning::Static, Meaning::Wildcard, Meaning::IdenticalTuple];
        // Nothing hidden: b = x is unique, and so is (1, x).
        assert_eq!(meanings.map(|meaning| count(&[], meaning)), [2, 1, 1]);
        // b hidden in the first record: only identical tuples still see (1, ?) once.
        let hidden = [(0, KeySet(2))];
        assert_eq!(meanings.map(|meaning| count(&hidden, meaning)), [0, 0, 1]);
        // All of it hidden: nothing to recognise.
        let hidden = [(0, KeySet(3))];
        assert_eq!(meanings.map(|meaning| count(&hidden, meaning)), [0, 0, 0]);
        // a hidden in the second record: it matches the first one's a, not its b.
        let hidden = [(1, KeySet(1))];
        assert_eq!(meanings.map(|meaning| count(&hidden, meaning)), [2, 1, 3]);
    }

    #[test]
    fn tuples_too_many_for_64_bits_are_told_apart() {
        let records = 300;
        let columns: Vec<Column> = (0..9)
            .map(|key| {
                let codes = (0..records).map(|record| (record / (key + 1)) as u32).collect();
                Column::from_codes(&format!("v{key}"), codes, 4000).unwrap()
            })
            .collect();
        let data = Microdata::new(columns).unwrap();
        let hidden = Suppressions::new([(7, KeySet(1)), (8, KeySet(1))]);
        let released = Released::new(&data, &hidden);
        let all = KeySet::first(9);
        // Variables 1 … 8 are coarser than variable 0: records 7 and 8 look alike only
        // without it, and only if no other variable parts them.
        let budget = Budget::default();
        let stop = StopCheck::silent(&budget);
        let counts = released.sums_of_equals(all, |_| 1_u32, &stop).unwrap();
        assert!(counts.iter().all(|&count| count == 1));
        let counts = released.sums_of_equals(KeySet(0b1_0000_0001), |_| 1_u32, &stop).unwrap();
        assert_eq!((counts[7], counts[8], counts[9]), (2, 2, 1));
    }
}
