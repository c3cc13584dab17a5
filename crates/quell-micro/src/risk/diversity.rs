//! l-diversity (machanavajjhala-2007): whoever finds a person's class should not learn the
//! sensitive value.

use quell_model::Budget;

use crate::safety::Released;
use crate::stop_check::StopCheck;
use crate::{Column, KeySet, Microdata, Result, Suppressions};

/// The diversity of a file: the smallest over its classes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Diversity {
    /// Different sensitive values.
    pub distinct: usize,
    /// e to the entropy of the sensitive values.
    pub entropy: f64,
    /// The smallest c for which the file is recursively (c, l)-diverse with l = 2: the most
    /// frequent value is less than c times the sum of the others (infinite if alone).
    pub recursive: f64,
}

/// The sensitive values of every class of records alike on all identifying variables (a
/// missing value is a category): codes that occur, rising, and how often. Files may have as
/// many classes as records and as many values, so there is no table of both.
pub(crate) fn sensitive_counts(
    data: &Microdata,
    suppressions: &Suppressions,
    sensitive: &Column,
    stop: &StopCheck,
) -> Result<Vec<Vec<(usize, u64)>>> {
    let released = Released::new(data, suppressions);
    released
        .classes(KeySet::first(data.keys().len()), stop)?
        .iter()
        .enumerate()
        .map(|(place, (_, records))| {
            stop.check_at(place)?;
            let code = |&record: &u32| sensitive.codes().get(record as usize) as usize;
            let mut codes: Vec<usize> = records.iter().map(code).collect();
            codes.sort_unstable();
            Ok(codes.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u64)).collect())
        })
        .collect()
}

/// The diversity of a sensitive variable.
///
/// # Errors
/// If the budget is spent before.
pub fn diversity(
    data: &Microdata,
    suppressions: &Suppressions,
    sensitive: &Column,
    budget: &Budget,
) -> Result<Diversity> {
    let stop = StopCheck::silent(budget);
    let classes = sensitive_counts(data, suppressions, sensitive, &stop)?;
    if classes.is_empty() {
        return Ok(Diversity { distinct: 0, entropy: 0.0, recursive: 0.0 });
    }
    let mut least = Diversity { distinct: usize::MAX, entropy: f64::INFINITY, recursive: 0.0 };
    for counts in classes {
        let total: u64 = counts.iter().map(|&(_, count)| count).sum();
        let most = counts.iter().map(|&(_, count)| count).max().unwrap_or(0);
        let entropy: f64 = counts
            .iter()
            .map(|&(_, count)| {
                let share = count as f64 / total as f64;
                -share * share.ln()
            })
            .sum();
        least.distinct = least.distinct.min(counts.len());
        least.entropy = least.entropy.min(entropy.exp());
        least.recursive = least.recursive.max(most as f64 / (total - most) as f64);
    }
    Ok(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_diverse_class_decides() {
        let key = Column::from_labels("k", ["a", "a", "a", "a", "b", "b"], &[]);
        let illness = Column::from_labels("s", ["flu", "flu", "cold", "gout", "flu", "cold"], &[]);
        let data = Microdata::new(vec![key]).unwrap();
        let (none, budget) = (Suppressions::default(), Budget::default());
        let found = diversity(&data, &none, &illness, &budget).unwrap();
        assert_eq!(found.distinct, 2);
        assert!((found.entropy - 2.0).abs() < 1e-12);
        assert_eq!(found.recursive, 1.0);
        // A class of one: nothing left to learn.
        let alone = Column::from_labels("k", ["a", "a", "a", "a", "b", "c"], &[]);
        let data = Microdata::new(vec![alone]).unwrap();
        let found = diversity(&data, &none, &illness, &budget).unwrap();
        assert_eq!((found.distinct, found.entropy), (1, 1.0));
        assert!(found.recursive.is_infinite());
    }
}
