//! The grouped linear program (serpell-2011, figure 3, equations 9–16): move all cells of a
//! group by their levels at once, all equations kept, at the least cost-weighted movement of
//! other cells. A group of one is Kelly's program (figure 1).
//!
//! Small tables have all their columns from the start. In large ones most cells never move,
//! so the program begins with the cells [`likely`] to move with the group and takes others
//! in when the prices of the equations ask for them (column generation).
//!
//! Every answer starts afresh, so that what was asked before does not matter: the simplex
//! method from the slack basis, which is dual feasible because costs are not negative, or
//! in large programs the interior-point method, to which degeneracy means nothing.

use quell_model::{Budget, CellId, Direction, Problem, Requirement, Status, Value};
use quell_solve::{Changed, Index, Limits, Outcome, Presolve, Solver, Strategy, Vectors};

use crate::search::likely;
use crate::search::mover::FORBIDDEN;
use crate::tolerance::{AT_REST_IN_GROUP, REDUCED_COST};
use crate::{Error, Movement};

/// Tables with more cells get columns as they are needed.
pub(crate) const SMALL: usize = 20_000;

/// Programs with more columns are given to the interior-point method.
const MANY_COLUMNS: usize = 10_000;

/// Where the cells near a group are this share of all, all get their columns at once: rounds of
/// pricing would come to nearly all, and cost more.
const MOST_NEAR: f64 = 0.3;

/// The most cells a round of pricing takes in, and so many more for every requirement.
const ADDED: (usize, usize) = (300, 20);

/// Pricing ends when so many rounds together gain less than this share of the objective: the cost
/// of whole cells, which counts in the end, is not so finely bound to the objective.
const LEAST_GAIN: (usize, f64) = (2, 2e-3);

/// Pricing ends after so many rounds in any case.
const ROUNDS: usize = 6;

/// A cell that costs less than this is as cheap as one that costs this.
const CHEAP: f64 = 1e-3;

/// The unit in which the solver works is the largest requirement, but at most this many times the
/// smallest, which would otherwise vanish in its tolerance.
const SPREAD: f64 = 1e3;

/// A room this many times all requirements together is no limit.
const NO_LIMIT: f64 = 1e3;

/// The grouped linear program of a problem.
pub(crate) struct GroupProgram<'a> {
    problem: &'a Problem,
    budget: Budget,
    solver: Solver,
    /// The cells with columns; the `i`-th has the columns `2i` (rise) and `2i + 1` (fall).
    cells: Vec<CellId>,
    position: Vec<u32>,
    /// Whether every cell that may move has its columns.
    complete: bool,
    /// Linear programs solved.
    pub(crate) programs: u64,
    /// Simplex iterations of all of them.
    pub(crate) iterations: u64,
}

/// What the program says to a group.
pub(crate) enum Answer {
    /// A movement that meets all its requirements.
    Movement(Movement),
    /// There is none.
    Impossible,
    /// The budget ended before one was found.
    OutOfTime,
}

impl<'a> GroupProgram<'a> {
    /// The program of a problem, within a budget.
    pub(crate) fn new(problem: &'a Problem, budget: &Budget) -> Result<Self, Error> {
        let mut solver = Solver::new()?;
        solver.set_stopping(Some(budget.over()))?;
        let zeros = vec![0.0; problem.system().equation_count()];
        let mut empty = Vectors::default();
        zeros.iter().for_each(|_| empty.push([]));
        solver.add_rows(&zeros, &zeros, empty.as_rows())?;
        let mut program = Self {
            problem,
            budget: budget.clone(),
            solver,
            cells: Vec::new(),
            position: vec![u32::MAX; problem.cell_count()],
            complete: false,
            programs: 0,
            iterations: 0,
        };
        if problem.cell_count() <= SMALL {
            program.take_all()?;
        }
        Ok(program)
    }

    /// Meets all requirements of a group, which name each cell once, at the least cost, where
    /// `cost` says what a cell costs if it moves.
    pub(crate) fn meet(
        &mut self,
        group: &[Requirement],
        cost: &dyn Fn(CellId) -> f64,
    ) -> Result<Answer, Error> {
        if group.iter().any(|requirement| {
            requirement.distance > self.problem.room(requirement.cell, requirement.direction)
        }) {
            return Ok(Answer::Impossible);
        }
        if self.budget.stop().is_some() {
            return Ok(Answer::OutOfTime);
        }
        if self.complete {
            return self.meet_with_columns(group, cost);
        }
        self.drop_columns()?;
        self.take(&likely::of_group(self.problem, group, cost))?;
        if (self.cells.len() as f64) < MOST_NEAR * self.problem.cell_count() as f64 {
            let answer = self.meet_with_columns(group, cost)?;
            if !matches!(answer, Answer::Impossible) || group.len() > 1 {
                return Ok(answer);
            }
        }
        self.take_all()?;
        let answer = self.meet_with_columns(group, cost)?;
        self.complete = false;
        Ok(answer)
    }

    fn meet_with_columns(
        &mut self,
        group: &[Requirement],
        cost: &dyn Fn(CellId) -> f64,
    ) -> Result<Answer, Error> {
        let scale = Scale::of(group);
        let mut best = None;
        let (rounds, least_gain) = LEAST_GAIN;
        let mut objectives: Vec<f64> = Vec::new();
        for round in 0.. {
            self.set(group, &scale, cost)?;
            let outcome = self.solve(round)?;
            match outcome {
                Outcome::Optimal => best = Some(self.movement(&scale)?),
                _ if best.is_some() => break,
                outcome if outcome.is_limit() => return Ok(Answer::OutOfTime),
                _ => return Ok(Answer::Impossible),
            }
            let objective = self.solver.objective();
            let stalls = round >= rounds
                && objectives[round - rounds] - objective <= least_gain * objective.abs();
            objectives.push(objective);
            if self.complete || stalls || round == ROUNDS {
                break;
            }
            let wanted = self.wanted(cost, ADDED.0 + ADDED.1 * group.len())?;
            if wanted.is_empty() {
                break;
            }
            self.take(&wanted)?;
        }
        Ok(best.map_or(Answer::Impossible, Answer::Movement))
    }

    /// Solves the program; in later rounds, after columns were added, from where it stood.
    fn solve(&mut self, round: usize) -> Result<Outcome, Error> {
        let left = self.budget.time_left();
        let seconds = left.map(|left| left.as_secs_f64());
        self.solver.set_limits(&Limits { seconds, ..Limits::default() })?;
        let mut outcome = if 2 * self.cells.len() > MANY_COLUMNS {
            self.by_interior_points()?
        } else if round == 0 {
            self.solver.forget()?;
            self.solver.set_slack_basis()?;
            self.solver.resolve(Changed::Bounds)?
        } else {
            self.solver.resolve(Changed::Objective)?
        };
        self.programs += 1;
        self.iterations += self.solver.simplex_iterations();
        if outcome == Outcome::Trouble && 2 * self.cells.len() <= MANY_COLUMNS {
            outcome = self.by_interior_points()?;
            self.programs += 1;
            self.iterations += self.solver.simplex_iterations();
        }
        Ok(outcome)
    }

    fn by_interior_points(&mut self) -> Result<Outcome, Error> {
        self.solver.forget()?;
        self.solver.set_strategy(Strategy::InteriorPoint);
        self.solver.set_presolve(Presolve::On);
        Ok(self.solver.solve()?)
    }

    /// Tells the solver which cells may move, how far, and at what cost.
    fn set(
        &mut self,
        group: &[Requirement],
        scale: &Scale,
        cost: &dyn Fn(CellId) -> f64,
    ) -> Result<(), Error> {
        let columns = 2 * self.cells.len();
        let (mut costs, mut lower, mut upper) =
            (vec![0.0; columns], vec![0.0; columns], vec![0.0; columns]);
        for (index, &cell) in self.cells.iter().enumerate() {
            let amount = cost(cell);
            if amount != FORBIDDEN {
                costs[2 * index..2 * index + 2].fill(amount);
                upper[2 * index] = scale.room(self.problem.room_up(cell));
                upper[2 * index + 1] = scale.room(self.problem.room_down(cell));
            }
        }
        for requirement in group {
            let target = 2 * self.position[requirement.cell.index()] as usize;
            let (moves, rests) = match requirement.direction {
                Direction::Up => (target, target + 1),
                Direction::Down => (target + 1, target),
            };
            lower[moves] = requirement.distance as f64 / scale.unit;
            upper[moves] = scale.room(self.problem.room(requirement.cell, requirement.direction));
            upper[moves] = upper[moves].max(lower[moves]);
            (costs[moves], costs[rests], upper[rests]) = (0.0, 0.0, 0.0);
        }
        self.solver.set_all_costs(&costs)?;
        self.solver.set_all_column_bounds(&lower, &upper)?;
        Ok(())
    }

    fn movement(&self, scale: &Scale) -> Result<Movement, Error> {
        let mut values = Vec::new();
        self.solver.column_values(&mut values)?;
        let entries = self.cells.iter().enumerate().filter_map(|(index, &cell)| {
            let amount = (values[2 * index] - values[2 * index + 1]) * scale.unit;
            (amount.abs() > AT_REST_IN_GROUP * scale.smallest).then_some((cell, amount))
        });
        Ok(Movement::new(entries.collect()))
    }

    /// The cells without columns that the prices of the equations ask for, the greatest
    /// bargains first.
    fn wanted(&self, cost: &dyn Fn(CellId) -> f64, most: usize) -> Result<Vec<CellId>, Error> {
        let mut prices = Vec::new();
        self.solver.row_duals(&mut prices)?;
        let system = self.problem.system();
        let mut wanted: Vec<(f64, CellId)> = Vec::new();
        for cell in system.cells() {
            if self.position[cell.index()] != u32::MAX || !likely::may_move(self.problem, cell) {
                continue;
            }
            let worth: f64 = (system.equations_of(cell))
                .map(|(equation, coefficient)| f64::from(coefficient) * prices[equation.index()])
                .sum();
            let amount = cost(cell);
            // Either direction may pay.
            if amount != FORBIDDEN && worth.abs() - amount > REDUCED_COST * (1.0 + amount) {
                wanted.push((worth.abs() / amount.max(CHEAP), cell));
            }
        }
        wanted.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        wanted.truncate(most);
        Ok(wanted.into_iter().map(|(_, cell)| cell).collect())
    }

    /// Takes all columns away: those of the last group are in the way of the next.
    fn drop_columns(&mut self) -> Result<(), Error> {
        let columns: Vec<Index> = (0..2 * self.cells.len() as Index).collect();
        self.solver.delete_columns(&columns)?;
        for cell in self.cells.drain(..) {
            self.position[cell.index()] = u32::MAX;
        }
        Ok(())
    }

    fn take_all(&mut self) -> Result<(), Error> {
        let cells: Vec<CellId> = self.problem.system().cells().collect();
        self.complete = true;
        self.take(&cells)
    }

    /// Gives cells their columns, all at rest, if they may move and have none yet.
    fn take(&mut self, cells: &[CellId]) -> Result<(), Error> {
        let first = self.cells.len();
        for &cell in cells {
            let slot = &mut self.position[cell.index()];
            if *slot == u32::MAX && self.problem.status(cell) != Status::Protected {
                *slot = self.cells.len() as u32;
                self.cells.push(cell);
            }
        }
        let mut matrix = Vectors::default();
        for &cell in &self.cells[first..] {
            for sign in [1.0, -1.0] {
                let equations = self.problem.system().equations_of(cell);
                matrix.push(equations.map(|(line, c)| (line.index(), sign * f64::from(c))));
            }
        }
        if !matrix.is_empty() {
            let zeros = vec![0.0; matrix.len()];
            self.solver.add_columns(&zeros, &zeros, &zeros, matrix.as_columns())?;
        }
        Ok(())
    }
}

/// The units in which the solver works, so that its absolute tolerances fit.
struct Scale {
    unit: f64,
    smallest: f64,
    no_limit: f64,
}

impl Scale {
    fn of(group: &[Requirement]) -> Self {
        let amounts = || group.iter().map(|requirement| requirement.distance as f64);
        let smallest = amounts().fold(f64::INFINITY, f64::min);
        let largest = amounts().fold(0.0, f64::max);
        let unit = largest.min(smallest * SPREAD);
        Self { unit, smallest, no_limit: NO_LIMIT * amounts().sum::<f64>() }
    }

    fn room(&self, room: Value) -> f64 {
        if room as f64 > self.no_limit { f64::INFINITY } else { room as f64 / self.unit }
    }
}
