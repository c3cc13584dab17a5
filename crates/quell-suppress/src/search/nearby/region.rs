//! The part of a table in which a requirement is met: cells that can move while all others stand
//! still.
//!
//! In a k-way table that is a box: some codes of every dimension around the primary, chosen
//! where hidden or cheap cells lie in its own lines (algorithms.md: "sub-box LPs"). Systems
//! have no coordinates, so the box is grown along equations: where the equations of chosen
//! cells cross, the crossing cell and its other equations join. What moves inside is a
//! movement of the whole table, because a cell belongs only if all its equations do.

use quell_model::{CellId, Direction, EquationId, Problem, Requirement, Value};

use crate::search::mover::FORBIDDEN;

/// Cells of each equation that are chosen because they can carry the most, whatever they
/// cost: totals, without which large requirements often cannot be met.
const STRONGEST: usize = 1;

/// Cells taken from an equation that crosses no other one of the region.
const LONELY: usize = 3;

/// Grows regions. Keeps working memory from one to the next.
#[derive(Debug)]
pub(super) struct Regions<'a> {
    problem: &'a Problem,
    /// In which region an equation was last, and as what row.
    region_of: Vec<u32>,
    row_of: Vec<u32>,
    /// The sign in which a cell with coefficient one of an equation has to move to make up
    /// for the cell that brought it in: half the corners of a box rise, half fall.
    sign_in: Vec<i8>,
    seen: Vec<u32>,
    current: u32,
    lines: Vec<EquationId>,
}

/// Cells that may move and the equations they stand in.
#[derive(Debug, Clone, Default)]
pub(super) struct Region {
    /// The cells, the primary first.
    pub(super) cells: Vec<CellId>,
    /// The equations of each cell: rows and coefficients, one after the other.
    pub(super) starts: Vec<usize>,
    pub(super) entries: Vec<(u32, i32)>,
    /// Number of rows.
    pub(super) rows: usize,
}

impl Region {
    /// The rows of a cell with its coefficients.
    pub(super) fn rows_of(&self, cell: u32) -> &[(u32, i32)] {
        &self.entries[self.starts[cell as usize]..self.starts[cell as usize + 1]]
    }
}

/// How large a region may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    /// Cells taken from each equation. One that can carry less of the requirement than its share of
    /// the width is not chosen: more than these would have to be hidden.
    pub(super) width: usize,
    /// The most equations.
    pub(super) lines: usize,
}

impl<'a> Regions<'a> {
    pub(super) fn new(problem: &'a Problem) -> Self {
        Self {
            region_of: vec![0; problem.system().equation_count()],
            row_of: vec![0; problem.system().equation_count()],
            sign_in: vec![0; problem.system().equation_count()],
            seen: vec![0; problem.cell_count()],
            current: 0,
            lines: Vec::new(),
            problem,
        }
    }

    /// The region of a requirement, where `price` says what a cell costs if it moves; zero prices
    /// are ranked by `tie_break`.
    pub(super) fn grow(
        &mut self,
        requirement: &Requirement,
        size: Size,
        price: &dyn Fn(CellId) -> f64,
        tie_break: &dyn Fn(CellId) -> f64,
    ) -> Region {
        self.current += 1;
        self.lines.clear();
        let system = self.problem.system();
        self.join_lines_of(requirement.cell, requirement.direction.sign() as i8);
        let own = self.lines.len();
        let mut next = 0;
        let mut ranked: Vec<Ranked> = Vec::new();
        while next < self.lines.len() && self.lines.len() < size.lines {
            let line = self.lines[next];
            ranked.clear();
            let mut inside = 0;
            let least = if next < own { 1 } else { 2 };
            for (cell, coefficient) in system.cells_of(line) {
                let known = self.known(cell);
                if cell == requirement.cell || known == system.equations_of(cell).len() {
                    inside += 1;
                } else if known >= least {
                    let found = self.rank(requirement, line, (cell, coefficient), price, tie_break);
                    ranked.extend(found.filter(|one| one.share * size.width as f64 >= 1.0));
                }
            }
            let mut room = size.width.saturating_sub(inside - usize::from(next < own));
            if inside + ranked.len() < LONELY {
                // Nothing crosses here: without company the line holds its cells fast.
                room = LONELY - inside.min(LONELY);
                for (cell, coefficient) in system.cells_of(line) {
                    if cell != requirement.cell && self.known(cell) == 1 {
                        let found =
                            self.rank(requirement, line, (cell, coefficient), price, tie_break);
                        ranked.extend(found.filter(|one| one.share * size.width as f64 >= 1.0));
                    }
                }
            }
            best(&mut ranked, room);
            for one in &ranked {
                self.join_lines_of(one.cell, one.sign);
            }
            next += 1;
        }
        self.close(requirement, price)
    }

    /// The whole table as the region of a requirement.
    pub(super) fn whole(
        &mut self,
        requirement: &Requirement,
        price: &dyn Fn(CellId) -> f64,
    ) -> Region {
        self.current += 1;
        self.lines.clear();
        for equation in self.problem.system().equations() {
            self.region_of[equation.index()] = self.current;
            self.row_of[equation.index()] = self.lines.len() as u32;
            self.lines.push(equation);
        }
        self.close(requirement, price)
    }

    /// All cells of the joined lines that stand in no others.
    fn close(&mut self, requirement: &Requirement, price: &dyn Fn(CellId) -> f64) -> Region {
        let system = self.problem.system();
        let mut region = Region { starts: vec![0], rows: self.lines.len(), ..Region::default() };
        let take = |region: &mut Region, cell: CellId, row_of: &[u32]| {
            region.cells.push(cell);
            let equations = system.equations_of(cell);
            region.entries.extend(equations.map(|(e, c)| (row_of[e.index()], c)));
            region.starts.push(region.entries.len());
        };
        self.seen[requirement.cell.index()] = self.current;
        take(&mut region, requirement.cell, &self.row_of);
        for &line in &self.lines {
            for (cell, _) in system.cells_of(line) {
                if std::mem::replace(&mut self.seen[cell.index()], self.current) == self.current {
                    continue;
                }
                let inside = system.equations_of(cell).all(|(equation, _)| self.has(equation));
                if inside && price(cell) != FORBIDDEN {
                    take(&mut region, cell, &self.row_of);
                }
            }
        }
        region
    }

    /// A cell of a line with what it costs for the share of the requirement it can carry; `None` if
    /// it is of no use.
    fn rank(
        &self,
        requirement: &Requirement,
        line: EquationId,
        (cell, coefficient): (CellId, i32),
        price: &dyn Fn(CellId) -> f64,
        tie_break: &dyn Fn(CellId) -> f64,
    ) -> Option<Ranked> {
        let sign = self.sign_in[line.index()] * coefficient.signum() as i8;
        let direction = if sign > 0 { Direction::Up } else { Direction::Down };
        let room = self.problem.room_for(requirement, cell, direction);
        let (share, price) = (share(room, requirement.distance), price(cell));
        (price != FORBIDDEN && share > 0.0).then(|| Ranked {
            share,
            price: price / share,
            tie_break: tie_break(cell),
            room,
            cell,
            sign,
        })
    }

    /// How many equations of a cell belong to the region.
    fn known(&self, cell: CellId) -> usize {
        let equations = self.problem.system().equations_of(cell);
        equations.filter(|&(equation, _)| self.has(equation)).count()
    }

    fn has(&self, equation: EquationId) -> bool {
        self.region_of[equation.index()] == self.current
    }

    fn join_lines_of(&mut self, cell: CellId, sign: i8) {
        for (equation, coefficient) in self.problem.system().equations_of(cell) {
            if !self.has(equation) {
                self.region_of[equation.index()] = self.current;
                self.row_of[equation.index()] = self.lines.len() as u32;
                self.sign_in[equation.index()] = -sign * coefficient.signum() as i8;
                self.lines.push(equation);
            }
        }
    }
}

/// A cell that could join a region.
#[derive(Debug, Clone, Copy)]
struct Ranked {
    /// What it costs for the share of the requirement it can carry.
    price: f64,
    /// The share of the requirement it can carry.
    share: f64,
    /// Decides between equal prices.
    tie_break: f64,
    room: Value,
    cell: CellId,
    sign: i8,
}

/// Leaves the strongest and the cheapest of the ranked cells, so many in all.
fn best(ranked: &mut Vec<Ranked>, room: usize) {
    if ranked.len() <= room {
        return;
    }
    let strongest = STRONGEST.min(room);
    if strongest > 0 {
        ranked.select_nth_unstable_by(strongest - 1, |a, b| {
            b.room.cmp(&a.room).then(a.cell.cmp(&b.cell))
        });
    }
    let rest = &mut ranked[strongest..];
    let cheapest = room - strongest;
    if cheapest > 0 {
        rest.select_nth_unstable_by(cheapest - 1, |a, b| {
            a.price
                .total_cmp(&b.price)
                .then(a.tie_break.total_cmp(&b.tie_break))
                .then(a.cell.cmp(&b.cell))
        });
    }
    ranked.truncate(room);
    ranked.sort_unstable_by_key(|one| one.cell);
}

/// The share of an amount that fits in a room.
pub(super) fn share(room: Value, amount: Value) -> f64 {
    (room as f64 / amount as f64).min(1.0)
}
