//! The best codings together with local suppression (the problem of Hurkens and
//! Tiourine 1998).
//!
//! Every variable has a ladder of codings. A choice of levels loses what the codings
//! lose plus what the least local suppression of the recoded file loses (static
//! meaning, exact). Coarser codings lose more themselves and leave less to suppress,
//! because what is unsafe after joining was unsafe before. So over a box of choices,
//! from the finest to the coarsest of each variable,
//!
//! loss ≥ codings at the finest corner + suppressions at the coarsest corner,
//!
//! and best-first search over boxes, halved again and again, ends with the proved
//! optimum, usually after a small part of all choices. Stopped early, it has the best
//! choice so far and a bound.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use quell_model::Budget;
use rustc_hash::FxHashMap;

use super::loss::{Losses, Measure};
use super::tree::Ladder;
use crate::suppress::fewest;
use crate::{Column, Combinations, Error, Importance, Microdata, Minucs, Result, Suppressions};

/// The chosen codings.
#[derive(Debug, Clone)]
pub struct Choice {
    /// Level of every variable.
    pub levels: Vec<usize>,
    /// The recoded file.
    pub data: Microdata,
    /// What is suppressed in it.
    pub suppressions: Suppressions,
    /// Loss by recoding.
    pub coding_loss: f64,
    /// Loss by suppression.
    pub suppression_loss: f64,
    /// No choice loses less in all.
    pub bound: f64,
    /// Whether the choice is proved to be best.
    pub proved: bool,
    /// Choices that were counted.
    pub evaluated: usize,
    /// Choices there are.
    pub choices: f64,
}

impl Choice {
    /// The loss in all.
    pub fn loss(&self) -> f64 {
        self.coding_loss + self.suppression_loss
    }
}

/// A box of choices, worst bound last.
struct Box {
    bound: f64,
    finest: Vec<usize>,
    coarsest: Vec<usize>,
}

impl PartialEq for Box {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Box {}

impl PartialOrd for Box {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Box {
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .bound
            .total_cmp(&self.bound)
            .then_with(|| other.finest.cmp(&self.finest))
            .then_with(|| other.coarsest.cmp(&self.coarsest))
    }
}

struct Evaluator<'a> {
    data: &'a Microdata,
    combinations: &'a Combinations,
    /// Recoded columns by variable and level.
    columns: Vec<Vec<Column>>,
    losses: Vec<Losses>,
    known: FxHashMap<Vec<usize>, f64>,
}

impl Evaluator<'_> {
    fn coding(&self, levels: &[usize]) -> f64 {
        levels.iter().zip(&self.losses).map(|(&level, losses)| losses.coding[level]).sum()
    }

    fn recoded(&self, levels: &[usize]) -> Result<(Microdata, Importance)> {
        let columns =
            levels.iter().zip(&self.columns).map(|(&level, own)| own[level].clone()).collect();
        let weights = levels
            .iter()
            .zip(&self.losses)
            .map(|(&level, losses)| losses.suppression[level].clone())
            .collect();
        Ok((self.data.with_keys(columns)?, Importance::equal().with_values(weights)))
    }

    fn suppress(&self, levels: &[usize]) -> Result<(Microdata, Suppressions, f64)> {
        let (data, importance) = self.recoded(levels)?;
        let minucs = Minucs::find(&data, self.combinations);
        let suppressions = fewest(&data, &minucs, &importance);
        let loss = suppressions.weight(&data, &importance);
        Ok((data, suppressions, loss))
    }

    fn suppression(&mut self, levels: &[usize]) -> Result<f64> {
        if let Some(&known) = self.known.get(levels) {
            return Ok(known);
        }
        let loss = self.suppress(levels)?.2;
        self.known.insert(levels.to_vec(), loss);
        Ok(loss)
    }
}

/// Relative difference below which two losses are equal.
const EQUAL: f64 = 1e-9;

/// Chooses the codings.
///
/// *Guarantee*: the released file is safe (static meaning); the loss is least if
/// `proved`, and never below `bound`.
///
/// # Errors
/// If the ladders do not fit the file or the losses do not fit the ladders.
pub fn choose(
    data: &Microdata,
    combinations: &Combinations,
    ladders: &[Ladder],
    measure: &Measure,
    importance: &[f64],
    budget: &Budget,
) -> Result<Choice> {
    if ladders.len() != data.keys().len() {
        return Err(Error::Request(format!(
            "{} ladders of codings for {} variables",
            ladders.len(),
            data.keys().len()
        )));
    }
    let mut columns = Vec::new();
    let mut losses = Vec::new();
    for (key, (column, ladder)) in data.keys().iter().zip(ladders).enumerate() {
        let own = (0..ladder.levels())
            .map(|level| ladder.level(level).apply(column, ""))
            .collect::<Result<Vec<Column>>>()?;
        columns.push(own);
        let weight = importance.get(key).copied().unwrap_or(1.0);
        losses.push(measure.losses(key, column, ladder, weight)?);
    }
    let mut evaluator =
        Evaluator { data, combinations, columns, losses, known: FxHashMap::default() };

    let finest = vec![0; ladders.len()];
    let coarsest: Vec<usize> = ladders.iter().map(|ladder| ladder.levels() - 1).collect();
    let mut best: Option<(f64, Vec<usize>)> = None;
    let mut heap = BinaryHeap::new();
    let mut waiting = vec![(finest, coarsest)];
    let mut bound = f64::INFINITY;
    loop {
        for (finest, coarsest) in waiting.drain(..) {
            let suppressed = evaluator.suppression(&coarsest)?;
            let total = evaluator.coding(&coarsest) + suppressed;
            if best.as_ref().is_none_or(|(least, _)| total < *least) {
                best = Some((total, coarsest.clone()));
            }
            heap.push(Box { bound: evaluator.coding(&finest) + suppressed, finest, coarsest });
        }
        let Some(next) = heap.pop() else { break };
        let least = best.as_ref().map_or(f64::INFINITY, |(least, _)| *least);
        if next.bound >= least - EQUAL * least.abs().max(1.0) {
            bound = least;
            break;
        }
        if budget.stop().is_some() {
            bound = next.bound;
            break;
        }
        // Halve the variable whose codings differ most in loss.
        let spread = |key: usize| {
            let losses = &evaluator.losses[key].coding;
            losses[next.coarsest[key]] - losses[next.finest[key]]
        };
        let split = (0..next.finest.len())
            .filter(|&key| next.finest[key] < next.coarsest[key])
            .max_by(|&a, &b| spread(a).total_cmp(&spread(b)).then(b.cmp(&a)));
        let Some(key) = split else { continue };
        let middle = (next.finest[key] + next.coarsest[key]) / 2;
        let mut lower = next.coarsest.clone();
        lower[key] = middle;
        let mut upper = next.finest.clone();
        upper[key] = middle + 1;
        waiting.push((next.finest, lower));
        waiting.push((upper, next.coarsest));
    }
    let Some((least, levels)) = best else {
        return Err(Error::Request("there is no coding to choose from".into()));
    };
    let (recoded, suppressions, suppression_loss) = evaluator.suppress(&levels)?;
    let bound = bound.min(least);
    Ok(Choice {
        coding_loss: evaluator.coding(&levels),
        suppression_loss,
        data: recoded,
        suppressions,
        proved: least - bound <= EQUAL * least.abs().max(1.0),
        bound,
        evaluated: evaluator.known.len(),
        choices: ladders.iter().map(|ladder| ladder.levels() as f64).product(),
        levels,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recode::Recoding;
    use crate::{Meaning, Threshold, safety};
    use quell_model::Random;

    fn random_file(random: &mut Random) -> (Microdata, Vec<Ladder>) {
        let records = 5 + random.below(40);
        let mut columns = Vec::new();
        let mut ladders = Vec::new();
        for key in 0..2 + random.below(2) {
            let categories = 2 + random.below(6);
            let labels: Vec<String> =
                (0..records).map(|_| random.below(categories).to_string()).collect();
            let column =
                Column::from_labels(&format!("v{key}"), labels.iter().map(String::as_str), &[]);
            let join = |by: usize| {
                Recoding::by(&column, |label| {
                    Ok(Some((label.parse::<usize>().unwrap_or(0) / by).to_string()))
                })
            };
            let coarser =
                if random.chance(0.7) { vec![join(2).unwrap(), join(4).unwrap()] } else { vec![] };
            ladders.push(Ladder::new(&column, coarser).unwrap());
            columns.push(column);
        }
        (Microdata::new(columns).unwrap(), ladders)
    }

    #[test]
    fn the_choice_is_the_best_of_all_choices() {
        for task in 0..150 {
            let mut random = Random::new(51, task);
            let (data, ladders) = random_file(&mut random);
            let keys = data.keys().len();
            let combinations =
                Combinations::up_to(keys, keys, Threshold::FewerThan(2 + random.below(3) as u32))
                    .unwrap();
            let measure = match random.below(3) {
                0 => Measure::Precision,
                1 => Measure::Entropy,
                _ => Measure::Own {
                    levels: ladders
                        .iter()
                        .map(|ladder| (0..ladder.levels()).map(|l| (l * 7) as f64).collect())
                        .collect(),
                    suppression: vec![2.0; keys],
                },
            };
            let found =
                choose(&data, &combinations, &ladders, &measure, &[], &Budget::default()).unwrap();
            assert!(found.proved, "task {task}");
            let left = safety::violations(
                &found.data,
                &found.suppressions,
                &combinations,
                Meaning::Static,
            );
            assert!(left.is_empty());

            // All choices, one by one.
            let losses: Vec<Losses> = (0..keys)
                .map(|key| measure.losses(key, &data.keys()[key], &ladders[key], 1.0).unwrap())
                .collect();
            let mut least = f64::INFINITY;
            let total: usize = ladders.iter().map(Ladder::levels).product();
            for mut number in 0..total {
                let levels: Vec<usize> = ladders
                    .iter()
                    .map(|ladder| {
                        let level = number % ladder.levels();
                        number /= ladder.levels();
                        level
                    })
                    .collect();
                let columns = (0..keys)
                    .map(|key| {
                        ladders[key].level(levels[key]).apply(&data.keys()[key], "").unwrap()
                    })
                    .collect();
                let recoded = Microdata::new(columns).unwrap();
                let weights =
                    (0..keys).map(|key| losses[key].suppression[levels[key]].clone()).collect();
                let importance = Importance::equal().with_values(weights);
                let minucs = Minucs::find(&recoded, &combinations);
                let suppressed =
                    fewest(&recoded, &minucs, &importance).weight(&recoded, &importance);
                let coding: f64 = (0..keys).map(|key| losses[key].coding[levels[key]]).sum();
                least = least.min(coding + suppressed);
            }
            assert!((found.loss() - least).abs() < 1e-6, "task {task}: {} {least}", found.loss());
        }
    }

    #[test]
    fn a_search_without_time_still_gives_a_safe_file_and_a_bound() {
        let (data, ladders) = random_file(&mut Random::new(1, 3));
        let combinations = Combinations::up_to(2, 2, Threshold::FewerThan(3)).unwrap();
        let budget = Budget::default().with_work(0);
        let found =
            choose(&data, &combinations, &ladders, &Measure::Entropy, &[], &budget).unwrap();
        assert!(found.bound <= found.loss());
        assert!(
            safety::violations(&found.data, &found.suppressions, &combinations, Meaning::Static)
                .is_empty()
        );
    }
}
