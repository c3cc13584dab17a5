//! A lower bound for tables of any size, by the cuts of single equations.
//!
//! An attacker's program over the whole of a large table takes seconds, and a bound takes
//! thousands of them. The cuts whose multipliers are one equation need no program: what a cell
//! must be able to do, the others of each of its equations must make up for
//! ([`Cut::Capacity`]), and a cell is not hidden alone in an equation ([`Cut::Company`]). They see
//! nothing of what several equations ask together, so the bound is weaker than that of `exact`
//! where both can be had.

use quell_model::{Budget, CellId, Problem, Requirement};

use super::cut::{Cut, Row, Weighing};
use super::master::{Master, Solved, Stay};
use crate::Error;
use crate::search::forced::forced_cells;

/// The most requirements that give cuts, the largest: with these the linear program takes seconds.
const NEEDS: usize = 100_000;

/// The most rounds of cuts: later ones gain next to nothing.
const ROUNDS: usize = 5;

/// The share of the time that a bound may take.
const SHARE: f64 = 0.05;

/// Cells with at least this value in the linear program must have company.
const CHOSEN: f64 = 0.05;

/// The most cuts of one round.
const CUTS: usize = 2_000;

/// No pattern costs less that does what is asked of every cell, each of which it hides
/// ([`crate::search::forced::asked`]).
///
/// # Errors
/// If the solver fails.
pub(crate) fn bound_by_equations(
    problem: &Problem,
    asked: &[Requirement],
    budget: &Budget,
) -> Result<f64, Error> {
    let until_then = match budget.time_left() {
        Some(left) => &budget.keeping_back(left.mul_f64(1.0 - SHARE), 0),
        None => budget,
    };
    let mut weighing = Weighing::new(problem);
    let forced = forced_cells(problem, asked);
    let mut rows = rows_of_equations(problem, asked, &mut weighing);
    let mut columns: Vec<CellId> = rows.iter().flat_map(|row| cover(problem, row)).collect();
    columns.sort_unstable();
    let mut master = Master::new(problem, &columns, until_then)?;
    // What is forced needs no program. (Not `sum`, which makes −0 of nothing.)
    let mut bound = forced.iter().fold(0.0, |sum, &cell| sum + problem.weight(cell));
    for _ in 0..ROUNDS {
        if rows.is_empty() {
            break;
        }
        master.add_cuts(rows, Stay::WhileTight)?;
        loop {
            if until_then.stop().is_some() || master.solve()? != Solved::Optimal {
                return Ok(bound);
            }
            let (priced, at_least) = master.price()?;
            bound = bound.max(at_least);
            if priced == 0 {
                break;
            }
        }
        rows = lonely(problem, master.columns(), master.point(), &mut weighing);
    }
    Ok(bound)
}

/// The cuts of single equations for what is asked of every cell, the forced ones first.
pub(super) fn rows_of_equations(
    problem: &Problem,
    asked: &[Requirement],
    weighing: &mut Weighing,
) -> Vec<Row> {
    let alone = |cell: CellId| Row { entries: vec![(cell, 1.0)], bound: 1.0 };
    let mut rows: Vec<Row> = forced_cells(problem, asked).into_iter().map(alone).collect();
    let mut largest = asked.to_vec();
    largest.sort_unstable_by_key(|requirement| {
        (std::cmp::Reverse(requirement.distance), *requirement)
    });
    for &requirement in largest.iter().take(NEEDS) {
        for (equation, _) in problem.system().equations_of(requirement.cell) {
            let cut = Cut::Capacity { requirement, lines: vec![(equation, 1.0)] };
            // What no pattern satisfies says nothing of the cost of any.
            rows.extend(weighing.row(problem, &cut).filter(Row::can_be_satisfied));
        }
    }
    rows
}

/// The cells that satisfy a cut most cheaply, shares of them allowed, and as many again.
fn cover(problem: &Problem, row: &Row) -> Vec<CellId> {
    let mut entries = row.entries.clone();
    let price = |&(cell, share): &(CellId, f64)| problem.weight(cell) / share;
    entries.sort_by(|a, b| price(a).total_cmp(&price(b)).then(a.0.cmp(&b.0)));
    let mut reach = 0.0;
    let enough = |&(_, share): &(CellId, f64)| {
        reach += share;
        reach - share < 2.0 * row.bound
    };
    entries.into_iter().take_while(enough).map(|(cell, _)| cell).collect()
}

/// The cuts that the point violates because cells lack company in an equation.
pub(super) fn lonely(
    problem: &Problem,
    columns: &[CellId],
    point: &[f64],
    weighing: &mut Weighing,
) -> Vec<Row> {
    let mut rows: Vec<(f64, Row)> = Vec::new();
    for &cell in columns.iter().filter(|cell| point[cell.index()] >= CHOSEN) {
        for (equation, _) in problem.system().equations_of(cell) {
            let others = problem.system().cells_of(equation).map(|(other, _)| other);
            let company: f64 =
                others
                    .filter(|&other| other != cell)
                    .map(|other| {
                        if problem.status(other).is_primary() { 1.0 } else { point[other.index()] }
                    })
                    .sum();
            if company < point[cell.index()] - CHOSEN / 2.0 {
                let row =
                    weighing.row(problem, &Cut::Company { cell, lines: vec![(equation, 1.0)] });
                rows.extend(row.map(|row| (problem.weight(cell) * row.violation(point), row)));
            }
        }
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    rows.truncate(CUTS);
    rows.into_iter().map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use quell_attack::audit;
    use quell_gen::{Shape, random_problem_of};
    use quell_model::{Random, Silent};

    use super::*;
    use crate::search::forced::{asked, forced_cells};
    use crate::{Exact, Method, Task, requirements};

    #[test]
    fn no_pattern_is_cheaper_and_it_is_never_below_the_forced_cells() {
        let (mut proven, mut above, mut tight) = (0, 0, 0);
        for (number, shape) in Shape::ALL.into_iter().enumerate() {
            for seed in 0..60 {
                let mut random = Random::new(seed, 1_100 + number as u64);
                let problem = random_problem_of(shape, &mut random, 40);
                let effort = Budget::default().with_work(2_000);
                let task = Task::new(&problem, &effort, &Silent);
                let found = Exact.suppress(&task).expect("a pattern");
                let budget = Budget::default();
                let cost = found.pattern.cost(&problem);
                let audited = audit(&problem, &found.pattern, &budget, &Silent).expect("audited");
                if found.lower_bound < cost || !audited.is_safe() {
                    continue;
                }
                let asked = asked(&problem, &requirements(&problem));
                let bound = bound_by_equations(&problem, &asked, &budget);
                let bound = bound.expect("a bound");
                let forced: f64 = (forced_cells(&problem, &asked).into_iter())
                    .map(|cell| problem.weight(cell))
                    .sum();
                let noise = 1e-6 * cost.max(1.0);
                assert!(bound <= cost + noise, "{shape:?}, seed {seed}: {bound} above {cost}");
                assert!(bound >= forced - noise, "{shape:?}, seed {seed}: {bound} below {forced}");
                proven += 1;
                above += usize::from(bound > forced + noise);
                tight += usize::from(bound > cost - noise && cost > 0.0);
            }
        }
        assert!(proven > 80 && above > 12 && tight > 30, "{proven}, {above}, {tight}");
    }
}
