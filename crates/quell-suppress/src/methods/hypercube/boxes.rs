//! The cheapest box around a cell in a sub-table of a cube.

use quell_model::{CellId, Cube, Direction, NodeId, Problem, Requirement, Status, Value};
use rustc_hash::FxHashMap;

use crate::search::mover::{FORBIDDEN, Mover};
use crate::{Error, Movement};

/// A cube is looked up in a plain table while it has at most so many places a cell.
const DENSE: u64 = 8;

/// Corners looked at in one search before the best box so far is taken.
const MOST_LOOKUPS: u32 = 500_000;

/// One sum in each dimension that has sums; [`NO_SUM`] in the others.
pub(super) type SubTable = Vec<u32>;

/// No sum: the dimension has a single code.
pub(super) const NO_SUM: u32 = u32::MAX;

/// The cell at a place.
enum Places {
    Dense(Vec<u32>),
    Sparse(FxHashMap<u64, u32>),
}

/// A corner of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Corner {
    pub(super) cell: CellId,
    pub(super) direction: Direction,
    place: u64,
}

/// Finds boxes.
pub(super) struct Boxes<'a> {
    problem: &'a Problem,
    cube: &'a Cube,
    strides: Vec<u64>,
    places: Places,
    searches: u64,
}

/// A code to which a dimension may be flipped.
struct Flip {
    /// What the place changes by, wrapping.
    shift: u64,
    /// Whether the corner moves the other way: part to part, not total to part.
    turns: bool,
    /// What the cell next to the first corner costs.
    cost: f64,
}

/// The search for one box.
struct Search<'s> {
    boxes: &'s Boxes<'s>,
    cost: &'s dyn Fn(CellId) -> f64,
    amount: Value,
    /// For each dimension of the sub-table the codes to flip to, cheapest first.
    flips: Vec<Vec<Flip>>,
    /// What the edges of the dimensions from here on cost at least.
    ahead: Vec<f64>,
    corners: Vec<Corner>,
    best: f64,
    found: Vec<Corner>,
    lookups: u32,
}

impl<'a> Boxes<'a> {
    pub(super) fn new(problem: &'a Problem, cube: &'a Cube) -> Self {
        let sizes = cube.dimensions().iter().map(|dimension| dimension.hierarchy.len() as u64);
        let mut strides = Vec::new();
        let mut size = 1_u64;
        for length in sizes {
            strides.push(size);
            // A cube has fewer than 2⁶⁴ places, so this does not overflow.
            size = size.saturating_mul(length);
        }
        let mut boxes =
            Self { problem, cube, strides, places: Places::Dense(Vec::new()), searches: 0 };
        let all = || problem.system().cells().map(|cell| (boxes.place(cell), cell.0));
        boxes.places = if size <= DENSE.saturating_mul(problem.cell_count() as u64) {
            let mut cells = vec![u32::MAX; size as usize];
            all().for_each(|(place, cell)| cells[place as usize] = cell);
            Places::Dense(cells)
        } else {
            Places::Sparse(all().collect())
        };
        boxes
    }

    /// The cube.
    pub(super) fn cube(&self) -> &'a Cube {
        self.cube
    }

    /// Boxes looked for so far: the effort.
    pub(super) fn searches(&self) -> u64 {
        self.searches
    }

    /// Whether every dimension has at most one sum, so that there is one sub-table and a
    /// box keeps every equation.
    pub(super) fn is_flat(&self) -> bool {
        self.cube.dimensions().iter().all(|dimension| dimension.hierarchy.sums().len() <= 1)
    }

    fn place(&self, cell: CellId) -> u64 {
        let coordinates = (0..self.strides.len()).map(|d| self.cube.coordinate(cell, d));
        coordinates.zip(&self.strides).map(|(node, stride)| u64::from(node) * stride).sum()
    }

    fn at(&self, place: u64) -> Option<CellId> {
        let cell = match &self.places {
            Places::Dense(cells) => cells[place as usize],
            Places::Sparse(cells) => *cells.get(&place)?,
        };
        (cell != u32::MAX).then_some(CellId(cell))
    }

    /// The corners of the cheapest box of a sub-table in which a cell, the first corner,
    /// moves as a requirement says.
    pub(super) fn cheapest_box(
        &mut self,
        requirement: &Requirement,
        sub_table: &SubTable,
        cost: &dyn Fn(CellId) -> f64,
    ) -> Option<Vec<Corner>> {
        self.searches += 1;
        let first = Corner {
            cell: requirement.cell,
            direction: requirement.direction,
            place: self.place(requirement.cell),
        };
        let mut search = Search {
            boxes: self,
            cost,
            amount: requirement.distance,
            flips: Vec::new(),
            ahead: vec![0.0],
            corners: vec![first],
            best: f64::INFINITY,
            found: Vec::new(),
            lookups: 0,
        };
        if search.boxes.problem.room(requirement.cell, requirement.direction) < requirement.distance
        {
            return None;
        }
        for (dimension, &sum) in sub_table.iter().enumerate().filter(|&(_, &sum)| sum != NO_SUM) {
            let flips = search.flips_in(first, dimension, sum);
            search.flips.push(flips);
        }
        for flips in search.flips.iter().rev() {
            let cheapest = flips.first()?.cost;
            search.ahead.insert(0, search.ahead[0] + cheapest);
        }
        search.widen(0, 0.0);
        (search.best < f64::INFINITY).then_some(search.found)
    }
}

impl Search<'_> {
    /// The codes of a sum that a dimension of the first corner can be flipped to.
    fn flips_in(&mut self, first: Corner, dimension: usize, sum: u32) -> Vec<Flip> {
        let boxes = self.boxes;
        let sum = &boxes.cube.dimensions()[dimension].hierarchy.sums()[sum as usize];
        let stride = boxes.strides[dimension];
        let own: NodeId = boxes.cube.coordinate(first.cell, dimension);
        let codes = std::iter::once(sum.total).chain(sum.parts.iter().copied());
        let mut flips: Vec<Flip> = codes
            .filter(|&code| code != own)
            .filter_map(|code| {
                let shift = u64::from(code).wrapping_sub(u64::from(own)).wrapping_mul(stride);
                let turns = own != sum.total && code != sum.total;
                let (_, cost) = self.corner(first, shift, turns)?;
                Some(Flip { shift, turns, cost })
            })
            .collect();
        flips.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        flips
    }

    /// The corner across from another and its cost, if it can be one.
    fn corner(&mut self, from: Corner, shift: u64, turns: bool) -> Option<(Corner, f64)> {
        self.lookups += 1;
        let place = from.place.wrapping_add(shift);
        let cell = self.boxes.at(place)?;
        let direction = match (from.direction, turns) {
            (Direction::Up, true) | (Direction::Down, false) => Direction::Down,
            (Direction::Up, false) | (Direction::Down, true) => Direction::Up,
        };
        let cost = (self.cost)(cell);
        let fits = cost != FORBIDDEN
            && self.boxes.problem.status(cell) != Status::Protected
            && self.boxes.problem.room(cell, direction) >= self.amount;
        fits.then_some((Corner { cell, direction, place }, cost))
    }

    /// Doubles the corners along the next dimension in every way that may still be cheaper
    /// than the best box.
    fn widen(&mut self, level: usize, so_far: f64) {
        if level == self.flips.len() {
            if so_far < self.best {
                self.best = so_far;
                self.found.clone_from(&self.corners);
            }
            return;
        }
        let count = self.corners.len();
        for flip in 0..self.flips[level].len() {
            let Flip { shift, turns, cost } = self.flips[level][flip];
            let least = so_far + cost + self.ahead[level + 1];
            if least >= self.best || self.lookups > MOST_LOOKUPS {
                break;
            }
            let mut total = so_far;
            for corner in 0..count {
                match self.corner(self.corners[corner], shift, turns) {
                    Some((next, cost)) if total + cost < self.best => {
                        total += cost;
                        self.corners.push(next);
                    }
                    _ => break,
                }
            }
            if self.corners.len() == 2 * count {
                self.widen(level + 1, total);
            }
            self.corners.truncate(count);
        }
    }
}

/// In a flat cube a box is a movement.
impl Mover for Boxes<'_> {
    fn cheapest(
        &mut self,
        requirement: &Requirement,
        cost: &dyn Fn(CellId) -> f64,
    ) -> Result<Option<Movement>, Error> {
        let of_dimension = |dimension: &quell_model::Dimension| {
            if dimension.hierarchy.sums().is_empty() { NO_SUM } else { 0 }
        };
        let sub_table = self.cube.dimensions().iter().map(of_dimension).collect();
        let corners = self.cheapest_box(requirement, &sub_table, cost);
        let step = |corner: &Corner| {
            (corner.cell, (corner.direction.sign() * requirement.distance) as f64)
        };
        Ok(corners.map(|corners| Movement::new(corners.iter().map(step).collect())))
    }
}
