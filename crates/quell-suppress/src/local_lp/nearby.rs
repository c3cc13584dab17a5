//! The cheapest movement near a primary: in a narrow region first, in wider ones if that
//! does not do.

use quell_model::{Budget, CellId, Problem, Status};

use super::program::{Answer, Way, cheapest};
use super::region::{Regions, Size};
use crate::mover::{FORBIDDEN, Mover};
use crate::{Error, Movement, Need};

/// Widths of regions in tables of three dimensions. The last is for needs that cannot be met
/// in the others.
const WIDTHS: [usize; 4] = [7, 12, 18, 40];

/// How many of these are near.
const NEAR: usize = 2;

/// How many times dearer than what is worth a wider region a way must be to be worth the whole
/// table.
const WHOLE: f64 = 3.0;

/// Equations of a region for each side of its box: it is never quite a box.
const LINES: usize = 2;

/// How far to look for a movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Widest {
    /// In the narrowest regions.
    Near,
    /// In the widest of the regions.
    Region,
    /// Among all cells of the table that cost nothing.
    Hidden,
    /// In the whole table.
    Table,
}

/// Looks for movements in regions of a table.
#[derive(Debug)]
pub(crate) struct Nearby<'a> {
    problem: &'a Problem,
    regions: Regions<'a>,
    sizes: [Size; 4],
    /// Whether a program over the whole table was given up.
    pub(super) too_long: bool,
}

impl<'a> Nearby<'a> {
    pub(crate) fn new(problem: &'a Problem) -> Self {
        let sizes = WIDTHS.map(|width| size(width, dimensions(problem)));
        Self { problem, regions: Regions::new(problem), sizes, too_long: false }
    }

    /// The cheapest way found to meet a need, where `lot` decides between cells of one price.
    /// A way that costs more than `dear` is looked for in a wider region too, at last in the
    /// whole table if that is allowed: a primary may need thousands of cells to move a little,
    /// and in a region too small for them large totals must be hidden instead.
    ///
    /// # Errors
    /// If the solver fails.
    pub(super) fn cheapest_at(
        &mut self,
        need: &Need,
        price: &dyn Fn(CellId) -> f64,
        lot: &dyn Fn(CellId) -> f64,
        dear: f64,
        widest: Widest,
        budget: &Budget,
    ) -> Result<Option<Way>, Error> {
        let problem = self.problem;
        let room = problem.room(need.cell, need.direction);
        if need.amount > room || problem.status(need.cell) == Status::Protected {
            return Ok(None);
        }
        let mut best: Option<Way> = None;
        let widths = if widest == Widest::Near { NEAR } else { WIDTHS.len() };
        for (position, size) in self.sizes.into_iter().enumerate().take(widths) {
            let last = position + 1 == WIDTHS.len();
            let enough = match &best {
                Some(best) => best.cost <= dear || last || budget.stop().is_some(),
                None => last && widest == Widest::Table,
            };
            if enough {
                break;
            }
            // What alone costs as much as a known way is in no better one.
            let most = best.as_ref().map_or(FORBIDDEN, |best| best.cost);
            let price = |cell: CellId| match price(cell) {
                price if price < most && problem.status(cell) != Status::Protected => price,
                _ => FORBIDDEN,
            };
            let region = self.regions.grow(need, size, &price, lot);
            if let Answer::Way(way) = cheapest(problem, need, &region, &price, budget)?
                && way.cost < most
            {
                best = Some(way);
            }
        }
        let beyond = matches!(widest, Widest::Hidden | Widest::Table);
        if beyond && best.as_ref().is_none_or(|best| best.cost > WHOLE * dear) {
            let price = |cell: CellId| match price(cell) {
                _ if problem.status(cell) == Status::Protected => FORBIDDEN,
                price if widest == Widest::Hidden && price > 0.0 => FORBIDDEN,
                price => price,
            };
            let region = self.regions.whole(need, &price);
            match cheapest(problem, need, &region, &price, budget)? {
                Answer::Way(way) if best.as_ref().is_none_or(|best| way.cost < best.cost) => {
                    best = Some(way);
                }
                Answer::TooLong => self.too_long = true,
                Answer::Way(_) | Answer::Impossible => {}
            }
        }
        Ok(best)
    }
}

/// The dimensions of a table: every cell stands in an equation of each, some in two.
fn dimensions(problem: &Problem) -> usize {
    let system = problem.system();
    let fewest = system.cells().map(|cell| system.equations_of(cell).len()).min();
    fewest.unwrap_or(0).max(3)
}

/// A region as large as one of a width in three dimensions: the linear program counts lines,
/// of which a box of k dimensions has k·widthᵏ⁻¹.
fn size(width: usize, dimensions: usize) -> Size {
    let lines = LINES * 3 * width * width;
    let side = (lines as f64 / (LINES * dimensions) as f64).powf(1.0 / (dimensions - 1) as f64);
    Size { width: side.ceil() as usize, lines }
}

impl Mover for Nearby<'_> {
    fn cheapest(
        &mut self,
        need: &Need,
        cost: &dyn Fn(CellId) -> f64,
    ) -> Result<Option<Movement>, Error> {
        let found =
            self.cheapest_at(need, cost, &|_| 0.0, FORBIDDEN, Widest::Region, &Budget::default())?;
        Ok(found.map(|way| way.movement))
    }
}

#[cfg(test)]
mod tests {
    use quell_gen::{Shape, random_problem_of};
    use quell_model::Random;

    use super::*;
    use crate::needs;
    use crate::program::Program;

    /// Whether a movement keeps all equations and bounds, up to rounding.
    fn is_movement(problem: &Problem, movement: &Movement) -> bool {
        let system = problem.system();
        let moved = |cell| movement.amount(cell);
        let size = movement.entries().iter().map(|&(_, a)| a.abs()).fold(1.0, f64::max);
        let balanced = system.equations().all(|equation| {
            let cells = system.cells_of(equation);
            cells.map(|(cell, c)| f64::from(c) * moved(cell)).sum::<f64>().abs() < 1e-6 * size
        });
        let inside = |&(cell, amount): &(CellId, f64)| {
            amount <= problem.room_up(cell) as f64 + 1e-6 * size
                && -amount <= problem.room_down(cell) as f64 + 1e-6 * size
        };
        balanced && movement.entries().iter().all(inside)
    }

    #[test]
    fn the_whole_table_has_a_way_for_every_need_that_can_be_met_and_never_a_dearer_one() {
        let (mut cheaper, mut met) = (0, 0);
        for (number, shape) in Shape::ALL.into_iter().enumerate() {
            for seed in 0..8 {
                let mut random = Random::new(seed, 700 + number as u64);
                let problem = random_problem_of(shape, &mut random, 50);
                let mut nearby = Nearby::new(&problem);
                let mut program = Program::new(&problem).expect("a program");
                let price = |cell: CellId| match problem.status(cell) {
                    Status::Protected => FORBIDDEN,
                    status if status.is_primary() => 0.0,
                    _ => problem.weight(cell).max(f64::MIN_POSITIVE),
                };
                for need in needs(&problem) {
                    let mut find = |dear, widest| {
                        let budget = Budget::default();
                        let found =
                            nearby.cheapest_at(&need, &price, &|_| 0.0, dear, widest, &budget);
                        found.expect("the solver works")
                    };
                    let narrow = find(FORBIDDEN, Widest::Region);
                    let hidden = find(0.0, Widest::Hidden).map(|way| way.cost);
                    let alone = |cell| if price(cell) == 0.0 { 0.0 } else { FORBIDDEN };
                    if program.cheapest(&need, &alone).expect("a program").is_some() {
                        assert_eq!(hidden, Some(0.0), "{shape:?}, seed {seed}: {need:?}");
                    }
                    if let Some(near) = find(0.0, Widest::Near) {
                        let wider = find(0.0, Widest::Region).expect("what is near is inside");
                        assert!(wider.cost <= near.cost, "{shape:?}, seed {seed}: {need:?}");
                    }
                    let whole = find(0.0, Widest::Table);
                    let possible = program.cheapest(&need, &price).expect("a program").is_some();
                    assert_eq!(whole.is_some(), possible, "{shape:?}, seed {seed}: {need:?}");
                    let Some(whole) = whole else { continue };
                    assert!(whole.movement.meets(&need) && is_movement(&problem, &whole.movement));
                    let cost: f64 = whole.movement.cells().map(price).sum();
                    assert!((cost - price(need.cell) - whole.cost).abs() <= 1e-9 * cost.max(1.0));
                    met += 1;
                    if let Some(narrow) = narrow {
                        assert!(whole.cost <= narrow.cost, "{shape:?}, seed {seed}: {need:?}");
                        cheaper += usize::from(whole.cost < narrow.cost);
                    }
                }
            }
        }
        assert!(met > 300 && cheaper > 0, "{met} met, {cheaper} cheaper");
    }
}
