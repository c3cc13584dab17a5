//! **modular**: hierarchical tables by simple sub-tables, top-down with back-tracking
//! (HiTaS, dewolf-2002).
//!
//! A simple sub-table takes one sum of every dimension, so it has no hierarchy inside.
//! Sub-tables are protected from the top down, each by itself; a cell hidden in one counts
//! as sensitive in every other that shares it, and those already done are done again.
//!
//! - *Guarantee*: of itself every sub-table is protected, which does not protect the whole
//!   (cox-2001, cox-2009): an attacker may combine sub-tables. [`protect`](crate::protect())
//!   audits the whole table and repairs what is left. No bound on the cost.
//! - *Complexity*: that of the inner method on each sub-table, times the few times it is
//!   done again. Nothing ever looks at the whole table.
//! - *Choose it* for large tables with hierarchies; a flat table is its own only
//!   sub-table, and `modular` then is the inner method.
//! - *Deviates*: HiTaS treats sub-tables group by group of equal level, here they are
//!   queued by level, the topmost first, and only those that share a newly hidden cell come
//!   again. A secondary of another sub-table must be able to move by one unit, so that it
//!   cannot be recomputed: larger levels, such as a per cent of the value, made patterns
//!   half as dear again and left as much to repair.

use quell_model::{CellId, Labels, Pattern, Problem, Protection, Reason, Status};

use crate::search::sub_tables::{SubProblem, SubTables};
use crate::{Error, Method, Proposal, Task};

/// The settings of `modular`.
pub struct Modular {
    /// Protects the sub-tables.
    pub inner: Box<dyn Method>,
}

impl Method for Modular {
    fn name(&self) -> &'static str {
        "modular"
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let problem = task.problem;
        let Labels::Cube(cube) = problem.labels() else {
            let reason = "it needs to know the dimensions and hierarchies, and the table comes as \
                          bare equations; use kelly-lp or auto"
                .to_owned();
            return Err(Error::NotForThisTable { method: self.name(), reason });
        };
        let mut pattern = Pattern::of_primaries(problem);
        let mut iterations = 0;
        let mut waiting = SubTables::new(cube);
        problem.primaries().for_each(|cell| waiting.add_all_with(cell));
        task.progress.stage("protecting sub-tables", None);
        // A table protected in parts is not protected: the deadline does not end this loop,
        // it only makes the inner method cheaper.
        while let Some(cells) = waiting.next() {
            let part = SubProblem::extract(problem, &cells, |cell| {
                let mut known = problem.cell(cell);
                if pattern.is_suppressed(cell) && !known.status.is_primary() {
                    known.status = Status::Primary(Reason::Given);
                    known.protection = against_recomputing(problem, cell);
                }
                known
            });
            let inner = Task::new(&part.problem, task.budget, task.progress);
            let proposal = self.inner.suppress(&inner)?;
            iterations += proposal.iterations;
            for cell in part.hidden(&proposal.pattern) {
                if !pattern.is_suppressed(cell) {
                    pattern.suppress(cell);
                    waiting.add_all_with(cell);
                }
            }
            waiting.finish();
            task.progress.advance(1);
        }
        Ok(Proposal { pattern, lower_bound: 0.0, iterations })
    }
}

/// The levels of a secondary in the other sub-tables that hold it: the least that counts.
fn against_recomputing(problem: &Problem, cell: CellId) -> Protection {
    Protection {
        lower: problem.room_down(cell).min(1),
        upper: problem.room_up(cell).min(1),
        sliding: 0,
    }
}
