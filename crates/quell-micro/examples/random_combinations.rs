//! The experiment of dewaal-1998 §8: random unsafe combinations, the least number of
//! affected categories, and how near each heuristic comes.
//!
//! `cargo run --release -p quell-micro --example random_combinations -- [combinations]
//! [categories] [instances] [seed]` (defaults 1000 64 100 1). The paper's instance: 1,000
//! combinations over 64 categories, optimum 43, found in 1,158 s and proved in 3,479 s;
//! its heuristics got 44 to 47.

use std::time::{Duration, Instant};

use quell_micro::cover::{self, Covering};
use quell_micro::heuristics;
use quell_model::{Budget, Random};

/// Different random combinations of three categories, from different variables of
/// eight categories each where the number allows.
fn instance(combinations: usize, categories: usize, random: &mut Random) -> Covering {
    let mut rows: Vec<[u32; 3]> = Vec::new();
    while rows.len() < combinations {
        let mut row = [0; 3].map(|_: u32| random.below(categories) as u32);
        row.sort_unstable();
        let variables = row.map(|category| category / 8);
        let fits = variables[0] < variables[1] && variables[1] < variables[2];
        if fits && !rows.contains(&row) {
            rows.push(row);
        }
    }
    Covering::new(vec![1.0; categories], rows).expect("rows are in range")
}

fn main() {
    let arguments: Vec<usize> =
        std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let argument = |place: usize, default| arguments.get(place).copied().unwrap_or(default);
    let (combinations, categories) = (argument(0, 1000), argument(1, 64));
    let (instances, seed) = (argument(2, 100), argument(3, 1) as u64);

    let mut excess = vec![Vec::new(); heuristics::ALL.len() + 1];
    let mut slowest = 0.0_f64;
    let mut total = 0.0;
    let mut optima = Vec::new();
    for task in 0..instances {
        let covering = instance(combinations, categories, &mut Random::new(seed, task as u64));
        let budget = Budget::default().with_seed(seed).with_time(Duration::from_secs(600));
        let started = Instant::now();
        let exact = cover::solve(&covering, &budget).expect("the solver works");
        let seconds = started.elapsed().as_secs_f64();
        slowest = slowest.max(seconds);
        total += seconds;
        let optimum = exact.cover.weight;
        if instances <= 10 {
            println!("instance {task}: {optimum} (bound {}) in {seconds:.2} s", exact.cover.bound);
        }
        assert!(exact.cover.is_optimal(), "not proved in 600 s");
        optima.push(optimum);
        let mut best = f64::INFINITY;
        for (place, heuristic) in heuristics::ALL.iter().enumerate() {
            let mut random = budget.random(place as u64);
            let found = heuristic.run(&covering, &mut random, &budget).weight;
            best = best.min(found);
            excess[place].push(found - optimum);
        }
        excess[heuristics::ALL.len()].push(best - optimum);
    }
    optima.sort_by(f64::total_cmp);
    println!(
        "{instances} instances of {combinations} combinations over {categories} categories, seed {seed}"
    );
    println!(
        "optimum {} to {}, median {}; proved in {:.2} s on average, {slowest:.2} s at most",
        optima[0],
        optima[optima.len() - 1],
        optima[optima.len() / 2],
        total / instances as f64
    );
    println!("{:<58}{:>8}{:>6}{:>9}", "heuristic", "mean +", "max +", "optimal");
    let names = heuristics::ALL.iter().map(|heuristic| heuristic.name).chain(["best of all"]);
    for (name, excess) in names.zip(&excess) {
        println!(
            "{name:<58}{:>8.2}{:>6}{:>8}%",
            excess.iter().sum::<f64>() / instances as f64,
            excess.iter().copied().fold(0.0, f64::max),
            100 * excess.iter().filter(|&&excess| excess == 0.0).count() / instances
        );
    }
}
