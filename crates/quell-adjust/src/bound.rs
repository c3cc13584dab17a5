//! Lower bounds: what every adjusted table costs at least.
//!
//! - [`line_bound`]: the sensitive cells' own movements, and for disjoint equations what
//!   balances their sensitive cells at least; no solver.
//! - [`partition_bound`]: the optima (or bounds) of disjoint blocks, the paper's
//!   partitioning bound, which counts what balancing several equations at once costs.
//!
//! Lagrangian multipliers on the equations between blocks would gain nothing where every
//! movement has its mirror image: the dual function is concave and even, so zero is best.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quell_model::{Budget, EquationId};

use crate::block::{Block, blocks, classes};
use crate::line::{LineCut, line_cuts};
use crate::question::Question;
use crate::tolerance;
use crate::{Error, Instance, Task};

/// Nodes a block may take where no time is given.
const NODES: u32 = 20_000;
/// Nodes the whole may take where no time is given.
const NODES_OF_WHOLE: u32 = 1_000;
/// Blocks with more sensitive cells than this are split no further but not solved for long.
const SOLVABLE: usize = 60;

/// A bound that only grows, to be looked at from another thread.
#[derive(Debug, Default)]
pub(crate) struct Rising(AtomicU64);

impl Rising {
    /// The bound now.
    pub(crate) fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    /// Raises the bound.
    pub(crate) fn raise(&self, bound: f64) {
        // Bounds are not negative, so their bits are in their order.
        self.0.fetch_max(bound.max(0.0).to_bits(), Ordering::Relaxed);
    }
}

/// What the sensitive cells cost, and the best class of disjoint equations' balances.
pub(crate) fn line_bound(instance: &Instance) -> f64 {
    let classes = classes(instance.problem);
    let cuts = line_cuts(instance);
    let mut class_of = vec![0; instance.problem.system().equation_count()];
    for (class, equations) in classes.iter().enumerate() {
        equations.iter().for_each(|equation| class_of[equation.index()] = class);
    }
    let mut sums = vec![0.0; classes.len()];
    for cut in &cuts {
        sums[class_of[cut.equation.index()]] += cheapest(instance, cut);
    }
    let extra = sums.into_iter().fold(0.0, f64::max);
    (instance.least_cost() + extra) * (1.0 - tolerance::BOUND)
}

/// The least that satisfying an inequality costs beyond the sensitive cells' own movements.
fn cheapest(instance: &Instance, cut: &LineCut) -> f64 {
    let unit = |&(cell, coefficient): &(quell_model::CellId, f64)| {
        let index = cell.index();
        let moves = match instance.sensitive_at(cell) {
            Some(_) => instance.distance == crate::Distance::AtLeast,
            None => instance.up[index] > 0 || instance.down[index] > 0,
        };
        moves.then(|| instance.costs[index] / coefficient)
    };
    let cheapest = cut.entries.iter().filter_map(unit).fold(f64::INFINITY, f64::min);
    if cheapest.is_finite() { cheapest * cut.least as f64 } else { 0.0 }
}

/// Raises `bound` as far as the budget allows: lines, blocks, or else the whole program.
///
/// # Errors
/// If a solver fails.
pub(crate) fn partition_bound(task: &Task, bound: &Rising) -> Result<(), Error> {
    let instance = task.instance;
    bound.raise(line_bound(instance));
    let system = instance.problem.system();
    let mut classes = classes(instance.problem);
    // What holds the most equations together is worth most: leave out the smallest class, or
    // in turn those that are as small.
    classes.sort_by_key(Vec::len);
    let mut smallest = None;
    for class in classes.iter().filter(|_| classes.len() > 2) {
        if smallest.is_some_and(|smallest| class.len() > smallest) {
            break;
        }
        let mut without = vec![false; system.equation_count()];
        class.iter().for_each(|equation| without[equation.index()] = true);
        let parts = blocks(instance.problem, &without);
        if parts.len() > 1 {
            let part = if smallest.is_none() { 0.7 } else { 0.4 };
            let share = task.budget.time_left().map(|left| left.mul_f64(part));
            bound.raise(of_blocks(instance, &parts, task.budget, share)?);
            smallest = Some(class.len());
        }
    }
    if smallest.is_some() && instance.sensitive.len() > SOLVABLE {
        return Ok(());
    }
    let cuts = line_cuts(instance);
    // Beyond the first node a large program hardly gains, and the search needs the processor.
    let nodes = match (instance.sensitive.len() > SOLVABLE, task.budget.time_left()) {
        (true, _) => Some(1),
        (false, None) => Some(NODES_OF_WHOLE),
        (false, Some(_)) => None,
    };
    let whole =
        Question { cuts: &cuts, nodes, heuristics: 0.0, ..Question::whole(instance, task.budget) };
    bound.raise(whole.answer()?.bound * (1.0 - tolerance::BOUND));
    Ok(())
}

fn of_blocks(
    instance: &Instance,
    parts: &[Vec<EquationId>],
    budget: &Budget,
    share: Option<Duration>,
) -> Result<f64, Error> {
    let start = std::time::Instant::now();
    let mut covered = vec![false; instance.problem.cell_count()];
    let mut sum = 0.0;
    for (done, part) in parts.iter().enumerate() {
        let block = Block::new(instance.problem, part);
        block.cells.iter().for_each(|cell| covered[cell.index()] = true);
        let small = block.instance(instance);
        if small.sensitive.is_empty() {
            continue;
        }
        let lines = line_bound(&small);
        let left = share.map(|share| share.saturating_sub(start.elapsed()).as_secs_f64());
        // A block that is hard may take the time of those that were easy, but not all of it.
        let seconds = left.map(|left| 3.0 * left / (parts.len() - done) as f64);
        let solvable = small.sensitive.len() <= SOLVABLE;
        let nodes = (share.is_none() || !solvable).then_some(if solvable { NODES } else { 1 });
        if budget.stop().is_some() {
            sum += lines;
            continue;
        }
        let cuts = line_cuts(&small);
        let answer =
            Question { cuts: &cuts, nodes, seconds, ..Question::whole(&small, budget) }.answer()?;
        sum += lines.max(answer.bound * (1.0 - tolerance::BOUND));
    }
    let rest = instance.sensitive.iter().filter(|cell| !covered[cell.cell.index()]);
    let own = |cell: &crate::Sensitive| {
        let directions = [(cell.can_fall, cell.fall), (cell.can_rise, cell.rise)];
        let least = directions
            .into_iter()
            .filter(|direction| direction.0)
            .map(|direction| direction.1)
            .min();
        instance.costs[cell.cell.index()] * least.unwrap_or(0) as f64
    };
    Ok(sum + rest.map(own).sum::<f64>())
}
