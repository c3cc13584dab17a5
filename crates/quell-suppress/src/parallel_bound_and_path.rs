//! **parallel-bound-and-path** (Almeida, Schütz & Carvalho 2006, as told in herrington-2015,
//! chapter 2): the first patterns of GenSup.
//!
//! Phase one looks at one line at a time: if the hidden cells in the line of a primary
//! cannot make good its movement, the cheapest cell that can is hidden; first in all rows,
//! then in all columns, which find the cells chosen for the rows already there. Phase two
//! closes circuits: primaries that no flow protects yet get a shortest path, and what
//! protects nothing is published. Doing the columns first gives a second pattern; the
//! cheaper one counts.
//!
//! - *Guarantee*: every pattern is safe; no bound on the cost.
//! - *Complexity*: phase one is linear in the primaries' lines; phase two as `shortest-path`.
//! - *Choose it* as a seed for others; alone, `shortest-path` is cheaper.
//! - *Deviates*: the paper's clean-up takes secondaries out of lines without primaries; here
//!   whatever no circuit uses goes, and then all that is redundant, dearest first.

use quell_model::Value;

use crate::evolution::two_way;
use crate::shortest_path::by_falling_level;
use crate::two_way::{Builder, Chromosome, Finder, Hidden, Sense, Side, TwoWay};
use crate::{Error, Method, Need, Proposal, Task};

/// The settings of `parallel-bound-and-path`: there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ParallelBoundAndPath;

impl Method for ParallelBoundAndPath {
    fn name(&self) -> &'static str {
        "parallel-bound-and-path"
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let table = two_way(task, self.name())?;
        let order = by_falling_level(&table);
        let mut builder = Builder::new(&table, task.budget);
        let mut pattern = |first: Side| {
            let mut pattern = bound_and_path(&table, &mut builder, first, &order);
            let secondaries = builder.dearest_first(&pattern);
            builder.remove_redundant(&mut pattern, &secondaries);
            pattern
        };
        task.progress.stage("rows first", None);
        let rows_first = pattern(Side::One);
        task.progress.stage("columns first", None);
        let columns_first = pattern(Side::Other);
        task.budget.spend(builder.effort());
        let best = match rows_first.cost() <= columns_first.cost() {
            true => rows_first,
            false => columns_first,
        };
        Ok(Proposal::unbounded(best.pattern(&table)))
    }
}

/// Both phases, beginning with the lines of one side.
pub(crate) fn bound_and_path(
    table: &TwoWay,
    builder: &mut Builder,
    first: Side,
    order: &[usize],
) -> Chromosome {
    let sides = table.sides();
    let mut hidden = Hidden::new(table, std::iter::empty());
    for side in [first, first.other()] {
        for need in order.iter().flat_map(|&primary| table.needs_of(primary)) {
            let (source, sink) = table.gap(need);
            for (line, sense) in [(source, Sense::Leaving), (sink, Sense::Entering)] {
                if sides[line as usize] == side {
                    bound(table, &mut hidden, need, line, sense);
                }
            }
        }
    }
    builder.complete(&mut hidden, &[], order, Finder::Paths)
}

/// Hides cells of a line until they can make good the movement of a primary: the cheapest
/// that does it alone, or the roomiest if none does.
fn bound(table: &TwoWay, hidden: &mut Hidden, need: &Need, line: u32, sense: Sense) {
    let others = hidden.arcs_of(line).iter().filter(|arc| arc.cell != need.cell);
    let room = others.map(|arc| table.room_along(arc, sense));
    let mut missing = need.amount.saturating_sub(room.fold(0, Value::saturating_add));
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
