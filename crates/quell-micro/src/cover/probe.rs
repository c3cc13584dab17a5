//! Which columns are in all least covers, and which in none.
//!
//! The linear relaxation, with a column set to one of its values, is a bound on all
//! covers that agree; if it exceeds the known least weight, the column has the other
//! value in every least cover. Reduced costs decide most columns at once, and every
//! decision sharpens the bound for the next.

use quell_model::Budget;
use quell_solve::{Changed, Index, Limits, Model, Order, Outcome, Sense, Solver, SparseMatrix};

use super::Covering;
use crate::{Error, Result};

/// Bounds must exceed the optimum by this much to decide: far above the solver's noise.
const CLEARLY: f64 = 1e-5;

/// For every column `Some(true)` if all covers of weight `optimum` have it, `Some(false)`
/// if none has, `None` if nobody knows.
pub(crate) fn fixed_in_optima(
    covering: &Covering,
    optimum: f64,
    budget: &Budget,
) -> Result<Vec<Option<bool>>> {
    probe(covering, optimum, budget).map_err(|error| Error::Solver(error.to_string()))
}

fn probe(
    covering: &Covering,
    optimum: f64,
    budget: &Budget,
) -> std::result::Result<Vec<Option<bool>>, quell_solve::Error> {
    let columns = covering.columns();
    let mut fixed: Vec<Option<bool>> = vec![None; columns];
    if columns == 0 || covering.rows() == 0 {
        return Ok(fixed);
    }
    let limit = optimum + CLEARLY * optimum.max(1.0);
    let starts: Vec<Index> = covering.starts.iter().map(|&start| start as Index).collect();
    let indices: Vec<Index> = covering.columns.iter().map(|&column| column as Index).collect();
    let mut solver = Solver::new()?;
    solver.set_stopping(Some(budget.over()))?;
    solver.set_limits(&Limits {
        seconds: budget.time_left().map(|left| left.as_secs_f64()),
        ..Limits::default()
    })?;
    solver.pass(&Model {
        sense: Sense::Minimise,
        offset: 0.0,
        costs: covering.weights(),
        lower: &vec![0.0; columns],
        upper: &vec![1.0; columns],
        row_lower: &vec![1.0; covering.rows()],
        row_upper: &vec![f64::INFINITY; covering.rows()],
        matrix: SparseMatrix {
            order: Order::Rows,
            starts: &starts,
            indices: &indices,
            values: &vec![1.0; indices.len()],
        },
        kinds: None,
    })?;
    if solver.solve()? != Outcome::Optimal {
        return Ok(fixed);
    }
    let mut duals = Vec::new();
    let by_reduced_costs =
        |solver: &mut Solver, fixed: &mut [Option<bool>], duals: &mut Vec<f64>| {
            let value = solver.objective();
            solver.column_duals(duals)?;
            for (column, &dual) in duals.iter().enumerate() {
                if fixed[column].is_none() && value + dual.abs() > limit {
                    let taken = dual < 0.0;
                    fixed[column] = Some(taken);
                    let bound = f64::from(u8::from(taken));
                    solver.set_column_bounds(column, bound, bound)?;
                }
            }
            Ok::<(), quell_solve::Error>(())
        };
    by_reduced_costs(&mut solver, &mut fixed, &mut duals)?;
    // An LP that is past the limit need not be solved to its end.
    solver.set_objective_bound(Some(limit))?;
    loop {
        let mut changed = false;
        for (column, fixed) in fixed.iter_mut().enumerate() {
            for value in [0.0, 1.0] {
                if fixed.is_some() || budget.stop().is_some() {
                    continue;
                }
                solver.set_column_bounds(column, value, value)?;
                let outcome = solver.resolve(Changed::Bounds)?;
                let excluded = match outcome {
                    Outcome::Infeasible | Outcome::ObjectiveBound => true,
                    Outcome::Optimal => solver.objective() > limit,
                    _ => false,
                };
                if excluded {
                    *fixed = Some(value == 0.0);
                    solver.set_column_bounds(column, 1.0 - value, 1.0 - value)?;
                    changed = true;
                } else {
                    solver.set_column_bounds(column, 0.0, 1.0)?;
                }
            }
        }
        if !changed || budget.stop().is_some() {
            break;
        }
        if solver.resolve(Changed::Bounds)? == Outcome::Optimal {
            by_reduced_costs(&mut solver, &mut fixed, &mut duals)?;
        }
    }
    Ok(fixed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quell_model::Random;

    #[test]
    fn what_is_fixed_holds_in_every_least_cover() {
        let mut decided = 0;
        for task in 0..300 {
            let mut random = Random::new(71, task);
            let columns = 2 + random.below(9);
            let unit = random.chance(0.5);
            let weights: Vec<f64> = (0..columns)
                .map(|_| if unit { 1.0 } else { 1.0 + random.below(3) as f64 })
                .collect();
            let rows: Vec<Vec<u32>> = (0..1 + random.below(12))
                .map(|_| (0..1 + random.below(3)).map(|_| random.below(columns) as u32).collect())
                .collect();
            let covering = Covering::new(weights, rows).unwrap();
            let covers: Vec<Vec<u32>> = (0..1_u32 << columns)
                .map(|mask| (0..columns as u32).filter(|c| mask >> c & 1 == 1).collect::<Vec<_>>())
                .filter(|set| covering.is_covered_by(set))
                .collect();
            let least = covers.iter().map(|c| covering.weight(c)).fold(f64::INFINITY, f64::min);
            let fixed = fixed_in_optima(&covering, least, &Budget::default()).unwrap();
            for cover in covers.iter().filter(|c| covering.weight(c) < least + 1e-9) {
                for (column, fixed) in fixed.iter().enumerate() {
                    if let Some(taken) = fixed {
                        decided += 1;
                        assert_eq!(cover.contains(&(column as u32)), *taken, "task {task}");
                    }
                }
            }
        }
        assert!(decided > 1000, "{decided}");
    }
}
