//! The table to protect: linked tables with what rules, costs and bounds say of their cells.

use quell_model::{Cell, CellId, Decimals, Labels, Problem, Protection, Reason, Status, Value};

use crate::link::{LinkError, rescaled};
use crate::{Attribution, Linked, Rules, Table, TableCell, rules::Assessment};

/// All that was decided of one table. Every list has one entry per cell.
#[derive(Debug, Clone, Copy)]
pub struct Prepared<'a> {
    /// The table.
    pub table: &'a Table,
    /// Its rules.
    pub rules: &'a Rules,
    /// What they say.
    pub assessments: &'a [Assessment],
    /// What suppression costs.
    pub costs: &'a [f64],
    /// What an attacker knows.
    pub bounds: &'a [(Value, Value)],
}

/// The problem of tables linked in this order.
///
/// A cell that several tables show is primary if one says so and needs the most protection
/// any asks for; an attacker knows the best of all bounds; it costs the most. Lower
/// protection never asks to reach beyond a bound of zero, which no pattern could give. The
/// attacker is the outsider; for contributors see [`contributions`](crate::contributions()).
///
/// # Errors
/// If values are too large at the common decimals.
pub fn problem(linked: &Linked, tables: &[Prepared<'_>]) -> Result<Problem, LinkError> {
    let mut cells: Vec<Option<Cell>> = vec![None; linked.first.len()];
    let mut contributors = vec![0_u32; linked.first.len()];
    for (prepared, numbers) in tables.iter().zip(&linked.cell_of) {
        let table = prepared.table;
        let factor = Decimals(linked.decimals.0.saturating_sub(table.decimals.0)).scale();
        for (index, &number) in numbers.iter().enumerate() {
            let assessment = &prepared.assessments[index];
            let (lower_bound, upper_bound) = prepared.bounds[index];
            let levels = assessment.protection;
            let cell = Cell {
                value: rescaled(table, CellId::from_index(index), linked.decimals)?,
                weight: prepared.costs[index],
                status: status_of(assessment),
                lower_bound: lower_bound.saturating_mul(factor),
                upper_bound: upper_bound.saturating_mul(factor),
                protection: Protection {
                    lower: levels.lower.saturating_mul(factor),
                    upper: levels.upper.saturating_mul(factor),
                    sliding: levels.sliding.saturating_mul(factor),
                },
            };
            let own = &mut cells[number.index()];
            *own = Some(own.map_or(cell, |other| both(other, cell)));
            let count = u32::try_from(table.cells[index].respondents.count).unwrap_or(u32::MAX);
            contributors[number.index()] = contributors[number.index()].max(count);
        }
    }
    let cells: Vec<Cell> = cells.into_iter().flatten().map(within_bounds).collect();
    let labels = match tables {
        [only] => Labels::Cube(Box::new(only.table.cube.clone())),
        _ => Labels::Named(names(linked, tables)),
    };
    let problem = Problem::new(linked.system.clone(), linked.decimals, cells).with_labels(labels);
    let unknown = |prepared: &Prepared<'_>| prepared.table.attribution == Attribution::Unknown;
    Ok(match tables.iter().any(unknown) {
        true => problem,
        false => problem.with_contributors(contributors),
    })
}

/// The status of a cell for the methods, which may publish again what is hidden only to protect
/// others: what somebody hid by hand is hidden whatever else, and needs no protection of its own.
fn status_of(assessment: &Assessment) -> Status {
    match assessment.status {
        Status::Secondary if assessment.by_hand => Status::Primary(Reason::Manual),
        status => status,
    }
}

/// What two tables say of one cell.
fn both(one: Cell, other: Cell) -> Cell {
    Cell {
        value: one.value,
        weight: one.weight.max(other.weight),
        status: stricter(one.status, other.status),
        lower_bound: one.lower_bound.max(other.lower_bound),
        upper_bound: one.upper_bound.min(other.upper_bound),
        protection: Protection {
            lower: one.protection.lower.max(other.protection.lower),
            upper: one.protection.upper.max(other.protection.upper),
            sliding: one.protection.sliding.max(other.protection.sliding),
        },
    }
}

fn stricter(one: Status, other: Status) -> Status {
    let rank = |status: Status| match status {
        Status::Safe => 0,
        Status::Secondary => 1,
        Status::Protected => 2,
        Status::Primary(_) => 3,
    };
    if rank(other) > rank(one) { other } else { one }
}

/// A value known not to be negative cannot be made to look so: its lower level ends at zero.
fn within_bounds(mut cell: Cell) -> Cell {
    if cell.lower_bound == 0 && cell.value >= 0 {
        cell.protection.lower = cell.protection.lower.min(cell.value);
    }
    cell
}

/// Response and codes of each cell, as the first table with it shows them.
fn names(linked: &Linked, tables: &[Prepared<'_>]) -> Vec<String> {
    let name = |place: &TableCell| {
        let table = tables[place.table].table;
        format!("{}: {}", table.name, table.cell_name(place.cell))
    };
    linked.first.iter().map(name).collect()
}
