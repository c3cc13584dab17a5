//! t-closeness (li-2007): in no class may the sensitive values
//! be distributed far from the whole file.

use std::ops::Range;

use quell_model::Budget;

use super::diversity::sensitive_counts;
use crate::stop_check::StopCheck;
use crate::{Column, Microdata, Result, Suppressions};

/// How far apart two values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// All values are equally far: half the sum of the differences.
    Equal,
    /// Values in the order of their labels, neighbours 1/(m − 1) apart (earth mover).
    Ordered,
}

/// The t of t-closeness: the largest distance of a class from the file.
///
/// # Errors
/// If the budget is spent before.
pub fn closeness(
    data: &Microdata,
    suppressions: &Suppressions,
    sensitive: &Column,
    distance: Distance,
    budget: &Budget,
) -> Result<f64> {
    let stop = StopCheck::silent(budget);
    let classes = sensitive_counts(data, suppressions, sensitive, &stop)?;
    let values = sensitive.labels().len();
    let records = data.records().max(1) as f64;
    let frequencies = sensitive.frequencies();
    let whole: Vec<f64> = frequencies.iter().map(|&count| count as f64 / records).collect();
    let file = Cumulated::new(&whole);
    let apart = |class: &Vec<(usize, u64)>| -> f64 {
        let total: u64 = class.iter().map(|&(_, count)| count).sum();
        let shares = class.iter().map(|&(code, count)| (code, count as f64 / total as f64));
        match distance {
            Distance::Equal => {
                // What does not occur in the class differs by its share of the file.
                let (mut differences, mut elsewhere) = (0.0, 1.0);
                for (code, share) in shares {
                    differences += f64::abs(share - whole[code]);
                    elsewhere -= whole[code];
                }
                (differences + f64::max(elsewhere, 0.0)) / 2.0
            }
            Distance::Ordered => {
                // The class' own sum stays as it is from one of its values to the next.
                let (mut start, mut own, mut moved) = (0, 0.0, 0.0);
                for (code, share) in shares {
                    moved += file.distance(start..code, own);
                    (start, own) = (code, own + share);
                }
                moved += file.distance(start..values, own);
                moved / (values.saturating_sub(1).max(1)) as f64
            }
        }
    };
    let mut largest = 0.0;
    for (place, class) in classes.iter().enumerate() {
        stop.check_at(place)?;
        largest = f64::max(largest, apart(class));
    }
    Ok(largest)
}

/// The cumulated shares of a file's values, and their sums.
struct Cumulated {
    shares: Vec<f64>,
    /// Sum of the first so many.
    sums: Vec<f64>,
}

impl Cumulated {
    fn new(shares: &[f64]) -> Self {
        let mut all = Self { shares: Vec::new(), sums: vec![0.0] };
        let (mut cumulated, mut sum) = (0.0, 0.0);
        for share in shares {
            cumulated += share;
            sum += cumulated;
            all.shares.push(cumulated);
            all.sums.push(sum);
        }
        all
    }

    /// How far the cumulated shares of some values are from one number, in all. They rise, so
    /// those below come first.
    fn distance(&self, values: Range<usize>, own: f64) -> f64 {
        let below = self.shares[values.clone()].partition_point(|&share| share < own);
        let middle = values.start + below;
        let sum = |range: Range<usize>| self.sums[range.end] - self.sums[range.start];
        own * below as f64 - sum(values.start..middle) + sum(middle..values.end)
            - own * (values.end - middle) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quell_model::Random;

    fn t(data: &Microdata, sensitive: &Column, distance: Distance) -> f64 {
        let (none, budget) = (Suppressions::default(), Budget::default());
        closeness(data, &none, sensitive, distance, &budget).unwrap()
    }

    /// The salaries of the paper's Table 3: nine values, 3k to 11k, three classes.
    #[test]
    fn the_example_of_the_paper() {
        let key = Column::from_labels("k", ["1", "1", "1", "2", "2", "2", "3", "3", "3"], &[]);
        let salary = Column::from_labels("s", ["3", "4", "5", "6", "11", "8", "7", "9", "10"], &[]);
        let data = Microdata::new(vec![key]).unwrap();
        // {3k, 4k, 5k} is 0.375 from the whole, {6k, 8k, 11k} 0.167: the first decides.
        assert!((t(&data, &salary, Distance::Ordered) - 0.375).abs() < 1e-12);
        assert!((t(&data, &salary, Distance::Equal) - 2.0 / 3.0).abs() < 1e-12);
    }

    /// By the definition, value by value.
    #[test]
    fn sums_over_what_occurs_are_sums_over_all_values() {
        for task in 0..200 {
            let mut random = Random::new(71, task);
            let records = 1 + random.below(30);
            let codes = |random: &mut Random, most: usize| -> Vec<String> {
                (0..records).map(|_| random.below(most).to_string()).collect()
            };
            let column = |name: &str, codes: &[String]| {
                Column::from_labels(name, codes.iter().map(String::as_str), &[])
            };
            let (own, values) = (codes(&mut random, 4), codes(&mut random, 9));
            let (key, sensitive) = (column("k", &own), column("s", &values));
            let data = Microdata::new(vec![key.clone()]).unwrap();
            let mut truth = [0.0_f64; 2];
            for class in 0..key.labels().len() as u32 {
                let all = sensitive.labels().len();
                let (mut here, mut whole) = (vec![0.0; all], vec![0.0; all]);
                for record in 0..records {
                    let value = sensitive.codes().get(record) as usize;
                    whole[value] += 1.0 / records as f64;
                    here[value] += f64::from(u8::from(key.codes().get(record) == class));
                }
                let size: f64 = here.iter().sum();
                let (mut carried, mut sums) = (0.0_f64, [0.0; 2]);
                for (here, whole) in here.iter().zip(&whole) {
                    carried += here / size - whole;
                    sums[0] += (here / size - whole).abs() / 2.0;
                    sums[1] += carried.abs() / (all - 1).max(1) as f64;
                }
                truth = [truth[0].max(sums[0]), truth[1].max(sums[1])];
            }
            for (distance, truth) in [Distance::Equal, Distance::Ordered].into_iter().zip(truth) {
                let t = t(&data, &sensitive, distance);
                assert!((t - truth).abs() < 1e-9, "task {task}, {distance:?}: {t}, truth {truth}");
            }
        }
    }
}
