//! Statistics that an adjusted table keeps, as linear constraints on the movement.
//!
//! With values x, changes y over a set of n cells: the mean changes by Σy/n. The slope of
//! the regression of x + y on x is 1 + L(y) with L(y) = cov(x, y)/var(x); the variance is
//! var(x)·(1 + 2 L(y)) + var(y), and the correlation of x + y with x is near 1 if L(y) is
//! near 0 and var(y) small against var(x) (cox-2004, section 3). So all of
//! them are limits on Σy and on L(y); var(y) is what the objective keeps small.

use quell_model::{CellId, Labels, Problem};

use crate::tolerance::STATISTIC;
use crate::{Error, Keep, Statistic};

/// `|Σ coefficient·movement| ≤ most`, movements in the table's units.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QualityRow {
    pub(crate) entries: Vec<(CellId, f64)>,
    pub(crate) most: f64,
}

impl QualityRow {
    /// Whether a movement keeps the statistic.
    pub(crate) fn holds(&self, movement: &[quell_model::Value]) -> bool {
        let sum: f64 = self.entries.iter().map(|&(c, by)| by * movement[c.index()] as f64).sum();
        let (share, units) = STATISTIC;
        sum.abs() <= self.most * (1.0 + share) + units
    }

    /// The rows of all statistics to keep.
    pub(crate) fn all(problem: &Problem, keep: &[Keep]) -> Result<Vec<Self>, Error> {
        keep.iter().map(|keep| Self::of(problem, keep)).collect()
    }

    fn of(problem: &Problem, keep: &Keep) -> Result<Self, Error> {
        if !(keep.tolerance >= 0.0 && keep.tolerance.is_finite()) {
            return Err(Error::Option(format!("{} is no tolerance", keep.tolerance)));
        }
        let cells = match keep.cells.is_empty() {
            true => base_cells(problem),
            false => keep.cells.clone(),
        };
        if cells.iter().any(|cell| cell.index() >= problem.cell_count()) || cells.is_empty() {
            return Err(Error::Option("a statistic is kept over cells that exist".to_owned()));
        }
        let values: Vec<f64> = cells.iter().map(|&cell| problem.value(cell) as f64).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        if keep.statistic == Statistic::Mean {
            let most = keep.tolerance * mean.abs() * values.len() as f64;
            return Ok(Self { entries: cells.into_iter().map(|cell| (cell, 1.0)).collect(), most });
        }
        let spread: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        if spread == 0.0 {
            let message = "equal values have neither variance nor correlation to keep";
            return Err(Error::Option(message.to_owned()));
        }
        // Divided by the standard deviation, so that coefficients are near 1.
        let deviation = (spread / values.len() as f64).sqrt();
        let entries = cells.into_iter().zip(&values).map(|(c, v)| (c, (v - mean) / deviation));
        let share = match keep.statistic {
            Statistic::Variance => keep.tolerance / 2.0,
            _ => keep.tolerance,
        };
        Ok(Self { entries: entries.collect(), most: share * spread / deviation })
    }
}

/// The cells that are no totals: of a cube its base, else those that no equation gives the
/// opposite sign of most of its others.
pub(crate) fn base_cells(problem: &Problem) -> Vec<CellId> {
    let system = problem.system();
    if let Labels::Cube(cube) = problem.labels() {
        return system.cells().filter(|&cell| cube.is_base(cell)).collect();
    }
    let is_total = |cell: CellId| {
        system.equations_of(cell).any(|(equation, coefficient)| {
            let same = system.cells_of(equation).filter(|&(_, c)| (c > 0) == (coefficient > 0));
            2 * same.count() < system.cells_of(equation).len()
        })
    };
    system.cells().filter(|&cell| !is_total(cell)).collect()
}
