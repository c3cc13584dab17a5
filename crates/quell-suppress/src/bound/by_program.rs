//! The attacker of any table: a linear program, whose dual multipliers make the cut.

use quell_model::{Budget, CellId, EquationId, Problem, Status, Value};
use quell_solve::{Changed, Index, Model, Outcome, Presolve, Sense, Solver, Strategy, Vectors};

use super::cut::{Cut, Lines};
use super::separate::{Ask, Attacker};
use crate::Error;
use crate::tolerance::{MISSED_GOAL, MULTIPLIER};

/// How far a cell without bounds can move, as a multiple of what is asked for. The program
/// stays in a range of sizes the solver can handle; the cut itself knows no such limit.
const ENOUGH: f64 = 1e4;

/// The attacker: maximise the movement of one cell, `M y = 0`, every `y` within the point's
/// share of its room.
pub(crate) struct ByProgram<'a> {
    problem: &'a Problem,
    solver: Solver,
    cells: Vec<CellId>,
    position: Vec<u32>,
    is_column: Vec<bool>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    last: Option<Index>,
}

impl<'a> ByProgram<'a> {
    /// The program over all cells that may be hidden.
    pub(crate) fn new(problem: &'a Problem, budget: &Budget) -> Result<Self, Error> {
        let system = problem.system();
        let cells: Vec<CellId> =
            system.cells().filter(|&cell| problem.status(cell) != Status::Protected).collect();
        let mut position = vec![u32::MAX; problem.cell_count()];
        let mut matrix = Vectors::default();
        for (index, &cell) in cells.iter().enumerate() {
            position[cell.index()] = index as u32;
            let equations = system.equations_of(cell);
            matrix.push(equations.map(|(line, c)| (line.index(), f64::from(c))));
        }
        let zeros = vec![0.0; cells.len().max(system.equation_count())];
        let mut solver = Solver::new()?;
        solver.set_stopping(Some(budget.over()))?;
        solver.set_presolve(Presolve::Off);
        solver.set_strategy(Strategy::Choose);
        solver.pass(&Model {
            sense: Sense::Maximise,
            offset: 0.0,
            costs: &zeros[..cells.len()],
            lower: &zeros[..cells.len()],
            upper: &zeros[..cells.len()],
            kinds: None,
            row_lower: &zeros[..system.equation_count()],
            row_upper: &zeros[..system.equation_count()],
            matrix: matrix.as_columns(),
        })?;
        Ok(Self {
            problem,
            solver,
            position,
            is_column: vec![false; problem.cell_count()],
            lower: zeros[..cells.len()].to_vec(),
            upper: zeros[..cells.len()].to_vec(),
            cells,
            last: None,
        })
    }

    /// Sets rooms in units of `unit`, of `value` share.
    fn set_rooms(&mut self, point: &[f64], unit: f64, extra: f64) {
        let room = |room: Value| match room {
            Value::MAX => ENOUGH,
            room => (room as f64 / unit).min(ENOUGH),
        };
        for (index, &cell) in self.cells.iter().enumerate() {
            let value = point[cell.index()].clamp(0.0, 1.0);
            let value = if self.is_column[cell.index()] { value.max(extra) } else { value };
            self.lower[index] = -room(self.problem.room_down(cell)) * value;
            self.upper[index] = room(self.problem.room_up(cell)) * value;
        }
    }

    /// Maximises the movement of a cell; the multipliers if it stays below `goal`.
    fn maximise(&mut self, cell: CellId, sign: f64, goal: f64) -> Result<Option<Lines>, Error> {
        let target = self.position[cell.index()];
        if target == u32::MAX {
            return Ok(None);
        }
        // The cell's own room is not what is asked: how far do the others let it go?
        let own = target as usize;
        (self.lower[own], self.upper[own]) = if sign > 0.0 { (0.0, goal) } else { (-goal, 0.0) };
        self.solver.set_all_column_bounds(&self.lower, &self.upper)?;
        if let Some(last) = self.last.replace(target as Index) {
            self.solver.set_costs(&[last], &[0.0])?;
        }
        self.solver.set_costs(&[target as Index], &[sign])?;
        if self.solver.resolve(Changed::Bounds)? != Outcome::Optimal
            || self.solver.objective() >= goal * (1.0 - MISSED_GOAL)
        {
            return Ok(None);
        }
        let mut duals = Vec::new();
        self.solver.row_duals(&mut duals)?;
        let lines = duals.iter().enumerate().filter(|(_, dual)| dual.abs() > MULTIPLIER);
        Ok(Some(lines.map(|(row, &dual)| (EquationId::from_index(row), dual)).collect()))
    }
}

impl Attacker for ByProgram<'_> {
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
                self.set_rooms(point, requirement.distance as f64, extra);
                let sign = requirement.direction.sign() as f64;
                let lines = self.maximise(requirement.cell, sign, 1.0)?;
                Ok(lines.map(|lines| Cut::Capacity { requirement: *requirement, lines }))
            }
            // Multipliers of a program weigh many cells a little: such cuts are weak, and
            // those of single equations come from the requirements anyway.
            Ask::Company(_) => Ok(None),
        }
    }
}
