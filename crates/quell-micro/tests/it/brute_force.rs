//! Truth by trying all suppressions of tiny random files, for every objective and every
//! meaning of "safe". The definitions are written out here once more, naively.

use quell_micro::{
    Column, Combination, Combinations, Importance, KeySet, Meaning, Microdata, Objective, Request,
    Threshold, suppress,
};
use quell_model::{Budget, Random, Silent};

struct Tiny {
    data: Microdata,
    /// Shown code, none if missing.
    codes: Vec<Vec<Option<u32>>>,
    combinations: Combinations,
    importance: Importance,
}

fn tiny(random: &mut Random, most_values: usize) -> Tiny {
    let keys = 1 + random.below(3);
    let records = 1 + random.below((most_values / keys).min(6));
    let columns: Vec<Column> = (0..keys)
        .map(|key| {
            let categories = 1 + random.below(3);
            let labels: Vec<String> = (0..records)
                .map(|_| {
                    if random.chance(0.1) {
                        "?".into()
                    } else {
                        random.below(categories).to_string()
                    }
                })
                .collect();
            Column::from_labels(&format!("v{key}"), labels.iter().map(String::as_str), &["?"])
        })
        .collect();
    let codes = (0..records)
        .map(|record| {
            let code = |column: &Column| {
                let code = column.codes().get(record);
                (!column.is_missing(code)).then_some(code)
            };
            columns.iter().map(code).collect()
        })
        .collect();
    let minimum = 1 + random.below(3) as u32;
    let combinations = match random.below(3) {
        0 => Combinations::up_to(keys, keys, Threshold::FewerThan(minimum)),
        1 => Combinations::all_together(keys, Threshold::AtMost(minimum - 1)),
        _ => Combinations::list((0..1 + random.below(3)).map(|_| Combination {
            keys: KeySet(1 + random.below((1 << keys) - 1) as u64),
            minimum: 1 + random.below(3) as u32,
        })),
    }
    .unwrap();
    let mut importance = Importance::equal();
    if random.chance(0.4) {
        importance =
            importance.with_keys((0..keys).map(|_| 1.0 + random.below(3) as f64).collect());
    }
    if random.chance(0.2) {
        let weights = |column: &Column| -> Vec<f64> {
            column.labels().iter().map(|_| 1.0 + random.below(3) as f64).collect()
        };
        importance = importance.with_values(columns.iter().map(weights).collect());
    }
    if random.chance(0.2) {
        importance =
            importance.with_records((0..records).map(|_| 1.0 + random.below(2) as f64).collect());
    }
    if random.chance(0.2) {
        let weights = |column: &Column| -> Vec<f64> {
            column.labels().iter().map(|_| 1.0 + random.below(3) as f64).collect()
        };
        importance = importance.with_categories(columns.iter().map(weights).collect());
    }
    Tiny { data: Microdata::new(columns).unwrap(), codes, combinations, importance }
}

/// How many records count as having what a record shows of a combination; none if it shows
/// nothing that is looked at.
fn count(
    tiny: &Tiny,
    hidden: &[u64],
    meaning: Meaning,
    record: usize,
    keys: KeySet,
) -> Option<usize> {
    let shown = |record: usize, key: usize| {
        if hidden[record] >> key & 1 == 1 { None } else { tiny.codes[record][key] }
    };
    let shows = keys.iter().filter(|&key| shown(record, key).is_some()).count();
    let matches = |other: &usize| {
        keys.iter().all(|key| match (meaning, shown(record, key), shown(*other, key)) {
            (Meaning::Static, own, _) => own == tiny.codes[*other][key],
            (Meaning::Wildcard, Some(own), Some(theirs)) => own == theirs,
            (Meaning::Wildcard, ..) => true,
            (Meaning::IdenticalTuple, own, theirs) => own == theirs,
        })
    };
    let looked_at = if meaning == Meaning::Static { shows == keys.len() } else { shows > 0 };
    looked_at.then(|| (0..tiny.codes.len()).filter(matches).count())
}

fn is_safe(tiny: &Tiny, hidden: &[u64], meaning: Meaning) -> bool {
    tiny.combinations.as_slice().iter().all(|combination| {
        let enough = |found: usize| found >= combination.minimum as usize;
        (0..tiny.codes.len())
            .all(|record| count(tiny, hidden, meaning, record, combination.keys).is_none_or(enough))
    })
}

/// A value that can be hidden.
struct Place {
    record: usize,
    key: usize,
    weight: f64,
    /// Its category, by place in a list of weights.
    category: usize,
}

fn places(tiny: &Tiny) -> (Vec<Place>, Vec<f64>) {
    let (mut places, mut categories, mut weights) = (Vec::new(), Vec::new(), Vec::new());
    for (record, codes) in tiny.codes.iter().enumerate() {
        for (key, code) in codes.iter().enumerate() {
            let Some(code) = *code else { continue };
            let known = categories.iter().position(|&other| other == (key, code));
            let category = known.unwrap_or_else(|| {
                categories.push((key, code));
                weights.push(tiny.importance.category(key, code));
                weights.len() - 1
            });
            let weight = tiny.importance.of(&tiny.data, record, key);
            places.push(Place { record, key, weight, category });
        }
    }
    (places, weights)
}

/// Weight and category weight of hiding.
fn values(places: &[Place], categories: &[f64], hidden: &[u64]) -> (f64, f64) {
    let (mut weight, mut affected) = (0.0, 0_u32);
    for place in places.iter().filter(|place| hidden[place.record] >> place.key & 1 == 1) {
        weight += place.weight;
        affected |= 1 << place.category;
    }
    let of = |(number, weight): (usize, &f64)| weight * f64::from(affected >> number & 1);
    (weight, categories.iter().enumerate().map(of).sum())
}

/// The objective as a pair to be minimised in order.
fn rank(objective: Objective, (weight, categories): (f64, f64)) -> (f64, f64) {
    match objective {
        Objective::Suppressions => (weight, 0.0),
        Objective::Categories => (categories, 0.0),
        Objective::SuppressionsThenMostCategories => (weight, -categories),
        Objective::SuppressionsThenFewestCategories => (weight, categories),
        Objective::CategoriesThenSuppressions => (categories, weight),
    }
}

fn agree(meaning: Meaning, tasks: std::ops::Range<u64>, most_values: usize) {
    for task in tasks {
        let mut random = Random::new(99 + meaning as u64, task);
        let tiny = tiny(&mut random, most_values);
        let (places, categories) = places(&tiny);
        let mut best = [(f64::INFINITY, f64::INFINITY); 5];
        let mut hidden = vec![0; tiny.codes.len()];
        for mask in 0..1_u32 << places.len() {
            hidden.fill(0);
            for (bit, place) in places.iter().enumerate() {
                hidden[place.record] |= u64::from(mask >> bit & 1) << place.key;
            }
            if is_safe(&tiny, &hidden, meaning) {
                let values = values(&places, &categories, &hidden);
                for (best, objective) in best.iter_mut().zip(Objective::ALL) {
                    let own = rank(objective, values);
                    if own < *best {
                        *best = own;
                    }
                }
            }
        }
        for (best, objective) in best.iter().zip(Objective::ALL) {
            let request = Request {
                data: &tiny.data,
                combinations: &tiny.combinations,
                meaning,
                objective,
                importance: &tiny.importance,
                household: KeySet::EMPTY,
            };
            let solution = suppress(&request, &Budget::default(), &Silent).unwrap();
            hidden.fill(0);
            for (record, set) in solution.suppressions.iter() {
                hidden[record] = set.0;
            }
            assert!(is_safe(&tiny, &hidden, meaning), "task {task}, {objective:?}");
            assert!(solution.proved, "task {task}, {objective:?}");
            let own = rank(objective, values(&places, &categories, &hidden));
            let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
            assert!(
                near(own.0, best.0) && near(own.1, best.1),
                "task {task}, {meaning:?}, {objective:?}: {own:?}, truth {best:?}"
            );
        }
    }
}

#[test]
fn static_optima_are_true_on_two_thousand_files() {
    agree(Meaning::Static, 0..2000, 10);
}

#[test]
fn wildcard_optima_are_true_on_three_hundred_files() {
    agree(Meaning::Wildcard, 0..300, 9);
}

#[test]
fn identical_tuple_optima_are_true_on_three_hundred_files() {
    agree(Meaning::IdenticalTuple, 0..300, 9);
}

#[test]
fn optima_are_true_on_many_smaller_files() {
    agree(Meaning::Static, 2000..3500, 7);
    agree(Meaning::Wildcard, 300..500, 6);
    agree(Meaning::IdenticalTuple, 300..500, 6);
}
