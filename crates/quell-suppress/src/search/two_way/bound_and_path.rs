//! Parallel bound and path (almeida-2006): lines one at a time, then
//! circuits. The method of that name and the first population of `gensup` are built by it.

use quell_model::{Requirement, Value};

use super::table::{Sense, Side};
use super::{Chromosome, CircuitBuilder, Finder, HiddenCells, TwoWay};

/// Both phases, beginning with the lines of one side.
pub(crate) fn bound_and_path(
    table: &TwoWay,
    builder: &mut CircuitBuilder,
    first: Side,
    order: &[usize],
) -> Chromosome {
    let sides = table.sides();
    let mut hidden = HiddenCells::new(table, std::iter::empty());
    for side in [first, first.other()] {
        for requirement in order.iter().flat_map(|&primary| table.requirements_of(primary)) {
            let (source, sink) = table.gap(requirement);
            for (line, sense) in [(source, Sense::Leaving), (sink, Sense::Entering)] {
                if sides[line as usize] == side {
                    bound(table, &mut hidden, requirement, line, sense);
                }
            }
        }
    }
    builder.complete(&mut hidden, &[], order, Finder::Paths)
}

/// Hides cells of a line until they can make good the movement of a primary: the cheapest
/// that does it alone, or the roomiest if none does.
fn bound(
    table: &TwoWay,
    hidden: &mut HiddenCells,
    requirement: &Requirement,
    line: u32,
    sense: Sense,
) {
    let others = hidden.arcs_of(line).iter().filter(|arc| arc.cell != requirement.cell);
    let room = others.map(|arc| table.room_along(arc, sense));
    let mut missing = requirement.distance.saturating_sub(room.fold(0, Value::saturating_add));
    while missing > 0 {
        let published = table.arcs_of(line).iter().filter(|arc| !hidden.contains(arc.cell));
        let enough = published.clone().find(|arc| table.room_along(arc, sense) >= missing);
        let roomiest = || published.max_by_key(|arc| table.room_along(arc, sense));
        let Some(arc) = enough.or_else(roomiest).filter(|arc| table.room_along(arc, sense) > 0)
        else {
            return;
        };
        missing -= table.room_along(arc, sense);
        hidden.hide(table, arc.cell);
    }
}
