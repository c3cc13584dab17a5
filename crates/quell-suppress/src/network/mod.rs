//! Two-dimensional tables as networks: equations are nodes, cells are arcs that can be
//! used both ways, and protecting a primary means sending its level around it.
//!
//! The structure is recognised, not declared: a table is a network if every cell stands in
//! at most two equations and the equations can be given signs such that each cell enters
//! one and leaves the other. Besides two-way tables that covers those with one hierarchical
//! dimension.
//!
//! - `search`: cheapest paths and flows among hidden cells;
//! - `plan`: a pattern with its proofs, built and improved by paths.

mod plan;
mod search;

use quell_model::{CellId, Problem, Status, Value};

pub(crate) use plan::Plan;
use search::{Hop, Search};

/// Room without limit; small enough that rooms and flows can be added.
pub(crate) const UNLIMITED: i64 = i64::MAX / 4;

/// The network of a table.
#[derive(Debug, Clone)]
pub(crate) struct TableNetwork {
    /// The node each cell leaves when it rises.
    pub(crate) tail: Vec<u32>,
    /// The node each cell enters when it rises.
    pub(crate) head: Vec<u32>,
    /// How far each cell can rise; zero if it may not be hidden.
    pub(crate) up: Vec<i64>,
    /// How far each cell can fall; zero if it may not be hidden.
    pub(crate) down: Vec<i64>,
    /// The sign of each equation.
    pub(crate) signs: Vec<i32>,
    /// Number of nodes: the equations and the outside.
    pub(crate) nodes: usize,
}

impl TableNetwork {
    /// The network of a problem, if it is one.
    pub(crate) fn of(problem: &Problem) -> Option<Self> {
        let signs = signs(problem)?;
        let outside = problem.system().equation_count() as u32;
        let room = |cell: CellId, room: Value| match problem.status(cell) {
            Status::Protected => 0,
            _ => room.min(UNLIMITED),
        };
        let cells = problem.system().cells();
        let mut network = Self {
            tail: vec![outside; problem.cell_count()],
            head: vec![outside; problem.cell_count()],
            up: cells.clone().map(|cell| room(cell, problem.room_up(cell))).collect(),
            down: cells.clone().map(|cell| room(cell, problem.room_down(cell))).collect(),
            nodes: outside as usize + 1,
            signs,
        };
        for cell in cells {
            for (equation, coefficient) in problem.system().equations_of(cell) {
                match network.signs[equation.index()] * coefficient {
                    1 => network.head[cell.index()] = equation.0,
                    _ => network.tail[cell.index()] = equation.0,
                }
            }
        }
        Some(network)
    }

    /// Number of cells.
    pub(crate) fn cells(&self) -> usize {
        self.tail.len()
    }

    /// A cell as seen from its two nodes.
    fn hops(&self, cell: u32) -> [(u32, Hop); 2] {
        let index = cell as usize;
        let (tail, head) = (self.tail[index], self.head[index]);
        [
            (tail, Hop { cell, to: head, room: self.up[index], sign: 1 }),
            (head, Hop { cell, to: tail, room: self.down[index], sign: -1 }),
        ]
    }

    /// Whether a cell can move at all.
    pub(crate) fn is_movable(&self, cell: usize) -> bool {
        self.up[cell] > 0 || self.down[cell] > 0
    }
}

/// Signs of the equations that make every cell enter one and leave another, if there are.
fn signs(problem: &Problem) -> Option<Vec<i32>> {
    let system = problem.system();
    let fits = |cell| {
        let equations = system.equations_of(cell);
        equations.len() <= 2 && equations.clone().all(|(_, coefficient)| coefficient.abs() == 1)
    };
    if !system.cells().all(fits) {
        return None;
    }
    let mut signs = vec![0; system.equation_count()];
    for start in system.equations() {
        if signs[start.index()] != 0 {
            continue;
        }
        signs[start.index()] = 1;
        let mut open = vec![start];
        while let Some(equation) = open.pop() {
            for (cell, coefficient) in system.cells_of(equation) {
                for (other, theirs) in system.equations_of(cell).filter(|&(e, _)| e != equation) {
                    let wanted = -signs[equation.index()] * coefficient * theirs;
                    match &mut signs[other.index()] {
                        sign if *sign == 0 => {
                            *sign = wanted;
                            open.push(other);
                        }
                        sign if *sign != wanted => return None,
                        _ => {}
                    }
                }
            }
        }
    }
    Some(signs)
}
