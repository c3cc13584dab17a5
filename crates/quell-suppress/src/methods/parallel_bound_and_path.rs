//! **parallel-bound-and-path** (almeida-2006, as told in herrington-2015,
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

use crate::genetic::two_way;
use crate::search::two_way::{CircuitBuilder, Side, bound_and_path};
use crate::{Error, Method, Proposal, Task};

/// The settings of `parallel-bound-and-path`: there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ParallelBoundAndPath;

impl Method for ParallelBoundAndPath {
    fn name(&self) -> &'static str {
        "parallel-bound-and-path"
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let table = two_way(task, self.name())?;
        let order = table.by_falling_level();
        let mut builder = CircuitBuilder::new(&table, task.budget);
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
