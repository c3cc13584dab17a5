//! Two-dimensional tables as networks: equations are nodes, cells are arcs that can be
//! used both ways, and protecting a primary means sending its level around it.
//!
//! The structure is recognised, not declared. Besides two-way tables that covers those with
//! one hierarchical dimension.
//!
//! - `recognise`: whether a table is a network;
//! - `search`: cheapest paths and flows among hidden cells;
//! - `builder`: a pattern with its proofs, built and improved by paths.

mod builder;
mod recognise;
mod search;

use quell_model::{CellId, Problem, Status, Value};

pub(crate) use builder::NetworkBuilder;
pub(crate) use recognise::{Arcs, arcs};
use search::{Hop, PathSearch};

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
    /// The sign of each equation; zero if it follows from the others.
    pub(crate) signs: Vec<i32>,
    /// Number of nodes: the equations and the outside.
    pub(crate) nodes: usize,
}

impl TableNetwork {
    /// The network of a problem, if it is one.
    pub(crate) fn of(problem: &Problem) -> Option<Self> {
        let Arcs { ends, signs } = arcs(problem.system())?;
        let room = |cell: CellId, room: Value| match problem.status(cell) {
            Status::Protected => 0,
            _ => room.min(UNLIMITED),
        };
        let cells = problem.system().cells();
        let (tail, head) = ends.into_iter().unzip();
        Some(Self {
            tail,
            head,
            up: cells.clone().map(|cell| room(cell, problem.room_up(cell))).collect(),
            down: cells.map(|cell| room(cell, problem.room_down(cell))).collect(),
            nodes: problem.system().equation_count() + 1,
            signs,
        })
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
