//! Empty cells that may be hidden.
//!
//! A table has the cells with at least one record: that the others are empty is published. Where an
//! empty cell is no structural zero (there could be such firms, only there are none) it may be
//! hidden like any other, and what it hides is whether it is empty. Such cells become cells of the
//! table, of value zero and without contributors.

use quell_model::{CellId, Cube, NodeId, Status};
use thiserror::Error;

use crate::{Assessment, CellSummary, Contributors, Table};

/// More combinations of codes are not gone through.
const MOST: u64 = 20_000_000;

/// Which empty cells of a table may be hidden.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EmptyCells {
    /// For each dimension the codes of which they must have one; no codes: any.
    pub only: Vec<Vec<NodeId>>,
    /// Cells by their codes, none for any; with a code of a total those below it. No cells: all.
    pub listed: Option<Vec<Vec<Option<NodeId>>>>,
}

/// A table has too many combinations of codes to go through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the table has {0} combinations of codes, too many to take the empty ones into it")]
pub struct TooManyEmpty(u64);

/// Lets empty cells of a table be hidden: they become cells of the table that are safe and cost what
/// the cheapest of the others costs. (Nothing but that nobody is there is lost with them, and that
/// is something.)
///
/// No totals over a whole dimension are among them, nor cells below an empty one of these: hiding
/// them would hide nothing, for it is published that these are empty.
///
/// # Errors
/// If there are too many combinations of codes.
pub fn let_empty_be_hidden(
    table: Table,
    wanted: &EmptyCells,
    assessments: Vec<Assessment>,
    costs: Vec<f64>,
) -> Result<(Table, Vec<Assessment>, Vec<f64>), TooManyEmpty> {
    let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let cost = if least.is_finite() { least } else { 1.0 };
    let (table, before) = table.with_empty_cells(wanted)?;
    let known = |place: &Option<CellId>| place.map(CellId::index);
    let assessment = |place: &Option<CellId>| match known(place) {
        Some(known) => assessments[known].clone(),
        None => Assessment::of(Status::Safe),
    };
    let own_cost = |place: &Option<CellId>| known(place).map_or(cost, |known| costs[known]);
    let assessed = before.iter().map(assessment).collect();
    let costs = before.iter().map(own_cost).collect();
    Ok((table, assessed, costs))
}

impl Table {
    /// The table with the empty cells that may be hidden, and for each cell what it was before,
    /// unless it is one of them.
    fn with_empty_cells(
        self,
        wanted: &EmptyCells,
    ) -> Result<(Self, Vec<Option<CellId>>), TooManyEmpty> {
        let leaves: Vec<Vec<NodeId>> = (self.dimensions().iter())
            .map(|dimension| dimension.hierarchy.leaves().collect())
            .collect();
        let combinations = leaves.iter().map(|leaves| leaves.len() as u64);
        let combinations = combinations.fold(1, u64::saturating_mul);
        if combinations > MOST {
            return Err(TooManyEmpty(combinations));
        }
        let mut base: Vec<Vec<NodeId>> = Vec::new();
        for number in 0..combinations {
            let mut rest = number;
            let at = leaves.iter().map(|leaves| {
                let place = rest % leaves.len() as u64;
                rest /= leaves.len() as u64;
                leaves[place as usize]
            });
            let at: Vec<NodeId> = at.collect();
            if self.cube.find(&at).is_some() || self.may_be_hidden(&at, wanted) {
                base.push(at);
            }
        }
        let filled = base.into_iter().map(|at| (at, Counted));
        // Leaves of the dimensions of a cube that there is.
        let (cube, _) = Cube::roll_up(self.dimensions().to_vec(), filled)
            .map_err(|_| TooManyEmpty(combinations))?;
        let holdings = self.cells.iter().any(|cell| cell.holdings.is_some());
        let nobody = || Contributors::none(0, self.weight_decimals.scale());
        let empty = CellSummary::empty(nobody(), holdings.then(|| Box::new(nobody())));
        let mut before = Vec::with_capacity(cube.cell_count());
        let mut cells = Vec::with_capacity(cube.cell_count());
        for cell in (0..cube.cell_count()).map(CellId::from_index) {
            let at: Vec<NodeId> =
                (0..leaves.len()).map(|dimension| cube.coordinate(cell, dimension)).collect();
            let known = self.cube.find(&at);
            cells.push(known.map_or(&empty, |known| self.summary(known)).clone());
            // A row that says that a cell is empty is no other than no row.
            let is_empty = known.is_none_or(|known| {
                self.summary(known).respondents.count == 0 && self.may_be_hidden(&at, wanted)
            });
            before.push(known.filter(|_| !is_empty));
        }
        Ok((Self { cube, cells, ..self }, before))
    }

    /// Whether an empty cell of leaves may be hidden.
    fn may_be_hidden(&self, at: &[NodeId], wanted: &EmptyCells) -> bool {
        let hierarchy = |dimension: usize| &self.dimensions()[dimension].hierarchy;
        let is_below = |dimension: usize, code: NodeId| {
            at[dimension] == code || hierarchy(dimension).ancestors(at[dimension]).contains(&code)
        };
        let is_one_of = |(dimension, codes): (usize, &Vec<NodeId>)| {
            codes.is_empty() || codes.iter().any(|&code| is_below(dimension, code))
        };
        let is_meant = |codes: &Vec<Option<NodeId>>| {
            let mut codes = codes.iter().enumerate();
            codes.all(|(dimension, code)| code.is_none_or(|code| is_below(dimension, code)))
        };
        let margins = (0..at.len()).all(|dimension| {
            let mut margin = at.to_vec();
            margin[dimension] = 0;
            self.cube.find(&margin).is_some()
        });
        margins
            && wanted.only.iter().enumerate().all(is_one_of)
            && wanted.listed.as_ref().is_none_or(|cells| cells.iter().any(is_meant))
    }
}

/// What base cells add up to where only their places count.
#[derive(Debug, Clone, Copy)]
struct Counted;

impl std::ops::AddAssign for Counted {
    fn add_assign(&mut self, _: Self) {}
}
