//! Contributors for small random tables, for tests: few firms with parts of many cells, so that
//! many cells have a single contributor and firms meet in the same equations.

use std::sync::Arc;

use quell_model::{
    CellId, Contributions, ContributorId, HiddenSum, LeastContributors, Problem, Protection,
    Random, Share, SumRule, Value,
};

/// The same problem with random contributors as attackers, who contribute to about a third of the
/// cells alone. In most cases sums of hidden cells have a rule, too.
pub fn with_random_contributions(problem: Problem, random: &mut Random) -> Problem {
    let firms = 2 + random.below(problem.cell_count().max(2));
    let cells: Vec<(u32, Vec<Share>)> = problem
        .system()
        .cells()
        .map(|cell| contributors_of(&problem, cell, firms, random))
        .collect();
    let counts = cells.iter().map(|(count, _)| *count).collect();
    let contributions = Contributions::new(cells);
    let contributions = match random.below(4) {
        0 => contributions,
        1 => contributions.with_rule(Arc::new(Dominance { percent: 60 + random.below(40) as u32 })),
        _ => contributions.with_rule(Arc::new(LeastContributors {
            at_least: 2 + random.below(2) as u64,
            percent: random.below(40) as u32,
        })),
    };
    problem.with_contributors(counts).with_contributions(contributions)
}

fn contributors_of(
    problem: &Problem,
    cell: CellId,
    firms: usize,
    random: &mut Random,
) -> (u32, Vec<Share>) {
    let count = match random.below(6) {
        0 | 1 => 1,
        2 | 3 => 2,
        4 => 3,
        _ => 4 + random.below(9),
    };
    let mut who: Vec<u32> = Vec::new();
    while who.len() < count.min(3).min(firms) {
        let firm = random.below(firms) as u32;
        if !who.contains(&firm) {
            who.push(firm);
        }
    }
    let mut left = problem.value(cell).saturating_abs();
    let shares = who.iter().enumerate().map(|(place, &firm)| {
        let is_all = count == who.len() && place + 1 == who.len();
        let amount = if is_all { left } else { (left as f64 * random.uniform()) as Value };
        left -= amount;
        Share { contributor: ContributorId(firm), amount }
    });
    let shares = shares.collect();
    (count.min(if firms < 3 { who.len() } else { count }) as u32, shares)
}

/// A sum must not come from one contributor by more than so many percent.
#[derive(Debug, Clone, Copy)]
struct Dominance {
    percent: u32,
}

impl SumRule for Dominance {
    fn protection(&self, sum: &HiddenSum) -> Option<Protection> {
        let largest = i128::from(*sum.largest.first()?);
        let is_sensitive = largest * 100 > i128::from(sum.value.abs()) * i128::from(self.percent);
        let level = (sum.value.abs() / 10).max(1);
        is_sensitive.then_some(Protection { lower: level, upper: level, sliding: 0 })
    }
}
