//! Households: a household variable is suppressed for all members or for none.
//!
//! Records of one household are no longer independent, but households are. A household
//! is a small covering problem: a column for every member's own variables, one for every
//! household variable (its weight that of all members together), a row for every MINUC
//! of a member. *Guarantee*: optimal for §5 under the static meaning. Under the wildcard
//! meaning the same suppressions, with all parts of the combinations checked, are safe
//! but not optimal.

use quell_model::Budget;
use rustc_hash::FxHashMap;

use crate::cover::{self, Covering};
use crate::suppress::{Objective, Request, Solution, Suppressions};
use crate::{Error, KeySet, Meaning, Microdata, Minucs, Result};

/// The records of every household.
pub(crate) fn members(data: &Microdata) -> Result<Vec<Vec<u32>>> {
    let Some(household) = data.household() else {
        return Err(Error::Request(
            "household variables need the variable that names the household".into(),
        ));
    };
    let mut members = vec![Vec::new(); household.labels().len()];
    let mut alone = Vec::new();
    for record in 0..data.records() {
        let code = household.codes().get(record);
        if household.is_missing(code) {
            alone.push(vec![record as u32]);
        } else {
            members[code as usize].push(record as u32);
        }
    }
    members.extend(alone);
    Ok(members)
}

pub(crate) fn suppress(request: &Request, budget: &Budget) -> Result<Solution> {
    if request.objective != Objective::Suppressions {
        return Err(Error::Request(
            "with household variables, only the weight of suppressions can be minimised".into(),
        ));
    }
    let data = request.data;
    let minucs = match request.meaning {
        Meaning::Static => Minucs::find(data, request.combinations),
        Meaning::Wildcard => Minucs::find(data, &request.combinations.with_parts()?),
        Meaning::IdenticalTuple => {
            return Err(Error::Request(
                "household variables cannot be kept together under the identical-tuple meaning"
                    .into(),
            ));
        }
    };
    let position_of: FxHashMap<u32, usize> =
        minucs.records().iter().enumerate().map(|(place, &record)| (record, place)).collect();
    let mut found: Vec<(u32, KeySet)> = Vec::new();
    let mut bound = 0.0;
    for members in members(data)? {
        let mut rows: Vec<Vec<u32>> = Vec::new();
        // A column is a member and variable; household variables belong to member 0.
        let mut columns: Vec<(usize, usize)> = Vec::new();
        let mut column_of: FxHashMap<(usize, usize), u32> = FxHashMap::default();
        for (member, record) in members.iter().enumerate() {
            let Some(&position) = position_of.get(record) else { continue };
            for set in minucs.sets(minucs.signature_of(position)) {
                let row = set
                    .iter()
                    .map(|key| {
                        let owner = if request.household.contains(key) { 0 } else { member };
                        *column_of.entry((owner, key)).or_insert_with(|| {
                            columns.push((owner, key));
                            columns.len() as u32 - 1
                        })
                    })
                    .collect();
                rows.push(row);
            }
        }
        if rows.is_empty() {
            continue;
        }
        let shows = |record: u32, key: usize| {
            let column = &data.keys()[key];
            !column.is_missing(column.codes().get(record as usize))
        };
        let weight = |record: u32, key: usize| {
            if shows(record, key) { request.importance.of(data, record as usize, key) } else { 0.0 }
        };
        let weights = columns
            .iter()
            .map(|&(owner, key)| {
                if request.household.contains(key) {
                    members.iter().map(|&record| weight(record, key)).sum()
                } else {
                    weight(members[owner], key)
                }
            })
            .collect();
        let covering = Covering::new(weights, rows)?;
        let cover = cover::solve(&covering, budget)?.cover;
        bound += cover.bound;
        for &column in &cover.columns {
            let (owner, key) = columns[column as usize];
            if request.household.contains(key) {
                let those = members.iter().filter(|&&record| shows(record, key));
                found.extend(those.map(|&record| (record, KeySet::of(&[key]))));
            } else {
                found.push((members[owner], KeySet::of(&[key])));
            }
        }
    }
    let suppressions = Suppressions::new(found);
    let weight = suppressions.weight(data, request.importance);
    Ok(Solution {
        category_weight: suppressions.category_weight(data, request.importance),
        proved: request.meaning == Meaning::Static && weight - bound <= 1e-6 * weight.max(1.0),
        suppressions,
        weight,
        bound: if request.meaning == Meaning::Static { bound } else { 0.0 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, Combinations, Importance, Threshold, safety, suppress};
    use quell_model::Random;

    fn random_file(random: &mut Random) -> Microdata {
        let records = 3 + random.below(3);
        let column = |random: &mut Random, name: &str, categories: usize| {
            let labels: Vec<String> =
                (0..records).map(|_| random.below(categories).to_string()).collect();
            Column::from_labels(name, labels.iter().map(String::as_str), &[])
        };
        let keys = vec![column(random, "age", 3), column(random, "town", 2)];
        let household = column(random, "household", 3);
        Microdata::new(keys).and_then(|data| data.with_household(household)).unwrap()
    }

    #[test]
    fn households_lose_common_values_together_and_as_few_as_can_be() {
        for task in 0..400 {
            let mut random = Random::new(61, task);
            let data = random_file(&mut random);
            let combinations = Combinations::up_to(2, 2, Threshold::FewerThan(2)).unwrap();
            let household = KeySet::of(&[1]);
            let importance = Importance::equal().with_keys(vec![1.0 + random.below(3) as f64, 1.0]);
            let request = Request {
                data: &data,
                combinations: &combinations,
                meaning: Meaning::Static,
                objective: Objective::Suppressions,
                importance: &importance,
                household,
            };
            let found = suppress(&request, &Budget::default()).unwrap();
            assert!(found.proved);
            let together = |suppressions: &Suppressions| {
                let houses = members(&data).unwrap();
                houses.iter().all(|house| {
                    house.windows(2).all(|pair| {
                        let of = |record: u32| suppressions.of(record as usize).contains(1);
                        of(pair[0]) == of(pair[1])
                    })
                })
            };
            assert!(together(&found.suppressions), "task {task}");
            // All suppressions that keep households together.
            let records = data.records();
            let least = (0..1_u64 << (2 * records))
                .map(|mask| {
                    let set = |record: usize| KeySet(mask >> (2 * record) & 3);
                    Suppressions::new((0..records).map(|record| (record as u32, set(record))))
                })
                .filter(together)
                .map(|all| (all.weight(&data, &importance), all))
                .filter(|(weight, _)| *weight < found.weight - 1e-9)
                .find(|(_, all)| {
                    safety::violations(&data, all, &combinations, Meaning::Static).is_empty()
                });
            assert!(least.is_none(), "task {task}: {least:?} is better than {}", found.weight);
        }
    }
}
