//! **gauss**: suppression by Gaussian elimination (langsrud-2024, the R package
//! GaussSuppression).
//!
//! Cells are published in order of their cost, the dearest first, as long as no primary is
//! a linear combination of what is published: exact disclosure, of any number of cells at
//! once, is ruled out. Intervals that unpicking then finds too narrow are widened by small
//! linear programs nearby, where the table is a cube.
//!
//! - *Guarantee*: no primary can be computed exactly, if one prime in 2³¹ is not unlucky.
//!   Whether every interval is wide enough is for [`protect`](crate::protect()) to audit,
//!   and to repair where the small programs did not see it. No bound on the cost.
//! - *Complexity*: one sparse elimination of the equations and one of the primaries' part
//!   of it; two small linear programs for every primary that unpicking exposes.
//! - *Choose it* for large or many linked tables where exact disclosure is what matters:
//!   counts, and protection levels that are small beside the values.
//! - *Deviates*: Langsrud eliminates in the matrix of cells over inner cells, in which
//!   every total is dense. Here a basis of the equations' columns is chosen first, the
//!   cheapest cells before the dearest before the primaries. The greedy choice makes every
//!   other cell a function of cells published no later than itself, so that all that is
//!   not basic can be published unseen, and only basic cells are functions of primaries.
//!   Same order, same patterns, far fewer numbers.

mod basis;
mod field;
mod publish;
mod widen;

use quell_model::{CellId, Pattern, Problem, Status};

use crate::{Error, Method, Proposal, Task};
use basis::Basis;
use field::Sparse;
use publish::Rows;
use widen::widen;

/// The settings of `gauss`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gauss {
    /// Hide more where unpicking shows that an interval is too narrow; without it only
    /// exact disclosure is ruled out, as in Langsrud's algorithm.
    pub widen: bool,
}

impl Default for Gauss {
    fn default() -> Self {
        Self { widen: true }
    }
}

impl Method for Gauss {
    fn name(&self) -> &'static str {
        "gauss"
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let Some(mut pattern) = against_exact_disclosure(task) else {
            return Ok(Proposal::unbounded(Pattern::of_primaries(task.problem)));
        };
        let iterations = match self.widen {
            true => widen(task, &mut pattern)?,
            false => 0,
        };
        Ok(Proposal { pattern, lower_bound: 0.0, iterations })
    }
}

/// Publishes the dearest cells first, as long as no primary can be computed; those that it comes to
/// when the budget is over stay hidden. None if it is over before the first.
fn against_exact_disclosure(task: &Task) -> Option<Pattern> {
    let problem = task.problem;
    let is_over = || task.budget.stop().is_some();
    let mut pattern = Pattern::of_primaries(problem);
    task.progress.stage("choosing a basis of the equations", None);
    let mut basis = Basis::new(problem.system());
    for cell in cheapest_first(problem) {
        if is_over() {
            return None;
        }
        basis.add(cell);
    }
    // Steps so far belong to candidates, the cheapest first; later ones to primaries.
    let candidates = basis.len();
    let free: Vec<CellId> = problem.primaries().filter(|&cell| !basis.add(cell)).collect();
    task.progress.stage("publishing cells", Some(candidates as u64));
    let mut functions: Vec<Sparse> = vec![Sparse::new(); basis.len()];
    for (column, &cell) in free.iter().enumerate() {
        if is_over() {
            return None;
        }
        for (step, amount) in basis.express(cell).unwrap_or_default() {
            functions[step as usize].push((column as u32, amount));
        }
    }
    let mut rows = Rows::new(free.len());
    let primaries = functions.split_off(candidates);
    primaries.into_iter().for_each(|function| rows.primary(function));
    let numbers: Vec<usize> =
        functions.into_iter().map(|function| rows.candidate(function)).collect();
    for step in (0..candidates).rev() {
        if is_over() || !rows.publish(numbers[step]) {
            pattern.suppress(basis.cell(step));
        }
        task.progress.advance(1);
    }
    Some(pattern)
}

/// The cells that may be published or hidden, the cheapest first; of equals the last, so
/// that totals, which stand before their parts, are dearer.
fn cheapest_first(problem: &Problem) -> Vec<CellId> {
    let open = |&cell: &CellId| matches!(problem.status(cell), Status::Safe | Status::Secondary);
    let mut cells: Vec<CellId> = problem.system().cells().filter(open).collect();
    cells.sort_by(|&a, &b| problem.weight(a).total_cmp(&problem.weight(b)).then(b.cmp(&a)));
    cells
}
