//! Box certificates: the 2^k corners of a box move by ±δ with alternating signs and
//! every equation still holds.
//!
//! In a dense k-way table nearly every primary is the corner of some box of hidden
//! cells, so this cheap search does most of the auditor's work. It knows no
//! coordinates: the fourth corner of a rectangle is simply the cell that two equations
//! share. That makes it work on any system, margins and hierarchies included, and what
//! it finds is checked like every other certificate.

use quell_model::{Direction, Value};
use rustc_hash::FxHashMap;

use crate::view::View;

/// Cells in more equations than this are no corners: a box would have over 2⁵ cells.
const MOST_EQUATIONS: usize = 5;

/// Look-ups spent on one cell before it is left to stronger methods.
const MOST_LOOKUPS: u32 = 4_000;

/// Finds boxes in a view.
pub(crate) struct Boxes<'a> {
    hidden: &'a View,
    /// The cell that two equations share.
    meets: FxHashMap<(u32, u32), u32>,
}

/// A movement of ±1 of a few cells that keeps every equation.
pub(crate) struct Circuit {
    /// Cells with their direction.
    pub(crate) steps: Vec<(u32, Direction)>,
}

impl Circuit {
    /// The largest δ by which all steps can be taken.
    pub(crate) fn capacity(&self, hidden: &View) -> Value {
        let rooms = self.steps.iter().map(|&(cell, direction)| room(hidden, cell, direction));
        rooms.min().unwrap_or(0)
    }

    /// The same movement the other way.
    pub(crate) fn reversed(&self) -> Self {
        let steps = self.steps.iter().map(|&(cell, direction)| (cell, opposite(direction)));
        Self { steps: steps.collect() }
    }
}

fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::Down => Direction::Up,
        Direction::Up => Direction::Down,
    }
}

fn room(hidden: &View, cell: u32, direction: Direction) -> Value {
    match direction {
        Direction::Down => hidden.down[cell as usize],
        Direction::Up => hidden.up[cell as usize],
    }
}

/// A corner of the box under construction.
#[derive(Clone, Copy)]
struct Corner {
    cell: u32,
    direction: Direction,
    /// Which of the cell's equations are edges of the box already, as bits.
    used: u32,
}

/// The search for one box.
struct Search<'a> {
    boxes: &'a Boxes<'a>,
    amount: Value,
    dimensions: usize,
    corners: Vec<Corner>,
    lookups: u32,
}

impl<'a> Boxes<'a> {
    /// Prepares the search in `hidden`.
    pub(crate) fn new(hidden: &'a View) -> Self {
        let mut meets = FxHashMap::default();
        for cell in 0..hidden.len() {
            let equations = hidden.equations_of(cell);
            if !is_corner(hidden, cell) {
                continue;
            }
            for (first, &(one, _)) in equations.iter().enumerate() {
                for &(other, _) in &equations[first + 1..] {
                    meets.entry((one, other)).or_insert(cell as u32);
                }
            }
        }
        Self { hidden, meets }
    }

    /// A box in which `cell` moves by at least `amount`.
    pub(crate) fn find(&self, cell: u32, direction: Direction, amount: Value) -> Option<Circuit> {
        if !is_corner(self.hidden, cell as usize) {
            return None;
        }
        let mut search = Search {
            boxes: self,
            amount,
            dimensions: self.hidden.equations_of(cell as usize).len(),
            corners: vec![Corner { cell, direction, used: 0 }],
            lookups: 0,
        };
        search.lift(0).then(|| {
            let steps = search.corners.iter().map(|corner| (corner.cell, corner.direction));
            Circuit { steps: steps.collect() }
        })
    }

    fn meet(&self, one: u32, other: u32) -> Option<u32> {
        self.meets.get(&(one.min(other), one.max(other))).copied()
    }
}

fn is_corner(hidden: &View, cell: usize) -> bool {
    let equations = hidden.equations_of(cell);
    (1..=MOST_EQUATIONS).contains(&equations.len())
        && equations.iter().all(|&(_, coefficient)| coefficient.abs() == 1)
}

impl Search<'_> {
    /// Doubles the corners along the next free equation of the first corner, and so on
    /// until every equation of the first corner is an edge.
    fn lift(&mut self, level: usize) -> bool {
        if level == self.dimensions {
            return self.is_balanced();
        }
        let hidden = self.boxes.hidden;
        let base = self.corners[0];
        let slot = base.used.trailing_ones() as usize;
        let (equation, coefficient) = hidden.equations_of(base.cell as usize)[slot];
        let count = self.corners.len();
        for &(partner, own) in hidden.cells_of(equation as usize) {
            if self.lookups > MOST_LOOKUPS {
                return false;
            }
            let direction = along(base.direction, coefficient, own);
            let saved: Vec<u32> = self.corners.iter().map(|corner| corner.used).collect();
            if self.admit(partner, direction, equation) {
                self.corners[0].used |= 1 << slot;
                let complete = (1..count).all(|corner| self.add_partner(corner, count));
                if complete && self.lift(level + 1) {
                    return true;
                }
            }
            self.corners.truncate(count);
            for (corner, used) in self.corners.iter_mut().zip(saved) {
                corner.used = used;
            }
        }
        false
    }

    /// Adds a corner that is reached along `equation`, if it can move and is new.
    fn admit(&mut self, cell: u32, direction: Direction, equation: u32) -> bool {
        let hidden = self.boxes.hidden;
        self.lookups += 1;
        let fits = room(hidden, cell, direction) >= self.amount
            && hidden.equations_of(cell as usize).len() == self.dimensions
            && is_corner(hidden, cell as usize)
            && self.corners.iter().all(|corner| corner.cell != cell);
        if fits {
            let used = 1 << slot_of(hidden, cell, equation);
            self.corners.push(Corner { cell, direction, used });
        }
        fits
    }

    /// Finds the partner of a corner: the cell where a free equation of the corner meets
    /// an equation of the partner of its neighbour.
    fn add_partner(&mut self, corner: usize, count: usize) -> bool {
        let hidden = self.boxes.hidden;
        let neighbour = corner & !(1 << corner.ilog2());
        let across = self.corners[count + neighbour];
        let own = self.corners[corner];
        for (slot, &(equation, coefficient)) in
            hidden.equations_of(own.cell as usize).iter().enumerate()
        {
            if own.used >> slot & 1 == 1 {
                continue;
            }
            for (other_slot, &(other, _)) in
                hidden.equations_of(across.cell as usize).iter().enumerate()
            {
                if across.used >> other_slot & 1 == 1 {
                    continue;
                }
                self.lookups += 1;
                let Some(cell) = self.boxes.meet(equation, other) else { continue };
                let own_slot = slot_of(hidden, cell, equation);
                let theirs = hidden.equations_of(cell as usize)[own_slot].1;
                let direction = along(own.direction, coefficient, theirs);
                if self.admit(cell, direction, equation) {
                    self.corners[corner].used |= 1 << slot;
                    return true;
                }
            }
        }
        false
    }

    /// Whether every equation of every corner holds.
    fn is_balanced(&self) -> bool {
        let hidden = self.boxes.hidden;
        let mut sums: Vec<(u32, i64)> = self
            .corners
            .iter()
            .flat_map(|corner| {
                let sign = corner.direction.sign();
                let equations = hidden.equations_of(corner.cell as usize).iter();
                equations.map(move |&(equation, c)| (equation, sign * i64::from(c)))
            })
            .collect();
        sums.sort_unstable();
        sums.chunk_by(|a, b| a.0 == b.0)
            .all(|equation| equation.iter().map(|&(_, term)| term).sum::<i64>() == 0)
    }
}

/// The direction of a cell with coefficient `to` that makes good a step of a cell with
/// coefficient `from` in one equation.
fn along(direction: Direction, from: i32, to: i32) -> Direction {
    if from == to { opposite(direction) } else { direction }
}

fn slot_of(hidden: &View, cell: u32, equation: u32) -> usize {
    let equations = hidden.equations_of(cell as usize).iter();
    equations.take_while(|&&(other, _)| other != equation).count()
}
