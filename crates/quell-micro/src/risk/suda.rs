//! Special uniques (elliot-2002; SUDA2: manning-2008): a record is the riskier the smaller and
//! the more numerous the sets of variables on which it is unique. DIS scores: skinner-2002.
//!
//! A minimal sample unique (MSU) is a MINUC of minimum frequency two, so the search is
//! that of [`Minucs`]. An MSU of k of n variables, searched up to m, scores
//! ∏ (n − i) for i = k … min(m, n − 1); a record scores the sum. Scores are sums of
//! integers over a sorted list: the same on every machine and with any thread count.

use quell_model::{Budget, Progress};

use crate::stop_check::StopCheck;
use crate::{Combinations, Microdata, Minucs, Result, Threshold};

/// Scores of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Suda {
    /// SUDA score by record; zero for records without an MSU.
    pub scores: Vec<f64>,
    /// DIS-SUDA score by record: an estimated chance that a match is right.
    pub dis: Vec<f64>,
    /// Share of all scores to which each variable contributes, in variable order.
    pub contributions: Vec<f64>,
    /// Number of MSUs by size, from 1.
    pub sizes: Vec<u64>,
}

/// SUDA scores with MSUs of up to `most` variables. `fraction` is the sampling fraction
/// that DIS supposes (users mostly take 0.01 to 0.1).
///
/// # Errors
/// If there are too many combinations, or the budget is spent before.
pub fn suda(
    data: &Microdata,
    most: usize,
    fraction: f64,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Suda> {
    let keys = data.keys().len();
    let combinations = Combinations::up_to(keys, most.min(keys), Threshold::FewerThan(2))?;
    let minucs = Minucs::find(data, &combinations, budget, progress)?;
    let stop = StopCheck::silent(budget);
    let score_of = |size: usize| -> f64 {
        (size..=most.min(keys.saturating_sub(1))).map(|i| (keys - i) as f64).product()
    };
    let mut scores = vec![0.0; data.records()];
    let mut sizes = vec![0; keys];
    let mut by_key = vec![0.0; keys];
    let mut total = 0.0;
    for (place, (record, sets)) in minucs.iter().enumerate() {
        stop.check_at(place)?;
        for set in sets {
            let score = score_of(set.len());
            scores[record] += score;
            total += score;
            sizes[set.len() - 1] += 1;
            for key in set.iter() {
                by_key[key] += score;
            }
        }
    }
    let share = |sum: f64| if total > 0.0 { sum / total } else { 0.0 };
    Ok(Suda {
        dis: dis(data, &scores, fraction, budget)?,
        scores,
        contributions: by_key.into_iter().map(share).collect(),
        sizes,
    })
}

/// DIS (skinner-2002): with sampling fraction π, U uniques and D records in
/// pairs, a unique match is right with chance Uπ / (Uπ + D(1 − π)); DIS-SUDA spreads it
/// over the uniques by their scores.
fn dis(data: &Microdata, scores: &[f64], fraction: f64, budget: &Budget) -> Result<Vec<f64>> {
    let frequencies = super::frequency::frequencies(
        data,
        &crate::Suppressions::default(),
        crate::Meaning::IdenticalTuple,
        budget,
    )?;
    let uniques = frequencies.sample.iter().filter(|&&count| count == 1).count() as f64;
    let in_pairs = frequencies.sample.iter().filter(|&&count| count == 2).count() as f64;
    let right = uniques * fraction / (uniques * fraction + in_pairs * (1.0 - fraction));
    let power = 1.0 + (8.0 - data.keys().len() as f64) / 20.0;
    let positive = |score: &&f64| **score > 0.0;
    let adjustment: f64 = scores.iter().filter(positive).map(|score| score.powf(-power)).sum();
    let chances = scores.iter().map(|&score| {
        if score > 0.0 && uniques > 0.0 {
            let against = (uniques / right - uniques) / (score.powf(power) * adjustment);
            1.0 / (1.0 + against)
        } else {
            0.0
        }
    });
    Ok(chances.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;
    use quell_model::Silent;

    fn file() -> Microdata {
        let rows = [
            ["city", "w", "school", "works"],
            ["city", "w", "school", "works"],
            ["city", "w", "none", "home"],
            ["city", "m", "college", "works"],
            ["land", "w", "college", "idle"],
            ["city", "m", "college", "works"],
            ["city", "w", "little", "home"],
            ["city", "m", "doctor", "idle"],
            ["city", "w", "school", "home"],
            ["city", "w", "school", "home"],
        ];
        let columns = (0..4)
            .map(|key| {
                Column::from_labels(["a", "b", "c", "d"][key], rows.iter().map(|r| r[key]), &[])
            })
            .collect();
        Microdata::new(columns).unwrap()
    }

    #[test]
    fn scores_are_sums_over_minimal_uniques() {
        let found = suda(&file(), 3, 0.1, &Budget::default(), &Silent).unwrap();
        // The eighth record: "doctor" alone (3·2·1), and "idle" with "m" or "city" (2·1 each).
        assert_eq!(found.scores[7], 10.0);
        // The third and seventh: one unique value each.
        assert_eq!((found.scores[2], found.scores[6]), (6.0, 6.0));
        // The fifth: "land" (6); "w" × "college" (2); "w" × "idle" (2); "college" × "idle" (2).
        assert_eq!(found.scores[4], 12.0);
        for double in [0, 1, 3, 5, 8, 9] {
            assert_eq!((found.scores[double], found.dis[double]), (0.0, 0.0));
        }
        assert_eq!(found.sizes, [4, 5, 0, 0]);
        // Higher scores, higher chance, and chances below one.
        assert!(found.dis[4] > found.dis[7] && found.dis[7] > found.dis[2] && found.dis[4] < 1.0);
        // "c" is in none (6), little (6), doctor (6) and two pairs (2 + 2), of 34 in all.
        assert!((found.contributions[2] - 22.0 / 34.0).abs() < 1e-12);
    }

    #[test]
    fn dis_of_equal_scores_is_the_chance_of_a_right_match() {
        // Four uniques of equal score and one pair: U π / (U π + D (1 − π)).
        let labels = ["1", "2", "3", "4", "5", "5"];
        let column = |name: &str| Column::from_labels(name, labels, &[]);
        let data = Microdata::new(vec![column("a"), column("b"), column("c")]).unwrap();
        let found = suda(&data, 3, 0.2, &Budget::default(), &Silent).unwrap();
        let expected = 4.0 * 0.2 / (4.0 * 0.2 + 2.0 * 0.8);
        assert!(found.dis[..4].iter().all(|dis| (dis - expected).abs() < 1e-12));
    }
}
