//! From the solver's numbers to whole units, every equation exact.
//!
//! Where the table is a network the vertices of the linear program are whole already. Else
//! a few cells are at halves or thirds; those are rounded down or up by a small integer
//! program that keeps all equations, and if that fails ever more cells may move by ever
//! more units.

use quell_model::{Budget, CellId, Direction, Value};
use quell_solve::{Kind, Limits, Outcome, PointStatus, Solver};

use crate::base::Base;
use crate::matrix::Columns;
use crate::tolerance::{NEAR_WHOLE, ROUNDING_GAP};
use crate::{Error, Instance};

/// Nodes and seconds a rounding program may take, and the seconds it has when time is over.
const NODES: u32 = 200;
const SECONDS: f64 = 4.0;
const LATE_SECONDS: f64 = 1.0;
/// Units by which cells may move, try by try; zero stands for rounding alone.
const REACH: [Value; 4] = [0, 1, 4, 32];

/// A movement in whole units near `movement` that keeps everything, if one is found.
pub(crate) fn round(
    instance: &Instance,
    directions: &[Direction],
    movement: &[f64],
    budget: &Budget,
) -> Result<Option<Vec<Value>>, Error> {
    let nearest: Vec<Value> = movement.iter().map(|by| by.round() as Value).collect();
    if keeps(instance, directions, &nearest) {
        return Ok(Some(nearest));
    }
    let late = budget.time_left().is_some_and(|left| left.as_secs_f64() < LATE_SECONDS);
    if late && let Some(found) = by_base(instance, directions, &nearest) {
        return Ok(Some(found));
    }
    if let Some(found) = program(instance, directions, movement, REACH[0], budget)? {
        return Ok(Some(found));
    }
    if let Some(found) = by_base(instance, directions, &nearest) {
        return Ok(Some(found));
    }
    for reach in &REACH[1..] {
        if let Some(found) = program(instance, directions, movement, *reach, budget)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The base cells to the nearest unit, and totals that follow: as good as always within
/// limits where totals may move.
fn by_base(instance: &Instance, directions: &[Direction], nearest: &[Value]) -> Option<Vec<Value>> {
    let base = Base::of(instance.problem)?;
    let mut movement = vec![0; nearest.len()];
    for (index, cell) in base.cells.iter().enumerate() {
        let by = nearest[cell.index()];
        for &(total, coefficient) in base.parts(index) {
            movement[total as usize] += Value::from(coefficient) * by;
        }
    }
    keeps(instance, directions, &movement).then_some(movement)
}

/// Whether a movement keeps equations, limits, distances and statistics.
pub(crate) fn keeps(instance: &Instance, directions: &[Direction], movement: &[Value]) -> bool {
    let system = instance.problem.system();
    let inside = system.cells().all(|cell| {
        let (least, most) = range(instance, directions, cell);
        (least..=most).contains(&movement[cell.index()])
    });
    let adds_up = |equation| {
        let sum =
            system.cells_of(equation).map(|(cell, c)| Value::from(c) * movement[cell.index()]);
        sum.sum::<Value>() == 0
    };
    inside
        && system.equations().all(adds_up)
        && instance.quality.iter().all(|row| row.holds(movement))
}

fn range(instance: &Instance, directions: &[Direction], cell: CellId) -> (Value, Value) {
    let index = cell.index();
    match instance.sensitive_at(cell) {
        Some(sensitive) => instance.range(sensitive, directions[instance.position[index] as usize]),
        None => (-instance.down[index], instance.up[index]),
    }
}

fn program(
    instance: &Instance,
    directions: &[Direction],
    movement: &[f64],
    reach: Value,
    budget: &Budget,
) -> Result<Option<Vec<Value>>, Error> {
    let system = instance.problem.system();
    let mut rounded: Vec<Value> = movement.iter().map(|by| by.round() as Value).collect();
    let equations = system.equation_count();
    let mut rows = vec![0.0; equations + instance.quality.len()];
    let mut open = Vec::new();
    for cell in system.cells() {
        let index = cell.index();
        let (least, most) = range(instance, directions, cell);
        let whole = (movement[index] - movement[index].round()).abs() < NEAR_WHOLE;
        let (low, high) = match (whole, reach) {
            (true, 0) => (rounded[index], rounded[index]),
            (false, 0) => (movement[index].floor() as Value, movement[index].ceil() as Value),
            _ => (rounded[index] - reach, rounded[index] + reach),
        };
        let (low, high) = (low.max(least), high.min(most));
        if low < high {
            rounded[index] = low;
            open.push((cell, low, high));
        } else {
            rounded[index] = rounded[index].clamp(least, most);
        }
        for (equation, coefficient) in system.equations_of(cell) {
            rows[equation.index()] -= f64::from(coefficient) * rounded[index] as f64;
        }
    }
    let mut in_quality = vec![Vec::new(); instance.problem.cell_count()];
    for (number, row) in instance.quality.iter().enumerate() {
        for &(cell, coefficient) in &row.entries {
            in_quality[cell.index()].push((equations + number, coefficient));
            rows[equations + number] -= coefficient * rounded[cell.index()] as f64;
        }
    }
    let most = |row: usize| match row.checked_sub(equations) {
        Some(number) => instance.quality[number].most,
        None => 0.0,
    };
    let lower = rows.iter().enumerate().map(|(row, middle)| middle - most(row)).collect();
    let upper = rows.iter().enumerate().map(|(row, middle)| middle + most(row)).collect();
    let mut columns = Columns::new(lower, upper);
    for &(cell, low, high) in &open {
        let index = cell.index();
        let entries = system.equations_of(cell).map(|(e, c)| (e.index(), f64::from(c)));
        let entries: Vec<_> = entries.chain(in_quality[index].iter().copied()).collect();
        let cost = instance.costs[index];
        if low >= 0 || high <= 0 {
            let cost = if low >= 0 { cost } else { -cost };
            columns.add(cost, (0.0, (high - low) as f64), Kind::Integer, entries);
        } else {
            // Down to the true value and beyond: two columns, filled in order of cost.
            let negative = entries.clone();
            columns.add(-cost, (0.0, -low as f64), Kind::Integer, negative);
            columns.add(cost, (0.0, high as f64), Kind::Integer, entries);
        }
    }
    let mut solver = Solver::new()?;
    solver.set_stopping(Some(budget.over()))?;
    let left = budget.time_left().map_or(SECONDS, |left| left.as_secs_f64());
    let seconds = Some(left.clamp(LATE_SECONDS, SECONDS));
    solver.set_limits(&Limits { nodes: Some(NODES), seconds, ..Limits::default() })?;
    solver.set_mip_gap(ROUNDING_GAP, 0.9)?;
    columns.pass(&mut solver)?;
    let outcome = solver.solve()?;
    if outcome == Outcome::Infeasible || solver.primal_status() != PointStatus::Feasible {
        return Ok(None);
    }
    let mut values = Vec::new();
    solver.column_values(&mut values)?;
    let mut values = values.into_iter().map(|value| value.round() as Value);
    for &(cell, low, high) in &open {
        let one = if low >= 0 || high <= 0 { 1 } else { 2 };
        rounded[cell.index()] += values.by_ref().take(one).sum::<Value>();
    }
    Ok(keeps(instance, directions, &rounded).then_some(rounded))
}
