//! Which cells are hidden.

use fixedbitset::FixedBitSet;

use crate::{CellId, Problem, Status};

/// A suppression pattern: the set of hidden cells, primaries included.
///
/// ```
/// use quell_model::{
///     Cell, CellId, Decimals, Pattern, Problem, Protection, Reason, Status, SystemBuilder,
/// };
///
/// // Two cells and their total; the first is primary.
/// let mut builder = SystemBuilder::new(3);
/// builder.equation([(CellId(0), 1), (CellId(1), 1), (CellId(2), -1)], 0);
/// let statuses = [Status::Primary(Reason::Frequency), Status::Safe, Status::Safe];
/// let cells = [20, 30, 50].into_iter().zip(statuses).map(|(value, status)| Cell {
///     value,
///     weight: value as f64,
///     status,
///     lower_bound: 0,
///     upper_bound: 100,
///     protection: Protection { lower: 2, upper: 2, sliding: 0 },
/// });
/// let problem = Problem::new(builder.build(), Decimals(0), cells);
///
/// let mut pattern = Pattern::of_primaries(&problem);
/// pattern.suppress(CellId(1));
/// assert_eq!(pattern.secondaries(&problem).collect::<Vec<_>>(), [CellId(1)]);
/// assert_eq!(pattern.cost(&problem), 30.0);
/// assert_eq!(pattern.statuses(&problem)[1], Status::Secondary);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    suppressed: FixedBitSet,
}

impl Pattern {
    /// Hides nothing but the primaries.
    pub fn of_primaries(problem: &Problem) -> Self {
        Self::of_cells(problem.cell_count(), problem.primaries())
    }

    /// Hides what the problem's statuses say: primaries and secondaries.
    pub fn of_statuses(problem: &Problem) -> Self {
        let hidden = problem.system().cells().filter(|&cell| problem.status(cell).is_suppressed());
        Self::of_cells(problem.cell_count(), hidden)
    }

    /// Hides everything that may be hidden.
    pub fn of_everything(problem: &Problem) -> Self {
        let may_be_hidden = |&cell: &CellId| problem.status(cell) != Status::Protected;
        Self::of_cells(problem.cell_count(), problem.system().cells().filter(may_be_hidden))
    }

    /// Hides nothing.
    pub fn none(problem: &Problem) -> Self {
        Self::of_cells(problem.cell_count(), std::iter::empty())
    }

    fn of_cells(cell_count: usize, cells: impl Iterator<Item = CellId>) -> Self {
        let mut suppressed = FixedBitSet::with_capacity(cell_count);
        suppressed.extend(cells.map(CellId::index));
        Self { suppressed }
    }

    /// Whether a cell is hidden.
    pub fn is_suppressed(&self, cell: CellId) -> bool {
        self.suppressed.contains(cell.index())
    }

    /// Hides a cell.
    pub fn suppress(&mut self, cell: CellId) {
        self.suppressed.insert(cell.index());
    }

    /// Publishes a cell.
    pub fn publish(&mut self, cell: CellId) {
        self.suppressed.set(cell.index(), false);
    }

    /// The hidden cells in order.
    pub fn suppressed(&self) -> impl Iterator<Item = CellId> + '_ {
        self.suppressed.ones().map(CellId::from_index)
    }

    /// How many cells the table has.
    pub fn cell_count(&self) -> usize {
        self.suppressed.len()
    }

    /// How many cells are hidden.
    pub fn len(&self) -> usize {
        self.suppressed.count_ones(..)
    }

    /// Whether nothing is hidden.
    pub fn is_empty(&self) -> bool {
        self.suppressed.is_clear()
    }

    /// The hidden cells that are not primary.
    pub fn secondaries<'a>(&'a self, problem: &'a Problem) -> impl Iterator<Item = CellId> + 'a {
        self.suppressed().filter(|&cell| !problem.status(cell).is_primary())
    }

    /// The information lost by the secondaries.
    pub fn cost(&self, problem: &Problem) -> f64 {
        // Not `sum`, which makes −0 of nothing.
        self.secondaries(problem).fold(0.0, |sum, cell| sum + problem.weight(cell))
    }

    /// The status of each cell under this pattern.
    pub fn statuses(&self, problem: &Problem) -> Vec<Status> {
        let status = |cell| match (problem.status(cell), self.is_suppressed(cell)) {
            (status @ (Status::Primary(_) | Status::Protected), _) => status,
            (_, true) => Status::Secondary,
            (_, false) => Status::Safe,
        };
        problem.system().cells().map(status).collect()
    }
}
