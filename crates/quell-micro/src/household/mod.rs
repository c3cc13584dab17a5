//! Households: a household variable is suppressed for all members or for none.
//!
//! Records of one household are no longer independent, but households are: a household is a
//! small covering problem ([`House`]). *Guarantee*: optimal under the static meaning, for
//! every objective. Under the wildcard meaning the same suppressions, with all parts of the
//! combinations checked, are safe but not optimal.
//!
//! The fewest categories (§6) are first sought without households: where all members have
//! the same value of a household variable, hiding it for the others affects no further
//! category, and the optimum stays one. Where they differ, and for the mixtures of §7, the
//! houses become blocks of one program ([`program`]).

mod program;

use std::time::Instant;

use quell_model::{Budget, Progress};
use rustc_hash::FxHashMap;

use crate::cover::{self, Covering};
use crate::suppress::{
    Objective, Request, Solution, Suppressions, leaving_time_to_verify, suppress_static,
};
use crate::{Error, KeySet, Meaning, Microdata, Minucs, Result};
use program::EQUAL;

/// The records of every household.
fn members(data: &Microdata) -> Result<Vec<Vec<u32>>> {
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

/// What is suppressed together: one member's value, or a household variable of all members.
struct Part {
    key: usize,
    /// Those who show a value.
    records: Vec<u32>,
    /// What all their values weigh.
    weight: f64,
}

/// A household with a MINUC: one of the parts of every row must be suppressed.
struct House {
    parts: Vec<Part>,
    rows: Vec<Vec<u32>>,
}

impl House {
    /// The household's problem, none if no member has a MINUC.
    fn new(
        request: &Request,
        minucs: &Minucs,
        position_of: &FxHashMap<u32, usize>,
        members: &[u32],
    ) -> Option<Self> {
        let data = request.data;
        let mut house = Self { parts: Vec::new(), rows: Vec::new() };
        let mut part_of: FxHashMap<(Option<u32>, usize), u32> = FxHashMap::default();
        for record in members {
            let Some(&position) = position_of.get(record) else { continue };
            for set in minucs.sets(minucs.signature_of(position)) {
                let row = set.iter().map(|key| {
                    let common = request.household.contains(key);
                    let owner = (!common).then_some(*record);
                    *part_of.entry((owner, key)).or_insert_with(|| {
                        let all = if common { members } else { std::slice::from_ref(record) };
                        let shown = all.iter().copied().filter(|&own| shows(data, own, key));
                        let records: Vec<u32> = shown.collect();
                        let weigh = |&own: &u32| request.importance.of(data, own as usize, key);
                        let weight = records.iter().map(weigh).sum();
                        house.parts.push(Part { key, records, weight });
                        house.parts.len() as u32 - 1
                    })
                });
                house.rows.push(row.collect());
            }
        }
        (!house.rows.is_empty()).then_some(house)
    }

    /// The suppressions of some parts.
    fn hidden(
        &self,
        parts: impl IntoIterator<Item = usize>,
    ) -> impl Iterator<Item = (u32, KeySet)> {
        parts.into_iter().flat_map(move |part| {
            let Part { key, records, .. } = &self.parts[part];
            records.iter().map(move |&record| (record, KeySet::of(&[*key])))
        })
    }
}

fn shows(data: &Microdata, record: u32, key: usize) -> bool {
    let column = &data.keys()[key];
    !column.is_missing(column.codes().get(record as usize))
}

/// Suppresses values so that the file is safe and households stay together.
///
/// # Errors
/// If there are no households, the meaning does not allow them, or the solver fails.
pub(crate) fn suppress(
    request: &Request,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Solution> {
    let data = request.data;
    let began = Instant::now();
    let minucs = match request.meaning {
        Meaning::Static => Minucs::find(data, request.combinations, budget, progress)?,
        Meaning::Wildcard => {
            Minucs::find(data, &request.combinations.with_parts()?, budget, progress)?
        }
        Meaning::IdenticalTuple => {
            return Err(Error::Request(
                "household variables cannot be kept together under the identical-tuple meaning"
                    .into(),
            ));
        }
    };
    let budget = &leaving_time_to_verify(budget, began.elapsed());
    progress.stage("choosing what to suppress", None);
    let members = members(data)?;
    let position_of: FxHashMap<u32, usize> =
        minucs.records().iter().enumerate().map(|(place, &record)| (record, place)).collect();
    let houses: Vec<House> = members
        .iter()
        .filter_map(|members| House::new(request, &minucs, &position_of, members))
        .collect();
    let found = match request.objective {
        Objective::Suppressions => fewest(&houses, budget)?.0,
        Objective::Categories => {
            let start = fewest_categories(request, &minucs, &members, budget)?;
            match start.proved {
                true => start,
                false => program::categories(request, &houses, &start, budget)?,
            }
        }
        Objective::CategoriesThenSuppressions => {
            let start = fewest_categories(request, &minucs, &members, budget)?;
            program::categories(request, &houses, &start, budget)?
        }
        Objective::SuppressionsThenMostCategories | Objective::SuppressionsThenFewestCategories => {
            let (start, least) = fewest(&houses, budget)?;
            program::suppressions(request, &houses, &least, &start, budget)?
        }
    };
    let is_static = request.meaning == Meaning::Static;
    Ok(Solution {
        weight: found.suppressions.weight(data, request.importance),
        category_weight: found.suppressions.category_weight(data, request.importance),
        suppressions: found.suppressions,
        bound: if is_static { found.bound } else { 0.0 },
        proved: is_static && found.proved,
    })
}

/// A safe file, before it is weighed.
struct Found {
    suppressions: Suppressions,
    bound: f64,
    proved: bool,
}

/// The least suppressions, house by house, and what each of them weighs.
fn fewest(houses: &[House], budget: &Budget) -> Result<(Found, Vec<f64>)> {
    let mut hidden = Vec::new();
    let (mut bound, mut proved) = (0.0, true);
    let mut least = Vec::with_capacity(houses.len());
    for house in houses {
        let weights = house.parts.iter().map(|part| part.weight).collect();
        let covering = Covering::new(weights, house.rows.iter().map(|row| row.iter().copied()))?;
        let cover = cover::solve(&covering, budget)?.cover;
        bound += cover.bound;
        proved &= cover.is_optimal();
        least.push(cover.weight);
        hidden.extend(house.hidden(cover.columns.iter().map(|&part| part as usize)));
    }
    Ok((Found { suppressions: Suppressions::new(hidden), bound, proved }, least))
}

/// The fewest categories, then the same for all members of a household.
fn fewest_categories(
    request: &Request,
    minucs: &Minucs,
    members: &[Vec<u32>],
    budget: &Budget,
) -> Result<Found> {
    let (data, importance) = (request.data, request.importance);
    let alone = suppress_static(data, minucs, Objective::Categories, importance, budget)?;
    let mut hidden: Vec<(u32, KeySet)> = Vec::new();
    for members in members {
        let all = members.iter().map(|&record| alone.suppressions.of(record as usize));
        let common = KeySet(all.fold(0, |all, set| all | set.0) & request.household.0);
        for &record in members {
            let shown = common.iter().filter(|&key| shows(data, record, key));
            let set = shown.fold(alone.suppressions.of(record as usize), KeySet::with);
            hidden.push((record, set));
        }
    }
    let suppressions = Suppressions::new(hidden);
    let category_weight = suppressions.category_weight(data, importance);
    let reached = category_weight - alone.bound <= EQUAL * category_weight.max(1.0);
    Ok(Found { suppressions, bound: alone.bound, proved: alone.proved && reached })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, Combinations, Importance, Threshold, safety, suppress};
    use quell_model::{Random, Silent};

    /// Three to six persons in three houses; members need not agree on the town.
    fn random_file(random: &mut Random) -> Microdata {
        let records = 3 + random.below(3);
        let column = |random: &mut Random, name: &str, categories: usize| {
            let code = |random: &mut Random| match random.chance(0.1) {
                true => "?".to_owned(),
                false => random.below(categories).to_string(),
            };
            let labels: Vec<String> = (0..records).map(|_| code(random)).collect();
            Column::from_labels(name, labels.iter().map(String::as_str), &["?"])
        };
        let keys = vec![column(random, "age", 3), column(random, "town", 2)];
        let household = column(random, "household", 3);
        Microdata::new(keys).and_then(|data| data.with_household(household)).unwrap()
    }

    /// The objective as a pair to be minimised in order.
    fn rank(objective: Objective, weight: f64, categories: f64) -> (f64, f64) {
        match objective {
            Objective::Suppressions => (weight, 0.0),
            Objective::Categories => (categories, 0.0),
            Objective::SuppressionsThenMostCategories => (weight, -categories),
            Objective::SuppressionsThenFewestCategories => (weight, categories),
            Objective::CategoriesThenSuppressions => (categories, weight),
        }
    }

    #[test]
    fn households_lose_common_values_together_and_every_optimum_is_true() {
        for task in 0..150 {
            let mut random = Random::new(61, task);
            let data = random_file(&mut random);
            let combinations = Combinations::up_to(2, 2, Threshold::FewerThan(2)).unwrap();
            let mut importance =
                Importance::equal().with_keys(vec![1.0 + random.below(3) as f64, 1.0]);
            if random.chance(0.3) {
                let weights = |column: &Column| -> Vec<f64> {
                    column.labels().iter().map(|_| 1.0 + random.below(3) as f64).collect()
                };
                importance = importance.with_categories(data.keys().iter().map(weights).collect());
            }
            let houses = members(&data).unwrap();
            let together = |suppressions: &Suppressions| {
                houses.iter().all(|house| {
                    let mut shown = house.iter().filter(|&&record| shows(&data, record, 1));
                    let of = |record: &u32| suppressions.of(*record as usize).contains(1);
                    shown.clone().all(of) || !shown.any(of)
                })
            };
            // All suppressions of shown values that keep households together.
            let records = data.records();
            let places: Vec<(u32, usize)> = (0..records as u32)
                .flat_map(|record| [(record, 0), (record, 1)])
                .filter(|&(record, key)| shows(&data, record, key))
                .collect();
            let all: Vec<(f64, f64)> = (0..1_u64 << places.len())
                .map(|mask| {
                    let hidden = places.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
                    Suppressions::new(
                        hidden.map(|(_, &(record, key))| (record, KeySet::of(&[key]))),
                    )
                })
                .filter(together)
                .filter(|all| {
                    let (meaning, budget) = (Meaning::Static, Budget::default());
                    safety::violations(&data, all, &combinations, meaning, &budget, &Silent)
                        .unwrap()
                        .is_empty()
                })
                .map(|all| {
                    (all.weight(&data, &importance), all.category_weight(&data, &importance))
                })
                .collect();
            for objective in Objective::ALL {
                let request = Request {
                    data: &data,
                    combinations: &combinations,
                    meaning: Meaning::Static,
                    objective,
                    importance: &importance,
                    household: KeySet::of(&[1]),
                };
                let found = suppress(&request, &Budget::default(), &Silent).unwrap();
                assert!(found.proved, "task {task}, {objective:?}");
                assert!(together(&found.suppressions), "task {task}, {objective:?}");
                let own = rank(objective, found.weight, found.category_weight);
                let ranks = all.iter().map(|&(weight, sum)| rank(objective, weight, sum));
                let best = ranks.min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
                assert_eq!(own, best, "task {task}, {objective:?}");
            }
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
                suppress(&request, &Budget::default(), &Silent).unwrap()
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
