//! A two-dimensional table as a network.
//!
//! Rows and columns are nodes; a cell that grows is flow from its row to its column, one that shrinks is
//! flow the other way. Movements of the cells that keep all row and column sums are exactly the
//! circulations.

use super::{Flow, Link, MAX_CAPACITY, MaxFlow, MinCostFlow, Network};
use crate::Error;

/// Where a cell stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// Its row.
    pub row: u32,
    /// Its column.
    pub column: u32,
}

/// Whether a cell is to grow or to shrink.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The cell grows.
    Up,
    /// The cell shrinks.
    Down,
}

/// By how much a cell moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Movement {
    /// The cell.
    pub cell: usize,
    /// Positive if it grows.
    pub by: i64,
}

/// A cell that can move no farther, and which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spent {
    /// The cell.
    pub cell: usize,
    /// The direction in which it has no room left.
    pub direction: Direction,
}

/// A table whose cells may move up and down within limits, at a cost.
///
/// The arcs of cell `i` are `2 i` (up) and `2 i + 1` (down). They are two arcs because moving either way
/// costs, while taking a movement back saves.
#[derive(Debug, Clone)]
pub struct Bipartite {
    network: Network,
    places: Vec<Place>,
    rows: u32,
    cheapest: MinCostFlow,
    most: MaxFlow,
    /// The cell of the last query, and how it moved.
    target: Option<Movement>,
}

impl Bipartite {
    /// A table with the given cells, none of which may move yet.
    pub fn new(rows: usize, columns: usize, places: &[Place]) -> Result<Self, Error> {
        let too_large = |_| Error::TooLarge { what: "table lines", size: rows.max(columns) };
        let first_column = u32::try_from(rows).map_err(too_large)?;
        let lines = rows + columns;
        u32::try_from(lines).map_err(too_large)?;
        let mut links = Vec::with_capacity(2 * places.len());
        for place in places {
            let check = |what, index: u32, size: usize| {
                if (index as usize) < size {
                    Ok(())
                } else {
                    Err(Error::OutOfRange { what, index: i64::from(index), size })
                }
            };
            check("row", place.row, rows)?;
            check("column", place.column, columns)?;
            let (row, column) = (place.row, first_column + place.column);
            links.push(Link { tail: row, head: column });
            links.push(Link { tail: column, head: row });
        }
        Ok(Self {
            network: Network::new(lines, &links)?,
            places: places.to_vec(),
            rows: first_column,
            cheapest: MinCostFlow::new(),
            most: MaxFlow::new(),
            target: None,
        })
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.places.len()
    }

    /// Sets how far a cell may shrink and grow.
    pub fn set_room(&mut self, cell: usize, down: i64, up: i64) -> Result<(), Error> {
        self.network.set_capacity(2 * cell, up)?;
        self.network.set_capacity(2 * cell + 1, down)
    }

    /// Sets what moving a cell by one costs, either way.
    pub fn set_cost(&mut self, cell: usize, cost: i64) -> Result<(), Error> {
        self.network.set_cost(2 * cell, cost)?;
        self.network.set_cost(2 * cell + 1, cost)
    }

    /// The cheapest movement of the *other* cells that lets `cell` move by `amount`, whatever its own
    /// room and cost. Less may be possible; then the result is the most.
    pub fn cheapest(
        &mut self,
        cell: usize,
        direction: Direction,
        amount: i64,
    ) -> Result<Flow, Error> {
        self.query(cell, direction, |table, from, to| {
            let flow = table.cheapest.run(&mut table.network, from, to, amount)?;
            Ok((flow, flow.amount))
        })
    }

    /// How far `cell` can move, up to `limit`, if the other cells move as they can, whatever its own room.
    pub fn farthest(
        &mut self,
        cell: usize,
        direction: Direction,
        limit: i64,
    ) -> Result<i64, Error> {
        self.query(cell, direction, |table, from, to| {
            let amount = table.most.run(&mut table.network, from, to, limit)?;
            Ok((amount, amount))
        })
    }

    /// Runs a search without the cell's own arcs. What the cell gains must come back from its column to
    /// its row, and the other way round if it shrinks.
    fn query<T>(
        &mut self,
        cell: usize,
        direction: Direction,
        search: impl FnOnce(&mut Self, u32, u32) -> Result<(T, i64), Error>,
    ) -> Result<T, Error> {
        let Some(&place) = self.places.get(cell) else {
            return Err(Error::OutOfRange {
                what: "cell",
                index: i64::try_from(cell).unwrap_or(i64::MAX),
                size: self.cells(),
            });
        };
        self.network.reset();
        let (up, down) = (self.network.capacity(2 * cell), self.network.capacity(2 * cell + 1));
        let (row, column) = (place.row, self.rows + place.column);
        let (from, to, sign) = match direction {
            Direction::Up => (column, row, 1),
            Direction::Down => (row, column, -1),
        };
        self.set_room(cell, 0, 0)?;
        let result = search(self, from, to);
        self.set_room(cell, down, up)?;
        let (result, amount) = result?;
        self.target = Some(Movement { cell, by: sign * amount });
        Ok(result)
    }

    /// Reads all movements of the last query, that of the asked cell included, in the order of the cells.
    pub fn movements(&self, into: &mut Vec<Movement>) {
        into.clear();
        into.extend(self.target.filter(|target| target.by != 0));
        into.extend(self.network.touched().map(|arc| {
            let cell = arc / 2;
            Movement { cell, by: self.network.flow(2 * cell) - self.network.flow(2 * cell + 1) }
        }));
        into.retain(|movement| movement.by != 0);
        // No cell has two different movements here: the asked cell has no flow of its own.
        into.sort_unstable_by_key(|movement| movement.cell);
        into.dedup();
    }

    /// After [`farthest`](Self::farthest) ended below its limit: the cells that block it, each with the
    /// direction in which it is spent. Their room in that direction adds up to what was possible.
    pub fn bottleneck(&self, into: &mut Vec<Spent>) {
        into.clear();
        let asked = self.target.map(|target| target.cell);
        for (cell, place) in self.places.iter().enumerate() {
            let row = self.most.on_source_side(place.row);
            let column = self.most.on_source_side(self.rows + place.column);
            match (row, column) {
                _ if asked == Some(cell) => {}
                (true, false) => into.push(Spent { cell, direction: Direction::Up }),
                (false, true) => into.push(Spent { cell, direction: Direction::Down }),
                _ => {}
            }
        }
    }

    /// Room without limit.
    pub const UNLIMITED: i64 = MAX_CAPACITY;
}
