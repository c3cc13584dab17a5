//! The cheapest movement near a primary: in a narrow region first, in wider ones if that
//! does not do.

use quell_model::{Budget, CellId, Direction, Problem, Status};

use super::program::{Way, cheapest};
use super::region::{Regions, Size};
use crate::mover::{FORBIDDEN, Mover};
use crate::{Error, Movement, Need};

/// Widths of regions. The last is for needs that cannot be met in the others.
const WIDTHS: [usize; 4] = [7, 12, 18, 40];

/// Equations of a region for each square of its width: a box of three dimensions has three.
const LINES: usize = 6;

/// Looks for movements in regions of a table.
#[derive(Debug)]
pub(crate) struct Nearby<'a> {
    problem: &'a Problem,
    regions: Regions<'a>,
}

impl<'a> Nearby<'a> {
    pub(crate) fn new(problem: &'a Problem) -> Self {
        Self { problem, regions: Regions::new(problem) }
    }

    /// The cheapest way found to meet a need, where `lot` decides between cells of one price.
    /// A way that costs more than `dear` is looked for in a wider region too.
    ///
    /// # Errors
    /// If the solver fails.
    pub(super) fn cheapest_at(
        &mut self,
        need: &Need,
        price: &dyn Fn(CellId) -> f64,
        lot: &dyn Fn(CellId) -> f64,
        dear: f64,
        budget: &Budget,
    ) -> Result<Option<Way>, Error> {
        let problem = self.problem;
        let room = match need.direction {
            Direction::Up => problem.room_up(need.cell),
            Direction::Down => problem.room_down(need.cell),
        };
        if need.amount > room || problem.status(need.cell) == Status::Protected {
            return Ok(None);
        }
        let mut best: Option<Way> = None;
        for (position, width) in WIDTHS.into_iter().enumerate() {
            let enough = best.as_ref().is_some_and(|best| {
                best.cost <= dear || position + 1 == WIDTHS.len() || budget.stop().is_some()
            });
            if enough {
                break;
            }
            // What alone costs as much as a known way is in no better one.
            let most = best.as_ref().map_or(FORBIDDEN, |best| best.cost);
            let price = |cell: CellId| match price(cell) {
                price if price < most && problem.status(cell) != Status::Protected => price,
                _ => FORBIDDEN,
            };
            let size = Size { width, lines: LINES * width * width };
            let region = self.regions.grow(need, size, &price, lot);
            if let Some(way) = cheapest(problem, need, &region, &price)?
                && way.cost < most
            {
                best = Some(way);
            }
        }
        Ok(best)
    }
}

impl Mover for Nearby<'_> {
    fn cheapest(
        &mut self,
        need: &Need,
        cost: &dyn Fn(CellId) -> f64,
    ) -> Result<Option<Movement>, Error> {
        let found = self.cheapest_at(need, cost, &|_| 0.0, FORBIDDEN, &Budget::default())?;
        Ok(found.map(|way| way.movement))
    }
}
