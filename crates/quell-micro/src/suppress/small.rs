//! All objectives under the wildcard and identical-tuple meanings as one program, for
//! small files.
//!
//! A 0–1 column a value (suppressed or not), and for every two records and checked
//! combination a column "they match". Both meanings make records depend on each other,
//! so nothing falls apart and the program grows with the square of the records; it is
//! the truth that the methods for large files are measured against.
//!
//! *Guarantee*: optimal.

use quell_model::{Budget, Stop};
use quell_solve::Kind;

use super::{CategoryNumbers, Objective, Request, Solution, Suppressions};
use crate::program::Program;
use crate::safety::widest;
use crate::{Combination, Error, KeySet, Meaning, Result};

/// How far the first objective may lie above its optimum while the second is sought: above
/// the solver's own tolerance (1e-7), below any difference of weights that matters.
const SAME: f64 = 1e-6;

/// The most matches (two records and a combination) that a program is built for.
const MOST_MATCHES: usize = 1500;

/// Whether a file is small enough.
pub(super) fn fits(request: &Request) -> bool {
    let records = request.data.records();
    let pairs = records.saturating_mul(records.saturating_sub(1)) / 2;
    pairs.saturating_mul(widest(request.combinations).len()) <= MOST_MATCHES
}

/// An objective: columns and their costs.
type Costs = [(u32, f64)];

struct Builder<'a> {
    request: &'a Request<'a>,
    program: Program,
    /// Column of a value, none if it was missing from the start.
    values: Vec<Vec<Option<u32>>>,
}

impl Builder<'_> {
    fn code(&self, record: usize, key: usize) -> u32 {
        self.request.data.keys()[key].codes().get(record)
    }

    /// The column "record shows nothing of the combination".
    fn shows_nothing(&mut self, record: usize, keys: KeySet) -> u32 {
        let nothing = self.program.share(0.0);
        for key in keys.iter() {
            if let Some(value) = self.values[record][key] {
                self.program.at_most(nothing, value);
            }
        }
        nothing
    }

    /// The column "two records match", or none if they cannot fail to.
    fn matching(&mut self, one: usize, two: usize, keys: KeySet) -> u32 {
        let matching = self.program.share(0.0);
        for key in keys.iter() {
            let same = self.code(one, key) == self.code(two, key);
            match (self.request.meaning, self.values[one][key], self.values[two][key]) {
                (Meaning::Wildcard, Some(first), Some(second)) if !same => {
                    let row = [(matching, 1.0), (first, -1.0), (second, -1.0)];
                    self.program.row(f64::NEG_INFINITY, 0.0, row);
                }
                (Meaning::Wildcard, ..) | (_, None, None) => {}
                (_, Some(first), Some(second)) if same => {
                    // Both shown or both hidden.
                    for (hidden, shown) in [(first, second), (second, first)] {
                        let row = [(matching, 1.0), (hidden, 1.0), (shown, -1.0)];
                        self.program.row(f64::NEG_INFINITY, 1.0, row);
                    }
                }
                (_, first, second) => {
                    for value in [first, second].into_iter().flatten() {
                        self.program.at_most(matching, value);
                    }
                }
            }
        }
        matching
    }

    fn demand(&mut self, combination: Combination) {
        let records = self.request.data.records();
        let mut matches: Vec<Vec<u32>> = vec![Vec::new(); records];
        for one in 0..records {
            for two in one + 1..records {
                let column = self.matching(one, two, combination.keys);
                matches[one].push(column);
                matches[two].push(column);
            }
        }
        let needed = f64::from(combination.minimum.saturating_sub(1));
        for (record, matches) in matches.iter().enumerate() {
            let nothing = self.shows_nothing(record, combination.keys);
            let mut row: Vec<(u32, f64)> = matches.iter().map(|&column| (column, 1.0)).collect();
            row.push((nothing, needed));
            self.program.row(needed, f64::INFINITY, row);
        }
    }
}

pub(super) fn suppress(request: &Request, budget: &Budget) -> Result<Solution> {
    let data = request.data;
    let importance = request.importance;
    let mut builder = Builder { request, program: Program::new(), values: Vec::new() };
    for record in 0..data.records() {
        let row = (0..data.keys().len())
            .map(|key| {
                let missing = data.keys()[key].is_missing(builder.code(record, key));
                (!missing).then(|| builder.program.binary(0.0))
            })
            .collect();
        builder.values.push(row);
    }
    for combination in widest(request.combinations) {
        builder.demand(combination);
    }

    let numbers = CategoryNumbers::new(data);
    let mut uses: Vec<Vec<u32>> = vec![Vec::new(); numbers.len()];
    let mut by_value = Vec::new();
    for record in 0..data.records() {
        for key in 0..data.keys().len() {
            if let Some(value) = builder.values[record][key] {
                let code = builder.code(record, key);
                uses[numbers.number(key, code) as usize].push(value);
                by_value.push((value, importance.of(data, record, key)));
            }
        }
    }
    let Builder { mut program, values, .. } = builder;
    let weights = numbers.weights(importance);
    let mut by_category = Vec::new();
    for (number, uses) in uses.iter().enumerate() {
        if !uses.is_empty() {
            let affected = program.column(0.0, 1.0, Kind::Integer);
            by_category.push((affected, weights[number]));
            for &value in uses {
                program.at_most(value, affected);
            }
            // Not affected unless some value is suppressed.
            let mut row = vec![(affected, 1.0)];
            row.extend(uses.iter().map(|&value| (value, -1.0)));
            program.row(f64::NEG_INFINITY, 0.0, row);
        }
    }

    let negative: Vec<(u32, f64)> = by_category.iter().map(|&(c, weight)| (c, -weight)).collect();
    let (first, second): (&Costs, Option<&Costs>) = match request.objective {
        Objective::Suppressions => (&by_value, None),
        Objective::Categories => (&by_category, None),
        Objective::SuppressionsThenMostCategories => (&by_value, Some(&negative)),
        Objective::SuppressionsThenFewestCategories => (&by_value, Some(&by_category)),
        Objective::CategoriesThenSuppressions => (&by_category, Some(&by_value)),
    };
    program.set_costs(first);
    let mut solved = program.minimise(None, None, budget)?;
    let total = |values: &[f64]| -> f64 {
        first.iter().map(|&(column, weight)| weight * values[column as usize].round()).sum()
    };
    let bound = solved.bound;
    let mut proved = solved.optimal;
    if let (Some(second), Some(values), true) = (second, &solved.values, proved) {
        let best = total(values);
        program.row(f64::NEG_INFINITY, best + SAME, first.iter().copied());
        program.set_costs(second);
        let again = program.minimise(Some(values), None, budget)?;
        proved = again.optimal;
        if again.values.is_some() {
            solved = again;
        }
    }
    let Some(point) = solved.values else {
        return Err(Error::Stopped(budget.stop().unwrap_or(Stop::Deadline)));
    };
    let suppressions = Suppressions::new(values.iter().enumerate().map(|(record, row)| {
        let hidden = (0..row.len())
            .filter(|&key| row[key].is_some_and(|value| point[value as usize] > 0.5))
            .fold(KeySet::EMPTY, KeySet::with);
        (record as u32, hidden)
    }));
    let weight = suppressions.weight(data, importance);
    let category_weight = suppressions.category_weight(data, importance);
    Ok(Solution { suppressions, weight, category_weight, bound, proved })
}
