//! **hypercube** (giessing-2002; herrington-2015, figures 2 and 3): each primary
//! at the corner of the cheapest box of hidden cells that has the room.
//!
//! In a k-way table the 2^k corners of a box can move by the same amount with alternating
//! signs, and all sums stay. For every primary and direction the box that costs least is
//! hidden, cells already hidden being free, among those whose corners have room for the
//! level.
//!
//! - *Two-way tables* follow the thesis: primaries in random order, a primary that is safe
//!   already (an exact flow) is passed over, rectangles for the upper and the lower level,
//!   and in the end redundant secondaries are published again.
//! - *Flat k-way tables*: largest levels first; a box proves every primary on its corners.
//!   Clean-up with boxes as proofs.
//! - *Hierarchies*: a box lives in a sub-table (one sum of each dimension), and a corner that is a
//!   sub-total must be able to move in the other sub-tables it belongs to as well, so it is
//!   treated there like a primary, level by level, until nothing is left to do. The sum of
//!   such boxes is a good pattern but no proof, and is not cleaned up.
//!
//! - *Guarantee*: none by the method alone, as the literature knows; what no box protects
//!   goes to the general linear program, and [`protect`](crate::protect()) audits and
//!   repairs. Boxes suppress too much: no bound on the cost.
//! - *Complexity*: for each primary and direction a search over pairs, triples … of cells in its
//!   lines, cut where the cost exceeds the best known; 10⁶ cells take seconds.
//! - *Choose it* for the largest tables, or to start other methods.
//! - *Deviates*: where no rectangle has the room the thesis takes the cheapest and may end
//!   without a solution; here paths through more cells step in. Systems that are neither
//!   cube nor network have no boxes and get Kelly's incremental
//!   linear program.

mod boxes;
mod sub_tables;

use quell_model::{Labels, Pattern, Requirement};

use self::boxes::Boxes;
use crate::search::clean_up::clean_up;
use crate::search::incremental;
use crate::search::mover::{Mover, mover};
use crate::search::two_way::{CircuitBuilder, TwoWay};
use crate::{Error, Method, Proposal, Store, Task, requirements};

/// The settings of `hypercube`: there are none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Hypercube;

impl Method for Hypercube {
    fn name(&self) -> &'static str {
        "hypercube"
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        if let Some(table) = TwoWay::of(task.problem) {
            return Ok(Proposal::unbounded(rectangles(task, &table)));
        }
        let Labels::Cube(cube) = task.problem.labels() else {
            return incremental::quick(task);
        };
        let mut boxes = Boxes::new(task.problem, cube);
        let pattern = match boxes.is_flat() {
            true => flat(task, &mut boxes)?,
            false => {
                let (mut pattern, unmet) = sub_tables::protect(task, &mut boxes);
                finish(task, &mut pattern, &unmet)?;
                pattern
            }
        };
        Ok(Proposal::unbounded(pattern))
    }
}

/// The thesis' procedure for two-way tables.
fn rectangles(task: &Task, table: &TwoWay) -> Pattern {
    task.progress.stage("rectangles", Some(table.primaries.len() as u64));
    let mut builder = CircuitBuilder::new(table, task.budget);
    let chromosome = builder.hypercube(&mut task.budget.random(0));
    task.budget.spend(builder.effort());
    chromosome.pattern(table)
}

/// Boxes in a table without sub-totals, where each is a proof.
fn flat(task: &Task, boxes: &mut Boxes) -> Result<Pattern, Error> {
    let problem = task.problem;
    let mut requirements = requirements(problem);
    requirements.sort_by_key(|requirement| std::cmp::Reverse(requirement.distance));
    task.progress.stage("boxes", Some(requirements.len() as u64));
    let mut store = Store::new(problem, requirements);
    let mut pattern = Pattern::of_primaries(problem);
    let mut unmet = Vec::new();
    for index in 0..store.requirements().len() {
        task.progress.advance(1);
        if store.is_proven(index) {
            continue;
        }
        let requirement = store.requirements()[index];
        let found = boxes.cheapest(&requirement, &|cell| match pattern.is_suppressed(cell) {
            true => 0.0,
            false => problem.weight(cell),
        })?;
        match found {
            Some(movement) => {
                movement.cells().for_each(|cell| pattern.suppress(cell));
                store.add(problem, movement);
            }
            None => unmet.push(requirement),
        }
    }
    task.budget.spend(boxes.searches());
    task.progress.stage("cleaning up", None);
    clean_up(task, &mut store, &mut pattern, boxes)?;
    finish(task, &mut pattern, &unmet)?;
    Ok(pattern)
}

/// What no box protects: the general mover.
fn finish(task: &Task, pattern: &mut Pattern, unmet: &[Requirement]) -> Result<(), Error> {
    if unmet.is_empty() {
        return Ok(());
    }
    task.progress.stage("what no box protects", Some(unmet.len() as u64));
    let mut mover = mover(task.problem, task.budget)?;
    for requirement in unmet {
        let cost = |cell| match pattern.is_suppressed(cell) {
            true => 0.0,
            false => task.problem.weight(cell).max(f64::MIN_POSITIVE),
        };
        if let Some(movement) = mover.cheapest(requirement, &cost)? {
            movement.cells().for_each(|cell| pattern.suppress(cell));
        }
        task.budget.spend(1);
        task.progress.advance(1);
    }
    Ok(())
}
