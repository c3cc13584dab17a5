//! §7: of the fewest suppressions, those spread over the most categories.

use quell_model::Budget;
use quell_solve::Kind;

use super::{EQUAL, answers};
use crate::program::Program;
use crate::stop_check::StopCheck;
use crate::suppress::types::Types;
use crate::suppress::{Importance, Solution, Suppressions, fewest, least_hitting_set};
use crate::{KeySet, Microdata, Minucs, Result};

/// Fewest suppressions, then most categories.
pub(in crate::suppress) fn most_categories(
    data: &Microdata,
    minucs: &Minucs,
    importance: &Importance,
    budget: &Budget,
) -> Result<Solution> {
    let stop = StopCheck::silent(budget);
    let types = Types::new(data, minucs, importance, &stop)?;
    let all = answers(data, minucs, &types, importance, &stop)?;
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
            vec![least_hitting_set(&sets, record.union, &answer.weights, &stop)]
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
    let start = fewest(data, minucs, importance, &stop);
    let bound = if stop.has_stopped() { 0.0 } else { start.weight(data, importance) };
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
                            let union = record.union;
                            let set = least_hitting_set(&sets, union, &answer.weights, &stop);
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
