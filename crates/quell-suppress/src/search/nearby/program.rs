//! The cheapest movement inside a region: Kelly's linear program (serpell-2011, figure 1)
//! with the cost of a whole cell in view.
//!
//! A cell that is hidden costs its whole weight however little it moves; a linear program can
//! only charge by the unit. It charges the weight for the most a cell can contribute at first,
//! and is then solved again with prices that make what is used whole cheap and what is used a
//! little dear (reweighted L1 after candes-2008).
//!
//! Every cell has a column for its rise and one for its fall. All standing still, the costs of
//! all columns have the right sign, so the dual simplex starts there and the movement grows
//! outwards from the primary.

use quell_model::{Budget, CellId, Direction, Problem, Requirement, Value};
use quell_solve::{Changed, Limits, Model, Outcome, Sense, Solver, Vectors};
use rustc_hash::FxHashMap;

use super::region::{Region, share};
use crate::search::mover::PRICE_OF_HIDDEN;
use crate::tolerance::AT_REST;
use crate::{Error, Movement};

/// The most solutions of the program for one requirement, each with prices from the one before.
const SOLUTIONS: usize = 6;

/// A solution that is cheaper by less than this share is the last.
const LEAST_GAIN: f64 = 0.01;

/// What a cell that does not move is taken to move, as a share of the requirement, when it is
/// priced anew.
const LITTLE: f64 = 0.005;

/// The share of the time left that one program may take.
const TIME: f64 = 0.05;

/// A program that takes more simplex iterations than it has equations, and more than this, is
/// given up: where a movement spreads over the whole of a dense table it would take far more.
const ITERATIONS: u32 = 15_000;

/// A movement and what would have to be hidden for it.
#[derive(Debug, Clone)]
pub(crate) struct PricedMovement {
    pub(crate) movement: Movement,
    pub(crate) cost: f64,
}

/// What a program says to a requirement.
pub(super) enum Answer {
    /// A movement that meets it.
    Found(PricedMovement),
    /// There is none in the region.
    Impossible,
    /// That would take too long to find out.
    TooLong,
}

/// The cheapest movement found in a region that meets a requirement.
///
/// # Errors
/// If the solver fails.
pub(super) fn cheapest(
    problem: &Problem,
    requirement: &Requirement,
    region: &Region,
    price: &dyn Fn(CellId) -> f64,
    budget: &Budget,
) -> Result<Answer, Error> {
    let Some(cells) = peel(region) else { return Ok(Answer::Impossible) };
    let part = Part { problem, requirement, region, price, budget };
    // The whole weight for the most a cell can contribute.
    let relaxed = |_, weight: f64, room: Value| match room {
        // A cell without room costs nothing it could be asked for.
        0 => weight,
        room => weight / share(room, requirement.distance),
    };
    let mut local = Local::new(part, &cells, &relaxed)?;
    let mut best: Option<PricedMovement> = None;
    for _ in 0..SOLUTIONS {
        match local.solve()? {
            Outcome::Optimal => {}
            outcome if best.is_none() && outcome.is_limit() => return Ok(Answer::TooLong),
            _ => break,
        }
        let priced = local.priced();
        let enough = best
            .as_ref()
            .map_or(priced.cost == 0.0, |best| priced.cost >= best.cost * (1.0 - LEAST_GAIN));
        if best.as_ref().is_none_or(|best| priced.cost < best.cost) {
            best = Some(priced);
        }
        if enough || budget.stop().is_some() {
            break;
        }
        local = local.again()?;
    }
    Ok(best.map_or(Answer::Impossible, Answer::Found))
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

/// What a program is about.
#[derive(Clone, Copy)]
struct Part<'a> {
    problem: &'a Problem,
    requirement: &'a Requirement,
    region: &'a Region,
    price: &'a dyn Fn(CellId) -> f64,
    budget: &'a Budget,
}

/// The program over some cells of a region. The cell at position `i` has the columns `2i`
/// (its rise) and `2i + 1` (its fall), in shares of the requirement.
struct Local<'a> {
    part: Part<'a>,
    solver: Solver,
    cells: Vec<Column>,
    values: Vec<f64>,
}

/// A cell of the program.
#[derive(Clone, Copy)]
struct Column {
    /// Its position in the region.
    position: u32,
    cell: CellId,
    /// What hiding it costs; zero if it is hidden.
    weight: f64,
}

impl<'a> Local<'a> {
    /// The program over some cells of the region, the primary first, with what a cell of some
    /// weight costs for moving by the whole requirement.
    fn new(
        part: Part<'a>,
        cells: &[u32],
        charge: &dyn Fn(CellId, f64, Value) -> f64,
    ) -> Result<Self, Error> {
        let Part { problem, requirement, region, price, .. } = part;
        let mut columns = Vec::with_capacity(cells.len());
        let (mut costs, mut upper) = (Vec::new(), Vec::new());
        let mut matrix = Vectors::default();
        for &position in cells {
            let cell = region.cells[position as usize];
            let weight = if cell == requirement.cell { 0.0 } else { price(cell) };
            for (sign, direction) in [(1.0, Direction::Up), (-1.0, Direction::Down)] {
                let room = problem.room_for(requirement, cell, direction);
                let rows = region.rows_of(position).iter();
                matrix.push(rows.map(|&(row, c)| (row as usize, sign * f64::from(c))));
                // Proofs that rest on cheap cells last: hidden ones that are dear are used only
                // where they are needed, and can be published again when they no longer are.
                costs.push(match weight == 0.0 {
                    true if problem.status(cell).is_primary() => 0.0,
                    true => PRICE_OF_HIDDEN * problem.weight(cell),
                    false => charge(cell, weight, room),
                });
                upper.push(in_shares(room, requirement));
            }
            columns.push(Column { position, cell, weight });
        }
        let mut lower = vec![0.0; upper.len()];
        let (along, against) = if requirement.direction.sign() > 0 { (0, 1) } else { (1, 0) };
        (lower[along], upper[along], upper[against]) = (1.0, 1.0, 0.0);
        let mut solver = Solver::new()?;
        solver.set_stopping(Some(part.budget.over()))?;
        let zeros = vec![0.0; region.rows];
        solver.pass(&Model {
            sense: Sense::Minimise,
            offset: 0.0,
            costs: &costs,
            lower: &lower,
            upper: &upper,
            kinds: None,
            row_lower: &zeros,
            row_upper: &zeros,
            matrix: matrix.as_columns(),
        })?;
        Ok(Self { part, solver, cells: columns, values: Vec::new() })
    }

    /// Solves the program from all cells standing still.
    fn solve(&mut self) -> Result<Outcome, Error> {
        let most = ITERATIONS.max(self.part.region.rows as u32);
        let seconds = self.seconds(TIME);
        let limits = Limits { simplex_iterations: Some(most), seconds, ..Limits::default() };
        self.solver.set_limits(&limits)?;
        self.solver.set_slack_basis()?;
        let outcome = self.solver.resolve(Changed::Bounds)?;
        if outcome == Outcome::Optimal {
            self.solver.column_values(&mut self.values)?;
        }
        Ok(outcome)
    }

    /// A share of the time left, a second at least: without time a requirement must still be met.
    fn seconds(&self, share: f64) -> Option<f64> {
        self.part.budget.time_left().map(|left| (left.as_secs_f64() * share).max(1.0))
    }

    /// How far a cell of the program moves, in shares of the requirement.
    fn amount(&self, index: usize) -> f64 {
        self.values[2 * index] - self.values[2 * index + 1]
    }

    fn priced(&self) -> PricedMovement {
        let unit = self.part.requirement.distance as f64;
        let moved = self.cells.iter().enumerate();
        let moved = moved.map(|(index, column)| (column, self.amount(index)));
        let moved: Vec<(&Column, f64)> =
            moved.filter(|(_, amount)| amount.abs() > AT_REST).collect();
        let cost = moved.iter().map(|(column, _)| column.weight).sum();
        let entries = moved.iter().map(|&(column, amount)| (column.cell, amount * unit));
        PricedMovement { movement: Movement::new(entries.collect()), cost }
    }

    /// The program with prices by what the cells moved.
    fn again(self) -> Result<Self, Error> {
        let positions: Vec<u32> = self.cells.iter().map(|column| column.position).collect();
        let amounts =
            (0..self.cells.len()).map(|index| (self.cells[index].cell, self.amount(index)));
        let moved: FxHashMap<CellId, f64> =
            amounts.filter(|(_, amount)| amount.abs() > AT_REST).collect();
        let charge = |cell: CellId, weight: f64, _| {
            let moved = moved.get(&cell).map_or(0.0, |amount| amount.abs().min(1.0));
            weight / (moved + LITTLE)
        };
        Self::new(self.part, &positions, &charge)
    }
}

fn in_shares(room: Value, requirement: &Requirement) -> f64 {
    match room {
        Value::MAX => f64::INFINITY,
        room => room as f64 / requirement.distance as f64,
    }
}
