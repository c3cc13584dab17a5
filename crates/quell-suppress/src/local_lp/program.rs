//! The cheapest movement inside a region: Kelly's linear program (serpell-2011, figure 1)
//! with the cost of a whole cell in view.
//!
//! A cell that is hidden costs its whole weight however little it moves; the program can only
//! charge by the unit. It charges the weight for the most a cell can contribute, so that its
//! value is a lower bound on what must be hidden in the region, and is then solved again
//! with prices that make what is used whole cheap and what is used a little dear (reweighted
//! L1 after Candès, Wakin & Boyd 2008): each step costs a few pivots.

use quell_model::{CellId, Problem, Value};
use quell_solve::{Changed, Limits, Model, Outcome, Presolve, Sense, Solver, Strategy, Vectors};

use super::region::{Region, share};
use crate::{Error, Movement, Need};

/// Solutions of the program for one need, each with prices from the one before.
const REWEIGHTINGS: usize = 3;

/// What a cell that does not move is taken to move, as a share of the need, when it is
/// priced anew.
const LITTLE: f64 = 0.02;

/// Movements below this share of the need are rounding of the solver.
const NOISE: f64 = 1e-9;

/// Simplex iterations after which a program is given up.
const ITERATIONS: u32 = 15_000;

/// A movement and what would have to be hidden for it.
#[derive(Debug, Clone)]
pub(super) struct Way {
    pub(super) movement: Movement,
    pub(super) cost: f64,
}

/// The cheapest movement found in a region that meets a need; `None` if there is none.
///
/// # Errors
/// If the solver fails.
pub(super) fn cheapest(
    problem: &Problem,
    need: &Need,
    region: &Region,
    price: &dyn Fn(CellId) -> f64,
) -> Result<Option<Way>, Error> {
    let Some(cells) = peel(region) else { return Ok(None) };
    Local::new(problem, need, region, price, &cells)?.solve()
}

/// The cells that can move as far as single equations tell: a cell alone in an equation
/// cannot. `None` if the primary is among those that cannot.
fn peel(region: &Region) -> Option<Vec<u32>> {
    let count = region.cells.len();
    let mut left = vec![0_u32; region.rows];
    // The sum of the cells left in a row: when one is left, its number.
    let mut sums = vec![0_u64; region.rows];
    let rows = |cell: usize| region.rows_of(cell as u32);
    for cell in 0..count {
        for &(row, _) in rows(cell) {
            left[row as usize] += 1;
            sums[row as usize] += cell as u64;
        }
    }
    let mut gone = vec![false; count];
    let mut open: Vec<u32> =
        (0..region.rows as u32).filter(|&row| left[row as usize] == 1).collect();
    while let Some(row) = open.pop() {
        if left[row as usize] != 1 {
            continue;
        }
        let cell = sums[row as usize] as usize;
        if cell == 0 {
            return None;
        }
        gone[cell] = true;
        for &(row, _) in rows(cell) {
            left[row as usize] -= 1;
            sums[row as usize] -= cell as u64;
            if left[row as usize] == 1 {
                open.push(row);
            }
        }
    }
    Some((0..count as u32).filter(|&cell| !gone[cell as usize]).collect())
}

/// One or two columns of the program: what stands for a cell.
struct Column {
    cell: CellId,
    /// What hiding it costs; zero if it is hidden.
    weight: f64,
    /// The first of its columns: rises and falls together where it costs nothing, else the
    /// rise; the fall is the next.
    first: usize,
}

struct Local<'a> {
    problem: &'a Problem,
    need: &'a Need,
    region: &'a Region,
    price: &'a dyn Fn(CellId) -> f64,
    solver: Solver,
    columns: Vec<Column>,
    costs: Vec<f64>,
    values: Vec<f64>,
}

/// Columns of the program, ready for the solver.
#[derive(Default)]
struct Columns {
    costs: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    matrix: Vectors,
}

impl<'a> Local<'a> {
    /// The program over some cells of the region, the primary first; amounts are in shares
    /// of the need.
    fn new(
        problem: &'a Problem,
        need: &'a Need,
        region: &'a Region,
        price: &'a dyn Fn(CellId) -> f64,
        cells: &[u32],
    ) -> Result<Self, Error> {
        let mut solver = Solver::new()?;
        solver.set_presolve(Presolve::Off);
        solver.set_strategy(Strategy::Dual);
        solver.set_limits(&Limits { simplex_iterations: Some(ITERATIONS), ..Limits::default() })?;
        let (columns, costs, values) = (Vec::new(), Vec::new(), Vec::new());
        let mut local = Self { problem, need, region, price, solver, columns, costs, values };
        let mut model = local.columns_of(cells);
        let moved = need.direction.sign() as f64;
        (model.lower[0], model.upper[0]) = (moved, moved);
        let zeros = vec![0.0; region.rows];
        local.solver.pass(&Model {
            sense: Sense::Minimise,
            offset: 0.0,
            costs: &model.costs,
            lower: &model.lower,
            upper: &model.upper,
            kinds: None,
            row_lower: &zeros,
            row_upper: &zeros,
            matrix: model.matrix.as_columns(),
        })?;
        Ok(local)
    }

    /// Notes cells as columns, and gives these as the solver takes them.
    fn columns_of(&mut self, cells: &[u32]) -> Columns {
        let mut model = Columns::default();
        for &position in cells {
            let cell = self.region.cells[position as usize];
            let weight = if cell == self.need.cell { 0.0 } else { (self.price)(cell) };
            self.columns.push(Column { cell, weight, first: self.costs.len() });
            let (down, up) = (self.problem.room_down(cell), self.problem.room_up(cell));
            let signs: &[f64] = if weight == 0.0 { &[1.0] } else { &[1.0, -1.0] };
            for &sign in signs {
                let rises = if sign > 0.0 { up } else { down };
                let rows = self.region.rows_of(position).iter();
                model.matrix.push(rows.map(|&(row, c)| (row as usize, sign * f64::from(c))));
                let cost = self.charge(weight, rises);
                model.costs.push(cost);
                self.costs.push(cost);
                model.lower.push(if weight == 0.0 { -self.in_shares(down) } else { 0.0 });
                model.upper.push(self.in_shares(rises));
            }
        }
        model
    }

    /// The price by the unit: the whole weight for the most a cell can contribute.
    fn charge(&self, weight: f64, room: Value) -> f64 {
        // A cell without room costs nothing it could be asked for.
        if room == 0 { weight } else { weight / share(room, self.need.amount) }
    }

    fn in_shares(&self, room: Value) -> f64 {
        match room {
            Value::MAX => f64::INFINITY,
            room => room as f64 / self.need.amount as f64,
        }
    }

    fn solve(mut self) -> Result<Option<Way>, Error> {
        let mut outcome = self.solver.solve()?;
        let mut best: Option<Way> = None;
        for _ in 0..=REWEIGHTINGS {
            if outcome != Outcome::Optimal {
                break;
            }
            self.solver.column_values(&mut self.values)?;
            let way = self.way();
            if best.as_ref().is_none_or(|best| way.cost < best.cost) {
                best = Some(way);
            }
            if best.as_ref().is_some_and(|best| best.cost == 0.0) || !self.reweight()? {
                break;
            }
            outcome = self.solver.resolve(Changed::Objective)?;
        }
        Ok(best)
    }

    fn amount(&self, column: &Column) -> f64 {
        match column.weight == 0.0 {
            true => self.values[column.first],
            false => self.values[column.first] - self.values[column.first + 1],
        }
    }

    fn way(&self) -> Way {
        let unit = self.need.amount as f64;
        let moved = self.columns.iter().map(|column| (column, self.amount(column)));
        let moved: Vec<(&Column, f64)> = moved.filter(|(_, amount)| amount.abs() > NOISE).collect();
        let cost = moved.iter().map(|(column, _)| column.weight).sum();
        let entries = moved.iter().map(|&(column, amount)| (column.cell, amount * unit));
        Way { movement: Movement::new(entries.collect()), cost }
    }

    /// Prices by what the cells moved; says whether any costs something and moved.
    fn reweight(&mut self) -> Result<bool, Error> {
        let mut costs = std::mem::take(&mut self.costs);
        let mut any = false;
        for column in self.columns.iter().filter(|column| column.weight > 0.0) {
            let moved = self.amount(column).abs().min(1.0);
            any |= moved > NOISE;
            let price = column.weight / (moved + LITTLE);
            costs[column.first] = price;
            costs[column.first + 1] = price;
        }
        self.costs = costs;
        self.solver.set_all_costs(&self.costs)?;
        Ok(any)
    }
}
