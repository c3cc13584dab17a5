//! The linear program that is left when every sensitive cell has its direction: equations (1) to
//! (4) with the sensitive cells' movements given or bounded from below.
//!
//! Two columns for each cell, its rise and its fall. From one choice of directions to the next only
//! bounds change, so the dual simplex goes on from the last basis.

use quell_model::{CellId, Direction, Value};
use quell_solve::{Changed, Index, Kind, Limits, Outcome, Solver};

use crate::matrix::Columns;
use crate::{Error, Instance};

/// The largest distance is this many units of the solver, so that its tolerances fit.
const SPAN: Value = 1 << 12;

/// The table's units in one of the solver's: a power of two, so that scaling is exact.
pub(crate) fn unit(instance: &Instance) -> f64 {
    let longest = instance.sensitive.iter().map(|s| s.rise.max(s.fall)).max().unwrap_or(0);
    ((longest / SPAN).max(0) as u64 + 1).next_power_of_two() as f64
}

/// The linear program of given directions.
pub(crate) struct Program<'a> {
    instance: &'a Instance<'a>,
    solver: Solver,
    unit: f64,
    /// The cells that can move; cell `i` of these has the columns `2i` (rise) and `2i + 1` (fall).
    cells: Vec<CellId>,
    /// The first column of each sensitive cell.
    first: Vec<usize>,
    directions: Vec<Direction>,
    solved: bool,
    values: Vec<f64>,
}

impl<'a> Program<'a> {
    /// The program of an instance; all sensitive cells go `directions`.
    pub(crate) fn new(instance: &'a Instance<'a>, directions: &[Direction]) -> Result<Self, Error> {
        let problem = instance.problem;
        let system = problem.system();
        let unit = unit(instance);
        let equations = system.equation_count();
        let mut row_lower = vec![0.0; equations];
        let mut row_upper = vec![0.0; equations];
        let mut in_quality = vec![Vec::new(); problem.cell_count()];
        for (index, row) in instance.quality.iter().enumerate() {
            row_lower.push(-row.most / unit);
            row_upper.push(row.most / unit);
            for &(cell, coefficient) in &row.entries {
                in_quality[cell.index()].push((equations + index, coefficient));
            }
        }
        let mut columns = Columns::new(row_lower, row_upper);
        let mut cells = Vec::new();
        let mut first = vec![0; instance.sensitive.len()];
        for cell in system.cells() {
            let index = cell.index();
            let (down, up) = (instance.down[index], instance.up[index]);
            if down == 0 && up == 0 {
                continue;
            }
            cells.push(cell);
            let ranges = match instance.sensitive_at(cell) {
                Some(sensitive) => {
                    let position = instance.position[index] as usize;
                    first[position] = columns.costs.len();
                    bounds(instance.range(sensitive, directions[position]))
                }
                None => [(0, up), (0, down)],
            };
            for ((least, most), sign) in ranges.into_iter().zip([1.0, -1.0]) {
                let equations = system
                    .equations_of(cell)
                    .map(|(equation, coefficient)| (equation.index(), f64::from(coefficient)));
                let entries = equations.chain(in_quality[index].iter().copied());
                columns.add(
                    instance.costs[index] * unit,
                    (least as f64 / unit, most as f64 / unit),
                    Kind::Continuous,
                    entries.map(|(row, value)| (row, sign * value)),
                );
            }
        }
        let mut solver = Solver::new()?;
        columns.pass(&mut solver)?;
        Ok(Self {
            instance,
            solver,
            unit,
            cells,
            first,
            directions: directions.to_vec(),
            solved: false,
            values: Vec::new(),
        })
    }

    /// Stops the next solve when a flag is raised or the time is over.
    pub(crate) fn limit(&mut self, budget: &quell_model::Budget) -> Result<(), Error> {
        self.solver.set_stopping(Some(budget.over()))?;
        let seconds = budget.time_left().map(|left| left.as_secs_f64());
        Ok(self.solver.set_limits(&Limits { seconds, ..Limits::default() })?)
    }

    /// Sends sensitive cells other directions.
    pub(crate) fn set_directions(&mut self, directions: &[Direction]) -> Result<(), Error> {
        let (mut columns, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new());
        for (position, (&now, &direction)) in self.directions.iter().zip(directions).enumerate() {
            if now == direction {
                continue;
            }
            let ranges = bounds(self.instance.range(&self.instance.sensitive[position], direction));
            for (offset, (least, most)) in ranges.into_iter().enumerate() {
                columns.push((self.first[position] + offset) as Index);
                lower.push(least as f64 / self.unit);
                upper.push(most as f64 / self.unit);
            }
        }
        if !columns.is_empty() {
            self.solver.set_columns_bounds(&columns, &lower, &upper)?;
            self.directions.copy_from_slice(directions);
        }
        Ok(())
    }

    /// The least cost of the directions, or `None` if they are infeasible, or surely cost more than
    /// `worse`, or the budget ended.
    pub(crate) fn solve(&mut self, worse: Option<f64>) -> Result<Option<f64>, Error> {
        let outcome = match self.solved {
            true => {
                self.solver.set_objective_bound(worse)?;
                self.solver.resolve(Changed::Bounds)?
            }
            false => self.solver.solve()?,
        };
        self.solved = true;
        Ok((outcome == Outcome::Optimal).then(|| self.solver.objective()))
    }

    /// The movement of every cell after a successful solve, in the table's units.
    pub(crate) fn movement(&mut self) -> Result<Vec<f64>, Error> {
        self.solver.column_values(&mut self.values)?;
        let mut movement = vec![0.0; self.instance.problem.cell_count()];
        for (index, cell) in self.cells.iter().enumerate() {
            movement[cell.index()] =
                (self.values[2 * index] - self.values[2 * index + 1]) * self.unit;
        }
        Ok(movement)
    }

    /// The duals of the equations after a successful solve: what one unit more on the right
    /// hand side costs.
    pub(crate) fn duals(&mut self, into: &mut Vec<f64>) -> Result<(), Error> {
        self.solver.row_duals(into)?;
        into.iter_mut().for_each(|dual| *dual /= self.unit);
        Ok(())
    }
}

/// The bounds of rise and fall of a range of movement that does not contain zero inside.
fn bounds((least, most): (Value, Value)) -> [(Value, Value); 2] {
    match least >= 0 {
        true => [(least, most), (0, 0)],
        false => [(0, 0), (-most, -least)],
    }
}
