//! The cheapest movement that proves one claim, looked for outwards from its cell.
//!
//! The program is `min Σ c·|y|` subject to `M y = 0` and `y_p` as claimed. With `y` split into
//! its rising and its falling part, every cell standing still is a vertex whose costs are all
//! of the right sign, so the dual simplex can start there. Only the equations of the claim's
//! own cell are then out of balance; each step mends one of them at the least cost and leaves
//! others out of balance a little further out, as a shortest path grows. So the work depends
//! on how many cells have to move, not on the size of the view, and the movement found is a
//! vertex with few cells, easily read as exact numbers.

use quell_model::{Budget, Certificate, Direction, Value};
use quell_solve::{Changed, Error, Limits, Model, Outcome, Sense, Solver, Vectors};

use crate::proof::dual;
use crate::proof::ledger::Claim;
use crate::proof::lp::{read_exactly, solver_unit};
use crate::proof::repair::Repair;
use crate::tolerance::AT_REST;
use crate::view::View;

/// The answer to one claim.
#[derive(Debug)]
pub(crate) enum Answer {
    /// A movement that proves it.
    Proven(Certificate),
    /// No movement of the cell goes beyond this, in units of
    /// 1/[`SCALE`](crate::proof::ledger::SCALE).
    Limited(i128),
    /// Neither could be had.
    Unknown,
}

/// The program of one view.
pub(crate) struct CheapestMovement<'a> {
    hidden: &'a View,
    solver: Solver,
    unit: f64,
    point: Vec<f64>,
    steps: u32,
}

impl<'a> CheapestMovement<'a> {
    /// The program of `hidden`, with so many simplex steps for each claim, for as long as the
    /// budget lasts.
    pub(crate) fn new(hidden: &'a View, steps: u32, budget: &Budget) -> Result<Self, Error> {
        let unit = solver_unit(hidden);
        let cells = hidden.len();
        let mut columns = Vectors::default();
        for sign in [1.0, -1.0] {
            for cell in 0..cells {
                let equations = hidden.equations_of(cell).iter();
                columns.push(equations.map(|&(line, c)| (line as usize, sign * f64::from(c))));
            }
        }
        // What has much room is cheap, so that movements go where nothing gets in their way.
        let limits: Vec<f64> =
            hidden.up.iter().chain(&hidden.down).map(|&room| finite(room, unit)).collect();
        let costs: Vec<f64> = limits.iter().map(|&limit| 1.0 + 1.0 / limit.max(AT_REST)).collect();
        let zeros = vec![0.0; (2 * cells).max(hidden.equation_count())];
        let mut solver = Solver::new()?;
        solver.set_stopping(Some(budget.over()))?;
        let seconds = budget.time_left().map(|left| left.as_secs_f64());
        let simplex_iterations = Some(steps);
        solver.set_limits(&Limits { simplex_iterations, seconds, ..Limits::default() })?;
        solver.pass(&Model {
            sense: Sense::Minimise,
            offset: 0.0,
            costs: &costs,
            lower: &zeros[..2 * cells],
            upper: &limits,
            row_lower: &zeros[..hidden.equation_count()],
            row_upper: &zeros[..hidden.equation_count()],
            matrix: columns.as_columns(),
            kinds: None,
        })?;
        Ok(Self { hidden, solver, unit, point: Vec::new(), steps: 0 })
    }

    /// Looks for the movement that proves a claim. Always from all cells standing still, so that
    /// the answer does not depend on what was asked before.
    pub(crate) fn prove(&mut self, claim: &Claim) -> Result<Answer, Error> {
        let (hidden, cell) = (self.hidden, claim.place as usize);
        let [rise, fall] = [cell, cell + hidden.len()];
        let (along, against) = match claim.requirement.direction {
            Direction::Up => (rise, fall),
            Direction::Down => (fall, rise),
        };
        let amount = claim.requirement.distance as f64 / self.unit;
        self.solver.set_column_bounds(along, amount, amount)?;
        self.solver.set_column_bounds(against, 0.0, 0.0)?;
        self.solver.set_slack_basis()?;
        let outcome = self.solver.resolve(Changed::Bounds)?;
        self.steps = u32::try_from(self.solver.simplex_iterations()).unwrap_or(u32::MAX);
        let answer = match outcome {
            Outcome::Optimal => self.movement(),
            Outcome::Infeasible => self.limit(claim)?,
            _ => Answer::Unknown,
        };
        self.solver.set_column_bounds(rise, 0.0, finite(hidden.up[cell], self.unit))?;
        self.solver.set_column_bounds(fall, 0.0, finite(hidden.down[cell], self.unit))?;
        Ok(answer)
    }

    /// Simplex steps to the last answer.
    pub(crate) fn steps(&self) -> u32 {
        self.steps
    }

    /// The movement of the last answer, exactly.
    fn movement(&mut self) -> Answer {
        let (hidden, unit) = (self.hidden, self.unit);
        if self.solver.column_values(&mut self.point).is_err() {
            return Answer::Unknown;
        }
        let (rises, falls) = self.point.split_at(hidden.len());
        let moved = rises.iter().zip(falls).enumerate().map(|(cell, (r, f))| (cell, r - f));
        let (cells, amounts): (Vec<u32>, Vec<f64>) = moved
            .filter(|(_, amount)| amount.abs() > AT_REST)
            .map(|(cell, amount)| (cell as u32, amount * unit))
            .unzip();
        let part = hidden.of_cells(&cells);
        read_exactly(&part, &amounts, unit)
            .or_else(|| Repair::new(&part).certificate(&amounts))
            .map_or(Answer::Unknown, Answer::Proven)
    }

    /// What shows that the claim cannot be proven.
    fn limit(&mut self, claim: &Claim) -> Result<Answer, Error> {
        let mut ray = Vec::new();
        if !self.solver.dual_ray(&mut ray)? {
            return Ok(Answer::Unknown);
        }
        let (hidden, cell) = (self.hidden, claim.place as usize);
        let own = hidden.equations_of(cell).iter();
        let slope: f64 = own.map(|&(line, c)| f64::from(c) * ray[line as usize]).sum();
        if slope.abs() < AT_REST {
            return Ok(Answer::Unknown);
        }
        ray.iter_mut().for_each(|value| *value /= slope);
        let limit = dual::limit(hidden, cell, claim.requirement.direction, &ray);
        Ok(limit.map_or(Answer::Unknown, Answer::Limited))
    }
}

/// A room in solver units.
fn finite(room: Value, unit: f64) -> f64 {
    if room == Value::MAX { f64::INFINITY } else { room as f64 / unit }
}
