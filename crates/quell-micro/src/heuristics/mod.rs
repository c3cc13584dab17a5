//! The heuristics of dewaal-1998 §8 for set covering.
//!
//! Van Gelderen's report, which they come from, is summarised there in a few sentences;
//! where these leave a choice open, the file of a heuristic says how we read them.
//! Weights generalise "most rows" to "most rows for the weight".

mod exchange;
mod state;

use quell_model::{Budget, Random};

use crate::cover::{Cover, Covering};
use state::State;

/// How the next column is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// First basic greedy: the column that covers the most uncovered rows.
    MostRows,
    /// Second basic greedy: a column of an uncovered row with the fewest columns; of
    /// these the one in most such rows.
    ShortestRow,
    /// Both: a column of a shortest row; of these the one that covers the most rows.
    ShortestThenMost,
    /// Sum of frequencies: of the uncovered row whose columns cover the fewest rows in
    /// total, the column that covers the most.
    SumOfFrequencies,
    /// Sum of frequencies and first basic greedy in turn.
    FrequenciesThenMost,
    /// A column by chance, in proportion to the rows it would cover.
    Probabilistic,
}

/// When columns are exchanged for better ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exchange {
    /// Never; nor are superfluous columns taken out.
    Never,
    /// Once all rows are covered.
    AtEnd,
    /// After every choice.
    Always,
}

/// A heuristic, as §8 names them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heuristic {
    /// Its name in tables.
    pub name: &'static str,
    /// How a column is chosen.
    pub choice: Choice,
    /// When columns are exchanged.
    pub exchange: Exchange,
}

const fn heuristic(name: &'static str, choice: Choice, exchange: Exchange) -> Heuristic {
    Heuristic { name, choice, exchange }
}

/// All heuristics: the basic ones, the six Vasko–Wilson hybrids (two greedies and their
/// union, exchange at the end or always), the sum of frequencies, its three hybrids, and
/// the probabilistic one.
pub const ALL: [Heuristic; 13] = [
    heuristic("greedy: most rows", Choice::MostRows, Exchange::Never),
    heuristic("greedy: shortest row", Choice::ShortestRow, Exchange::Never),
    heuristic("Vasko-Wilson 1: most rows, exchange at end", Choice::MostRows, Exchange::AtEnd),
    heuristic("Vasko-Wilson 2: most rows, exchange always", Choice::MostRows, Exchange::Always),
    heuristic(
        "Vasko-Wilson 3: shortest row, exchange at end",
        Choice::ShortestRow,
        Exchange::AtEnd,
    ),
    heuristic(
        "Vasko-Wilson 4: shortest row, exchange always",
        Choice::ShortestRow,
        Exchange::Always,
    ),
    heuristic("Vasko-Wilson 5: both, exchange at end", Choice::ShortestThenMost, Exchange::AtEnd),
    heuristic("Vasko-Wilson 6: both, exchange always", Choice::ShortestThenMost, Exchange::Always),
    heuristic("sum of frequencies", Choice::SumOfFrequencies, Exchange::Never),
    heuristic(
        "modified 1: frequencies, exchange at end",
        Choice::SumOfFrequencies,
        Exchange::AtEnd,
    ),
    heuristic(
        "modified 2: frequencies, exchange always",
        Choice::SumOfFrequencies,
        Exchange::Always,
    ),
    heuristic(
        "modified 3: frequencies and most rows, exchange always",
        Choice::FrequenciesThenMost,
        Exchange::Always,
    ),
    heuristic("probabilistic", Choice::Probabilistic, Exchange::Always),
];

impl Heuristic {
    /// A cover by this heuristic. Chance matters to the probabilistic one only. Out of budget
    /// the rest is covered by the first greedy rule, without exchanges.
    ///
    /// *Guarantee*: a cover. *Complexity*: choices × (rows + columns); exchanges cost
    /// rows × columns each.
    pub fn run(&self, covering: &Covering, random: &mut Random, budget: &Budget) -> Cover {
        let mut state = State::new(covering);
        let mut step = 0;
        let choice = || if budget.stop().is_some() { Choice::MostRows } else { self.choice };
        while let Some(column) = state.choose(choice(), step, random) {
            state.add(column);
            if self.exchange == Exchange::Always {
                exchange::exchange(&mut state, budget);
            }
            step += 1;
        }
        if self.exchange != Exchange::Never && budget.stop().is_none() {
            exchange::exchange(&mut state, budget);
            exchange::drop_superfluous(&mut state);
        }
        state.into_cover()
    }
}

/// The columns of a cover without those it does not need, heaviest first.
pub fn without_superfluous(covering: &Covering, columns: &[u32]) -> Vec<u32> {
    let mut state = State::new(covering);
    for &column in columns {
        state.add(column);
    }
    exchange::drop_superfluous(&mut state);
    state.into_cover().columns
}

/// Tries of the probabilistic heuristic in a portfolio.
const TRIES: u64 = 10;

/// The best of all heuristics (§8: combinations "yield very good results").
pub fn portfolio(covering: &Covering, budget: &Budget) -> Cover {
    let mut best: Option<Cover> = None;
    for (task, heuristic) in (0..).zip(&ALL) {
        let tries = if heuristic.choice == Choice::Probabilistic { TRIES } else { 1 };
        for attempt in 0..tries {
            if best.is_some() && budget.stop().is_some() {
                break;
            }
            let mut random = budget.random(task << 32 | attempt);
            let found = heuristic.run(covering, &mut random, budget);
            if best.as_ref().is_none_or(|best| found.weight < best.weight) {
                best = Some(found);
            }
        }
    }
    best.unwrap_or(Cover { columns: Vec::new(), weight: 0.0, bound: 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_heuristic_covers_and_none_beats_the_optimum() {
        for task in 0..300 {
            let mut random = Random::new(31, task);
            let columns = 1 + random.below(20);
            let unit = random.chance(0.5);
            let weights: Vec<f64> = (0..columns)
                .map(|_| if unit { 1.0 } else { 1.0 + random.below(9) as f64 })
                .collect();
            let rows: Vec<Vec<u32>> = (0..random.below(60))
                .map(|_| (0..1 + random.below(4)).map(|_| random.below(columns) as u32).collect())
                .collect();
            let covering = Covering::new(weights, rows).unwrap();
            let best = crate::cover::solve(&covering, &Budget::default()).unwrap().cover.weight;
            for heuristic in ALL {
                let found = heuristic.run(&covering, &mut random, &Budget::default());
                assert!(covering.is_covered_by(&found.columns), "{}", heuristic.name);
                assert!(found.weight >= best - 1e-9, "{}", heuristic.name);
                assert!((covering.weight(&found.columns) - found.weight).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn exchange_mends_a_greedy_mistake() {
        // Greedy takes the large middle column first and then needs both others anyway.
        let rows: Vec<Vec<u32>> =
            vec![vec![0], vec![0], vec![0, 2], vec![0, 2], vec![1, 2], vec![1, 2], vec![1]];
        let covering = Covering::new(vec![1.0; 3], rows).unwrap();
        let mut random = Random::new(1, 1);
        let budget = Budget::default();
        let weight = |heuristic: &Heuristic, random: &mut Random| {
            heuristic.run(&covering, random, &budget).weight
        };
        let plain = heuristic("", Choice::MostRows, Exchange::Never);
        let mended = heuristic("", Choice::MostRows, Exchange::AtEnd);
        assert!(weight(&plain, &mut random) >= weight(&mended, &mut random));
        assert_eq!(weight(&mended, &mut random), 2.0);
    }
}
