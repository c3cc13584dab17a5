//! Small tables.

use quell_gen::Cta;
use quell_model::Problem;

/// A table of the paper's class with few sensitive cells.
pub(crate) fn small(sizes: &[usize], sensitive: f64, limit: f64, seed: u64) -> Problem {
    let table = Cta {
        sizes: sizes.to_vec(),
        sensitive,
        limit_percent: limit,
        largest: 100.0,
        ..Cta::default()
    };
    table.generate(seed).expect("a table")
}

/// The small tables all methods are tried on.
pub(crate) fn all() -> Vec<Problem> {
    let mut all = Vec::new();
    for seed in 1..=2 {
        all.push(small(&[3, 3], 0.5, 20.0, seed));
        all.push(small(&[2, 4], 0.6, 5.0, seed));
        all.push(small(&[2, 2, 2], 0.6, 20.0, seed));
        all.push(small(&[3, 2, 2], 0.5, 8.0, seed));
    }
    all
}
