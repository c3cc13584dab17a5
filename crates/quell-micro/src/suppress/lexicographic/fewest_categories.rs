//! §7: of the fewest suppressions, those that affect the fewest categories.

use quell_model::Budget;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Answers, EQUAL, answers};
use crate::program::Program;
use crate::stop_check::StopCheck;
use crate::suppress::types::Types;
use crate::suppress::{Importance, Solution, Suppressions, categories, fewest};
use crate::{KeySet, Microdata, Minucs, Result};

/// Fewest suppressions, then fewest categories.
pub(in crate::suppress) fn fewest_categories(
    data: &Microdata,
    minucs: &Minucs,
    importance: &Importance,
    budget: &Budget,
) -> Result<Solution> {
    let stop = StopCheck::silent(budget);
    let types = Types::new(data, minucs, importance, &stop)?;
    let all = answers(data, minucs, &types, importance, &stop)?;
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
    let mut seen: FxHashSet<Vec<Vec<u32>>> = FxHashSet::default();
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
    let start = fewest(data, minucs, importance, &stop);
    let bound = if stop.has_stopped() { 0.0 } else { start.weight(data, importance) };
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
    let keys = data.keys().len();
    let sets = categories::complete(&types, minucs, keys, importance, &chosen, &stop);
    let suppressions: Suppressions = types.suppressions(minucs, &sets);
    let weight = suppressions.weight(data, importance);
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
