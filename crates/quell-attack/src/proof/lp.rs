//! The attacker's linear programs, equations (3) of serpell-2013: the least and the
//! greatest movement of a hidden cell.
//!
//! From one cell to the next only the objective changes, so the basis stays primal
//! feasible and a few primal simplex steps suffice. Floating-point answers decide
//! nothing here: a point becomes an exact certificate, multipliers an exact limit.

use quell_model::{Budget, Certificate, Direction, Value};
use quell_solve::{Changed, Error, Limits, Model, Outcome, Sense, Solver, Vectors};

use crate::proof::ledger::SCALE;
use crate::proof::repair::{Repair, certificate_of};
use crate::proof::vertex;
use crate::tolerance::{FRACTION, PULL};
use crate::view::View;

/// Denominators tried to read a vertex as exact fractions.
const DENOMINATORS: [u64; 6] = [1, 2, 6, 12, 840, SCALE as u64];

/// The solver's view of the typical room: about this many of its own units, far from
/// its tolerances on either side.
const TYPICAL: f64 = 100.0;

/// The end of a cell's interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Farthest {
    /// The cell moves this far, in units, and no further.
    At(f64),
    /// There is no limit.
    Unlimited,
    /// The solver was interrupted or gave up.
    Unknown,
}

/// The linear programs of one view.
pub(crate) struct AttackerLp<'a> {
    hidden: &'a View,
    solver: Solver,
    scale: f64,
    objective: Option<usize>,
    solved: bool,
    point: Vec<f64>,
    multipliers: Vec<f64>,
    repair: Option<Repair<'a>>,
}

impl<'a> AttackerLp<'a> {
    /// The programs of `hidden`, for as long as the budget lasts.
    pub(crate) fn new(hidden: &'a View, budget: &Budget) -> Result<Self, Error> {
        let scale = solver_unit(hidden);
        let finite = |room: Value| match room {
            Value::MAX => f64::INFINITY,
            _ => room as f64 / scale,
        };
        let lower: Vec<f64> = hidden.down.iter().map(|&room| -finite(room)).collect();
        let upper: Vec<f64> = hidden.up.iter().map(|&room| finite(room)).collect();
        let mut columns = Vectors::default();
        for cell in 0..hidden.len() {
            let equations = hidden.equations_of(cell).iter();
            columns.push(equations.map(|&(equation, c)| (equation as usize, f64::from(c))));
        }
        let zeros = vec![0.0; hidden.len().max(hidden.equation_count())];
        let mut solver = Solver::new()?;
        solver.set_stopping(Some(budget.over()))?;
        if let Some(left) = budget.time_left() {
            solver
                .set_limits(&Limits { seconds: Some(left.as_secs_f64()), ..Limits::default() })?;
        }
        solver.pass(&Model {
            sense: Sense::Maximise,
            offset: 0.0,
            costs: &zeros[..hidden.len()],
            lower: &lower,
            upper: &upper,
            row_lower: &zeros[..hidden.equation_count()],
            row_upper: &zeros[..hidden.equation_count()],
            matrix: columns.as_columns(),
            kinds: None,
        })?;
        Ok(Self {
            hidden,
            solver,
            scale,
            objective: None,
            solved: false,
            point: Vec::new(),
            multipliers: Vec::new(),
            repair: None,
        })
    }

    /// Moves a cell as far as it goes.
    pub(crate) fn farthest(
        &mut self,
        cell: usize,
        direction: Direction,
    ) -> Result<Farthest, Error> {
        if let Some(before) = self.objective.replace(cell) {
            self.solver.set_cost(before, 0.0)?;
        }
        self.solver.set_cost(cell, direction.sign() as f64)?;
        let outcome = match self.solved {
            true => self.solver.resolve(Changed::Objective)?,
            false => self.solver.solve()?,
        };
        self.solved = outcome == Outcome::Optimal;
        match outcome {
            Outcome::Optimal => {
                self.solver.column_values(&mut self.point)?;
                self.solver.row_duals(&mut self.multipliers)?;
                for amount in &mut self.point {
                    *amount *= self.scale;
                }
                Ok(Farthest::At(self.point[cell] * direction.sign() as f64))
            }
            // Never infeasible: the true table is a solution.
            Outcome::Unbounded | Outcome::InfeasibleOrUnbounded => Ok(Farthest::Unlimited),
            _ => Ok(Farthest::Unknown),
        }
    }

    /// The view of the programs.
    pub(crate) fn hidden(&self) -> &'a View {
        self.hidden
    }

    /// The movement of the last answer, in units.
    pub(crate) fn point(&self) -> &[f64] {
        &self.point
    }

    /// The multipliers of the equations in the last answer.
    pub(crate) fn multipliers(&self) -> &[f64] {
        &self.multipliers
    }

    /// The exact movement and limit of the last basis, for where rounding decides.
    pub(crate) fn exactly(
        &self,
        cell: usize,
        direction: Direction,
    ) -> (Option<Certificate>, Option<i128>) {
        let Ok(basis) = self.solver.basis() else { return (None, None) };
        let certificate = vertex::certificate(self.hidden, &basis);
        (certificate, vertex::limit(self.hidden, &basis, cell, direction))
    }

    /// The last movement as an exact certificate, if it can be had.
    pub(crate) fn certificate(&mut self) -> Option<Certificate> {
        let certificate = read_exactly(self.hidden, &self.point, self.scale);
        if certificate.is_some() {
            return certificate;
        }
        let repair = self.repair.get_or_insert_with(|| Repair::new(self.hidden));
        repair.certificate(&self.point).or_else(|| {
            let pulled: Vec<f64> = self.point.iter().map(|amount| amount * (1.0 - PULL)).collect();
            repair.certificate(&pulled)
        })
    }
}

/// The solver's unit for a view: large tables have large numbers, but tolerances are absolute.
pub(crate) fn solver_unit(hidden: &View) -> f64 {
    let mut rooms: Vec<Value> = hidden.down.iter().chain(&hidden.up).copied().collect();
    rooms.retain(|&room| room > 0 && room < Value::MAX);
    rooms.sort_unstable();
    let typical = rooms.get(rooms.len() / 2).map_or(1.0, |&room| room as f64);
    2_f64.powi((typical / TYPICAL).log2().round() as i32).max(1.0)
}

/// A vertex as a certificate, if its coordinates are near to simple fractions that keep the
/// equations. `unit` is the solver's unit.
pub(crate) fn read_exactly(hidden: &View, point: &[f64], unit: f64) -> Option<Certificate> {
    let near = FRACTION.min(FRACTION * unit);
    DENOMINATORS.into_iter().find_map(|denominator| {
        as_fractions(point, denominator, near)
            .filter(|exact| is_balanced(hidden, exact))
            .and_then(|exact| certificate_of(hidden, &exact, denominator))
    })
}

/// The amounts as integers over `denominator`, if all are that near to it.
fn as_fractions(point: &[f64], denominator: u64, near: f64) -> Option<Vec<i128>> {
    point
        .iter()
        .map(|&amount| {
            let scaled = amount * denominator as f64;
            let tolerance = near * denominator as f64;
            let rounded = scaled.round();
            ((scaled - rounded).abs() <= tolerance.min(0.1)).then_some(rounded as i128)
        })
        .collect()
}

fn is_balanced(hidden: &View, amounts: &[i128]) -> bool {
    (0..hidden.equation_count()).all(|equation| {
        let terms = hidden.cells_of(equation).iter();
        terms.map(|&(cell, c)| i128::from(c) * amounts[cell as usize]).sum::<i128>() == 0
    })
}
