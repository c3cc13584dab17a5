//! The cheapest movement of cells that are hidden already, by the few ways in which they can move
//! at all.
//!
//! What is hidden in a good pattern hardly moves: the published cells leave it a few degrees of
//! freedom, in deep hierarchies two or three for hundreds of cells. The dual of Kelly's program
//! ([`super::kelly_program`]) has a row for each of these, instead of one for each equation.

use quell_model::{
    Budget, CellId, Direction, NullSpace, Problem, Requirement, SystemBuilder, Value,
};
use quell_solve::{Changed, Model, Outcome, Sense, Solver, Vectors};

use super::mover::{FORBIDDEN, Mover};
use crate::tolerance::{AT_REST, MISSED_GOAL};
use crate::{Error, Movement};

/// The most coefficients of movements, for each hidden cell.
const ENTRIES: usize = 100;

/// Columns of a cell: its price up and down, and what its room takes away from what it can save,
/// up and down.
const COLUMNS: usize = 4;

/// Movements of some cells, while all others stand still. With `y = N z` the dual of `min Σ c|y|`
/// over `y_p ≥ 1` within the rooms is `max λ − Σ (up·s + down·t)` over `Nᵀ (a + s − t) = λ N_p`,
/// `|a| ≤ c`, `s, t ≥ 0`; the duals of its rows are `z`.
pub(crate) struct NullSpaceProgram<'a> {
    problem: &'a Problem,
    /// The cells, rising.
    cells: Vec<CellId>,
    space: NullSpace,
    solver: Solver,
    costs: Vec<f64>,
    upper: Vec<f64>,
    lower: Vec<f64>,
    duals: Vec<f64>,
}

impl<'a> NullSpaceProgram<'a> {
    /// The program over some cells; `None` if it would be no smaller than one over the equations.
    ///
    /// # Errors
    /// If the solver fails.
    pub(crate) fn new(
        problem: &'a Problem,
        mut cells: Vec<CellId>,
        budget: &Budget,
    ) -> Result<Option<Self>, Error> {
        cells.sort_unstable();
        let Some(space) = movements_of(problem, &cells) else { return Ok(None) };
        if 2 * space.free().len() > cells.len() {
            return Ok(None);
        }
        let mut matrix = Vectors::default();
        for place in 0..cells.len() {
            for sign in [1.0, -1.0, 1.0, -1.0] {
                let row = space.row(CellId::from_index(place)).iter();
                matrix.push(row.map(|&(free, by)| (free as usize, sign * by)));
            }
        }
        let (columns, rows) = (COLUMNS * cells.len(), space.free().len());
        let zeros = vec![0.0; columns.max(rows)];
        let mut solver = Solver::new()?;
        solver.set_stopping(Some(budget.over()))?;
        solver.pass(&Model {
            sense: Sense::Maximise,
            offset: 0.0,
            costs: &zeros[..columns],
            lower: &zeros[..columns],
            upper: &zeros[..columns],
            kinds: None,
            row_lower: &zeros[..rows],
            row_upper: &zeros[..rows],
            matrix: matrix.as_columns(),
        })?;
        Ok(Some(Self {
            problem,
            cells,
            space,
            solver,
            costs: zeros[..columns].to_vec(),
            upper: zeros[..columns].to_vec(),
            lower: zeros[..columns].to_vec(),
            duals: Vec::new(),
        }))
    }

    /// Tells the solver prices and rooms, in units of the requirement's distance.
    fn set(
        &mut self,
        requirement: &Requirement,
        own: usize,
        cost: &dyn Fn(CellId) -> f64,
    ) -> Result<(), Error> {
        let unit = requirement.distance as f64;
        let room = |room: Value| (room != Value::MAX).then_some(room as f64 / unit);
        for (place, &cell) in self.cells.iter().enumerate() {
            let (price, first) = (cost(cell), COLUMNS * place);
            self.upper[first] = price;
            self.upper[first + 1] = price;
            for (column, direction) in [(first + 2, Direction::Up), (first + 3, Direction::Down)] {
                let room = room(self.problem.room_for(requirement, cell, direction));
                self.upper[column] = if room.is_some() { f64::INFINITY } else { 0.0 };
                self.costs[column] = -room.unwrap_or(0.0);
            }
        }
        // One of the primary's own columns stands for `λ`, the others are not needed.
        let first = COLUMNS * own;
        self.upper[first..first + COLUMNS].fill(0.0);
        self.costs[first..first + COLUMNS].fill(0.0);
        let along = match requirement.direction {
            Direction::Up => first + 1,
            Direction::Down => first,
        };
        (self.upper[along], self.costs[along]) = (f64::INFINITY, 1.0);
        self.solver.set_all_costs(&self.costs)?;
        self.solver.set_all_column_bounds(&self.lower, &self.upper)?;
        self.costs[along] = 0.0;
        Ok(())
    }
}

impl Mover for NullSpaceProgram<'_> {
    fn cheapest(
        &mut self,
        requirement: &Requirement,
        cost: &dyn Fn(CellId) -> f64,
    ) -> Result<Option<Movement>, Error> {
        let room = self.problem.room(requirement.cell, requirement.direction);
        let Ok(own) = self.cells.binary_search(&requirement.cell) else { return Ok(None) };
        if requirement.distance > room {
            return Ok(None);
        }
        self.set(requirement, own, cost)?;
        // Nothing moves and nothing is saved: feasible, and near to what a small movement is.
        self.solver.set_slack_basis()?;
        // What cannot be met saves without end.
        if self.solver.resolve(Changed::Objective)? != Outcome::Optimal {
            return Ok(None);
        }
        self.solver.row_duals(&mut self.duals)?;
        let moved = |place: usize| -> f64 {
            let row = self.space.row(CellId::from_index(place)).iter();
            row.map(|&(free, by)| by * self.duals[free as usize]).sum()
        };
        let reached = moved(own) * requirement.direction.sign() as f64;
        if reached.abs() < 1.0 - MISSED_GOAL {
            return Ok(None);
        }
        let (sign, unit) = (reached.signum(), requirement.distance as f64);
        let entries = (0..self.cells.len()).filter_map(|place| {
            let amount = sign * moved(place);
            // The primary moves whatever it costs.
            let may_move = place == own || cost(self.cells[place]) != FORBIDDEN;
            (may_move && amount.abs() > AT_REST).then_some((self.cells[place], amount * unit))
        });
        Ok(Some(Movement::new(entries.collect())))
    }
}

/// How some cells can move if no others do.
fn movements_of(problem: &Problem, cells: &[CellId]) -> Option<NullSpace> {
    let system = problem.system();
    let mut place = vec![u32::MAX; problem.cell_count()];
    for (index, cell) in cells.iter().enumerate() {
        place[cell.index()] = index as u32;
    }
    let mut builder = SystemBuilder::new(cells.len());
    for equation in system.equations() {
        let among = system.cells_of(equation).filter(|(cell, _)| place[cell.index()] != u32::MAX);
        let entries: Vec<(CellId, i32)> =
            among.map(|(cell, by)| (CellId(place[cell.index()]), by)).collect();
        if !entries.is_empty() {
            builder.equation(entries, 0);
        }
    }
    NullSpace::of(&builder.build(), ENTRIES * cells.len())
}

#[cfg(test)]
mod tests {
    use quell_gen::{Shape, random_problem_of};
    use quell_model::{Pattern, Random};

    use super::*;
    use crate::search::kelly_program::KellyProgram;
    use crate::search::requirements::requirements;

    /// Whether there is a movement, and what it costs by the unit, is the same by either program,
    /// with some cells forbidden and some free of charge.
    #[test]
    fn movements_cost_the_same_by_degrees_of_freedom_as_by_equations() {
        let (mut found, mut impossible) = (0, 0);
        for (number, shape) in Shape::ALL.into_iter().enumerate() {
            for seed in 0..25 {
                let mut random = Random::new(seed, 2_100 + number as u64);
                let problem = random_problem_of(shape, &mut random, 60);
                let mut pattern = Pattern::of_primaries(&problem);
                let others: Vec<CellId> = Pattern::of_everything(&problem).suppressed().collect();
                for cell in others {
                    if random.chance(0.5) {
                        pattern.suppress(cell);
                    }
                }
                let budget = Budget::default();
                let hidden: Vec<CellId> = pattern.suppressed().collect();
                let few = NullSpaceProgram::new(&problem, hidden, &budget).expect("a program");
                let Some(mut few) = few else { continue };
                let mut whole = KellyProgram::new(&problem, &budget).expect("a program");
                for requirement in requirements(&problem) {
                    let out = random.below(problem.cell_count());
                    let cost = |cell: CellId| match pattern.is_suppressed(cell) {
                        true if cell.index() == out => FORBIDDEN,
                        true if problem.status(cell).is_primary() => 0.0,
                        true => problem.weight(cell),
                        false => FORBIDDEN,
                    };
                    let price = |movement: &Movement| -> f64 {
                        let others = movement.entries().iter();
                        let others = others.filter(|&&(cell, _)| cell != requirement.cell);
                        others.map(|&(cell, by)| cost(cell) * by.abs()).sum()
                    };
                    let place = format!("{shape:?}, seed {seed}, {requirement:?}");
                    let one = few.cheapest(&requirement, &cost).expect("solved");
                    let other = whole.cheapest(&requirement, &cost).expect("solved");
                    assert_eq!(one.is_some(), other.is_some(), "{place}");
                    let (Some(one), Some(other)) = (one, other) else {
                        impossible += 1;
                        continue;
                    };
                    assert!(one.meets(&problem, &requirement), "{place}");
                    let (one, other) = (price(&one), price(&other));
                    assert!((one - other).abs() <= 1e-5 * other.max(1.0), "{place}: {one} {other}");
                    found += 1;
                }
            }
        }
        assert!(found > 100 && impossible > 100, "{found} found, {impossible} impossible");
    }
}
