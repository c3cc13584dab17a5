//! The exact attacker: two linear programs for each primary, by another solver (microlp).

use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Problem as Program, Variable};
use quell_model::{CellId, Direction, Pattern, Problem, Value};

/// How far a hidden cell can move in the attacker's eyes.
pub fn reach(problem: &Problem, pattern: &Pattern, cell: CellId, direction: Direction) -> f64 {
    let sense = match direction {
        Direction::Up => OptimizationDirection::Maximize,
        Direction::Down => OptimizationDirection::Minimize,
    };
    let mut program = Program::new(sense);
    let room = |room: Value| if room == Value::MAX { f64::INFINITY } else { room as f64 };
    let variables: Vec<Option<Variable>> = problem
        .system()
        .cells()
        .map(|other| {
            let target = if other == cell { 1.0 } else { 0.0 };
            let bounds = (-room(problem.room_down(other)), room(problem.room_up(other)));
            pattern.is_suppressed(other).then(|| program.add_var(target, bounds))
        })
        .collect();
    for equation in problem.system().equations() {
        let mut terms = LinearExpr::empty();
        let mut any = false;
        for (other, coefficient) in problem.system().cells_of(equation) {
            if let Some(variable) = variables[other.index()] {
                terms.add(variable, f64::from(coefficient));
                any = true;
            }
        }
        if any {
            program.add_constraint(terms, ComparisonOp::Eq, 0.0);
        }
    }
    match program.solve() {
        Ok(solved) => solved.into_solution().expect("small programs are solved").objective().abs(),
        Err(microlp::Error::Unbounded) => f64::INFINITY,
        Err(error) => panic!("the attacker's program must be feasible: {error}"),
    }
}

/// What a pattern does for a primary: are its lower level, its upper one and its sliding one
/// met?
fn met(problem: &Problem, pattern: &Pattern, cell: CellId) -> [bool; 3] {
    if !pattern.is_suppressed(cell) {
        return [false; 3];
    }
    let levels = problem.protection(cell);
    let down = reach(problem, pattern, cell, Direction::Down);
    let up = reach(problem, pattern, cell, Direction::Up);
    let meets = |reach: f64, level: Value| reach >= level as f64 - 1e-4;
    [meets(down, levels.lower), meets(up, levels.upper), meets(down + up, levels.sliding)]
}

/// The primaries that are not protected.
pub fn exposed(problem: &Problem, pattern: &Pattern) -> Vec<CellId> {
    problem.primaries().filter(|&cell| met(problem, pattern, cell) != [true; 3]).collect()
}

/// Everything that may be hidden.
pub fn everything(problem: &Problem) -> Pattern {
    let mut pattern = Pattern::of_primaries(problem);
    for cell in problem.system().cells() {
        if problem.status(cell) != quell_model::Status::Protected {
            pattern.suppress(cell);
        }
    }
    pattern
}

/// The least cost of a pattern that protects every primary, by trying all; `None` if there
/// are too many.
pub fn optimum(problem: &Problem) -> Option<f64> {
    let all = everything(problem);
    let free: Vec<CellId> = all.secondaries(problem).collect();
    if free.len() > 9 {
        return None;
    }
    let mut best = f64::INFINITY;
    for choice in 0_u32..1 << free.len() {
        let mut pattern = Pattern::of_primaries(problem);
        for (bit, &cell) in free.iter().enumerate() {
            if choice >> bit & 1 == 1 {
                pattern.suppress(cell);
            }
        }
        let cost = pattern.cost(problem);
        if cost < best && exposed(problem, &pattern).is_empty() {
            best = cost;
        }
    }
    Some(best)
}
