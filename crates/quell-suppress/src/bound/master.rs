//! The master program: `min Σ w x` over the cuts found so far.

use quell_model::{Budget, CellId, Problem, Status};
use quell_solve::{Basis, Changed, Index, Limits, Outcome, Presolve, Solver};

use super::cut::Row;
use super::strengthen::strengthen;
use crate::Error;
use crate::tolerance::{INTEGRAL, REDUCED_COST, SLACK_DUAL};

/// Solutions after which a cut that has been slack in all of them is dropped from the linear
/// program: at the root, where every solution is of the same program, and in a tree, where
/// they are not.
const PATIENCE_AT_ROOT: u32 = 5;
const PATIENCE_IN_TREE: u32 = 20;

/// The most derived cuts added in one round.
const DERIVED: usize = 150;

/// Cuts with less slack may have derived ones that are violated.
const TIGHT: f64 = 0.2;

/// Simplex iterations to try a cell out.
const TRIAL: u32 = 40;

/// So few slack cuts are not worth a deletion.
const FEW: usize = 50;

/// The most columns added in one round of pricing.
const PRICED: usize = 400;

/// How a linear program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Solved {
    /// Solved.
    Optimal,
    /// Nothing satisfies the cuts, which only excluded cells can bring about.
    Infeasible,
    /// The solver gave up.
    Trouble,
}

/// Whether a cut may leave the linear program again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stay {
    /// When it has been slack for long.
    WhileTight,
    /// Never: it cuts off a choice of whole cells, which would be made again without it.
    Always,
}

/// A cut in the linear program.
#[derive(Debug, Clone)]
struct Held {
    row: Row,
    /// In how many solutions, one after the other, it has been slack.
    slack_for: u32,
    slack: f64,
    stay: Stay,
}

/// The master program.
pub(crate) struct Master<'a> {
    problem: &'a Problem,
    held: Vec<Held>,
    solver: Solver,
    columns: Vec<CellId>,
    position: Vec<u32>,
    /// Cells that cannot be in a pattern cheaper than the best known.
    excluded: Vec<bool>,
    /// The last point, for every cell.
    point: Vec<f64>,
    /// The last reduced costs, for every cell.
    reduced: Vec<f64>,
    objective: f64,
    patience: u32,
}

impl<'a> Master<'a> {
    /// A master without cuts, over the given columns to begin with.
    pub(crate) fn new(
        problem: &'a Problem,
        columns: &[CellId],
        budget: &Budget,
    ) -> Result<Self, Error> {
        let mut solver = Solver::new()?;
        solver.set_stopping(Some(budget.over()))?;
        solver.set_presolve(Presolve::Off);
        let never =
            |cell| problem.status(cell) == Status::Protected || problem.status(cell).is_primary();
        let mut master = Self {
            held: Vec::new(),
            solver,
            columns: Vec::new(),
            position: vec![u32::MAX; problem.cell_count()],
            excluded: problem.system().cells().map(never).collect(),
            point: vec![0.0; problem.cell_count()],
            reduced: vec![0.0; problem.cell_count()],
            objective: 0.0,
            patience: PATIENCE_AT_ROOT,
            problem,
        };
        master.add_columns(columns)?;
        Ok(master)
    }

    /// The last point, for every cell (primaries have no value).
    pub(crate) fn point(&self) -> &[f64] {
        &self.point
    }

    /// The value of the last linear program.
    pub(crate) fn objective(&self) -> f64 {
        self.objective
    }

    /// The columns.
    pub(crate) fn columns(&self) -> &[CellId] {
        &self.columns
    }

    fn add_columns(&mut self, cells: &[CellId]) -> Result<usize, Error> {
        let mut added = 0;
        for &cell in cells {
            if self.excluded[cell.index()] || self.position[cell.index()] != u32::MAX {
                continue;
            }
            let (mut rows, mut values) = (Vec::new(), Vec::new());
            for (index, held) in self.held.iter().enumerate() {
                let entries = &held.row.entries;
                if let Ok(found) = entries.binary_search_by_key(&cell, |&(cell, _)| cell) {
                    rows.push(index as Index);
                    values.push(entries[found].1);
                }
            }
            self.solver.add_column(self.problem.weight(cell), 0.0, 1.0, &rows, &values)?;
            self.position[cell.index()] = self.columns.len() as u32;
            self.columns.push(cell);
            added += 1;
        }
        Ok(added)
    }

    /// Adds cuts, and what can be derived from them and from those that are tight; says how
    /// many of all the current point violates.
    pub(crate) fn add_cuts(&mut self, rows: Vec<Row>, stay: Stay) -> Result<usize, Error> {
        let tight = self.held.iter().filter(|held| held.slack < TIGHT).map(|held| &held.row);
        let mut derived: Vec<(f64, Row)> = tight
            .chain(&rows)
            .filter_map(|row| strengthen(row, &self.point))
            .map(|row| (row.violation(&self.point), row))
            .collect();
        derived.sort_by(|a, b| b.0.total_cmp(&a.0));
        derived.truncate(DERIVED.max(rows.len()));
        self.drop_slack_cuts()?;
        let mut violated = 0;
        let derived = derived.into_iter().map(|(_, row)| (row, Stay::WhileTight));
        for (row, stay) in rows.into_iter().map(|row| (row, stay)).chain(derived) {
            violated += usize::from(row.violation(&self.point) > INTEGRAL);
            self.hold(row, stay)?;
        }
        Ok(violated)
    }

    /// Adds a row to the linear program, and the cheapest of its cells as columns as long as
    /// all columns together do not satisfy it: so the program is feasible, unless cells are
    /// excluded that it cannot do without.
    fn hold(&mut self, row: Row, stay: Stay) -> Result<(), Error> {
        let is_column = |cell: CellId| self.position[cell.index()] != u32::MAX;
        let all = row.entries.iter().filter(|&&(cell, _)| is_column(cell));
        let mut reach: f64 = all.map(|&(_, coefficient)| coefficient).sum();
        if reach < row.bound {
            let others = row.entries.iter().filter(|&&(cell, _)| !is_column(cell));
            let mut others: Vec<(CellId, f64)> = others.copied().collect();
            let weight = |cell: CellId| self.problem.weight(cell);
            others.sort_by(|a, b| weight(a.0).total_cmp(&weight(b.0)).then(a.0.cmp(&b.0)));
            let mut added = Vec::new();
            for (cell, coefficient) in others {
                if reach >= row.bound {
                    break;
                }
                reach += coefficient;
                added.push(cell);
            }
            self.add_columns(&added)?;
        }
        let (mut columns, mut values) = (Vec::new(), Vec::new());
        for &(cell, coefficient) in &row.entries {
            let position = self.position[cell.index()];
            if position != u32::MAX {
                columns.push(position as Index);
                values.push(coefficient);
            }
        }
        self.solver.add_row(row.bound, f64::INFINITY, &columns, &values)?;
        self.held.push(Held { row, slack_for: 0, slack: 0.0, stay });
        Ok(())
    }

    /// Solves the linear program over the present columns and cuts.
    pub(crate) fn solve(&mut self) -> Result<Solved, Error> {
        let mut outcome = self.solver.resolve(Changed::Bounds)?;
        if !matches!(outcome, Outcome::Optimal | Outcome::Infeasible) {
            // From scratch, in case the basis is to blame.
            self.solver.forget()?;
            outcome = self.solver.solve()?;
        }
        match outcome {
            Outcome::Optimal => {}
            Outcome::Infeasible => return Ok(Solved::Infeasible),
            _ => return Ok(Solved::Trouble),
        }
        self.objective = self.solver.objective();
        let mut values = Vec::new();
        self.solver.column_values(&mut values)?;
        self.point.fill(0.0);
        for (&cell, &value) in self.columns.iter().zip(&values) {
            self.point[cell.index()] = value.clamp(0.0, 1.0);
        }
        self.solver.row_values(&mut values)?;
        for (held, &value) in self.held.iter_mut().zip(&values) {
            held.slack = value - held.row.bound;
            held.slack_for = if held.slack > INTEGRAL { held.slack_for + 1 } else { 0 };
        }
        Ok(Solved::Optimal)
    }

    /// Drops cuts from the linear program that have been slack for long.
    fn drop_slack_cuts(&mut self) -> Result<(), Error> {
        let slack = |held: &Held| held.stay == Stay::WhileTight && held.slack_for > self.patience;
        let positions = self.held.iter().enumerate().filter(|(_, held)| slack(held));
        let dropped: Vec<Index> = positions.map(|(index, _)| index as Index).collect();
        if dropped.len() > FEW {
            self.solver.delete_rows(&dropped)?;
            self.held.retain(|held| !slack(held));
        }
        Ok(())
    }

    /// Fixes cells (hidden or published), and no others.
    pub(crate) fn fix(&mut self, fixed: &[(CellId, bool)]) -> Result<(), Error> {
        let mut lower = vec![0.0; self.columns.len()];
        let excluded = |&cell: &CellId| if self.excluded[cell.index()] { 0.0 } else { 1.0 };
        let mut upper: Vec<f64> = self.columns.iter().map(excluded).collect();
        for &(cell, hidden) in fixed {
            let column = self.position[cell.index()] as usize;
            if hidden {
                lower[column] = 1.0;
            } else {
                upper[column] = 0.0;
            }
            // Hidden, though no cheaper pattern hides it: nothing is left here.
            upper[column] = upper[column].max(lower[column]);
        }
        self.solver.set_all_column_bounds(&lower, &upper)?;
        Ok(())
    }

    /// The basis of the last solution.
    pub(crate) fn basis(&self) -> Result<Basis, Error> {
        Ok(self.solver.basis()?)
    }

    /// Goes on from a basis.
    pub(crate) fn set_basis(&mut self, basis: &Basis) -> Result<(), Error> {
        Ok(self.solver.set_basis(basis)?)
    }

    /// The value of the linear program, nearly, if one more cell were fixed, from a basis.
    pub(crate) fn try_fixing(
        &mut self,
        basis: &Basis,
        cell: CellId,
        hidden: bool,
    ) -> Result<f64, Error> {
        let column = self.position[cell.index()] as usize;
        let value = f64::from(hidden);
        self.solver.set_basis(basis)?;
        self.solver.set_column_bounds(column, value, value)?;
        self.solver.set_limits(&Limits { simplex_iterations: Some(TRIAL), ..Limits::default() })?;
        let reached = match self.solver.resolve(Changed::Bounds)? {
            Outcome::Optimal | Outcome::IterationLimit => self.solver.objective(),
            Outcome::Infeasible => f64::INFINITY,
            _ => self.objective,
        };
        self.solver.set_limits(&Limits::default())?;
        self.solver.set_column_bounds(column, 0.0, 1.0)?;
        Ok(reached)
    }

    /// The cells that the point neither hides nor publishes, with their values.
    pub(crate) fn fractional(&self) -> Vec<(CellId, f64)> {
        let values = self.columns.iter().map(|&cell| (cell, self.point[cell.index()]));
        values.filter(|&(_, value)| value > INTEGRAL && value < 1.0 - INTEGRAL).collect()
    }

    /// The cells that the point hides, rising.
    pub(crate) fn chosen(&self) -> Vec<CellId> {
        let mut chosen: Vec<CellId> =
            self.columns.iter().copied().filter(|cell| self.point[cell.index()] > 0.5).collect();
        chosen.sort_unstable();
        chosen
    }

    /// What hiding a cell costs.
    pub(crate) fn weight(&self, cell: CellId) -> f64 {
        self.problem.weight(cell)
    }

    /// Prepares for a tree: all cells that can be in a pattern cheaper than the best become
    /// columns.
    pub(crate) fn add_open_cells(&mut self, most: f64) -> Result<(), Error> {
        let open: Vec<CellId> =
            self.cells_by_reduced_cost(most).into_iter().map(|(cell, _)| cell).collect();
        self.add_columns(&open)?;
        self.patience = PATIENCE_IN_TREE;
        Ok(())
    }

    /// Prices all cells: adds those that would lower the value, says how many, and what the
    /// value cannot fall below when all of them are added.
    pub(crate) fn price(&mut self) -> Result<(usize, f64), Error> {
        let mut duals = Vec::new();
        self.solver.row_duals(&mut duals)?;
        for cell in self.problem.system().cells() {
            self.reduced[cell.index()] = self.problem.weight(cell);
        }
        for (held, &dual) in self.held.iter().zip(&duals) {
            if dual > SLACK_DUAL {
                for &(cell, coefficient) in &held.row.entries {
                    self.reduced[cell.index()] -= dual * coefficient;
                }
            }
        }
        let mut wanted: Vec<CellId> = self
            .problem
            .system()
            .cells()
            .filter(|cell| {
                let index = cell.index();
                !self.excluded[index]
                    && self.position[index] == u32::MAX
                    && self.reduced[index] < -REDUCED_COST
            })
            .collect();
        wanted.sort_by(|a, b| {
            self.reduced[a.index()].total_cmp(&self.reduced[b.index()]).then(a.cmp(b))
        });
        let gain: f64 = wanted.iter().map(|cell| self.reduced[cell.index()]).sum();
        wanted.truncate(PRICED);
        Ok((self.add_columns(&wanted)?, self.objective + gain))
    }

    /// Excludes the cells whose reduced cost shows that no pattern with them is cheaper than
    /// `best`; the linear program must be solved and priced out. Says how many are left.
    pub(crate) fn exclude(&mut self, best: f64) -> Result<usize, Error> {
        let gap = best - self.objective;
        let mut left = 0;
        for cell in self.problem.system().cells() {
            let index = cell.index();
            if self.excluded[index] {
                continue;
            }
            if self.reduced[index] > gap {
                self.excluded[index] = true;
                if self.position[index] != u32::MAX {
                    self.solver.set_column_bounds(self.position[index] as usize, 0.0, 0.0)?;
                }
            } else {
                left += 1;
            }
        }
        Ok(left)
    }

    /// The cells not excluded whose reduced cost is at most `most`, by rising reduced cost.
    pub(crate) fn cells_by_reduced_cost(&self, most: f64) -> Vec<(CellId, f64)> {
        let cells = self.problem.system().cells();
        let priced = cells.map(|cell| (cell, self.reduced[cell.index()]));
        let within =
            |&(cell, reduced): &(CellId, f64)| !self.excluded[cell.index()] && reduced <= most;
        let mut cells: Vec<(CellId, f64)> = priced.filter(within).collect();
        cells.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        cells
    }

    /// The cuts of the linear program.
    pub(crate) fn rows(&self) -> Vec<Row> {
        self.held.iter().map(|held| held.row.clone()).collect()
    }
}
