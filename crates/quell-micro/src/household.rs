//! Households: a household variable is suppressed for all members or for none.
//!
//! Records of one household are no longer independent, but households are. A household
//! is a small covering problem: a column for every member's own variables, one for every
//! household variable (its weight that of all members together), a row for every MINUC
//! of a member. *Guarantee*: optimal for §5 under the static meaning. Under the wildcard
//! meaning the same suppressions, with all parts of the combinations checked, are safe
//! but not optimal.
//!
//! The fewest categories (§6) are those without households: where all members have the same
//! value of a household variable, hiding it for the others affects no further category, and
//! the optimum stays one. Where they differ it is safe, and proved only if nothing was added.
//! The mixtures (§7) break ties between whole files, which households would tie together;
//! they are refused.

use quell_model::Budget;
use rustc_hash::FxHashMap;

use crate::cover::{self, Covering};
use crate::suppress::{Objective, Request, Solution, Suppressions, suppress_static};
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
    if !matches!(request.objective, Objective::Suppressions | Objective::Categories) {
        return Err(Error::Request(
            "with household variables, suppressions or categories can be minimised, but not one \
             among the optima of the other: those of different households cannot be compared one \
             by one"
                .into(),
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
    if request.objective == Objective::Categories {
        return fewest_categories(request, &minucs, budget);
    }
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

/// The fewest categories, then the same for all members of a household.
fn fewest_categories(request: &Request, minucs: &Minucs, budget: &Budget) -> Result<Solution> {
    let (data, importance) = (request.data, request.importance);
    let alone = suppress_static(data, minucs, request.objective, importance, budget)?;
    let mut found: Vec<(u32, KeySet)> = Vec::new();
    for members in members(data)? {
        let all = members.iter().map(|&record| alone.suppressions.of(record as usize));
        let common = KeySet(all.fold(0, |all, set| all | set.0) & request.household.0);
        for &record in &members {
            let column = |key: usize| &data.keys()[key];
            let shows =
                |key: usize| !column(key).is_missing(column(key).codes().get(record as usize));
            let shown = common.iter().filter(|&key| shows(key));
            let set = shown.fold(alone.suppressions.of(record as usize), KeySet::with);
            found.push((record, set));
        }
    }
    let suppressions = Suppressions::new(found);
    let category_weight = suppressions.category_weight(data, importance);
    let is_static = request.meaning == Meaning::Static;
    let reached = category_weight - alone.bound <= 1e-6 * category_weight.max(1.0);
    Ok(Solution {
        weight: suppressions.weight(data, importance),
        suppressions,
        category_weight,
        bound: if is_static { alone.bound } else { 0.0 },
        proved: is_static && alone.proved && reached,
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

    #[test]
    fn the_fewest_categories_stay_the_fewest_where_members_have_the_same() {
        for task in 0..200 {
            let mut random = Random::new(62, task);
            let records = 4 + random.below(6);
            let house: Vec<usize> = (0..records).map(|_| random.below(4)).collect();
            let town: Vec<usize> = (0..4).map(|_| random.below(3)).collect();
            let texts = |list: Vec<usize>| -> Vec<String> {
                list.into_iter().map(|code| code.to_string()).collect()
            };
            let column = |name: &str, list: Vec<usize>| {
                let texts = texts(list);
                Column::from_labels(name, texts.iter().map(String::as_str), &[])
            };
            let ages = (0..records).map(|_| random.below(3)).collect();
            let towns = house.iter().map(|&house| town[house]).collect();
            let data = Microdata::new(vec![column("age", ages), column("town", towns)])
                .and_then(|data| data.with_household(column("household", house.clone())))
                .unwrap();
            let combinations = Combinations::up_to(2, 2, Threshold::FewerThan(2)).unwrap();
            let of = |household: KeySet| {
                let request = Request {
                    data: &data,
                    combinations: &combinations,
                    meaning: Meaning::Static,
                    objective: Objective::Categories,
                    importance: &Importance::equal(),
                    household,
                };
                suppress(&request, &Budget::default()).unwrap()
            };
            let (free, bound) = (of(KeySet::EMPTY), of(KeySet::of(&[1])));
            assert!(bound.proved, "task {task}");
            assert_eq!(free.category_weight, bound.category_weight, "task {task}");
            for (record, own) in house.iter().enumerate() {
                let same = house.iter().enumerate().filter(|(_, other)| *other == own);
                for (other, _) in same {
                    let hides = |record: usize| bound.suppressions.of(record).contains(1);
                    assert_eq!(hides(record), hides(other), "task {task}");
                }
            }
        }
    }
}
