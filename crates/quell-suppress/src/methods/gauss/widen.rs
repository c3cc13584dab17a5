//! Interval repair near the primaries that need it.
//!
//! Unpicking, which is fast, shows nearly all primaries whose interval is too narrow. For
//! each a small linear program hides more cells in the simple sub-tables that hold it, all
//! other cells at rest: what moves there moves in the whole table. What this does not find
//! is left to the audit and its repair, which look at the whole table and take their time.

use quell_attack::unpick;
use quell_model::{CellId, Labels, Pattern};

use crate::search::kelly_program::KellyProgram;
use crate::search::mover::Mover;
use crate::search::requirements::of_primary;
use crate::search::sub_tables::{SubProblem, SubTables};
use crate::{Error, Task};

/// How often unpicking looks again after cells were hidden.
const ROUNDS: usize = 4;

/// The most cells of a small program.
const LARGEST: usize = 6_000;

/// Hides more cells so that intervals become wide enough; gives solver iterations.
pub fn widen(task: &Task, pattern: &mut Pattern) -> Result<u64, Error> {
    let problem = task.problem;
    let mut iterations = 0;
    for _ in 0..ROUNDS {
        let exposed = unpick(problem, pattern).exposures;
        task.progress.stage("widening intervals", Some(exposed.len() as u64));
        let before = pattern.len();
        for exposure in exposed {
            if task.budget.stop().is_some() {
                return Ok(iterations);
            }
            iterations += widen_one(task, pattern, exposure.cell)?;
            task.progress.advance(1);
        }
        if pattern.len() == before {
            break;
        }
    }
    Ok(iterations)
}

fn widen_one(task: &Task, pattern: &mut Pattern, primary: CellId) -> Result<u64, Error> {
    let problem = task.problem;
    let Labels::Cube(cube) = problem.labels() else { return Ok(0) };
    let mut tables = SubTables::new(cube);
    tables.add_all_with(primary);
    let mut cells = Vec::new();
    while let Some(more) = tables.next() {
        cells.extend(more);
        if cells.len() > LARGEST {
            return Ok(0);
        }
    }
    cells.sort_unstable();
    cells.dedup();
    let part = SubProblem::with_the_rest_fixed(problem, &cells);
    let Ok(place) = cells.binary_search(&primary) else { return Ok(0) };
    let mut program = KellyProgram::new(&part.problem, task.budget)?;
    for requirement in of_primary(&part.problem, CellId::from_index(place)) {
        let cost = |cell: CellId| match pattern.is_suppressed(cells[cell.index()]) {
            true => 0.0,
            false => problem.weight(cells[cell.index()]).max(f64::MIN_POSITIVE),
        };
        if let Some(movement) = program.cheapest(&requirement, &cost)? {
            movement.cells().for_each(|cell| pattern.suppress(cells[cell.index()]));
        }
    }
    Ok(program.iterations)
}
