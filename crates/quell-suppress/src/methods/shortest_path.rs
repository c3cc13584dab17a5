//! **shortest-path**: each primary protected along shortest paths (castro-2012; kelly-1992), the
//! bounds recomputed between suppressions.
//!
//! A two-way table is a network of lines. Primaries are taken by falling level; one that
//! the cells hidden so far protect (an exact flow: this is what "recomputing the bounds"
//! amounts to) is passed over, and for any other the cheapest path with room for its level
//! closes a circuit around it, where cells already hidden cost nothing. Several paths carry
//! the level together where that is cheaper. In the end secondaries that turned out
//! superfluous are published again, dearest first.
//!
//! - *Guarantee*: every pattern is safe; no bound on the cost. The cost of a cell is counted
//!   once, however far it moves, which a linear program cannot do.
//! - *Complexity*: a few Dijkstra searches for each primary and direction, each over the cheap
//!   part of the lines only.
//! - *Choose it* for large two-way tables (one dimension may have sub-totals) when a good
//!   pattern is wanted in a second or two.
//! - *Deviates*: Castro keeps running bounds of each primary from the paths found; here
//!   they are exact. Tables that are no network get Kelly's incremental linear
//!   program, as the literature does.

use crate::search::incremental;
use crate::search::two_way::{CircuitBuilder, Finder, TwoWay};
use crate::{Error, Method, Proposal, Task};

/// The settings of `shortest-path`: there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShortestPath;

impl Method for ShortestPath {
    fn name(&self) -> &'static str {
        "shortest-path"
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let Some(table) = TwoWay::of(task.problem) else {
            return incremental::quick(task);
        };
        task.progress.stage("protecting primaries", Some(table.primaries.len() as u64));
        let mut builder = CircuitBuilder::new(&table, task.budget);
        let mut pattern = builder.protect(&table.by_falling_level(), Finder::Paths);
        task.progress.stage("cleaning up", None);
        let secondaries = builder.dearest_first(&pattern);
        builder.remove_redundant(&mut pattern, &secondaries);
        task.budget.spend(builder.effort());
        Ok(Proposal::unbounded(pattern.pattern(&table)))
    }
}
