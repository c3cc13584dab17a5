//! How many records look like a record on all identifying variables; the least of these numbers
//! is the k of k-anonymity (sweeney-2002).

use quell_model::Budget;

use crate::safety::Released;
use crate::stop_check::StopCheck;
use crate::{KeySet, Meaning, Microdata, Result, Suppressions};

/// Frequencies of every record's tuple on all identifying variables.
#[derive(Debug, Clone, PartialEq)]
pub struct Frequencies {
    /// Records like this one in the file, itself among them (f_k).
    pub sample: Vec<u32>,
    /// Estimate of such people in the population: the sum of their weights (F_k).
    pub population: Vec<f64>,
}

/// Frequencies of a released file. A missing value matches everything under
/// [`Meaning::Wildcard`] and is a category of its own otherwise.
///
/// # Errors
/// [`Error::Stopped`](crate::Error::Stopped) if the budget is spent before all is counted, here
/// and in the other measures.
pub fn frequencies(
    data: &Microdata,
    suppressions: &Suppressions,
    meaning: Meaning,
    budget: &Budget,
) -> Result<Frequencies> {
    let stop = StopCheck::silent(budget);
    let released = Released::new(data, suppressions);
    let all = KeySet::first(data.keys().len());
    let weight = |record: usize| data.weights().map_or(1.0, |weights| weights[record]);
    Ok(if meaning == Meaning::Wildcard {
        Frequencies {
            sample: released.sums_of_matches(all, |_| 1, &stop)?,
            population: released.sums_of_matches(all, weight, &stop)?,
        }
    } else {
        Frequencies {
            sample: released.sums_of_equals(all, |_| 1, &stop)?,
            population: released.sums_of_equals(all, weight, &stop)?,
        }
    })
}

impl Frequencies {
    /// The k of k-anonymity: the smallest frequency.
    pub fn anonymity(&self) -> u32 {
        self.sample.iter().copied().min().unwrap_or(0)
    }

    /// Records that occur less than `k` times.
    pub fn below(&self, k: u32) -> usize {
        self.sample.iter().filter(|&&count| count < k).count()
    }

    /// Records that are alone in the file.
    pub fn sample_uniques(&self) -> usize {
        self.below(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;

    #[test]
    fn frequencies_follow_the_meaning_of_missing() {
        let sex = Column::from_labels("sex", ["m", "m", "f", "?"], &["?"]);
        let age = Column::from_labels("age", ["1", "1", "1", "1"], &[]);
        let data = Microdata::new(vec![sex, age])
            .and_then(|data| data.with_weights(vec![10.0, 20.0, 30.0, 40.0]))
            .unwrap();
        let none = Suppressions::default();
        let budget = Budget::default();
        let category = frequencies(&data, &none, Meaning::IdenticalTuple, &budget).unwrap();
        assert_eq!(category.sample, [2, 2, 1, 1]);
        assert_eq!(category.population, [30.0, 30.0, 30.0, 40.0]);
        assert_eq!((category.anonymity(), category.sample_uniques()), (1, 2));
        let wildcard = frequencies(&data, &none, Meaning::Wildcard, &budget).unwrap();
        assert_eq!(wildcard.sample, [3, 3, 2, 4]);
        assert_eq!(wildcard.population, [70.0, 70.0, 70.0, 100.0]);
        assert_eq!(wildcard.below(3), 1);
    }
}
