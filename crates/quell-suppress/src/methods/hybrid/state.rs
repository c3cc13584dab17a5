//! How far a search has come, so that another can go on from there.
//!
//! What the search for an order does next depends on chance and on what the orders so far cost.
//! So these costs are all it takes to go on: the next search takes the same steps again, but
//! asks no program before it comes to an order that is new. A pass over the groups that is under
//! way goes on from the movements that the groups so far were given.

use quell_model::{Pattern, Problem, fingerprint};
use rustc_hash::FxHashMap;

use crate::{Checkpoint, Checkpoints, Movement};

/// What is left in a checkpoint, its steps being whole passes over all groups.
pub(super) struct State<'a> {
    checkpoints: &'a dyn Checkpoints,
    /// What orders cost.
    known: FxHashMap<u64, f64>,
    now: Checkpoint,
    best: Pattern,
    best_cost: f64,
}

impl<'a> State<'a> {
    /// What an earlier search left, if there was one.
    pub(super) fn new(problem: &Problem, checkpoints: &'a dyn Checkpoints) -> Self {
        let now = checkpoints.last().cloned().unwrap_or_default();
        let mut best = Pattern::of_primaries(problem);
        now.secondaries.iter().for_each(|&cell| best.suppress(cell));
        let has_pattern = now.steps > 0 || !now.secondaries.is_empty();
        let best_cost = if has_pattern { best.cost(problem) } else { f64::INFINITY };
        Self { checkpoints, known: now.tried.iter().copied().collect(), now, best, best_cost }
    }

    /// Whether some order was protected in full.
    pub(super) fn has_passed(&self) -> bool {
        self.now.steps > 0
    }

    /// What the best pattern of all passes costs, if there is one.
    pub(super) fn best_cost(&self) -> Option<f64> {
        self.best_cost.is_finite().then_some(self.best_cost)
    }

    /// The best pattern of all passes.
    pub(super) fn into_best(self) -> Pattern {
        self.best
    }

    /// What an order costs that was tried before.
    pub(super) fn cost_of(&self, order: &[u32]) -> Option<f64> {
        self.known.get(&mark(order)).copied()
    }

    /// Notes what an order costs.
    pub(super) fn tried(&mut self, order: &[u32], cost: f64) {
        let order = mark(order);
        if self.known.insert(order, cost).is_some() {
            return;
        }
        self.now.tried.push((order, cost));
        // No pass is under way.
        self.now.proofs.clear();
        if self.checkpoints.is_due() {
            self.leave();
        }
    }

    /// What the groups were given in a pass over them in this order that an earlier search had
    /// no time to end: always that of the best order it knew, or as they come if it knew none.
    pub(super) fn given(&self, order: &[u32]) -> &[Movement] {
        let last = self.checkpoints.last();
        let best = |last: &&Checkpoint| {
            let best = last.tried.iter().min_by(|(_, one), (_, other)| one.total_cmp(other));
            best.map_or(order.is_sorted(), |&(best, _)| best == mark(order))
        };
        last.filter(best).map_or(&[], |last| &last.proofs)
    }

    /// Keeps, if it is time to, what the groups have been given in the pass under way.
    pub(super) fn passing(&mut self, given: &[Movement]) {
        if self.checkpoints.is_due() {
            self.now.proofs = given.to_vec();
            self.leave();
        }
    }

    /// A pass is given up for want of time: what it gave so far.
    pub(super) fn given_up(&mut self, given: Vec<Movement>) {
        self.now.proofs = given;
    }

    /// A pass is over: what it gave, and whether there was time for all groups.
    pub(super) fn passed(
        &mut self,
        problem: &Problem,
        pattern: Pattern,
        given: Vec<Movement>,
        is_whole: bool,
    ) {
        let cost = pattern.cost(problem);
        if cost < self.best_cost {
            self.now.secondaries = pattern.secondaries(problem).collect();
            (self.best, self.best_cost) = (pattern, cost);
        }
        self.now.proofs = given;
        self.now.steps += u64::from(is_whole);
    }

    /// Leaves a checkpoint.
    pub(super) fn leave(&self) {
        self.checkpoints.save(&|| self.now.clone());
    }
}

/// A number that tells orders apart, but for one in 2⁶⁴: a polynomial of the lots of its groups.
fn mark(order: &[u32]) -> u64 {
    let times = |mark: u64| mark.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    order.iter().fold(0, |mark, &group| times(mark).wrapping_add(fingerprint(group)))
}
