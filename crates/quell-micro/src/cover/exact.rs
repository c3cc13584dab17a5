//! The least cover, proved: reductions, components, and for each component the search
//! that suits it.

use quell_model::Budget;

use super::reduce::{Component, reduce};
use super::small::{bits, heaviest_independent};
use super::{Cover, Covering, mip};
use crate::Result;
use crate::heuristics;

/// The result of an exact solve.
#[derive(Debug, Clone, PartialEq)]
pub struct Exact {
    /// The best cover found and the bound.
    pub cover: Cover,
    /// Columns that reductions alone decided.
    pub forced: usize,
    /// Components that were left to search, with their numbers of rows and columns.
    pub components: Vec<(usize, usize)>,
}

/// Nodes of a search on masks before the linear bound is tried: about half a second.
const FIRST_NODES: u64 = 3_000_000;

/// Finds the least cover, or within the budget a good one with a bound.
///
/// *Guarantee*: the cover covers; the bound holds; without a budget the two meet.
///
/// # Errors
/// If the solver fails.
pub fn solve(covering: &Covering, budget: &Budget) -> Result<Exact> {
    let reduced = reduce(covering, budget);
    let mut columns = reduced.forced.clone();
    let mut bound = covering.weight(&columns);
    let mut components = Vec::new();
    for component in &reduced.components {
        components.push((component.covering.rows(), component.covering.columns()));
        let part = solve_component(component, budget)?;
        bound += part.bound;
        columns.extend(part.columns.iter().map(|&own| component.columns[own as usize]));
    }
    columns.sort_unstable();
    let weight = covering.weight(&columns);
    let cover = Cover { columns, weight, bound: bound.min(weight) };
    Ok(Exact { cover, forced: reduced.forced.len(), components })
}

fn solve_component(component: &Component, budget: &Budget) -> Result<Cover> {
    let covering = &component.covering;
    let greedy = heuristics::portfolio(covering, budget);
    if budget.stop().is_some() {
        return Ok(greedy);
    }
    let start = greedy.columns;
    if covering.columns() > 64 {
        return mip::solve(covering, &start, None, budget);
    }
    if let Some(found) = search(covering, FIRST_NODES, budget) {
        return Ok(found);
    }
    // Where the linear bound is good, the search on masks is not needed.
    let root = mip::solve(covering, &start, Some(1), budget)?;
    if root.is_optimal() {
        return Ok(root);
    }
    Ok(search(covering, u64::MAX, budget).unwrap_or(root))
}

fn search(covering: &Covering, nodes: u64, budget: &Budget) -> Option<Cover> {
    let rows: Vec<u64> =
        covering.iter().map(|row| row.iter().fold(0, |mask, &column| mask | 1 << column)).collect();
    let kept = heaviest_independent(&rows, covering.weights(), nodes, || budget.stop().is_some())?;
    let all = if covering.columns() == 64 { u64::MAX } else { (1 << covering.columns()) - 1 };
    let columns: Vec<u32> = bits(all & !kept).map(|column| column as u32).collect();
    let columns = heuristics::without_superfluous(covering, &columns);
    let weight = covering.weight(&columns);
    Some(Cover { columns, weight, bound: weight })
}

#[cfg(test)]
mod tests {
    use super::*;
    use quell_model::Random;

    #[test]
    fn the_least_cover_is_the_one_that_trying_all_finds() {
        for task in 0..1500 {
            let mut random = Random::new(21, task);
            let columns = 1 + random.below(11);
            let unit = random.chance(0.5);
            let weights: Vec<f64> = (0..columns)
                .map(|_| if unit { 1.0 } else { random.below(9) as f64 / 2.0 })
                .collect();
            let rows: Vec<Vec<u32>> = (0..random.below(15))
                .map(|_| (0..1 + random.below(4)).map(|_| random.below(columns) as u32).collect())
                .collect();
            let covering = Covering::new(weights, rows).unwrap();
            let best = (0..1_u32 << columns)
                .map(|mask| (0..columns as u32).filter(|c| mask >> c & 1 == 1).collect::<Vec<_>>())
                .filter(|set| covering.is_covered_by(set))
                .map(|set| covering.weight(&set))
                .fold(f64::INFINITY, f64::min);
            let budget = Budget::default();
            let found = solve(&covering, &budget).unwrap().cover;
            assert!(covering.is_covered_by(&found.columns), "task {task}");
            assert!(found.is_optimal());
            assert!((found.weight - best).abs() < 1e-9, "task {task}: {} {best}", found.weight);
            if task < 100 && covering.rows() > 0 {
                let all: Vec<u32> = (0..columns as u32).collect();
                let by_program = mip::solve(&covering, &all, None, &budget).unwrap();
                assert!((by_program.weight - best).abs() < 1e-9, "task {task}");
                assert!(by_program.is_optimal());
            }
        }
    }
}
