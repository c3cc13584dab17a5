//! t-closeness (Li, Li, Venkatasubramanian 2007): in no class may the sensitive values
//! be distributed far from the whole file.

use super::diversity::sensitive_counts;
use crate::{Column, Microdata, Suppressions};

/// How far apart two values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distance {
    /// All values are equally far: half the sum of the differences.
    Equal,
    /// Values in the order of their labels, neighbours 1/(m − 1) apart (earth mover).
    Ordered,
}

/// The t of t-closeness: the largest distance of a class from the file.
pub fn closeness(
    data: &Microdata,
    suppressions: &Suppressions,
    sensitive: &Column,
    distance: Distance,
) -> f64 {
    let classes = sensitive_counts(data, suppressions, sensitive);
    let values = sensitive.labels().len();
    let mut whole = vec![0; values];
    for counts in &classes {
        for (sum, count) in whole.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    let shares = |counts: &[u64]| -> Vec<f64> {
        let total: u64 = counts.iter().sum();
        counts.iter().map(|&count| count as f64 / total as f64).collect()
    };
    let whole = shares(&whole);
    let apart = |counts: &Vec<u64>| -> f64 {
        let own = shares(counts);
        let differences = own.iter().zip(&whole).map(|(own, whole)| own - whole);
        match distance {
            Distance::Equal => differences.map(f64::abs).sum::<f64>() / 2.0,
            Distance::Ordered => {
                let mut carried = 0.0;
                let moved: f64 = differences
                    .map(|difference| {
                        carried += difference;
                        f64::abs(carried)
                    })
                    .sum();
                moved / (values.saturating_sub(1).max(1)) as f64
            }
        }
    };
    classes.iter().map(apart).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The salaries of the paper's Table 3: nine values, 3k to 11k, three classes.
    #[test]
    fn the_example_of_the_paper() {
        let key = Column::from_labels("k", ["1", "1", "1", "2", "2", "2", "3", "3", "3"], &[]);
        let salary = Column::from_labels("s", ["3", "4", "5", "6", "11", "8", "7", "9", "10"], &[]);
        let data = Microdata::new(vec![key]).unwrap();
        let none = Suppressions::default();
        // {3k, 4k, 5k} is 0.375 from the whole, {6k, 8k, 11k} 0.167: the first decides.
        let t = closeness(&data, &none, &salary, Distance::Ordered);
        assert!((t - 0.375).abs() < 1e-12);
        let t = closeness(&data, &none, &salary, Distance::Equal);
        assert!((t - 2.0 / 3.0).abs() < 1e-12);
    }
}
