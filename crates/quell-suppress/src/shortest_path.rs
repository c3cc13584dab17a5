//! **shortest-path**: each primary protected along shortest paths (Castro 2012; Kelly,
//! Golden & Assad 1992), the bounds recomputed between suppressions.
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
//! - *Complexity*: a few Dijkstra searches a primary and direction, each over the cheap
//!   part of the lines only.
//! - *Choose it* for large two-way tables (one dimension may have sub-totals) when a good
//!   pattern is wanted in a second or two.
//! - *Deviates*: Castro keeps running bounds of each primary from the paths found; here
//!   they are exact. Tables that are no network get the linear program of
//!   [`KellyLp`](crate::KellyLp), as the literature does.

use crate::two_way::{Builder, Finder, TwoWay};
use crate::{Error, KellyLp, Method, Need, Proposal, Task};

/// The settings of `shortest-path`: there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShortestPath;

impl Method for ShortestPath {
    fn name(&self) -> &'static str {
        "shortest-path"
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let Some(table) = TwoWay::of(task.problem) else {
            return KellyLp { reweightings: 0, ..KellyLp::default() }.suppress(task);
        };
        task.progress.stage("protecting primaries", Some(table.primaries.len() as u64));
        let mut builder = Builder::new(&table, task.budget);
        let mut pattern = builder.protect(&by_falling_level(&table), Finder::Paths);
        task.progress.stage("cleaning up", None);
        let secondaries = builder.dearest_first(&pattern);
        builder.remove_redundant(&mut pattern, &secondaries);
        task.budget.spend(builder.effort());
        Ok(Proposal::unbounded(pattern.pattern(&table)))
    }
}

/// The primaries, by position, those with the largest needs first: what protects them
/// often protects the small ones, too.
pub(crate) fn by_falling_level(table: &TwoWay) -> Vec<usize> {
    let level =
        |primary: usize| table.needs_of(primary).iter().map(|need: &Need| need.amount).max();
    let mut order: Vec<usize> = (0..table.primaries.len()).collect();
    order.sort_by_key(|&primary| std::cmp::Reverse(level(primary)));
    order
}
