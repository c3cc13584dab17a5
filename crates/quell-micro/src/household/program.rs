//! Households as one program: one 0–1 column per part of a house, one column per category.
//!
//! Houses that ask the same question get the same answer where categories are to be few, so
//! one of them stands for all.

use quell_model::Budget;
use rustc_hash::FxHashMap;

use super::{Found, House, Part};
use crate::program::Program;
use crate::suppress::{CategoryNumbers, Objective, Request, Suppressions};
use crate::{Microdata, Result};

/// Weights that differ by less than this share are equal: far above the noise of sums and of
/// the solver's bounds (about 1e-9), far below any weight that somebody would give.
pub(super) const EQUAL: f64 = 1e-6;

fn tolerant(limit: f64) -> f64 {
    limit + EQUAL * limit.max(1.0)
}

/// Houses of the same question.
struct Group {
    /// The first of them.
    first: usize,
    all: Vec<usize>,
    /// The column of every part.
    columns: Vec<u32>,
}

/// The program of all houses, without an objective.
struct Whole<'a> {
    houses: &'a [House],
    program: Program,
    groups: Vec<Group>,
    /// By affected category: its column and its weight.
    categories: Vec<(u32, f64)>,
    /// By category: its number and the parts that affect it.
    uses: Vec<(u32, Vec<u32>)>,
}

/// The categories that hiding a part affects.
fn categories_of(data: &Microdata, numbers: &CategoryNumbers, part: &Part) -> Vec<u32> {
    let code = |&record: &u32| data.keys()[part.key].codes().get(record as usize);
    let mut all: Vec<u32> =
        part.records.iter().map(|record| numbers.number(part.key, code(record))).collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl<'a> Whole<'a> {
    fn new(request: &Request, houses: &'a [House], together: bool) -> Self {
        let numbers = CategoryNumbers::new(request.data);
        let mut program = Program::new();
        let mut groups: Vec<Group> = Vec::new();
        let mut uses: Vec<Vec<u32>> = vec![Vec::new(); numbers.len()];
        let mut known = FxHashMap::default();
        for (number, house) in houses.iter().enumerate() {
            let affected: Vec<Vec<u32>> = house
                .parts
                .iter()
                .map(|part| categories_of(request.data, &numbers, part))
                .collect();
            let weights: Vec<u64> = house.parts.iter().map(|part| part.weight.to_bits()).collect();
            let next = groups.len();
            let place = match together {
                true => *known.entry((&house.rows, affected.clone(), weights)).or_insert(next),
                false => next,
            };
            if place < next {
                groups[place].all.push(number);
                continue;
            }
            let columns: Vec<u32> = house.parts.iter().map(|_| program.binary(0.0)).collect();
            for row in &house.rows {
                program.at_least_one(row.iter().map(|&part| columns[part as usize]));
            }
            for (&column, affected) in columns.iter().zip(&affected) {
                for &number in affected {
                    uses[number as usize].push(column);
                }
            }
            groups.push(Group { first: number, all: vec![number], columns });
        }
        let weights = numbers.weights(request.importance);
        let uses: Vec<(u32, Vec<u32>)> =
            (0..).zip(uses).filter(|(_, columns)| !columns.is_empty()).collect();
        let categories = uses
            .iter()
            .map(|(number, _)| (program.share(0.0), weights[*number as usize]))
            .collect();
        Self { houses, program, groups, categories, uses }
    }

    /// Columns and parts of a group.
    fn parts(&self, group: &Group) -> impl Iterator<Item = (u32, &'a Part)> {
        let house = &self.houses[group.first];
        group.columns.iter().copied().zip(&house.parts)
    }

    /// A category is affected if a part is suppressed.
    fn affect_at_least(&mut self) {
        for ((_, columns), &(category, _)) in self.uses.iter().zip(&self.categories) {
            for &column in columns {
                self.program.at_most(column, category);
            }
        }
    }

    /// A category is affected only if a part is suppressed.
    fn affect_at_most(&mut self) {
        for ((_, columns), &(category, _)) in self.uses.iter().zip(&self.categories) {
            let mut row = vec![(category, 1.0)];
            row.extend(columns.iter().map(|&column| (column, -1.0)));
            self.program.row(f64::NEG_INFINITY, 0.0, row);
        }
    }

    /// A known safe file as a point.
    fn point(&self, known: &Suppressions) -> Vec<f64> {
        let mut point = vec![0.0; self.program.columns()];
        for group in &self.groups {
            for (column, part) in self.parts(group) {
                let first = part.records.first();
                let hidden =
                    first.is_some_and(|&record| known.of(record as usize).contains(part.key));
                point[column as usize] = f64::from(u8::from(hidden));
            }
        }
        for ((_, columns), &(category, _)) in self.uses.iter().zip(&self.categories) {
            let largest = columns.iter().map(|&column| point[column as usize]);
            point[category as usize] = largest.fold(0.0, f64::max);
        }
        point
    }

    /// A point as a file.
    fn suppressions(&self, point: &[f64]) -> Suppressions {
        Suppressions::new(self.groups.iter().flat_map(|group| {
            let taken = |&part: &usize| point[group.columns[part] as usize] > 0.5;
            let parts: Vec<usize> = (0..group.columns.len()).filter(taken).collect();
            group.all.iter().flat_map(move |&house| self.houses[house].hidden(parts.clone()))
        }))
    }

    /// The weight of all suppressions, by column.
    fn weights(&self) -> Vec<(u32, f64)> {
        let weigh = |group: &Group| -> Vec<(u32, f64)> {
            let houses = group.all.len() as f64;
            self.parts(group).map(|(column, part)| (column, houses * part.weight)).collect()
        };
        self.groups.iter().flat_map(weigh).collect()
    }
}

/// The fewest categories; then, if asked, the fewest suppressions.
pub(super) fn categories(
    request: &Request,
    houses: &[House],
    start: &Found,
    budget: &Budget,
) -> Result<Found> {
    let mut whole = Whole::new(request, houses, true);
    whole.affect_at_least();
    let mut best = Found {
        suppressions: start.suppressions.clone(),
        bound: start.bound,
        proved: start.proved,
    };
    if houses.is_empty() {
        return Ok(best);
    }
    let mut point = whole.point(&start.suppressions);
    whole.program.set_costs(&whole.categories);
    if !best.proved {
        let solved = whole.program.minimise(Some(&point), None, budget)?;
        best.bound = best.bound.max(solved.bound);
        best.proved = solved.optimal;
        point = solved.values.unwrap_or(point);
        best.suppressions = whole.suppressions(&point);
    }
    if request.objective == Objective::CategoriesThenSuppressions && best.proved {
        let reached = best.suppressions.category_weight(request.data, request.importance);
        let limit = tolerant(reached);
        whole.program.row(f64::NEG_INFINITY, limit, whole.categories.iter().copied());
        let weights = whole.weights();
        whole.program.set_costs(&weights);
        let solved = whole.program.minimise(Some(&point), None, budget)?;
        best.proved = solved.optimal;
        if let Some(point) = solved.values {
            best.suppressions = whole.suppressions(&point);
        }
    }
    Ok(best)
}

/// Of the least suppressions, known house by house, those that affect the fewest categories,
/// or the most.
pub(super) fn suppressions(
    request: &Request,
    houses: &[House],
    least: &[f64],
    start: &Found,
    budget: &Budget,
) -> Result<Found> {
    let most = request.objective == Objective::SuppressionsThenMostCategories;
    let mut best = Found {
        suppressions: start.suppressions.clone(),
        bound: start.bound,
        proved: start.proved,
    };
    if houses.is_empty() || !best.proved {
        return Ok(best);
    }
    let mut whole = Whole::new(request, houses, !most);
    match most {
        true => whole.affect_at_most(),
        false => whole.affect_at_least(),
    }
    let mut rows: Vec<(f64, Vec<(u32, f64)>)> = Vec::new();
    for group in &whole.groups {
        let parts = whole.parts(group).map(|(column, part)| (column, part.weight));
        rows.push((tolerant(least[group.first]), parts.collect()));
    }
    for (limit, row) in rows {
        whole.program.row(f64::NEG_INFINITY, limit, row);
    }
    let sign = if most { -1.0 } else { 1.0 };
    let costs: Vec<(u32, f64)> =
        whole.categories.iter().map(|&(column, weight)| (column, sign * weight)).collect();
    whole.program.set_costs(&costs);
    let point = whole.point(&start.suppressions);
    let solved = whole.program.minimise(Some(&point), None, budget)?;
    best.proved = solved.optimal;
    if let Some(point) = solved.values {
        best.suppressions = whole.suppressions(&point);
    }
    Ok(best)
}
