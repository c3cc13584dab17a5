//! What an adjusted table must keep, and what a change costs.

use quell_model::{CellId, Value};

/// What one unit of change of a cell costs: the `c` of equation (1).
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Cost {
    /// The table's own weights.
    #[default]
    Weight,
    /// 1 for every cell: the sum of absolute changes.
    One,
    /// 1/value: the sum of relative changes. A cell of value 0 counts as one of value 1.
    Relative,
    /// As given, one number for each cell.
    Given(Vec<f64>),
}

/// How far a sensitive cell must move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Distance {
    /// To one of its two minimal safe values, neither less nor more: equations (5) and (6).
    #[default]
    Minimal,
    /// At least as far as a minimal safe value: equations (7) and (8).
    AtLeast,
}

/// How far a cell that is not sensitive may move, besides the bounds of the table itself.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Limit {
    /// As far as the table's bounds allow.
    #[default]
    Bounds,
    /// By this percentage of its value, rounded down.
    Percent(f64),
}

/// What statistic of a set of cells is kept (cox-2004).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statistic {
    /// The mean.
    Mean,
    /// The variance, to first order: the covariance of values and changes is kept small.
    Variance,
    /// The correlation of values and adjusted values, kept near 1: the same constraint as
    /// [`Statistic::Variance`] together with [`Statistic::Mean`].
    Correlation,
    /// The slope of the regression of adjusted values on values, kept near 1.
    Slope,
}

/// A statistic kept within a tolerance, over a set of cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Keep {
    /// Which statistic.
    pub statistic: Statistic,
    /// How far it may change, as a share of itself.
    pub tolerance: f64,
    /// Over which cells; all cells that are no totals if empty.
    pub cells: Vec<CellId>,
}

/// What an adjusted table must keep, and what a change costs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    /// What a change costs.
    pub cost: Cost,
    /// How far sensitive cells must move.
    pub distance: Distance,
    /// How far the other cells may move.
    pub limit: Limit,
    /// Cells that are not sensitive and may move by these amounts, in the table's units, such
    /// as their sampling errors, whatever `limit` says.
    pub amounts: Vec<(CellId, Value)>,
    /// Cells that are held fixed, besides those the table calls protected.
    pub fixed: Vec<CellId>,
    /// Statistics that are kept.
    pub keep: Vec<Keep>,
}
