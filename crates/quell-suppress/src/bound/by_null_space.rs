//! The attacker of a table whose movements have few degrees of freedom: the dual of his linear
//! program, with a row for each cell that moves freely instead of one for each equation.

use quell_model::{Budget, CellId, Direction, NullSpace, Problem, Requirement, Status, Value};
use quell_solve::{Changed, Model, Outcome, Sense, Solver, Vectors};

use super::by_program::ENOUGH;
use super::cut::Cut;
use super::separate::{Ask, Attacker};
use crate::Error;
use crate::tolerance::{MISSED_GOAL, MULTIPLIER};

/// The most coefficients of movements, for each cell.
const ENTRIES: usize = 100;

/// The attacker: the weights `r` of the cells with `±y_p = Σ r y` for every movement by which the
/// rooms bound the primary's movement most, `min Σ r⁺·up + r⁻·down`. With `y = N z` these are the
/// `r` with `Nᵀ r = ±N_p`. Every cell has two columns, `r⁺` and `r⁻`; the primary's own stand for
/// what is not asked of the others.
pub(crate) struct ByNullSpace<'a> {
    problem: &'a Problem,
    space: NullSpace,
    solver: Solver,
    costs: Vec<f64>,
    is_column: Vec<bool>,
    /// The rows that are not zero now.
    asked: Vec<u32>,
    values: Vec<f64>,
}

impl<'a> ByNullSpace<'a> {
    /// The program over all cells, if it is much smaller than that over the equations.
    ///
    /// # Errors
    /// If the solver fails.
    pub(crate) fn new(problem: &'a Problem, budget: &Budget) -> Result<Option<Self>, Error> {
        let system = problem.system();
        let Some(space) = NullSpace::of(system, ENTRIES * problem.cell_count()) else {
            return Ok(None);
        };
        let rows = space.free().len();
        if 2 * rows > system.equation_count() {
            return Ok(None);
        }
        let mut matrix = Vectors::default();
        for cell in system.cells() {
            for sign in [1.0, -1.0] {
                let row = space.row(cell).iter();
                matrix.push(row.map(|&(free, by)| (free as usize, sign * by)));
            }
        }
        let columns = 2 * problem.cell_count();
        let mut solver = Solver::new()?;
        solver.set_stopping(Some(budget.over()))?;
        solver.pass(&Model {
            sense: Sense::Minimise,
            offset: 0.0,
            costs: &vec![0.0; columns],
            lower: &vec![0.0; columns],
            upper: &vec![f64::INFINITY; columns],
            kinds: None,
            row_lower: &vec![0.0; rows],
            row_upper: &vec![0.0; rows],
            matrix: matrix.as_columns(),
        })?;
        Ok(Some(Self {
            problem,
            space,
            solver,
            costs: vec![0.0; columns],
            is_column: vec![false; problem.cell_count()],
            asked: Vec::new(),
            values: Vec::new(),
        }))
    }

    /// Sets the rooms that the attacker of a requirement sees, in units of its distance: the
    /// point's share of them.
    fn set_rooms(&mut self, point: &[f64], requirement: &Requirement, extra: f64) {
        let unit = requirement.distance as f64;
        let room = |room: Value| match room {
            Value::MAX => ENOUGH,
            room => (room as f64 / unit).min(ENOUGH),
        };
        for cell in self.problem.system().cells() {
            let index = cell.index();
            let value = point[index].clamp(0.0, 1.0);
            let value = if self.is_column[index] { value.max(extra) } else { value };
            let moves = value > 0.0 && self.problem.status(cell) != Status::Protected;
            for (side, direction) in [Direction::Up, Direction::Down].into_iter().enumerate() {
                self.costs[2 * index + side] = match moves {
                    true => room(self.problem.room_for(requirement, cell, direction)) * value,
                    false => 0.0,
                };
            }
        }
        let own = requirement.cell.index();
        (self.costs[2 * own], self.costs[2 * own + 1]) = (1.0, 1.0);
    }

    /// The weights, if they bound the movement of a requirement below what it asks.
    fn refuted(&mut self, requirement: &Requirement) -> Result<Option<Vec<(CellId, f64)>>, Error> {
        let sign = requirement.direction.sign() as f64;
        for row in self.asked.drain(..) {
            self.solver.set_row_bounds(row as usize, 0.0, 0.0)?;
        }
        for &(row, by) in self.space.row(requirement.cell) {
            let by = sign * by;
            self.solver.set_row_bounds(row as usize, by, by)?;
            self.asked.push(row);
        }
        self.solver.set_all_costs(&self.costs)?;
        self.solver.set_slack_basis()?;
        let outcome = self.solver.resolve(Changed::Bounds)?;
        if outcome != Outcome::Optimal || self.solver.objective() >= 1.0 - MISSED_GOAL {
            return Ok(None);
        }
        self.solver.column_values(&mut self.values)?;
        Ok(self.weights(requirement, sign))
    }

    /// The weights of the last solution without the rounding of the solver, on which no cut may
    /// rest: those of the cells that move freely follow from the others.
    fn weights(&self, requirement: &Requirement, sign: f64) -> Option<Vec<(CellId, f64)>> {
        let own = requirement.cell;
        let value =
            |cell: CellId| self.values[2 * cell.index()] - self.values[2 * cell.index() + 1];
        // What is not left to the primary's own columns.
        let share = 1.0 - value(own);
        if share < MISSED_GOAL {
            return None;
        }
        let mut missing = vec![0.0; self.space.free().len()];
        for &(row, by) in self.space.row(own) {
            missing[row as usize] = sign * by;
        }
        let free = self.space.free();
        let mut weights: Vec<(CellId, f64)> = Vec::new();
        for cell in self.problem.system().cells() {
            let weight = value(cell) / share;
            if cell == own || weight.abs() <= MULTIPLIER || free.binary_search(&cell).is_ok() {
                continue;
            }
            weights.push((cell, weight));
            for &(row, by) in self.space.row(cell) {
                missing[row as usize] -= weight * by;
            }
        }
        for (&cell, &weight) in free.iter().zip(&missing) {
            // Of a primary that moves freely itself the others must make up for all.
            if cell == own && weight.abs() >= MISSED_GOAL {
                return None;
            }
            if cell != own && weight.abs() > MULTIPLIER {
                weights.push((cell, weight));
            }
        }
        weights.sort_unstable_by_key(|&(cell, _)| cell);
        Some(weights)
    }
}

impl Attacker for ByNullSpace<'_> {
    fn set_columns(&mut self, columns: &[CellId]) -> Result<(), Error> {
        self.is_column.fill(false);
        columns.iter().for_each(|cell| self.is_column[cell.index()] = true);
        Ok(())
    }

    fn set_point(&mut self, _point: &[f64]) -> Result<(), Error> {
        Ok(())
    }

    fn refute(&mut self, point: &[f64], ask: Ask, extra: f64) -> Result<Option<Cut>, Error> {
        match ask {
            Ask::Requirement(requirement) => {
                self.set_rooms(point, requirement, extra);
                let weights = self.refuted(requirement)?;
                Ok(weights.map(|weights| Cut::Weighed { requirement: *requirement, weights }))
            }
            // As for programs over the equations.
            Ask::Company(_) => Ok(None),
        }
    }
}
