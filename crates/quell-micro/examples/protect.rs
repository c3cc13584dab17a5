//! Every objective on a file of one's own.
//!
//! `cargo run --release -p quell-micro --example protect -- data.csv key,key,…
//! [dimension] [minimum] [static|wildcard|identical] [seconds]`

use std::path::Path;
use std::time::{Duration, Instant};

use quell_data::{Records, Watch};
use quell_micro::{
    Combinations, Importance, KeySet, Meaning, Minucs, Objective, Request, Selected, Selection,
    Threshold, read, suppress,
};
use quell_model::{Budget, Silent};

fn main() -> quell_micro::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |place: usize, default: &str| {
        arguments.get(place).cloned().unwrap_or_else(|| default.to_owned())
    };
    let path = argument(0, "data.csv");
    let path = Path::new(&path);
    let records = Records::open(path)?;
    let keys = argument(1, "");
    let names: Vec<String> = if keys.is_empty() {
        records.names().map(str::to_owned).collect()
    } else {
        keys.split(',').map(str::to_owned).collect()
    };
    let selection = Selection {
        keys: names
            .iter()
            .map(|name| Selected { missing: vec!["NA".into()], ..Selected::named(name) })
            .collect(),
        ..Selection::default()
    };
    let data = read(&records, &selection, &Watch::default())?;
    let dimension: usize = argument(2, "3").parse().unwrap_or(3);
    let minimum: u32 = argument(3, "3").parse().unwrap_or(3);
    let meaning = match argument(4, "static").as_str() {
        "wildcard" => Meaning::Wildcard,
        "identical" => Meaning::IdenticalTuple,
        _ => Meaning::Static,
    };
    let seconds: u64 = argument(5, "60").parse().unwrap_or(60);
    let combinations = Combinations::up_to(names.len(), dimension, Threshold::FewerThan(minimum))?;
    let started = Instant::now();
    let minucs = Minucs::find(&data, &combinations, &Budget::default(), &Silent)?;
    println!(
        "{} records, {} keys, {} combinations, minimum {minimum}: {} risky records, {} MINUCs in \
         records, {} signatures, {:.3} s",
        data.records(),
        names.len(),
        combinations.as_slice().len(),
        minucs.records().len(),
        minucs.occurrences(),
        minucs.signatures(),
        started.elapsed().as_secs_f64()
    );
    for objective in Objective::ALL {
        let started = Instant::now();
        let request = Request {
            data: &data,
            combinations: &combinations,
            meaning,
            objective,
            importance: &Importance::equal(),
            household: KeySet::EMPTY,
        };
        let budget = Budget::default().with_time(Duration::from_secs(seconds));
        let solution = suppress(&request, &budget, &Silent)?;
        println!(
            "{:<34} {:>8} suppressions {:>6} categories  bound {:>9.1} {} {:.2} s",
            format!("{objective:?}"),
            solution.suppressions.count(),
            solution.suppressions.categories(&data),
            solution.bound,
            if solution.proved { "proved" } else { "not proved" },
            started.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
