//! Counting, MINUCs and exact suppression at scale, on a seeded synthetic file.
//!
//! `cargo run --release -p quell-micro --example ten_million -- [records] [keys]
//! [dimension] [threshold] [seed] [towns] [log2 of the largest table]` (defaults 10,000,000 10 3 3 1 400 26). With many
//! towns (say 20,000) tables no longer fit and hashing takes over.

use std::time::Instant;

use quell_micro::{
    Column, Combinations, Importance, Limits, Meaning, Microdata, Minucs, Objective, Threshold,
    safety, suppress_static,
};
use quell_model::{Budget, Random, Silent};

/// Categories of the variables, as in a population census: sex, age, municipality …
const CATEGORIES: [u32; 12] = [2, 100, 400, 6, 12, 20, 8, 40, 5, 15, 30, 10];

/// User and system time of this process, in seconds.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    // Past state: utime and stime are fields 14 and 15 of the whole line.
    let ticks: f64 = after
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok())
        .sum();
    ticks / 100.0
}

/// Peak memory, in megabytes.
fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

fn main() {
    let arguments: Vec<usize> =
        std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let argument = |place: usize, default| arguments.get(place).copied().unwrap_or(default);
    let records = argument(0, 10_000_000);
    let keys = argument(1, 10).min(CATEGORIES.len());
    let (dimension, threshold) = (argument(2, 3), argument(3, 3) as u32);
    let seed = argument(4, 1) as u64;
    let towns = argument(5, 400) as u32;

    let columns: Vec<Column> = (0..keys)
        .map(|key| {
            let mut random = Random::new(seed, key as u64);
            let categories = if key == 2 { towns } else { CATEGORIES[key] };
            // Frequencies fall off like those of towns and occupations.
            let codes = (0..records)
                .map(|_| {
                    let share = random.uniform();
                    ((share * share * f64::from(categories)) as u32).min(categories - 1)
                })
                .collect();
            Column::from_codes(&format!("v{key}"), codes, categories).expect("codes are in range")
        })
        .collect();
    let data = Microdata::new(columns).expect("columns fit");
    let combinations =
        Combinations::up_to(keys, dimension, Threshold::FewerThan(threshold)).expect("few enough");
    println!(
        "{records} records × {keys} keys, {} combinations up to {dimension}-way, minimum {threshold}; \
         data {:.0} MB",
        combinations.as_slice().len(),
        data.bytes() as f64 / 1e6
    );
    let mut last = (Instant::now(), cpu_seconds());
    let mut lap = |what: &str| {
        let now = (Instant::now(), cpu_seconds());
        println!(
            "{what:<28} {:>8.3} s wall {:>8.2} s CPU",
            (now.0 - last.0).as_secs_f64(),
            now.1 - last.1
        );
        last = now;
    };
    let limits = Limits { dense_cells: 1 << argument(6, 26), ..Limits::default() };
    let budget = Budget::default();
    let minucs = Minucs::find_within(&data, &combinations, &limits, &budget, &Silent)
        .expect("nobody stops it");
    lap("MINUCs");
    let solution =
        suppress_static(&data, &minucs, Objective::Suppressions, &Importance::equal(), &budget)
            .expect("the static meaning always has a solution");
    lap("exact suppression");
    println!(
        "{} risky records, {} signatures, {} MINUC occurrences, {} suppressions in {} categories; peak {:.0} MB",
        minucs.records().len(),
        minucs.signatures(),
        minucs.occurrences(),
        solution.suppressions.count(),
        solution.suppressions.categories(&data),
        peak_megabytes()
    );
    let (suppressions, meaning) = (&solution.suppressions, Meaning::Static);
    let violations =
        safety::violations(&data, suppressions, &combinations, meaning, &budget, &Silent)
            .expect("nobody stops it")
            .len();
    lap("verification");
    println!("violations left: {violations}; peak {:.0} MB", peak_megabytes());
    assert_eq!(violations, 0);
}
