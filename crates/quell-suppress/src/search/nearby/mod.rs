//! The cheapest movement near a primary: in a narrow region first, in wider ones if that
//! does not do.

use quell_model::{Budget, CellId, Problem, Requirement, Status};

mod program;
mod region;

pub(crate) use self::program::PricedMovement;
use self::program::{Answer, cheapest};
use self::region::{Regions, Size};
use crate::search::mover::{FORBIDDEN, Mover};
use crate::{Error, Movement};

/// Widths of regions in tables of three dimensions. The last is for requirements that cannot be met
/// in the others.
const WIDTHS: [usize; 4] = [7, 12, 18, 40];

/// How many of these are near.
const NEAR: usize = 2;

/// How many times dearer than what is worth a wider region a movement must be to be worth the whole
/// table.
const WORTH_THE_WHOLE: f64 = 3.0;

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
    pub(crate) too_long: bool,
    /// Ends what is looked for as a [`Mover`].
    budget: Budget,
}

impl<'a> Nearby<'a> {
    pub(crate) fn new(problem: &'a Problem) -> Self {
        let sizes = WIDTHS.map(|width| size(width, dimensions(problem)));
        let (regions, budget) = (Regions::new(problem), Budget::default());
        Self { problem, regions, sizes, too_long: false, budget }
    }

    /// As a [`Mover`], only as long as a budget lasts.
    pub(crate) fn within(mut self, budget: &Budget) -> Self {
        self.budget = budget.clone();
        self
    }

    /// The cheapest movement found to meet a requirement, where `tie_break` decides between cells
    /// of one price. A movement that costs more than `dear` is looked for in a wider region too, at
    /// last in the whole table if that is allowed: a primary may need thousands of cells to move a
    /// little, and in a region too small for them large totals must be hidden instead.
    ///
    /// # Errors
    /// If the solver fails.
    pub(crate) fn cheapest_at(
        &mut self,
        requirement: &Requirement,
        price: &dyn Fn(CellId) -> f64,
        tie_break: &dyn Fn(CellId) -> f64,
        dear: f64,
        widest: Widest,
        budget: &Budget,
    ) -> Result<Option<PricedMovement>, Error> {
        let problem = self.problem;
        let room = problem.room(requirement.cell, requirement.direction);
        if requirement.distance > room || problem.status(requirement.cell) == Status::Protected {
            return Ok(None);
        }
        let mut best: Option<PricedMovement> = None;
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
            // What alone costs as much as a known movement is in no better one.
            let most = best.as_ref().map_or(FORBIDDEN, |best| best.cost);
            let price = |cell: CellId| match price(cell) {
                price if price < most && problem.status(cell) != Status::Protected => price,
                _ => FORBIDDEN,
            };
            let region = self.regions.grow(requirement, size, &price, tie_break);
            if let Answer::Found(priced) = cheapest(problem, requirement, &region, &price, budget)?
                && priced.cost < most
            {
                best = Some(priced);
            }
        }
        let beyond = matches!(widest, Widest::Hidden | Widest::Table);
        if beyond && best.as_ref().is_none_or(|best| best.cost > WORTH_THE_WHOLE * dear) {
            let price = |cell: CellId| match price(cell) {
                _ if problem.status(cell) == Status::Protected => FORBIDDEN,
                price if widest == Widest::Hidden && price > 0.0 => FORBIDDEN,
                price => price,
            };
            let region = self.regions.whole(requirement, &price);
            match cheapest(problem, requirement, &region, &price, budget)? {
                Answer::Found(priced)
                    if best.as_ref().is_none_or(|best| priced.cost < best.cost) =>
                {
                    best = Some(priced);
                }
                Answer::TooLong => self.too_long = true,
                Answer::Found(_) | Answer::Impossible => {}
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
        requirement: &Requirement,
        cost: &dyn Fn(CellId) -> f64,
    ) -> Result<Option<Movement>, Error> {
        let budget = self.budget.clone();
        let found =
            self.cheapest_at(requirement, cost, &|_| 0.0, FORBIDDEN, Widest::Region, &budget)?;
        Ok(found.map(|priced| priced.movement))
    }
}

#[cfg(test)]
mod tests {
    use quell_gen::{Shape, random_problem_of};
    use quell_model::Random;

    use super::*;
    use crate::requirements;
    use crate::search::kelly_program::KellyProgram;

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
    fn the_whole_table_has_a_movement_for_every_requirement_that_can_be_met_and_never_a_dearer_one()
    {
        let (mut cheaper, mut met) = (0, 0);
        for (number, shape) in Shape::ALL.into_iter().enumerate() {
            for seed in 0..8 {
                let mut random = Random::new(seed, 700 + number as u64);
                let problem = random_problem_of(shape, &mut random, 50);
                let mut nearby = Nearby::new(&problem);
                let mut program =
                    KellyProgram::new(&problem, &Budget::default()).expect("a program");
                let price = |cell: CellId| match problem.status(cell) {
                    Status::Protected => FORBIDDEN,
                    status if status.is_primary() => 0.0,
                    _ => problem.weight(cell).max(f64::MIN_POSITIVE),
                };
                for requirement in requirements(&problem) {
                    let mut find = |dear, widest| {
                        let budget = Budget::default();
                        let found = nearby.cheapest_at(
                            &requirement,
                            &price,
                            &|_| 0.0,
                            dear,
                            widest,
                            &budget,
                        );
                        found.expect("the solver works")
                    };
                    let narrow = find(FORBIDDEN, Widest::Region);
                    let hidden = find(0.0, Widest::Hidden).map(|priced| priced.cost);
                    let alone = |cell| if price(cell) == 0.0 { 0.0 } else { FORBIDDEN };
                    if program.cheapest(&requirement, &alone).expect("a program").is_some() {
                        assert_eq!(hidden, Some(0.0), "{shape:?}, seed {seed}: {requirement:?}");
                    }
                    if let Some(near) = find(0.0, Widest::Near) {
                        let wider = find(0.0, Widest::Region).expect("what is near is inside");
                        assert!(wider.cost <= near.cost, "{shape:?}, seed {seed}: {requirement:?}");
                    }
                    let whole = find(0.0, Widest::Table);
                    let possible =
                        program.cheapest(&requirement, &price).expect("a program").is_some();
                    assert_eq!(
                        whole.is_some(),
                        possible,
                        "{shape:?}, seed {seed}: {requirement:?}"
                    );
                    let Some(whole) = whole else { continue };
                    assert!(
                        whole.movement.meets(&problem, &requirement)
                            && is_movement(&problem, &whole.movement)
                    );
                    let cost: f64 = whole.movement.cells().map(price).sum();
                    assert!(
                        (cost - price(requirement.cell) - whole.cost).abs() <= 1e-9 * cost.max(1.0)
                    );
                    met += 1;
                    if let Some(narrow) = narrow {
                        assert!(
                            whole.cost <= narrow.cost,
                            "{shape:?}, seed {seed}: {requirement:?}"
                        );
                        cheaper += usize::from(whole.cost < narrow.cost);
                    }
                }
            }
        }
        assert!(met > 300 && cheaper > 0, "{met} met, {cheaper} cheaper");
    }
}
