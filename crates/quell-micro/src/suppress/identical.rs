//! Large files under the identical-tuple meaning (a missing value is a category).
//!
//! Records are put into groups that show the same tuple: within a group a variable is
//! hidden for all where they differ. Starting from the records that are equal anyway,
//! the smallest group that is too small is joined, again and again, with the group that
//! costs least; a large group gives only as many records as are needed. Groups over all
//! checked variables make every combination of them frequent, so the file is safe for
//! all; where only small combinations are checked this hides more than is necessary.
//!
//! *Guarantee*: safe. *Complexity*: unsafe groups × groups.

use quell_model::Budget;
use rustc_hash::FxHashMap;

use super::{Request, Solution, Suppressions};
use crate::{KeySet, Microdata, Result};

const HIDDEN: u32 = u32::MAX;

struct Group {
    /// Shown codes by variable.
    tuple: Vec<u32>,
    records: Vec<u32>,
    /// Total weight of the records.
    weight: f64,
}

/// Weight of hiding, in one record of weight one, what two tuples do not share: in the
/// first and in the second.
fn differences(
    one: &[u32],
    two: &[u32],
    weights: &[f64],
    best: f64,
    sizes: [f64; 2],
) -> Option<f64> {
    let mut cost = 0.0;
    for ((&a, &b), &weight) in one.iter().zip(two).zip(weights) {
        if a != b {
            if a != HIDDEN {
                cost += weight * sizes[0];
            }
            if b != HIDDEN {
                cost += weight * sizes[1];
            }
            if cost >= best {
                return None;
            }
        }
    }
    Some(cost)
}

pub(super) fn suppress(request: &Request, budget: &Budget) -> Result<Solution> {
    let data = request.data;
    let keys: Vec<usize> = request.combinations.keys().iter().collect();
    let minimum = request.combinations.largest_minimum() as usize;
    // Values of one variable may differ in weight; groups go by the variable's mean.
    let weights: Vec<f64> = keys.iter().map(|&key| mean_weight(data, request, key)).collect();
    let mut groups = equal_records(data, request, &keys);
    let is_unsafe = |group: &Group| {
        !group.records.is_empty()
            && group.records.len() < minimum
            && group.tuple.iter().any(|&code| code != HIDDEN)
    };
    loop {
        let smallest = (0..groups.len())
            .filter(|&own| is_unsafe(&groups[own]))
            .min_by_key(|&own| (groups[own].records.len(), own));
        let Some(own) = smallest else { break };
        if budget.stop().is_some() {
            // No time to choose: groups that show nothing are safe.
            for group in groups.iter_mut().filter(|group| is_unsafe(group)) {
                group.tuple.fill(HIDDEN);
            }
            break;
        }
        match cheapest(&groups, own, minimum, &weights) {
            Some((other, taken)) => merge(request, &mut groups, own, other, taken),
            // Nobody to join: the group shows nothing.
            None => groups[own].tuple.fill(HIDDEN),
        }
    }
    let suppressions = Suppressions::new(groups.iter().flat_map(|group| {
        let keys = &keys;
        group.records.iter().map(move |&record| {
            let hidden = keys
                .iter()
                .zip(&group.tuple)
                .filter(|&(&key, &code)| {
                    let column = &data.keys()[key];
                    code == HIDDEN && !column.is_missing(column.codes().get(record as usize))
                })
                .fold(KeySet::EMPTY, |set, (&key, _)| set.with(key));
            (record, hidden)
        })
    }));
    let weight = suppressions.weight(data, request.importance);
    Ok(Solution {
        category_weight: suppressions.category_weight(data, request.importance),
        proved: suppressions.count() == 0,
        suppressions,
        weight,
        bound: 0.0,
    })
}

fn mean_weight(data: &Microdata, request: &Request, key: usize) -> f64 {
    let column = &data.keys()[key];
    let frequencies = column.frequencies();
    let total: f64 = frequencies
        .iter()
        .enumerate()
        .map(|(code, &count)| count as f64 * request.importance.value(key, code as u32))
        .sum();
    total / data.records().max(1) as f64
}

fn equal_records(data: &Microdata, request: &Request, keys: &[usize]) -> Vec<Group> {
    let mut place: FxHashMap<Vec<u32>, usize> = FxHashMap::default();
    let mut groups: Vec<Group> = Vec::new();
    for record in 0..data.records() {
        let tuple: Vec<u32> = keys
            .iter()
            .map(|&key| {
                let column = &data.keys()[key];
                let code = column.codes().get(record);
                if column.is_missing(code) { HIDDEN } else { code }
            })
            .collect();
        let next = groups.len();
        let own = *place.entry(tuple).or_insert_with_key(|tuple| {
            groups.push(Group { tuple: tuple.clone(), records: Vec::new(), weight: 0.0 });
            next
        });
        groups[own].records.push(record as u32);
        groups[own].weight += request.importance.record(record);
    }
    groups
}

/// The group to join and how many records to take from it.
fn cheapest(
    groups: &[Group],
    own: usize,
    minimum: usize,
    weights: &[f64],
) -> Option<(usize, usize)> {
    let group = &groups[own];
    let needed = minimum - group.records.len();
    let mut best = f64::INFINITY;
    let mut found = None;
    for (other, candidate) in groups.iter().enumerate() {
        let size = candidate.records.len();
        if other == own || size == 0 {
            continue;
        }
        // A group that stays large enough gives as few as are needed; else it comes whole.
        let taken = if size >= needed + minimum { needed } else { size };
        let share = candidate.weight * taken as f64 / size as f64;
        // Joining a small group solves its trouble too: cost a record made safe.
        let solved = group.records.len() + if size < minimum { size } else { 0 };
        let scale = solved as f64;
        if let Some(cost) = differences(
            &group.tuple,
            &candidate.tuple,
            weights,
            best * scale,
            [group.weight, share],
        ) && cost / scale < best
        {
            best = cost / scale;
            found = Some((other, taken));
        }
    }
    found
}

fn merge(request: &Request, groups: &mut [Group], own: usize, other: usize, taken: usize) {
    let start = groups[other].records.len() - taken;
    let moved = groups[other].records.split_off(start);
    let moved_weight: f64 =
        moved.iter().map(|&record| request.importance.record(record as usize)).sum();
    groups[other].weight -= moved_weight;
    let theirs = groups[other].tuple.clone();
    let group = &mut groups[own];
    for (code, other) in group.tuple.iter_mut().zip(theirs) {
        if *code != other {
            *code = HIDDEN;
        }
    }
    group.records.extend(moved);
    group.weight += moved_weight;
}
