//! The truth by another road: equations (3) of serpell-2013 written out in full, two
//! linear programs for each cell, solved by a solver that shares nothing with ours.

use microlp::{ComparisonOp, OptimizationDirection, Problem as Program};
use quell_model::{CellId, Direction, Pattern, Problem, Value};

/// Movements this near to a requirement count as reaching it: vertices of small tables are
/// fractions with small denominators.
const TIE: f64 = 1e-6;

/// How far a cell can move; infinite without limit.
pub(super) fn farthest(
    problem: &Problem,
    pattern: &Pattern,
    cell: CellId,
    direction: Direction,
) -> f64 {
    let mut program = Program::new(OptimizationDirection::Maximize);
    let finite = |room: Value| if room == Value::MAX { f64::INFINITY } else { room as f64 };
    let system = problem.system();
    let variables: Vec<_> = system
        .cells()
        .map(|other| {
            let cost = if other == cell { direction.sign() as f64 } else { 0.0 };
            let bounds = match pattern.is_suppressed(other) {
                true => (-finite(problem.room_down(other)), finite(problem.room_up(other))),
                false => (0.0, 0.0),
            };
            program.add_var(cost, bounds)
        })
        .collect();
    for equation in system.equations() {
        let terms: Vec<_> = system
            .cells_of(equation)
            .map(|(cell, coefficient)| (variables[cell.index()], f64::from(coefficient)))
            .collect();
        program.add_constraint(&terms, ComparisonOp::Eq, 0.0);
    }
    match program.solve() {
        Ok(outcome) => outcome.into_solution().expect("small programs are solved").objective(),
        Err(microlp::Error::Unbounded) => f64::INFINITY,
        Err(error) => panic!("the oracle failed: {error}"),
    }
}

/// What is true of a primary: is it safe, and is it known exactly?
pub(super) struct Truth {
    pub(super) safe: bool,
    pub(super) exact: bool,
    pub(super) ends: [f64; 2],
}

pub(super) fn truth(problem: &Problem, pattern: &Pattern, cell: CellId) -> Truth {
    let ends = Direction::BOTH.map(|direction| farthest(problem, pattern, cell, direction));
    let levels = problem.protection(cell);
    let safe = ends[0] >= levels.lower as f64 - TIE
        && ends[1] >= levels.upper as f64 - TIE
        && ends[0] + ends[1] >= levels.sliding as f64 - TIE;
    Truth { safe, exact: ends[0] < TIE && ends[1] < TIE, ends }
}
