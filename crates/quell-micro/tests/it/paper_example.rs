//! The eleven records of dewaal-1998: every solution of the paper is the optimum of its
//! objective.

use quell_micro::cover::Covering;
use quell_micro::{
    Column, Importance, KeySet, Microdata, Minucs, Objective, Solution, Suppressions,
    suppress_static,
};
use quell_model::Budget;

/// The MINUCs, record by record: variable (from 1) and value.
const MINUCS: [&[&[(usize, &str)]]; 11] = [
    &[&[(1, "A"), (2, "B")], &[(2, "B"), (3, "C")]],
    &[&[(1, "A"), (4, "D")], &[(1, "A"), (5, "E")]],
    &[&[(2, "F"), (3, "C")]],
    &[&[(1, "G"), (2, "H")], &[(2, "H"), (3, "I")]],
    &[&[(5, "J"), (6, "K")]],
    &[&[(5, "J"), (6, "L")]],
    &[&[(1, "M"), (2, "N")], &[(2, "N"), (3, "O")]],
    &[&[(1, "M"), (3, "O")]],
    &[&[(5, "P"), (6, "Q")], &[(6, "Q"), (7, "R")]],
    &[&[(5, "S"), (6, "T")]],
    &[&[(5, "S"), (7, "U")]],
];

fn example() -> (Microdata, Minucs) {
    let mut labels = vec![vec!["other"; 11]; 7];
    let mut sets = Vec::new();
    for (record, minucs) in MINUCS.iter().enumerate() {
        for &(variable, value) in minucs.iter().copied().flatten() {
            labels[variable - 1][record] = value;
        }
        let keys = |minuc: &&[(usize, &str)]| {
            minuc.iter().fold(KeySet::EMPTY, |set, &(variable, _)| set.with(variable - 1))
        };
        sets.push((record as u32, minucs.iter().map(keys).collect()));
    }
    let columns = labels
        .iter()
        .zip(1..)
        .map(|(labels, variable)| {
            Column::from_labels(&format!("V{variable}"), labels.iter().copied(), &[])
        })
        .collect();
    (Microdata::new(columns).unwrap(), Minucs::from_sets(11, &sets).unwrap())
}

/// Weights that put the given values a little ahead of the others.
fn preferring(data: &Microdata, values: &str) -> Vec<Vec<f64>> {
    let weight = |label: &String| if values.contains(label.as_str()) { 1.0 } else { 1.01 };
    data.keys().iter().map(|column| column.labels().iter().map(weight).collect()).collect()
}

fn solve(objective: Objective, importance: &Importance) -> (Microdata, Minucs, Solution) {
    let (data, minucs) = example();
    let solution =
        suppress_static(&data, &minucs, objective, importance, &Budget::default()).unwrap();
    assert!(solution.proved);
    let hit = |(record, mut sets): (usize, Box<dyn Iterator<Item = KeySet>>)| {
        sets.all(|set| set.intersects(solution.suppressions.of(record)))
    };
    assert!(
        minucs
            .iter()
            .map(|(record, sets)| (record, Box::new(sets) as Box<dyn Iterator<Item = KeySet>>))
            .all(hit)
    );
    (data, minucs, solution)
}

fn values(objective: Objective, importance: &Importance) -> (usize, usize) {
    let (data, _, solution) = solve(objective, importance);
    (solution.suppressions.count(), solution.suppressions.categories(&data))
}

#[test]
fn the_fewest_suppressions_are_eleven_and_ties_decide_on_ten_categories() {
    let equal = values(Objective::Suppressions, &Importance::equal());
    assert_eq!(equal.0, 11);
    // The paper's solution is one of many; a slight preference for its values finds it.
    let (data, _) = example();
    let importance = Importance::equal().with_values(preferring(&data, "ABFHJNOQTU"));
    assert_eq!(values(Objective::Suppressions, &importance), (11, 10));
}

#[test]
fn the_fewest_categories_are_eight_and_ties_decide_on_thirteen_suppressions() {
    let equal = values(Objective::Categories, &Importance::equal());
    assert_eq!(equal.1, 8);
    let (data, _) = example();
    let importance = Importance::equal().with_categories(preferring(&data, "ACHJMOQS"));
    assert_eq!(values(Objective::Categories, &importance), (13, 8));
}

#[test]
fn the_three_mixtures_have_the_values_of_the_paper() {
    let equal = Importance::equal();
    assert_eq!(values(Objective::SuppressionsThenMostCategories, &equal), (11, 11));
    assert_eq!(values(Objective::SuppressionsThenFewestCategories, &equal), (11, 9));
    assert_eq!(values(Objective::CategoriesThenSuppressions, &equal), (12, 8));
}

/// §7 says that with the fewest categories the fewest suppressions "equal the number of
/// MINUCs". They do not.
#[test]
fn the_number_of_minucs_is_not_the_number_of_suppressions() {
    // Fewer: one value hits several MINUCs of its record.
    let (_, minucs, solution) = solve(Objective::CategoriesThenSuppressions, &Importance::equal());
    assert_eq!(minucs.occurrences(), 16);
    assert_eq!(solution.suppressions.count(), 12);

    // More: one MINUC, A × B, that occurs in two records must lose a value in both.
    let column = |name: &str, label: &'static str| Column::from_labels(name, [label; 2], &[]);
    let data = Microdata::new(vec![column("V1", "A"), column("V2", "B")]).unwrap();
    let minucs = Minucs::from_sets(2, &[(0, vec![KeySet(3)]), (1, vec![KeySet(3)])]).unwrap();
    let solution = suppress_static(
        &data,
        &minucs,
        Objective::CategoriesThenSuppressions,
        &Importance::equal(),
        &Budget::default(),
    )
    .unwrap();
    assert_eq!((solution.suppressions.count(), solution.suppressions.categories(&data)), (2, 1));
}

/// §7 also says that in each MINUC with several suppressed values all but *any* one may
/// be re-opened. Done to the letter on the paper's first record with all its values
/// suppressed, half of the ways expose a MINUC, and the safe ones differ in number.
#[test]
fn not_any_value_may_be_reopened() {
    let (_, minucs, least) = solve(Objective::Suppressions, &Importance::equal());
    let sets: Vec<KeySet> = minucs.sets(minucs.signature_of(0)).collect();
    assert_eq!(sets, [KeySet(0b011), KeySet(0b110)]);
    let all = KeySet(sets[0].0 | sets[1].0);
    let (mut exposed, mut left) = (0, Vec::new());
    for first in sets[0].iter() {
        for second in sets[1].iter() {
            let reopened = (sets[0].0 & !(1 << first)) | (sets[1].0 & !(1 << second));
            let hidden = KeySet(all.0 & !reopened);
            if sets.iter().all(|set| set.intersects(hidden)) {
                left.push(hidden.len());
            } else {
                exposed += 1;
            }
        }
    }
    left.sort_unstable();
    assert_eq!((exposed, left), (2, vec![1, 2]));
    assert_eq!(least.suppressions.of(0).len(), 1);
}

/// Different optimal choices of categories need different numbers of suppressions, so
/// the second objective is not "easy to solve" once the first is.
#[test]
fn optimal_categories_differ_in_the_suppressions_they_need() {
    let (data, minucs) = example();
    let with = |values: &str| {
        let importance = Importance::equal().with_categories(preferring(&data, values));
        let solution =
            suppress_static(&data, &minucs, Objective::Categories, &importance, &Budget::default())
                .unwrap();
        (solution.suppressions.count(), solution.suppressions.categories(&data))
    };
    assert_eq!(with("ACHJMOQS"), (13, 8));
    assert_eq!(with("ACHJMNQS"), (12, 8));
}

#[test]
fn the_papers_own_suppressions_are_feasible_and_counted_right() {
    let (data, minucs) = example();
    let check = |solution: [&str; 11], expected: (usize, usize)| {
        let suppressions =
            Suppressions::new(solution.iter().enumerate().map(|(record, values)| {
                let set = (0..7)
                    .filter(|&key| values.contains(data.keys()[key].label(record)))
                    .fold(KeySet::EMPTY, KeySet::with);
                (record as u32, set)
            }));
        for (record, mut sets) in minucs.iter() {
            assert!(sets.all(|set| set.intersects(suppressions.of(record))));
        }
        assert_eq!((suppressions.count(), suppressions.categories(&data)), expected);
    };
    check(["B", "A", "F", "H", "J", "J", "N", "O", "Q", "T", "U"], (11, 10));
    check(["AC", "A", "C", "H", "J", "J", "MO", "O", "Q", "S", "S"], (13, 8));
    check(["B", "A", "F", "H", "K", "L", "N", "M", "Q", "T", "U"], (11, 11));
    check(["B", "A", "F", "H", "J", "J", "N", "M", "Q", "S", "S"], (11, 9));
    check(["AC", "A", "C", "H", "J", "J", "N", "M", "Q", "S", "S"], (12, 8));
}

#[test]
fn the_covering_of_the_example_has_sixteen_rows_and_twenty_one_values() {
    let (_, minucs) = example();
    let rows: Vec<Vec<u32>> = MINUCS
        .iter()
        .copied()
        .flatten()
        .map(|minuc| {
            minuc.iter().map(|&(_, value)| u32::from(value.as_bytes()[0] - b'A')).collect()
        })
        .collect();
    let covering = Covering::new(vec![1.0; 21], rows).unwrap();
    assert_eq!((covering.rows(), covering.columns()), (16, 21));
    assert_eq!(minucs.occurrences(), 16);
}
