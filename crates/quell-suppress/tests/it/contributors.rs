//! What every method hides is safe from contributors, and from what sums of hidden cells tell; what
//! the audit says of that is true.

use quell_attack::Verdict;
use quell_gen::{Shape, random_problem_of, with_random_contributions};
use quell_model::{Budget, CellId, ContributorId, Problem, Random, Silent};
use quell_suppress::{Error, METHODS, Outcome, method, protect};

use crate::attacker::{
    everything, exposed, exposed_sums, exposed_to_contributors, optimum_against_contributors,
};

/// Tables a shape.
const TABLES: u64 = 25;

fn table(shape: Shape, seed: u64) -> Problem {
    let mut random = Random::new(seed, 900 + shape as u64);
    let size = 6 + (seed as usize * 7) % 40;
    let problem = random_problem_of(shape, &mut random, size);
    with_random_contributions(problem, &mut random)
}

fn protected(name: &str, problem: &Problem, seed: u64) -> Option<Outcome> {
    let chosen = method(name).expect("a method of the list");
    let budget = Budget::default().with_work(2_000).with_seed(seed).with_threads(1);
    match protect(chosen.as_ref(), problem, &budget, &Silent) {
        Ok(outcome) => Some(outcome),
        Err(Error::NotForThisTable { .. }) => None,
        Err(error) => panic!("{name}: {error}"),
    }
}

#[test]
fn every_method_protects_from_contributors_whatever_can_be_protected() {
    let (mut pairs, mut sums, mut hopeless_tables) = (0, 0, 0);
    for shape in Shape::ALL {
        for seed in 0..TABLES {
            let problem = table(shape, seed);
            let all = everything(&problem);
            let from_outside = exposed(&problem, &all);
            let hopeless: Vec<(ContributorId, CellId)> = exposed_to_contributors(&problem, &all)
                .into_iter()
                .filter(|(_, cell)| !from_outside.contains(cell))
                .collect();
            hopeless_tables += usize::from(!from_outside.is_empty());
            for name in METHODS {
                let place = format!("{name} on {shape:?}, seed {seed}");
                let Some(outcome) = protected(name, &problem, seed) else { continue };
                assert_eq!(exposed(&problem, &outcome.pattern), from_outside, "{place}");
                // What the outsider learns whatever is hidden is no news to a contributor.
                let mut left = exposed_to_contributors(&problem, &outcome.pattern);
                left.retain(|(_, cell)| !from_outside.contains(cell));
                assert_eq!(left, hopeless, "{place}: contributors");
                let found: Vec<(ContributorId, CellId)> =
                    (outcome.contributors.unsafe_pairs.iter())
                        .map(|pair| (pair.attacker, pair.finding.cell))
                        .collect();
                assert_eq!(found, hopeless, "{place}: the audit agrees");
                let left = exposed_sums(&problem, &outcome.pattern);
                let found = outcome.contributors.unsafe_sums.iter();
                let mut found: Vec<Vec<CellId>> = found.map(|one| one.sum.cells.clone()).collect();
                found.sort_unstable();
                assert_eq!(found, left, "{place}: the audit agrees on sums");
                sums += left.len();
                pairs += outcome.contributors.pairs;
            }
        }
    }
    assert!(pairs > 1_000, "{pairs} pairs");
    assert!(hopeless_tables > 5, "{hopeless_tables} with a primary that nothing protects");
    println!("{sums} sums left");
}

/// Without further hiding: what the audit says of the primaries alone is what is true.
#[test]
fn verdicts_on_contributors_are_true() {
    let (mut safe, mut unsafe_ones) = (0, 0);
    for shape in Shape::ALL {
        for seed in 0..600 {
            let problem = table(shape, seed);
            let pattern = quell_model::Pattern::of_statuses(&problem);
            let budget = Budget::default().with_threads(1);
            let audit = quell_attack::audit(&problem, &pattern, &budget, &Silent).unwrap();
            let attack =
                quell_attack::contributor_attack(&problem, &pattern, &audit, &budget, &Silent)
                    .unwrap();
            let from_outside = exposed(&problem, &pattern);
            let expected: Vec<(ContributorId, CellId)> =
                exposed_to_contributors(&problem, &pattern)
                    .into_iter()
                    .filter(|(_, cell)| !from_outside.contains(cell))
                    .collect();
            let found: Vec<(ContributorId, CellId)> = (attack.unsafe_pairs.iter())
                .map(|pair| (pair.attacker, pair.finding.cell))
                .collect();
            assert_eq!(found, expected, "{shape:?}, seed {seed}");
            let suspects =
                quell_attack::contributor_suspects(&problem, &pattern, &audit, &budget, &Silent)
                    .unwrap();
            let is_suspect = |&(who, cell): &(ContributorId, CellId)| {
                suspects.binary_search(&(cell, who)).is_ok()
            };
            assert!(expected.iter().all(is_suspect), "{shape:?}, seed {seed}: suspects");
            let is_decided = |verdict: Verdict| verdict != Verdict::Undecided;
            assert!(attack.unsafe_pairs.iter().all(|pair| is_decided(pair.finding.verdict)));
            let mut sums: Vec<Vec<CellId>> =
                attack.unsafe_sums.iter().map(|one| one.sum.cells.clone()).collect();
            sums.sort_unstable();
            assert_eq!(sums, exposed_sums(&problem, &pattern), "{shape:?}, seed {seed}: sums");
            unsafe_ones += found.len();
            safe += attack.pairs - found.len();
        }
    }
    assert!(safe > 1_000 && unsafe_ones > 1_000, "{safe} safe, {unsafe_ones} not");
}

/// Every pattern that there is, tried in turn: no bound is above the cheapest safe one.
#[test]
fn bounds_hold_for_patterns_that_are_safe_from_contributors() {
    let (mut tried, mut optimal, mut proven) = (0, 0, 0);
    for shape in Shape::ALL {
        for seed in 0..120 {
            let mut random = Random::new(seed, 1_700 + shape as u64);
            let problem = random_problem_of(shape, &mut random, 8 + seed as usize % 8);
            let problem = with_random_contributions(problem, &mut random);
            let optimum = optimum_against_contributors(&problem).unwrap_or(f64::INFINITY);
            if optimum == f64::INFINITY {
                continue;
            }
            for name in ["exact", "auto", "kelly-lp", "local-lp"] {
                let Some(outcome) = protected(name, &problem, seed) else { continue };
                let place = format!("{name} on {shape:?}, seed {seed}: {optimum}");
                let Outcome { cost, lower_bound, .. } = outcome;
                assert!(outcome.is_safe(), "{place}");
                assert!(lower_bound <= optimum + 1e-6, "{place}: bound {lower_bound}");
                assert!(cost >= optimum - 1e-6, "{place}: cost {cost}");
                if name == "exact" {
                    tried += 1;
                    optimal += usize::from(cost <= optimum + 1e-6);
                    proven += usize::from(lower_bound >= optimum - 1e-6);
                }
            }
        }
    }
    println!("{tried} tables, {optimal} optimal, {proven} proven");
    assert!(tried > 200 && optimal * 10 > tried * 9 && proven * 10 > tried * 6);
}
