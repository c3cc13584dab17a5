//! The attacker of any table: a linear program, whose dual multipliers make the cut.

use quell_model::{Budget, CellId, Direction, EquationId, Problem, Requirement, Status, Value};
use quell_solve::{Changed, Index, Model, Outcome, Sense, Solver, Vectors};

use super::cut::{Cut, Lines};
use super::separate::{Ask, Attacker};
use crate::Error;
use crate::tolerance::{MISSED_GOAL, MULTIPLIER};

/// How far a cell without bounds can move, as a multiple of what is asked for. The program
/// stays in a range of sizes the solver can handle; the cut itself knows no such limit.
pub(super) const ENOUGH: f64 = 1e4;

/// The attacker: maximise the movement of one cell, `M y = 0`, every `y` within the point's
/// share of its room. A cell has a column for its rise and one for its fall, so that all standing
/// still is a vertex, the one with all equations basic: from there the dual simplex lets the
/// movement grow outwards from the cell, and takes as long as the movement is large.
pub(crate) struct ByProgram<'a> {
    problem: &'a Problem,
    solver: Solver,
    /// The cells that may move; cell `i` has the columns `2i` (rise) and `2i + 1` (fall).
    cells: Vec<CellId>,
    position: Vec<u32>,
    is_column: Vec<bool>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    last: Option<Index>,
    duals: Vec<f64>,
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
            sense: Sense::Maximise,
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
            position,
            is_column: vec![false; problem.cell_count()],
            lower: zeros[..columns].to_vec(),
            upper: zeros[..columns].to_vec(),
            cells,
            last: None,
            duals: Vec::new(),
        })
    }

    /// Sets the rooms that the attacker of a requirement sees, in units of its distance: the
    /// point's share of them.
    fn set_rooms(&mut self, point: &[f64], requirement: &Requirement, extra: f64) {
        let unit = requirement.distance as f64;
        let room = |room: Value| match room {
            Value::MAX => ENOUGH,
            room => (room as f64 / unit).min(ENOUGH),
        };
        for (index, &cell) in self.cells.iter().enumerate() {
            let value = point[cell.index()].clamp(0.0, 1.0);
            let value = if self.is_column[cell.index()] { value.max(extra) } else { value };
            for (column, direction) in
                [(2 * index, Direction::Up), (2 * index + 1, Direction::Down)]
            {
                self.upper[column] = match value > 0.0 {
                    true => room(self.problem.room_for(requirement, cell, direction)) * value,
                    false => 0.0,
                };
            }
        }
    }

    /// Maximises the movement of a cell; the multipliers if it stays below `goal`.
    fn maximise(
        &mut self,
        cell: CellId,
        direction: Direction,
        goal: f64,
    ) -> Result<Option<Lines>, Error> {
        let place = self.position[cell.index()];
        if place == u32::MAX {
            return Ok(None);
        }
        // The cell's own room is not what is asked: how far do the others let it go?
        let [along, against] = match direction {
            Direction::Up => [2 * place as usize, 2 * place as usize + 1],
            Direction::Down => [2 * place as usize + 1, 2 * place as usize],
        };
        (self.upper[along], self.upper[against]) = (goal, 0.0);
        self.solver.set_all_column_bounds(&self.lower, &self.upper)?;
        if let Some(last) = self.last.replace(along as Index) {
            self.solver.set_costs(&[last], &[0.0])?;
        }
        self.solver.set_costs(&[along as Index], &[1.0])?;
        self.solver.set_slack_basis()?;
        if self.solver.resolve(Changed::Bounds)? != Outcome::Optimal
            || self.solver.objective() >= goal * (1.0 - MISSED_GOAL)
        {
            return Ok(None);
        }
        self.solver.row_duals(&mut self.duals)?;
        let lines = self.duals.iter().enumerate().filter(|(_, dual)| dual.abs() > MULTIPLIER);
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
                self.set_rooms(point, requirement, extra);
                let lines = self.maximise(requirement.cell, requirement.direction, 1.0)?;
                Ok(lines.map(|lines| Cut::Capacity { requirement: *requirement, lines }))
            }
            // Multipliers of a program weigh many cells a little: such cuts are weak, and
            // those of single equations come from the requirements anyway.
            Ask::Company(_) => Ok(None),
        }
    }
}
