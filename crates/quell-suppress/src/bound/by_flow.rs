//! The attacker of a network: a requirement is met iff no cut of too little capacity parts the
//! ends of its primary.

use quell_model::{CellId, Direction, EquationId, Problem};
use quell_solve::network::{Link, MaxFlow, Network};

use super::cut::Cut;
use super::separate::{Ask, Attacker};
use crate::Error;
use crate::search::network::TableNetwork;
use crate::tolerance::{IN_SUPPORT, MISSED_GOAL};

/// One whole unit of a flow: capacities are shares of it.
const UNIT: i64 = 1 << 40;

/// Some cells as arcs: cell `i` is the arcs `2i` (rising) and `2i + 1` (falling).
struct Arcs {
    cells: Vec<u32>,
    network: Network,
}

impl Arcs {
    fn new(table: &TableNetwork, wanted: impl Fn(usize) -> bool) -> Result<Self, Error> {
        let usable = |&cell: &u32| {
            let index = cell as usize;
            wanted(index) && table.is_movable(index) && table.tail[index] != table.head[index]
        };
        let cells: Vec<u32> = (0..table.cells() as u32).filter(usable).collect();
        let link = |&cell: &u32| {
            let (tail, head) = (table.tail[cell as usize], table.head[cell as usize]);
            [Link { tail, head }, Link { tail: head, head: tail }]
        };
        let links: Vec<Link> = cells.iter().flat_map(link).collect();
        Ok(Self { network: Network::new(table.nodes, &links)?, cells })
    }
}

/// The attacker.
pub(crate) struct ByFlow<'a> {
    problem: &'a Problem,
    table: &'a TableNetwork,
    is_column: Vec<bool>,
    /// The cells the point uses.
    support: Option<Arcs>,
    /// Those, and all columns.
    wide: Option<Arcs>,
    flow: MaxFlow,
}

impl<'a> ByFlow<'a> {
    /// An attacker who has no point yet.
    pub(crate) fn new(problem: &'a Problem, table: &'a TableNetwork) -> Self {
        Self {
            problem,
            table,
            is_column: vec![false; table.cells()],
            support: None,
            wide: None,
            flow: MaxFlow::new(),
        }
    }
}

impl Attacker for ByFlow<'_> {
    fn set_columns(&mut self, columns: &[CellId]) -> Result<(), Error> {
        self.is_column.fill(false);
        columns.iter().for_each(|cell| self.is_column[cell.index()] = true);
        let problem = self.problem;
        self.wide = Some(Arcs::new(self.table, |cell| {
            self.is_column[cell] || problem.status(CellId(cell as u32)).is_primary()
        })?);
        Ok(())
    }

    fn set_point(&mut self, point: &[f64]) -> Result<(), Error> {
        self.support = Some(Arcs::new(self.table, |cell| point[cell] > IN_SUPPORT)?);
        Ok(())
    }

    fn refute(&mut self, point: &[f64], ask: Ask, extra: f64) -> Result<Option<Cut>, Error> {
        let arcs = if extra > 0.0 { &mut self.wide } else { &mut self.support };
        let Some(arcs) = arcs else { return Ok(None) };
        let table = self.table;
        let (cell, goal, ends) = match ask {
            Ask::Requirement(requirement) => {
                let ends =
                    (table.tail[requirement.cell.index()], table.head[requirement.cell.index()]);
                let ends = match requirement.direction {
                    Direction::Up => (ends.1, ends.0),
                    Direction::Down => ends,
                };
                (requirement.cell, UNIT, ends)
            }
            Ask::Company(cell) => {
                let goal = (point[cell.index()].min(1.0) * UNIT as f64) as i64;
                (cell, goal, (table.tail[cell.index()], table.head[cell.index()]))
            }
        };
        if ends.0 == ends.1 {
            return Ok(None);
        }
        let share = |room: i64, value: f64| match ask {
            Ask::Requirement(requirement) => {
                ((room as f64 / requirement.distance as f64).min(1.0) * value * UNIT as f64) as i64
            }
            Ask::Company(_) => (value * UNIT as f64) as i64,
        };
        let seen = |cell: CellId, direction, room: i64| match ask {
            Ask::Requirement(requirement) => {
                room.min(self.problem.room_for(requirement, cell, direction))
            }
            Ask::Company(_) => room,
        };
        arcs.network.reset();
        for (arc, &other) in arcs.cells.iter().enumerate() {
            let index = other as usize;
            let value = point[index].clamp(0.0, 1.0);
            let value = if self.is_column[index] { value.max(extra) } else { value };
            let usable = f64::from(other != cell.0) * value;
            let up = seen(CellId(other), Direction::Up, table.up[index]);
            let down = seen(CellId(other), Direction::Down, table.down[index]);
            arcs.network.set_capacity(2 * arc, share(up, usable))?;
            arcs.network.set_capacity(2 * arc + 1, share(down, usable))?;
        }
        let sent = self.flow.run(&mut arcs.network, ends.0, ends.1, goal)?;
        if sent as f64 >= goal as f64 * (1.0 - MISSED_GOAL) {
            return Ok(None);
        }
        // The equations of one side add up to the cut: of the side without the outside,
        // which is no equation.
        let outside = table.nodes as u32 - 1;
        let inside = !self.flow.on_source_side(outside);
        let side = (0..outside).filter(|&node| self.flow.on_source_side(node) == inside);
        let lines = side
            .map(|node| (EquationId(node), f64::from(table.signs[node as usize])))
            .filter(|&(_, sign)| sign != 0.0)
            .collect();
        Ok(Some(match ask {
            Ask::Requirement(requirement) => Cut::Capacity { requirement: *requirement, lines },
            Ask::Company(cell) => Cut::Company { cell, lines },
        }))
    }
}
