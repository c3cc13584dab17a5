//! §7: optima of one objective that are best for the other.
//!
//! **A remark of the paper does not hold.** It says that with the affected categories
//! at their minimum, the fewest suppressions "equal the number of MINUCs", and that any
//! superfluous values may be re-opened MINUC by MINUC. One suppressed value may hit
//! several MINUCs of its record (the paper's own example has 16 MINUCs and 12
//! suppressions), a MINUC that occurs in two records needs two suppressions, re-opening
//! for one MINUC may expose another, and different optimal choices of categories need
//! different numbers of suppressions. What holds: with the categories *given*, the
//! problem falls apart into records; and the optimum is at most the number of
//! (record, MINUC) pairs. The choice of categories has to be part of the model.

use quell_model::Budget;
use quell_solve::Kind;
use rustc_hash::FxHashMap;

use super::record::all_least;
use super::types::Types;
use super::{Importance, Solution, Suppressions, categories, fewest};
use crate::cover;
use crate::program::Program;
use crate::{KeySet, Microdata, Minucs, Result};

/// More optimal answers of one record than this are not listed but modelled.
const LISTED: usize = 2000;

/// Weights closer than this are equal.
const EQUAL: f64 = 1e-6;

/// The optimal answers of one type, as sets of variables.
struct Answers {
    /// All of them, or `None` if too many.
    listed: Option<Vec<KeySet>>,
    weights: Vec<f64>,
    least: f64,
}

fn answers(
    data: &Microdata,
    minucs: &Minucs,
    types: &Types,
    importance: &Importance,
) -> Vec<Answers> {
    let mut memo: FxHashMap<(u32, Vec<u64>), Option<Vec<KeySet>>> = FxHashMap::default();
    types
        .list
        .iter()
        .map(|own| {
            let weights = types.weights(own, data.keys().len(), importance);
            let sets: Vec<KeySet> = minucs.sets(own.signature as usize).collect();
            let bits = weights.iter().map(|weight| weight.to_bits()).collect();
            let listed = memo
                .entry((own.signature, bits))
                .or_insert_with(|| all_least(&sets, &weights, LISTED))
                .clone();
            let one = match &listed {
                Some(listed) => listed.first().copied().unwrap_or_default(),
                None => super::least_hitting_set(&sets, own.union, &weights),
            };
            let least = one.iter().map(|key| weights[key]).sum();
            Answers { listed, weights, least }
        })
        .collect()
}

/// Fewest suppressions, then fewest categories.
pub(super) fn fewest_categories(
    data: &Microdata,
    minucs: &Minucs,
    importance: &Importance,
    budget: &Budget,
) -> Result<Solution> {
    let types = Types::new(data, minucs, importance);
    let all = answers(data, minucs, &types, importance);
    let category_weights = types.numbers.weights(importance);
    let numbers = |own: usize, set: KeySet| -> Vec<u32> {
        set.iter().map(|key| types.category(&types.list[own], key)).collect()
    };

    // Categories that a type needs in any case are affected; who can do with these is done.
    let mut forced = vec![false; types.numbers.len()];
    for (own, answer) in all.iter().enumerate() {
        if let Some(listed) = &answer.listed {
            let common = listed.iter().fold(KeySet(u64::MAX), |all, set| KeySet(all.0 & set.0));
            if !listed.is_empty() {
                for number in numbers(own, common) {
                    forced[number as usize] = true;
                }
            }
        }
    }
    let mut program = Program::new();
    let mut column_of: FxHashMap<u32, u32> = FxHashMap::default();
    let mut column = |program: &mut Program, number: u32| {
        *column_of
            .entry(number)
            .or_insert_with(|| program.binary(category_weights[number as usize]))
    };
    let mut seen: rustc_hash::FxHashSet<Vec<Vec<u32>>> = rustc_hash::FxHashSet::default();
    for (own, answer) in all.iter().enumerate() {
        let Some(listed) = &answer.listed else {
            model_record(&mut program, &types, own, minucs, answer, &mut |program, number| {
                (!forced[number as usize]).then(|| column(program, number))
            });
            continue;
        };
        let mut options: Vec<Vec<u32>> = listed
            .iter()
            .map(|&set| {
                let mut open = numbers(own, set);
                open.retain(|&number| !forced[number as usize]);
                open
            })
            .collect();
        options.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        options.dedup();
        if options.first().is_none_or(Vec::is_empty) {
            continue;
        }
        // An option that contains another is never needed.
        let kept: Vec<Vec<u32>> = options
            .iter()
            .enumerate()
            .filter(|(place, option)| {
                !options[..*place].iter().any(|other| other.iter().all(|n| option.contains(n)))
            })
            .map(|(_, option)| option.clone())
            .collect();
        if !seen.insert(kept.clone()) {
            continue;
        }
        if kept.iter().all(|option| option.len() == 1) {
            let row: Vec<u32> = kept.iter().map(|option| column(&mut program, option[0])).collect();
            program.at_least_one(row);
            continue;
        }
        let choices: Vec<u32> = kept.iter().map(|_| program.binary(0.0)).collect();
        program.row(1.0, 1.0, choices.iter().map(|&choice| (choice, 1.0)));
        let mut used: Vec<u32> = kept.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        for number in used {
            let own = column(&mut program, number);
            let mut row = vec![(own, -1.0)];
            for (option, &choice) in kept.iter().zip(&choices) {
                if option.contains(&number) {
                    row.push((choice, 1.0));
                }
            }
            program.row(f64::NEG_INFINITY, 0.0, row);
        }
    }

    let mut chosen = forced.clone();
    let mut proved = true;
    let start = fewest(data, minucs, importance);
    if program.columns() > 0 {
        let solved = program.minimise(None, None, budget)?;
        proved = solved.optimal;
        match solved.values {
            Some(values) => {
                for number in 0..types.numbers.len() as u32 {
                    if let Some(&column) = column_of.get(&number) {
                        chosen[number as usize] |= values[column as usize] > 0.5;
                    }
                }
            }
            None => {
                for (record, set) in start.iter() {
                    for key in set.iter() {
                        let code = data.keys()[key].codes().get(record);
                        chosen[types.numbers.number(key, code) as usize] = true;
                    }
                }
            }
        }
    }
    let sets = categories::complete(&types, minucs, data.keys().len(), importance, &chosen);
    let suppressions: Suppressions = types.suppressions(minucs, &sets);
    let weight = suppressions.weight(data, importance);
    let bound = start.weight(data, importance);
    Ok(Solution {
        category_weight: suppressions.category_weight(data, importance),
        proved: proved && (weight - bound).abs() <= EQUAL * bound.max(1.0),
        suppressions,
        weight,
        bound,
    })
}

/// A type whose optimal answers are too many to list: its values become columns.
fn model_record(
    program: &mut Program,
    types: &Types,
    own: usize,
    minucs: &Minucs,
    answer: &Answers,
    category: &mut dyn FnMut(&mut Program, u32) -> Option<u32>,
) -> Vec<(usize, u32)> {
    let record = &types.list[own];
    let values: Vec<(usize, u32)> =
        record.union.iter().map(|key| (key, program.binary(0.0))).collect();
    let value = |key: usize| values.iter().find(|(own, _)| *own == key).map(|&(_, column)| column);
    for set in minucs.sets(record.signature as usize) {
        program.at_least_one(set.iter().filter_map(value));
    }
    let limit = answer.least + EQUAL * answer.least.max(1.0);
    let row: Vec<(u32, f64)> =
        values.iter().map(|&(key, column)| (column, answer.weights[key])).collect();
    program.row(f64::NEG_INFINITY, limit, row);
    for &(key, column) in &values {
        let number = types.category(record, key);
        if let Some(category) = category(program, number) {
            program.at_most(column, category);
        }
    }
    values
}

/// Fewest suppressions, then most categories.
pub(super) fn most_categories(
    data: &Microdata,
    minucs: &Minucs,
    importance: &Importance,
    budget: &Budget,
) -> Result<Solution> {
    let types = Types::new(data, minucs, importance);
    let all = answers(data, minucs, &types, importance);
    let category_weights = types.numbers.weights(importance);
    let mut program = Program::new();
    // Σ over records' answers with the category, by category number.
    let mut uses: Vec<Vec<u32>> = vec![Vec::new(); types.numbers.len()];
    let mut choices: Vec<Vec<u32>> = Vec::new();
    for (own, answer) in all.iter().enumerate() {
        let record = &types.list[own];
        // Too many answers: the first ones listed are a sample, and the claim is dropped.
        let listed = answer.listed.clone().unwrap_or_else(|| {
            let sets: Vec<KeySet> = minucs.sets(record.signature as usize).collect();
            vec![super::least_hitting_set(&sets, record.union, &answer.weights)]
        });
        let count = f64::from(record.count);
        let columns: Vec<u32> =
            listed.iter().map(|_| program.column(0.0, count, Kind::Integer)).collect();
        program.row(count, count, columns.iter().map(|&column| (column, 1.0)));
        for (&set, &column) in listed.iter().zip(&columns) {
            for key in set.iter() {
                uses[types.category(record, key) as usize].push(column);
            }
        }
        choices.push(columns);
    }
    for (number, columns) in uses.iter().enumerate() {
        if !columns.is_empty() {
            let affected = program.share(-category_weights[number]);
            let mut row = vec![(affected, 1.0)];
            row.extend(columns.iter().map(|&column| (column, -1.0)));
            program.row(f64::NEG_INFINITY, 0.0, row);
        }
    }
    let start = fewest(data, minucs, importance);
    let bound = start.weight(data, importance);
    let (suppressions, proved) = if types.list.is_empty() {
        (Suppressions::default(), true)
    } else {
        let solved = program.minimise(None, None, budget)?;
        match solved.values {
            Some(values) => {
                let taken: Vec<Vec<(KeySet, u32)>> = all
                    .iter()
                    .enumerate()
                    .map(|(own, answer)| match &answer.listed {
                        Some(listed) => listed
                            .iter()
                            .zip(&choices[own])
                            .map(|(&set, &column)| (set, values[column as usize].round() as u32))
                            .filter(|&(_, count)| count > 0)
                            .collect(),
                        None => {
                            let record = &types.list[own];
                            let sets: Vec<KeySet> =
                                minucs.sets(record.signature as usize).collect();
                            let set =
                                super::least_hitting_set(&sets, record.union, &answer.weights);
                            vec![(set, record.count)]
                        }
                    })
                    .collect();
                let complete = all.iter().all(|answer| answer.listed.is_some());
                (types.split_suppressions(minucs, &taken), solved.optimal && complete)
            }
            None => (start, false),
        }
    };
    let weight = suppressions.weight(data, importance);
    Ok(Solution {
        category_weight: suppressions.category_weight(data, importance),
        proved: proved && (weight - bound).abs() <= EQUAL * bound.max(1.0),
        suppressions,
        weight,
        bound,
    })
}

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
                    let least = super::least_hitting_set(&sets, allowed, &weights);
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
pub(super) fn categories_first(
    data: &Microdata,
    minucs: &Minucs,
    importance: &Importance,
    budget: &Budget,
) -> Result<Solution> {
    let keys = data.keys().len();
    let types = Types::new(data, minucs, importance);
    let category_weights = types.numbers.weights(importance);
    let covering = categories::covering(&types, minucs, category_weights.clone())?;
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
        let completed = categories::complete(&types, minucs, keys, importance, &chosen);
        for block in blocks(&types, minucs, keys, importance, &fixed) {
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
    let sets = categories::complete(&types, minucs, keys, importance, &chosen);
    let suppressions = types.suppressions(minucs, &sets);
    Ok(Solution {
        weight: suppressions.weight(data, importance),
        category_weight: suppressions.category_weight(data, importance),
        suppressions,
        bound: cover.bound,
        proved,
    })
}
