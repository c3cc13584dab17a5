//! The cheapest rectangle with a primary at one corner (herrington-2015, figure 2).

use quell_model::{CellId, Requirement};

use super::table::{Arc, Sense};
use super::{HiddenCells, TwoWay};

/// The other corners of the cheapest rectangle in which a primary can move as far as it
/// needs, primaries among them left out; hidden cells cost nothing. `None` if no rectangle
/// has the room.
///
/// Both lines of the primary are walked from the cheapest cell on and left as soon as two
/// corners cost more than the best three: most rectangles are never looked at.
pub(super) fn cheapest_rectangle(
    table: &TwoWay,
    hidden: &HiddenCells,
    requirement: &Requirement,
) -> Option<Vec<CellId>> {
    let (source, sink) = table.gap(requirement);
    let cost = |cell: CellId| match hidden.contains(cell) {
        true => 0.0,
        false => table.problem.weight(cell),
    };
    let leaving = reach(table, hidden, requirement, source, Sense::Leaving);
    let entering = reach(table, hidden, requirement, sink, Sense::Entering);
    let mut best = (f64::INFINITY, Vec::new());
    // Two cells between the same lines are a circuit by themselves.
    for first in leaving.iter().filter(|arc| arc.to == sink) {
        if cost(first.cell) < best.0 {
            best = (cost(first.cell), vec![first.cell]);
        }
    }
    for first in leaving.iter().filter(|arc| arc.to != sink) {
        let one = cost(first.cell);
        if one >= best.0 {
            break;
        }
        for last in entering.iter().filter(|arc| arc.to != source && arc.to != first.to) {
            let two = one + cost(last.cell);
            if two >= best.0 {
                break;
            }
            let Some(across) = table.between(first.to, last.to) else { continue };
            let three = two + cost(across.cell);
            if three < best.0 && table.room(across.cell, across.direction) >= requirement.distance {
                best = (three, vec![first.cell, across.cell, last.cell]);
            }
        }
    }
    let (cost, mut cells) = best;
    cells.retain(|&cell| !table.problem.status(cell).is_primary());
    cells.sort_unstable();
    (cost < f64::INFINITY).then_some(cells)
}

/// The arcs of a line with room for a requirement: those hidden, then the others by weight.
fn reach(
    table: &TwoWay,
    hidden: &HiddenCells,
    requirement: &Requirement,
    line: u32,
    sense: Sense,
) -> Vec<Arc> {
    let fits = |arc: &&Arc| {
        arc.cell != requirement.cell && table.room_along(arc, sense) >= requirement.distance
    };
    let free = hidden.arcs_of(line).iter().filter(fits);
    let dear = table.arcs_of(line).iter().filter(fits).filter(|arc| !hidden.contains(arc.cell));
    free.chain(dear).copied().collect()
}

/// The secondaries of the cheapest rectangle of hidden cells with a given cell at one
/// corner, whatever room it has; `None` if there is no such rectangle.
pub(crate) fn hidden_rectangle(
    table: &TwoWay,
    hidden: &HiddenCells,
    cell: CellId,
) -> Option<Vec<CellId>> {
    let (tail, head) = table.ends(cell);
    let cost = |cells: &[CellId]| {
        let secondaries = cells.iter().filter(|&&cell| !table.problem.status(cell).is_primary());
        secondaries.map(|&cell| table.problem.weight(cell)).sum::<f64>()
    };
    let mut best: Option<(f64, [CellId; 3])> = None;
    for first in hidden.arcs_of(head).iter().filter(|arc| arc.to != tail) {
        for last in hidden.arcs_of(tail).iter().filter(|arc| arc.to != head && arc.to != first.to) {
            let across = table.between(first.to, last.to);
            let Some(across) = across.filter(|across| hidden.contains(across.cell)) else {
                continue;
            };
            let corners = [first.cell, across.cell, last.cell];
            let cost = cost(&corners);
            if best.as_ref().is_none_or(|&(least, _)| cost < least) {
                best = Some((cost, corners));
            }
        }
    }
    let (_, corners) = best?;
    Some(corners.into_iter().filter(|&cell| !table.problem.status(cell).is_primary()).collect())
}
