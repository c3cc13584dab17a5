//! MINUCs against their definition, however they are counted.

use super::*;
use crate::cells::Numbering;
use crate::{Column, Threshold};
use quell_model::{Random, Silent};

fn find(data: &Microdata, combinations: &Combinations) -> Minucs {
    find_within(data, combinations, &Limits::default())
}

fn find_within(data: &Microdata, combinations: &Combinations, limits: &Limits) -> Minucs {
    Minucs::find_within(data, combinations, limits, &Budget::default(), &Silent).unwrap()
}

/// MINUCs straight from the definition.
fn by_definition(data: &Microdata, combinations: &Combinations) -> Vec<(usize, Vec<KeySet>)> {
    let list = combinations.as_slice();
    let is_unsafe = |record: usize, combination: &Combination| {
        let codes = |r: usize| -> Option<Vec<u32>> {
            combination
                .keys
                .iter()
                .map(|key| {
                    let column = &data.keys()[key];
                    let code = column.codes().get(r);
                    (!column.is_missing(code)).then_some(code)
                })
                .collect()
        };
        codes(record).is_some_and(|own| {
            let count = (0..data.records()).filter(|&r| codes(r).as_ref() == Some(&own)).count();
            count < combination.minimum as usize
        })
    };
    (0..data.records())
        .filter_map(|record| {
            let rare: Vec<KeySet> =
                list.iter().filter(|c| is_unsafe(record, c)).map(|c| c.keys).collect();
            let minimum: Vec<KeySet> = rare
                .iter()
                .copied()
                .filter(|&set| !rare.iter().any(|&other| other != set && other.is_subset(set)))
                .collect();
            (!minimum.is_empty()).then_some((record, minimum))
        })
        .collect()
}

fn random_file(random: &mut Random) -> Microdata {
    let records = 1 + random.below(30);
    let keys = (0..1 + random.below(5))
        .map(|key| {
            let categories = 1 + random.below(5);
            let labels: Vec<String> =
                (0..records).map(|_| random.below(categories).to_string()).collect();
            let missing: &[&str] = if random.chance(0.3) { &["0", "1"] } else { &[] };
            Column::from_labels(&format!("v{key}"), labels.iter().map(String::as_str), missing)
        })
        .collect();
    Microdata::new(keys).unwrap()
}

fn random_combinations(random: &mut Random, keys: usize) -> Combinations {
    if random.chance(0.5) {
        let dimension = 1 + random.below(keys);
        Combinations::up_to(keys, dimension, Threshold::FewerThan(1 + random.below(5) as u32))
    } else {
        Combinations::list((0..1 + random.below(6)).map(|_| Combination {
            keys: KeySet(1 + random.below((1 << keys) - 1) as u64),
            minimum: 1 + random.below(6) as u32,
        }))
    }
    .unwrap()
}

#[test]
fn minucs_are_those_of_the_definition_however_they_are_counted() {
    for task in 0..1000 {
        let mut random = Random::new(7, task);
        let data = random_file(&mut random);
        let combinations = random_combinations(&mut random, data.keys().len());
        let expected = by_definition(&data, &combinations);
        // Tables; hashing only; and a mix, where a group holds one table at most.
        for dense_cells in [1 << 20, 0, 12] {
            let limits = Limits { dense_cells, table_bytes: 40 };
            let found = find_within(&data, &combinations, &limits);
            let found: Vec<(usize, Vec<KeySet>)> =
                found.iter().map(|(record, sets)| (record, sets.collect())).collect();
            assert_eq!(found, expected, "task {task}, dense {dense_cells}");
        }
    }
}

#[test]
fn tuples_too_many_for_64_bits_are_counted_exactly() {
    let mut random = Random::new(3, 0);
    let records = 200;
    let column = |name: &str, draw: &mut dyn FnMut(usize) -> u32| {
        let codes: Vec<u32> = (0..records).map(draw).collect();
        Column::from_codes(name, codes, 4000).unwrap()
    };
    let mut columns: Vec<Column> =
        (0..5).map(|k| column(&format!("same {k}"), &mut |r| (r / 3) as u32)).collect();
    columns.push(column("chance", &mut |_| random.below(2) as u32));
    let data = Microdata::new(columns).unwrap();
    let wide = KeySet::first(6);
    let combinations = Combinations::list([
        Combination { keys: KeySet::first(5), minimum: 3 },
        Combination { keys: wide, minimum: 3 },
    ])
    .unwrap();
    let keys = Keys::new(&data);
    let budget = Budget::default();
    let numbering = count::numbering(&keys, wide, &Limits::default(), &StopCheck::silent(&budget));
    assert!(matches!(numbering.unwrap(), Numbering::Ranked { .. }));
    let found: Vec<(usize, Vec<KeySet>)> =
        find(&data, &combinations).iter().map(|(record, sets)| (record, sets.collect())).collect();
    assert_eq!(found, by_definition(&data, &combinations));
    assert!(found.iter().any(|(_, sets)| sets.contains(&wide)));
    assert!(found.iter().any(|(_, sets)| sets.contains(&KeySet::first(5))));
}

#[test]
fn large_thresholds_are_not_cut_off() {
    let codes: Vec<u32> = (0..1000).map(|record| u32::from(record >= 400)).collect();
    let data = Microdata::new(vec![Column::from_codes("v", codes, 2).unwrap()]).unwrap();
    let risky = |minimum| {
        let combinations = Combinations::up_to(1, 1, Threshold::FewerThan(minimum)).unwrap();
        find(&data, &combinations).records().len()
    };
    assert_eq!([risky(400), risky(401), risky(600), risky(601)], [0, 400, 400, 1000]);
}

#[test]
fn counts_of_another_engine_give_the_same_minucs() {
    for task in 0..200 {
        let mut random = Random::new(8, task);
        let data = random_file(&mut random);
        let combinations = random_combinations(&mut random, data.keys().len());
        // The group-by, by hand.
        let rare: Vec<Vec<Vec<u32>>> = combinations
            .as_slice()
            .iter()
            .map(|combination| {
                let mut tuples: Vec<Vec<u32>> = (0..data.records())
                    .map(|record| {
                        let column = |key: usize| &data.keys()[key];
                        combination
                            .keys
                            .iter()
                            .map(|key| {
                                column(key).codes().get(record).min(column(key).categories())
                            })
                            .collect()
                    })
                    .collect();
                tuples.sort();
                tuples
                    .chunk_by(|a, b| a == b)
                    .filter(|same| same.len() < combination.minimum as usize)
                    .map(|same| same[0].clone())
                    .collect()
            })
            .collect();
        let (own, budget) = (find(&data, &combinations), Budget::default());
        let theirs =
            Minucs::from_rare_cells(&data, &combinations, &rare, &Limits::default(), &budget)
                .unwrap();
        assert_eq!(own.records(), theirs.records());
        assert_eq!(own.combinations(), theirs.combinations());
    }
}
