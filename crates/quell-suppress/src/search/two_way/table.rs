//! A two-way table as a network, recognised from its equations.

use quell_model::{CellId, Direction, Problem, Requirement, Status, Value};
use rustc_hash::FxHashMap;

use crate::requirements;
use crate::search::network::{UNLIMITED, arcs};

/// A table of nodes by nodes is used to look up cells while it has at most so many entries
/// a cell; beyond, a hash map is smaller.
const DENSE: usize = 16;

/// An arc as seen from one of its ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arc {
    /// The cell.
    pub cell: CellId,
    /// The line at the other end.
    pub to: u32,
    /// Which way the cell moves if flow leaves along the arc.
    pub direction: Direction,
}

/// One of the two sides of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// That of the first line.
    One,
    /// That across from it.
    Other,
}

impl Side {
    /// The side across.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::One => Self::Other,
            Self::Other => Self::One,
        }
    }
}

/// Whether flow runs from a line or to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sense {
    /// Along the arc.
    Leaving,
    /// Against it.
    Entering,
}

/// The cell between two lines.
enum Meets {
    Dense(Vec<u32>),
    Sparse(FxHashMap<(u32, u32), u32>),
}

/// A problem whose cells are arcs between lines.
pub(crate) struct TwoWay<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The primaries that need protection.
    pub primaries: Vec<CellId>,
    /// The requirements, those of one primary together.
    requirements: Vec<Requirement>,
    /// Where the requirements of each primary start; one more than there are primaries.
    requirement_starts: Vec<usize>,
    /// The lines between which each cell stands; flow from the first to the second is a
    /// rise.
    ends: Vec<(u32, u32)>,
    /// The arcs of each line that may be hidden, cheapest first.
    arcs: Vec<Arc>,
    starts: Vec<usize>,
    meets: Meets,
    rooms: Vec<[Value; 2]>,
}

impl<'a> TwoWay<'a> {
    /// The network of a problem, or `None` if it is none. The node after the last equation is
    /// the outside, where the cells of a single equation end.
    pub(crate) fn of(problem: &'a Problem) -> Option<Self> {
        let system = problem.system();
        let ends = arcs(system)?.ends;
        let lines = system.equation_count() + 1;
        let rooms: Vec<[Value; 2]> = system
            .cells()
            .map(|cell| [problem.room_down(cell), problem.room_up(cell)].map(|r| r.min(UNLIMITED)))
            .collect();
        let mut around: Vec<Vec<Arc>> = vec![Vec::new(); lines];
        for cell in system.cells() {
            let (tail, head) = ends[cell.index()];
            if problem.status(cell) != Status::Protected && tail != head {
                around[tail as usize].push(Arc { cell, to: head, direction: Direction::Up });
                around[head as usize].push(Arc { cell, to: tail, direction: Direction::Down });
            }
        }
        let (mut arcs, mut starts) = (Vec::new(), vec![0]);
        for mut of_line in around {
            of_line.sort_by(|a, b| problem.weight(a.cell).total_cmp(&problem.weight(b.cell)));
            arcs.extend(of_line);
            starts.push(arcs.len());
        }
        let mut table = Self {
            problem,
            primaries: Vec::new(),
            requirements: Vec::new(),
            requirement_starts: vec![0],
            meets: meets(&arcs, &starts),
            ends,
            arcs,
            starts,
            rooms,
        };
        let reachable = |requirement: &Requirement| {
            let (tail, head) = table.ends[requirement.cell.index()];
            tail != head
                && requirement.distance <= table.room(requirement.cell, requirement.direction)
        };
        let requirements = requirements(problem).into_iter().filter(reachable).collect();
        table.set_needs(requirements);
        Some(table)
    }

    /// The same table with only some of its requirements.
    pub(crate) fn retain(&mut self, keep: impl Fn(&Requirement) -> bool) {
        let requirements = self.requirements.iter().copied().filter(keep).collect();
        self.set_needs(requirements);
    }

    fn set_needs(&mut self, requirements: Vec<Requirement>) {
        self.requirements = requirements;
        let groups = self.requirements.chunk_by(|a, b| a.cell == b.cell);
        self.primaries = groups.clone().map(|group| group[0].cell).collect();
        self.requirement_starts = groups
            .scan(0, |end, group| {
                *end += group.len();
                Some(*end)
            })
            .collect();
        self.requirement_starts.insert(0, 0);
    }

    /// The primaries, by position, those with the largest requirements first: what protects them
    /// often protects the small ones, too.
    pub(crate) fn by_falling_level(&self) -> Vec<usize> {
        let level = |primary: usize| {
            self.requirements_of(primary).iter().map(|requirement| requirement.distance).max()
        };
        let mut order: Vec<usize> = (0..self.primaries.len()).collect();
        order.sort_by_key(|&primary| std::cmp::Reverse(level(primary)));
        order
    }

    /// Number of lines, the outside included.
    pub(crate) fn lines(&self) -> usize {
        self.starts.len() - 1
    }

    /// The requirements of a primary, by its position.
    pub(crate) fn requirements_of(&self, primary: usize) -> &[Requirement] {
        &self.requirements[self.requirement_starts[primary]..self.requirement_starts[primary + 1]]
    }

    /// The arcs of a line, cheapest first; no arc of a cell that must be published.
    pub(crate) fn arcs_of(&self, line: u32) -> &[Arc] {
        &self.arcs[self.starts[line as usize]..self.starts[line as usize + 1]]
    }

    /// The lines of a cell: where a rise comes from and where it goes.
    pub(crate) fn ends(&self, cell: CellId) -> (u32, u32) {
        self.ends[cell.index()]
    }

    /// What a circuit that moves a primary must connect: from and to, the primary aside.
    pub(crate) fn gap(&self, requirement: &Requirement) -> (u32, u32) {
        let (tail, head) = self.ends(requirement.cell);
        match requirement.direction {
            Direction::Up => (head, tail),
            Direction::Down => (tail, head),
        }
    }

    /// How far a cell can move.
    pub(crate) fn room(&self, cell: CellId, direction: Direction) -> Value {
        self.rooms[cell.index()][usize::from(direction == Direction::Up)]
    }

    /// How much flow an arc of a line carries.
    pub(crate) fn room_along(&self, arc: &Arc, sense: Sense) -> Value {
        let rises = (arc.direction == Direction::Up) == (sense == Sense::Leaving);
        self.room(arc.cell, if rises { Direction::Up } else { Direction::Down })
    }

    /// The lines in two sides, such as rows and columns: no cell, as far as that is
    /// possible, has both its lines on one side.
    pub(crate) fn sides(&self) -> Vec<Side> {
        let mut sides = vec![None; self.lines()];
        for start in 0..self.lines() {
            let mut open = vec![(start as u32, Side::One)];
            while let Some((line, side)) = open.pop() {
                if sides[line as usize].is_none() {
                    sides[line as usize] = Some(side);
                    open.extend(self.arcs_of(line).iter().map(|arc| (arc.to, side.other())));
                }
            }
        }
        sides.into_iter().map(|side| side.unwrap_or(Side::One)).collect()
    }

    /// The cell between two lines as an arc from the first, if there is one to hide.
    pub(crate) fn between(&self, from: u32, to: u32) -> Option<Arc> {
        let cell = match &self.meets {
            Meets::Dense(cells) => cells[from as usize * self.lines() + to as usize],
            Meets::Sparse(cells) => *cells.get(&(from, to))?,
        };
        if cell == u32::MAX {
            return None;
        }
        let cell = CellId(cell);
        let rises = self.ends(cell) == (from, to);
        Some(Arc { cell, to, direction: if rises { Direction::Up } else { Direction::Down } })
    }
}

/// Of several cells between the same lines the cheapest counts.
fn meets(arcs: &[Arc], starts: &[usize]) -> Meets {
    let lines = starts.len() - 1;
    let all = || {
        (0..lines)
            .flat_map(|line| arcs[starts[line]..starts[line + 1]].iter().map(move |a| (line, a)))
    };
    if lines.saturating_mul(lines) <= DENSE.saturating_mul(arcs.len()) {
        let mut cells = vec![u32::MAX; lines * lines];
        for (line, arc) in all() {
            let slot = &mut cells[line * lines + arc.to as usize];
            if *slot == u32::MAX {
                *slot = arc.cell.0;
            }
        }
        return Meets::Dense(cells);
    }
    let mut cells = FxHashMap::default();
    for (line, arc) in all() {
        cells.entry((line as u32, arc.to)).or_insert(arc.cell.0);
    }
    Meets::Sparse(cells)
}
