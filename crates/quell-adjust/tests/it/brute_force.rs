//! The optimum by trying all directions, each with an integer program of another solver.

use microlp::{ComparisonOp, OptimizationDirection, Problem as Program, Variable};
use quell_adjust::{Distance, Instance};
use quell_model::{Direction, Value};

/// The least cost in whole units, or `None` if no directions are feasible.
pub(crate) fn optimum(instance: &Instance) -> Option<f64> {
    let count = instance.sensitive.len();
    assert!(count <= 12, "brute force is for a dozen cells");
    let all = (0..1_u32 << count).map(|choice| {
        let direction = |index: usize| match choice >> index & 1 {
            0 => Direction::Down,
            _ => Direction::Up,
        };
        cost(instance, &(0..count).map(direction).collect::<Vec<_>>())
    });
    all.flatten().min_by(f64::total_cmp)
}

/// No optimum of a small table of small values moves a cell so far.
const FAR: Value = 1_000_000;

fn within(limit: Value) -> i32 {
    limit.min(FAR) as i32
}

fn cost(instance: &Instance, directions: &[Direction]) -> Option<f64> {
    let system = instance.problem.system();
    let mut program = Program::new(OptimizationDirection::Minimize);
    let mut columns: Vec<[Variable; 2]> = Vec::new();
    for cell in system.cells() {
        let index = cell.index();
        let (down, up) = (within(instance.down[index]), within(instance.up[index]));
        let cost = instance.costs[index];
        let mut sides = [(0, up), (0, down)];
        if let Some(sensitive) = instance.sensitive_at(cell) {
            let (fall, rise) = (sensitive.fall as i32, sensitive.rise as i32);
            let exactly = instance.distance == Distance::Minimal;
            sides = match directions[instance.position[index] as usize] {
                Direction::Up if rise > up => return None,
                Direction::Down if fall > down => return None,
                Direction::Up => [(rise, if exactly { rise } else { up }), (0, 0)],
                Direction::Down => [(0, 0), (fall, if exactly { fall } else { down })],
            };
        }
        columns.push(sides.map(|(low, high)| program.add_integer_var(cost, (low, high))));
    }
    for equation in system.equations() {
        let mut row = Vec::new();
        for (cell, coefficient) in system.cells_of(equation) {
            let [rise, fall] = columns[cell.index()];
            row.push((rise, f64::from(coefficient)));
            row.push((fall, -f64::from(coefficient)));
        }
        program.add_constraint(row, ComparisonOp::Eq, 0.0);
    }
    let solved = program.solve().ok()?;
    Some(solved.into_solution().expect("small programs are solved").objective())
}
