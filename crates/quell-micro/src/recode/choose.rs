//! The best codings together with local suppression (the problem of hurkens-1998).
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
//! choice so far and a bound; the first choice that is counted, all variables at their
//! coarsest, is a safe one already.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use std::time::Instant;

use quell_model::{Budget, Progress};
use rustc_hash::FxHashMap;

use super::loss::{Losses, Measure};
use super::tree::Ladder;
use crate::stop_check::StopCheck;
use crate::suppress::{fewest, leaving_time_to_verify};
use crate::{
    Column, Combinations, Error, Importance, Limits, Meaning, Microdata, Minucs, Result,
    Suppressions, safety,
};

/// What to choose from.
#[derive(Debug, Clone, Copy)]
pub struct ChoiceRequest<'a> {
    /// The file.
    pub data: &'a Microdata,
    /// What is checked.
    pub combinations: &'a Combinations,
    /// The codings of every variable.
    pub ladders: &'a [Ladder],
    /// How the loss of information is measured.
    pub measure: &'a Measure,
    /// How much every variable matters; 1 for those that are not given.
    pub importance: &'a [f64],
}

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
    /// Losses by suppression of the choices that were counted.
    known: FxHashMap<Vec<usize>, f64>,
    best: Option<Best>,
}

/// The best choice so far, ready to be released.
struct Best {
    levels: Vec<usize>,
    /// Its loss in all.
    loss: f64,
    coding_loss: f64,
    suppression_loss: f64,
    data: Microdata,
    suppressions: Suppressions,
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

    /// Loss by suppression of a choice, which is kept if it is the best one. Where the stop
    /// stops it may be more than the least, and is not remembered.
    fn suppression(&mut self, levels: &[usize], stop: &StopCheck) -> Result<f64> {
        if let Some(&known) = self.known.get(levels) {
            return Ok(known);
        }
        let (data, importance) = self.recoded(levels)?;
        let minucs = Minucs::find_as_step(&data, self.combinations, &Limits::default(), stop)?;
        let suppressions = fewest(&data, &minucs, &importance, stop);
        let suppression_loss = suppressions.weight(&data, &importance);
        let coding_loss = self.coding(levels);
        let loss = coding_loss + suppression_loss;
        if !stop.has_stopped() {
            self.known.insert(levels.to_vec(), suppression_loss);
        }
        if self.best.as_ref().is_none_or(|best| loss < best.loss) {
            let levels = levels.to_vec();
            self.best =
                Some(Best { levels, loss, coding_loss, suppression_loss, data, suppressions });
        }
        Ok(suppression_loss)
    }
}

/// Relative difference below which two losses are equal.
const EQUAL: f64 = 1e-9;

/// Chooses the codings.
///
/// *Guarantee*: the released file is safe (static meaning), which is verified by counting it
/// anew; the loss is least if `proved`, and never below `bound`.
///
/// # Errors
/// If the ladders do not fit the file or the losses do not fit the ladders; or with
/// [`Error::Stopped`] if the budget is spent before any choice is counted and verified.
pub fn choose(request: &ChoiceRequest, budget: &Budget, progress: &dyn Progress) -> Result<Choice> {
    choose_within(request, budget, budget, progress)
}

/// [`choose`] with a budget for the search, and one for verifying what it finds: whoever ends
/// the search may still want its result.
///
/// # Errors
/// As [`choose`].
pub fn choose_within(
    request: &ChoiceRequest,
    budget: &Budget,
    verification: &Budget,
    progress: &dyn Progress,
) -> Result<Choice> {
    let ChoiceRequest { data, combinations, ladders, measure, importance } = *request;
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
    let known = FxHashMap::default();
    let mut evaluator = Evaluator { data, combinations, columns, losses, known, best: None };
    let coarsest: Vec<usize> = ladders.iter().map(|ladder| ladder.levels() - 1).collect();
    let bound = search(&mut evaluator, coarsest, budget, progress)?;
    let evaluated = evaluator.known.len();
    let Some(best) = evaluator.best else {
        return Err(Error::Request("there is no coding to choose from".into()));
    };
    let suppressions = &best.suppressions;
    let meaning = Meaning::Static;
    safety::verify(&best.data, suppressions, combinations, meaning, verification, progress)?;
    let bound = bound.min(best.loss);
    Ok(Choice {
        coding_loss: best.coding_loss,
        suppression_loss: best.suppression_loss,
        data: best.data,
        suppressions: best.suppressions,
        proved: best.loss - bound <= EQUAL * best.loss.abs().max(1.0),
        bound,
        evaluated,
        choices: ladders.iter().map(|ladder| ladder.levels() as f64).product(),
        levels: best.levels,
    })
}

/// Searches boxes of choices, best bound first, until the best choice is proved or the budget
/// is spent; gives the bound on all choices.
fn search(
    evaluator: &mut Evaluator,
    coarsest: Vec<usize>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<f64> {
    progress.stage("choosing codings", None);
    let began = Instant::now();
    // The first choice takes what time there is; without it there is nothing to release.
    evaluator.suppression(&coarsest, &StopCheck::silent(budget))?;
    let budget = leaving_time_to_verify(budget, began.elapsed());
    let stop = StopCheck::silent(&budget);
    let mut heap = BinaryHeap::new();
    let finest = vec![0; coarsest.len()];
    let mut waiting = vec![(finest, coarsest)];
    // What is known of boxes that are being halved.
    let mut parent = 0.0;
    loop {
        for (finest, coarsest) in waiting.drain(..) {
            let suppressed = match evaluator.suppression(&coarsest, &stop) {
                Ok(suppressed) if !stop.has_stopped() => suppressed,
                Ok(_) | Err(Error::Stopped(_)) => return Ok(parent),
                Err(error) => return Err(error),
            };
            progress.advance(1);
            let bound = evaluator.coding(&finest) + suppressed;
            heap.push(Box { bound, finest, coarsest });
        }
        let least = evaluator.best.as_ref().map_or(f64::INFINITY, |best| best.loss);
        let Some(next) = heap.pop() else { return Ok(f64::INFINITY) };
        if next.bound >= least - EQUAL * least.abs().max(1.0) {
            return Ok(least);
        }
        if budget.stop().is_some() {
            return Ok(next.bound);
        }
        parent = next.bound;
        waiting = halves(evaluator, next);
    }
}

/// Halves the variable whose codings differ most in loss; nothing if there is only one choice.
fn halves(evaluator: &Evaluator, whole: Box) -> Vec<(Vec<usize>, Vec<usize>)> {
    let spread = |key: usize| {
        let losses = &evaluator.losses[key].coding;
        losses[whole.coarsest[key]] - losses[whole.finest[key]]
    };
    let split = (0..whole.finest.len())
        .filter(|&key| whole.finest[key] < whole.coarsest[key])
        .max_by(|&a, &b| spread(a).total_cmp(&spread(b)).then(b.cmp(&a)));
    let Some(key) = split else { return Vec::new() };
    let middle = (whole.finest[key] + whole.coarsest[key]) / 2;
    let mut lower = whole.coarsest.clone();
    lower[key] = middle;
    let mut upper = whole.finest.clone();
    upper[key] = middle + 1;
    vec![(whole.finest, lower), (upper, whole.coarsest)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Threshold;
    use crate::recode::Recoding;
    use quell_model::{Random, Silent};

    /// What is unsafe in a choice.
    fn left(choice: &Choice, combinations: &Combinations) -> Vec<safety::Violation> {
        let (data, suppressions) = (&choice.data, &choice.suppressions);
        let (meaning, budget) = (Meaning::Static, Budget::default());
        safety::violations(data, suppressions, combinations, meaning, &budget, &Silent).unwrap()
    }

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
            let budget = Budget::default();
            let stop = StopCheck::silent(&budget);
            let request = ChoiceRequest {
                data: &data,
                combinations: &combinations,
                ladders: &ladders,
                measure: &measure,
                importance: &[],
            };
            let found = choose(&request, &budget, &Silent).unwrap();
            assert!(found.proved, "task {task}");
            assert!(left(&found, &combinations).is_empty());

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
                let minucs = Minucs::find(&recoded, &combinations, &budget, &Silent).unwrap();
                let suppressed =
                    fewest(&recoded, &minucs, &importance, &stop).weight(&recoded, &importance);
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
        let request = ChoiceRequest {
            data: &data,
            combinations: &combinations,
            ladders: &ladders,
            measure: &Measure::Entropy,
            importance: &[],
        };
        let found = choose(&request, &budget, &Silent).unwrap();
        assert!(found.bound <= found.loss());
        assert!(left(&found, &combinations).is_empty());
    }
}
