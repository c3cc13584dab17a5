//! **gauss**: suppression by Gaussian elimination (Langsrud 2024, the R package
//! GaussSuppression).
//!
//! Cells are published in order of their cost, the dearest first, as long as no primary is
//! a linear combination of what is published: exact disclosure, of any number of cells at
//! once, is ruled out. Protection intervals are not looked at.
//!
//! - *Guarantee*: no primary can be computed exactly, if one prime in 2³¹ is not unlucky.
//!   Whether its interval is wide enough is for [`protect`](crate::protect()) to audit and
//!   repair. No bound on the cost.
//! - *Complexity*: one sparse elimination of the equations and one of the primaries' part
//!   of it; no linear program.
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

use quell_model::{CellId, Pattern, Problem, Status};

use crate::{Error, Method, Proposal, Task};
use basis::Basis;
use field::Sparse;
use publish::Rows;

/// The method; it has no settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Gauss;

impl Method for Gauss {
    fn name(&self) -> &'static str {
        "gauss"
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let problem = task.problem;
        let mut pattern = Pattern::of_primaries(problem);
        task.progress.stage("choosing a basis of the equations", None);
        let mut basis = Basis::new(problem.system());
        for cell in cheapest_first(problem) {
            basis.add(cell);
        }
        let (mut of_primaries, mut free) = (Vec::new(), Vec::new());
        for cell in problem.primaries() {
            match basis.add(cell) {
                true => of_primaries.push(cell),
                false => free.push(cell),
            }
        }
        task.progress.stage("publishing cells", Some(basis.len() as u64));
        let mut functions: Vec<Sparse> = vec![Sparse::new(); basis.len()];
        for (column, &cell) in free.iter().enumerate() {
            for (step, amount) in basis.express(cell).unwrap_or_default() {
                functions[step as usize].push((column as u32, amount));
            }
        }
        let mut rows = Rows::new(free.len());
        let candidates = basis.len() - of_primaries.len();
        let primaries = functions.split_off(candidates);
        primaries.into_iter().for_each(|function| rows.primary(function));
        let numbers: Vec<usize> =
            functions.into_iter().map(|function| rows.candidate(function)).collect();
        // Steps are the cheapest first.
        for step in (0..candidates).rev() {
            if !rows.publish(numbers[step]) {
                pattern.suppress(basis.cell(step));
            }
            task.progress.advance(1);
        }
        Ok(Proposal::unbounded(pattern))
    }
}

/// The cells that may be published or hidden, the cheapest first; of equals the last, so
/// that totals, which stand before their parts, are dearer.
fn cheapest_first(problem: &Problem) -> Vec<CellId> {
    let open = |&cell: &CellId| matches!(problem.status(cell), Status::Safe | Status::Secondary);
    let mut cells: Vec<CellId> = problem.system().cells().filter(open).collect();
    cells.sort_by(|&a, &b| problem.weight(a).total_cmp(&problem.weight(b)).then(b.cmp(&a)));
    cells
}
