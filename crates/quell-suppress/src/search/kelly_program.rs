//! Kelly's linear program for one primary (serpell-2011, equations 3–8): move the primary
//! by its level, all equations kept, at the least cost-weighted movement of other cells.
//!
//! The model has two columns for each cell, its rise and its fall, both from zero to the room the
//! attacker's bounds leave; it is built once, and from one requirement to the next only costs and
//! the bounds of the primaries concerned change.

use quell_model::{Budget, CellId, Direction, Problem, Requirement, Status, Value};
use quell_solve::{Changed, Limits, Model, Outcome, Sense, Solver, Vectors};

use crate::search::mover::{FORBIDDEN, Mover};
use crate::tolerance::AT_REST;
use crate::{Error, Movement};

/// The linear program over all cells that may move.
pub(crate) struct KellyProgram<'a> {
    problem: &'a Problem,
    solver: Solver,
    /// The cells that may move; cell `i` has the columns `2i` (rise) and `2i + 1` (fall).
    cells: Vec<CellId>,
    position: Vec<u32>,
    costs: Vec<f64>,
    open: Vec<bool>,
    /// Amounts are divided by this, so that the solver's absolute tolerances fit.
    unit: f64,
    values: Vec<f64>,
    pub(crate) iterations: u64,
    /// Whether the last program was given up for its length.
    pub(crate) gave_up: bool,
}

/// The most simplex iterations of a program that may be given up. Most take some hundreds; where a
/// movement spreads over thousands of cells that each move a little, one can take minutes.
const PATIENCE: u32 = 4_000;

impl<'a> KellyProgram<'a> {
    /// The program of a problem; a solve ends with the budget.
    pub(crate) fn new(problem: &'a Problem, budget: &Budget) -> Result<Self, Error> {
        let system = problem.system();
        let cells: Vec<CellId> =
            system.cells().filter(|&cell| problem.status(cell) != Status::Protected).collect();
        let mut position = vec![u32::MAX; problem.cell_count()];
        for (index, &cell) in cells.iter().enumerate() {
            position[cell.index()] = index as u32;
        }
        let mut matrix = Vectors::default();
        for &cell in &cells {
            for sign in [1.0, -1.0] {
                let equations = system.equations_of(cell);
                matrix.push(equations.map(|(line, c)| (line.index(), sign * f64::from(c))));
            }
        }
        let columns = 2 * cells.len();
        let zeros = vec![0.0; columns.max(system.equation_count())];
        let mut solver = Solver::new()?;
        solver.set_stopping(Some(budget.over()))?;
        solver.pass(&Model {
            sense: Sense::Minimise,
            offset: 0.0,
            costs: &zeros[..columns],
            lower: &zeros[..columns],
            upper: &zeros[..columns],
            kinds: None,
            row_lower: &zeros[..system.equation_count()],
            row_upper: &zeros[..system.equation_count()],
            matrix: matrix.as_columns(),
        })?;
        Ok(Self {
            problem,
            solver,
            costs: vec![0.0; columns],
            open: vec![false; cells.len()],
            cells,
            position,
            unit: 1.0,
            values: Vec::new(),
            iterations: 0,
            gave_up: false,
        })
    }

    /// The same, which gives up programs that take long.
    pub(crate) fn impatient(mut self) -> Result<Self, Error> {
        let limits = Limits { simplex_iterations: Some(PATIENCE), ..Limits::default() };
        self.solver.set_limits(&limits)?;
        Ok(self)
    }

    fn room(&self, room: Value) -> f64 {
        if room == Value::MAX { f64::INFINITY } else { room as f64 / self.unit }
    }

    /// Tells the solver which cells may move, how far, and at what cost.
    fn set(
        &mut self,
        requirement: &Requirement,
        cost: &dyn Fn(CellId) -> f64,
    ) -> Result<(), Error> {
        self.unit = requirement.distance as f64;
        let mut upper = vec![0.0; self.costs.len()];
        let mut lower = vec![0.0; self.costs.len()];
        for (index, &cell) in self.cells.iter().enumerate() {
            let amount = cost(cell);
            self.open[index] = amount != FORBIDDEN;
            if self.open[index] {
                self.costs[2 * index] = amount;
                self.costs[2 * index + 1] = amount;
                let room = |direction| self.problem.room_for(requirement, cell, direction);
                upper[2 * index] = self.room(room(Direction::Up));
                upper[2 * index + 1] = self.room(room(Direction::Down));
            }
        }
        let target = 2 * self.position[requirement.cell.index()] as usize;
        let (moves, rests) = match requirement.direction {
            Direction::Up => (target, target + 1),
            Direction::Down => (target + 1, target),
        };
        (lower[moves], upper[moves]) = (1.0, 1.0);
        (self.costs[moves], self.costs[rests]) = (0.0, 0.0);
        upper[rests] = 0.0;
        self.solver.set_all_costs(&self.costs)?;
        self.solver.set_all_column_bounds(&lower, &upper)?;
        Ok(())
    }
}

impl Mover for KellyProgram<'_> {
    fn cheapest(
        &mut self,
        requirement: &Requirement,
        cost: &dyn Fn(CellId) -> f64,
    ) -> Result<Option<Movement>, Error> {
        let room = self.problem.room(requirement.cell, requirement.direction);
        if requirement.distance > room || self.position[requirement.cell.index()] == u32::MAX {
            return Ok(None);
        }
        self.set(requirement, cost)?;
        // All standing still, no cost is wrong, and the movement grows outwards from the primary:
        // the last requirement's basis would be far away.
        self.solver.set_slack_basis()?;
        let outcome = self.solver.resolve(Changed::Bounds)?;
        self.iterations += self.solver.simplex_iterations();
        self.gave_up = outcome == Outcome::IterationLimit;
        if outcome != Outcome::Optimal {
            return Ok(None);
        }
        self.solver.column_values(&mut self.values)?;
        let entries = self.cells.iter().enumerate().filter_map(|(index, &cell)| {
            let amount = self.values[2 * index] - self.values[2 * index + 1];
            (amount.abs() > AT_REST).then_some((cell, amount * self.unit))
        });
        Ok(Some(Movement::new(entries.collect())))
    }
}
