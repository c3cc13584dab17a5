//! Individual risk (franconi-2004): the expected chance that a record is linked to the right
//! person, E(1/F | f).
//!
//! Given f records of a kind in the sample, the number F in the population is taken as
//! negative binomial with f successes and probability p, estimated by f over the sum of
//! the weights. Then
//!
//! r(f) = (p/q)^f ∫ (1−u)^{f−1} u^{−f} du over u in [p, 1], with q = 1 − p.
//!
//! By parts r(f) = (p/q)·(1/(f−1) − r(f−1)) from r(1) = (p/q)·ln(1/p), which is stable
//! for p ≤ ½; and r(f) = (p/f)·₂F₁(1, 1; f+1; q), whose series is fast for p ≥ ½ or large
//! f. No published approximation is needed.

use quell_model::Budget;

use super::frequency::Frequencies;
use crate::Result;
use crate::stop_check::StopCheck;

/// The series is used from this frequency on.
const MANY: u32 = 40;

/// E(1/F | f) for `sample` records (f ≥ 1) that stand for `population` people.
pub fn risk(sample: u32, population: f64) -> f64 {
    let f = f64::from(sample);
    let p = (f / population).min(1.0);
    if p >= 1.0 {
        return 1.0 / f;
    }
    let q = 1.0 - p;
    if p >= 0.5 || sample >= MANY {
        let (mut term, mut sum, mut n) = (1.0, 1.0, 0.0);
        while term > sum * f64::EPSILON {
            term *= (n + 1.0) * q / (f + 1.0 + n);
            sum += term;
            n += 1.0;
        }
        return p / f * sum;
    }
    let odds = p / q;
    let mut risk = -odds * p.ln();
    for done in 1..sample {
        risk = odds * (1.0 / f64::from(done) - risk);
    }
    risk
}

/// The risk of every record.
///
/// # Errors
/// If the budget is spent before.
pub fn risks(frequencies: &Frequencies, budget: &Budget) -> Result<Vec<f64>> {
    let stop = StopCheck::silent(budget);
    let records = frequencies.sample.iter().zip(&frequencies.population).enumerate();
    records
        .map(|(record, (&sample, &population))| {
            stop.check_at(record)?;
            Ok(risk(sample, population))
        })
        .collect()
}

/// Expected number of correct links over the file: the sum of the risks.
pub fn expected_links(risks: &[f64]) -> f64 {
    risks.iter().sum()
}

/// Expected number of sample uniques that are unique in the population too. With f = 1
/// the number F is geometric, and P(F = 1) = p.
pub fn population_uniques(frequencies: &Frequencies) -> f64 {
    frequencies
        .sample
        .iter()
        .zip(&frequencies.population)
        .filter(|&(&sample, _)| sample == 1)
        .map(|(_, &population)| (1.0 / population).min(1.0))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The integral p^f ∫ s^{f−1} (1 − qs)^{−f} ds over [0, 1], by Simpson's rule in
    /// s = 1 − t², which tames the end where the integrand is steep.
    fn by_integration(sample: u32, p: f64) -> f64 {
        let (f, q) = (f64::from(sample), 1.0 - p);
        let integrand = |t: f64| {
            let s = 1.0 - t * t;
            let ratio = p / (1.0 - q * s);
            2.0 * t * ratio * (ratio * s).powf(f - 1.0)
        };
        let steps = 200_000;
        let width = 1.0 / f64::from(steps);
        let mut sum = 0.0;
        for step in 0..=steps {
            let factor = if step == 0 || step == steps {
                1.0
            } else if step % 2 == 1 {
                4.0
            } else {
                2.0
            };
            sum += factor * integrand(f64::from(step) * width);
        }
        sum * width / 3.0
    }

    #[test]
    fn the_risk_is_the_integral() {
        for sample in [1, 2, 3, 5, 10, 39, 40, 41, 200] {
            for p in [0.01, 0.1, 0.3, 0.49, 0.5, 0.7, 0.99] {
                let own = risk(sample, f64::from(sample) / p);
                let truth = by_integration(sample, p);
                assert!((own - truth).abs() < 1e-6 * truth, "f {sample}, p {p}: {own} {truth}");
            }
        }
    }

    #[test]
    fn known_values_and_limits() {
        // f = 1: p/q · ln(1/p).
        assert!((risk(1, 100.0) - 0.01 / 0.99 * 100.0_f64.ln()).abs() < 1e-12);
        // The whole population in the sample: one in f.
        assert_eq!(risk(4, 4.0), 0.25);
        // Close to it: nearly.
        assert!((risk(4, 4.000_001) - 0.25).abs() < 1e-6);
        // A tiny fraction: hardly any.
        assert!(risk(3, 3e9) < 1e-8);
        // Many: about one over the people they stand for.
        assert!((risk(1_000_000, 1e8) - 1e-8).abs() < 1e-10);
    }

    #[test]
    fn population_uniques_are_expected_from_weights() {
        let frequencies =
            Frequencies { sample: vec![1, 1, 2, 2], population: vec![1.0, 4.0, 10.0, 10.0] };
        assert!((population_uniques(&frequencies) - 1.25).abs() < 1e-12);
        let risks = risks(&frequencies, &Budget::default()).unwrap();
        assert_eq!(risks[0], 1.0);
        assert!(expected_links(&risks) > 1.0);
    }
}
