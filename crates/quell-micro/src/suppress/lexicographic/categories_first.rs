//! §7: of the fewest categories, those with the fewest suppressions.

use quell_model::Budget;
use rustc_hash::FxHashMap;

use super::EQUAL;
use crate::cover;
use crate::program::Program;
use crate::stop_check::StopCheck;
use crate::suppress::types::Types;
use crate::suppress::{Importance, Solution, categories, least_hitting_set};
use crate::{KeySet, Microdata, Minucs, Result};

/// A block of the second stage: records whose least suppressions depend on the open
/// categories in the same way.
struct Block {
    /// A type that stands for all.
    own: usize,
    /// Total weight of the records.
    weight: f64,
}

/// More open categories of one record than this are not tabled.
const TABLED: usize = 6;

/// Merges types whose least suppressions are the same function of the open categories,
/// and leaves out those for which it is constant.
fn blocks(
    types: &Types,
    minucs: &Minucs,
    keys: usize,
    importance: &Importance,
    fixed: &[Option<bool>],
    stop: &StopCheck,
) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut known: FxHashMap<(Vec<u32>, Vec<u64>), usize> = FxHashMap::default();
    for (own, record) in types.list.iter().enumerate() {
        let sets: Vec<KeySet> = minucs.sets(record.signature as usize).collect();
        let weights = types.weights(record, keys, importance);
        let (mut certain, mut open) = (KeySet::EMPTY, Vec::new());
        for (key, &number) in record.union.iter().zip(&record.categories) {
            match fixed[number as usize] {
                Some(true) => certain = certain.with(key),
                Some(false) => {}
                None => open.push((key, number)),
            }
        }
        if open.is_empty() {
            continue;
        }
        if open.len() > TABLED {
            blocks.push(Block { own, weight: record.weight });
            continue;
        }
        let costs: Vec<f64> = (0..1_u32 << open.len())
            .map(|mask| {
                let chosen = open.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
                let allowed = chosen.fold(certain, |set, (_, &(key, _))| set.with(key));
                if sets.iter().all(|set| set.intersects(allowed)) {
                    let least = least_hitting_set(&sets, allowed, &weights, stop);
                    least.iter().map(|key| weights[key]).sum()
                } else {
                    f64::INFINITY
                }
            })
            .collect();
        // Choices that leave a MINUC open are no covers, so they do not count.
        let finite = || costs.iter().filter(|cost| cost.is_finite());
        let first = finite().next().copied().unwrap_or(0.0);
        if finite().all(|&cost| cost == first) {
            continue;
        }
        let question = (
            open.iter().map(|&(_, number)| number).collect(),
            costs.iter().map(|cost| cost.to_bits()).collect(),
        );
        let next = blocks.len();
        let place = *known.entry(question).or_insert(next);
        if place == next {
            blocks.push(Block { own, weight: 0.0 });
        }
        blocks[place].weight += record.weight;
    }
    blocks
}

/// Fewest categories, then fewest suppressions.
///
/// Categories that all least choices have, or none has, are found first; what is left is
/// a program over the open ones.
pub(in crate::suppress) fn categories_first(
    data: &Microdata,
    minucs: &Minucs,
    importance: &Importance,
    budget: &Budget,
) -> Result<Solution> {
    let keys = data.keys().len();
    let stop = StopCheck::silent(budget);
    let types = Types::new(data, minucs, importance, &stop)?;
    let category_weights = types.numbers.weights(importance);
    let covering = categories::covering(&types, minucs, category_weights.clone(), &stop)?;
    let cover = cover::solve(&covering, budget)?.cover;
    let mut chosen = vec![false; types.numbers.len()];
    for &number in &cover.columns {
        chosen[number as usize] = true;
    }
    let mut proved = cover.is_optimal();
    if proved && !types.list.is_empty() {
        let fixed = cover::fixed_in_optima(&covering, cover.weight, budget)?;
        let mut program = Program::new();
        let mut column_of: Vec<Option<u32>> = vec![None; fixed.len()];
        let mut open_weight = Vec::new();
        let mut left = cover.weight;
        for (number, fixed) in fixed.iter().enumerate() {
            match fixed {
                Some(true) => left -= category_weights[number],
                Some(false) => {}
                None => {
                    let column = program.binary(0.0);
                    open_weight.push((column, category_weights[number]));
                    column_of[number] = Some(column);
                }
            }
        }
        for row in covering.iter() {
            if row.iter().all(|&number| fixed[number as usize] != Some(true)) {
                program.at_least_one(row.iter().filter_map(|&number| column_of[number as usize]));
            }
        }
        program.row(f64::NEG_INFINITY, left + EQUAL * cover.weight.max(1.0), open_weight);
        let mut start: Vec<f64> = vec![0.0; program.columns()];
        for (number, column) in column_of.iter().enumerate() {
            if let Some(column) = column {
                start[*column as usize] = f64::from(u8::from(chosen[number]));
            }
        }
        let completed = categories::complete(&types, minucs, keys, importance, &chosen, &stop);
        for block in blocks(&types, minucs, keys, importance, &fixed, &stop) {
            let record = &types.list[block.own];
            let weights = types.weights(record, keys, importance);
            let sets: Vec<KeySet> = minucs.sets(record.signature as usize).collect();
            let mut values: Vec<(usize, u32)> = Vec::new();
            for (key, &number) in record.union.iter().zip(&record.categories) {
                if fixed[number as usize] == Some(false) {
                    continue;
                }
                let value = program.share(block.weight * weights[key]);
                start.push(f64::from(u8::from(completed[block.own].contains(key))));
                // Two rows alone never make a linear program take halves.
                if sets.len() > 2 {
                    program.make_whole(value);
                }
                if let Some(category) = column_of[number as usize] {
                    program.at_most(value, category);
                }
                values.push((key, value));
            }
            for &set in &sets {
                let row = values.iter().filter(|(key, _)| set.contains(*key));
                program.at_least_one(row.map(|&(_, value)| value).collect::<Vec<_>>());
            }
        }
        if program.columns() > 0 {
            let solved = program.minimise(Some(&start), None, budget)?;
            proved = solved.optimal;
            if let Some(values) = solved.values {
                let found: Vec<bool> = (0..fixed.len())
                    .map(|number| match (fixed[number], column_of[number]) {
                        (Some(taken), _) => taken,
                        (None, Some(column)) => values[column as usize] > 0.5,
                        (None, None) => false,
                    })
                    .collect();
                let numbers: Vec<u32> =
                    (0..found.len() as u32).filter(|&number| found[number as usize]).collect();
                if covering.is_covered_by(&numbers) {
                    chosen = found;
                }
            }
        }
    }
    let sets = categories::complete(&types, minucs, keys, importance, &chosen, &stop);
    let suppressions = types.suppressions(minucs, &sets);
    Ok(Solution {
        weight: suppressions.weight(data, importance),
        category_weight: suppressions.category_weight(data, importance),
        suppressions,
        bound: cover.bound,
        proved: proved && !stop.has_stopped(),
    })
}
