//! A large claim proven piece by piece: the sum of many movements, each in what the ones before
//! it left.
//!
//! Where no few cells are large enough, the movement that proves a claim spreads over hundreds
//! of cells, and a region that holds all of them is too large for a linear program. A part of
//! the claim needs a small region only; when the cells there have given what they can, the next
//! part finds others, as augmenting paths do in a network. Cells that moved have more room the
//! other way, so nothing done before is in the way of a better use later.

use quell_model::{CellId, Certificate, Value};
use rustc_hash::FxHashMap;

use crate::view::View;

/// The denominator of a sum is at most this.
const MOST_DENOMINATOR: u64 = 1_000_000_000;

/// Movements added up, and the view that they leave.
pub(crate) struct Pieces {
    left: View,
    amounts: FxHashMap<CellId, i128>,
    denominator: u64,
}

impl Pieces {
    /// No movement yet.
    pub(crate) fn new(hidden: &View) -> Self {
        Self { left: hidden.clone(), amounts: FxHashMap::default(), denominator: 1 }
    }

    /// The same cells, with the room the movements leave (in whole units).
    pub(crate) fn left(&self) -> &View {
        &self.left
    }

    /// Adds a movement of what is left; says whether that was possible.
    pub(crate) fn add(&mut self, movement: &Certificate) -> bool {
        let common = least_common_multiple(self.denominator, movement.denominator);
        let Some(common) = common.filter(|&common| common <= MOST_DENOMINATOR) else {
            return false;
        };
        let longer = i128::from(common / self.denominator);
        if longer > 1 {
            self.amounts.values_mut().for_each(|amount| *amount *= longer);
            self.denominator = common;
        }
        let times = i128::from(common / movement.denominator);
        for &(cell, amount) in &movement.movement {
            let Some(place) = self.left.position(cell) else { return false };
            let moved = amount * times;
            *self.amounts.entry(cell).or_default() += moved;
            let (up, down) = (&mut self.left.up[place], &mut self.left.down[place]);
            *up = smaller(*up, moved, common);
            *down = smaller(*down, -moved, common);
        }
        true
    }

    /// All movements as one.
    pub(crate) fn sum(self) -> Certificate {
        let moved = self.amounts.into_iter().filter(|&(_, amount)| amount != 0);
        let mut movement: Vec<(CellId, i128)> = moved.collect();
        movement.sort_unstable_by_key(|&(cell, _)| cell);
        Certificate { movement, denominator: self.denominator }
    }
}

/// A room less an amount in units of 1/`denominator`, in whole units.
fn smaller(room: Value, amount: i128, denominator: u64) -> Value {
    if room == Value::MAX {
        return room;
    }
    let denominator = i128::from(denominator);
    let left = (i128::from(room) * denominator - amount).div_euclid(denominator);
    Value::try_from(left).unwrap_or(Value::MAX)
}

fn least_common_multiple(one: u64, other: u64) -> Option<u64> {
    let (mut a, mut b) = (one, other);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    (one / a).checked_mul(other)
}

#[cfg(test)]
mod tests {
    use quell_gen::{DimensionSize, Ons};
    use quell_model::Pattern;

    use super::*;
    use crate::proof::boxes::Boxes;
    use crate::proof::ledger::Ledger;
    use crate::verify;

    /// Boxes found one after the other in what is left add up to movements that hold in the
    /// whole, and what is left is what the sum has not used.
    #[test]
    fn sums_of_pieces_are_movements() {
        let dimensions = [5, 4, 4].map(DimensionSize::flat).to_vec();
        let table = Ons { dimensions, ..Ons::default() };
        let mut most = 0;
        for seed in 0..5 {
            let problem = table.generate(seed).expect("a table");
            let mut pattern = Pattern::of_primaries(&problem);
            problem.system().cells().skip(1).for_each(|cell| pattern.suppress(cell));
            let hidden = View::new(&problem, &pattern);
            for claim in Ledger::new(&problem, &hidden, &|_| true).open() {
                let mut pieces = Pieces::new(&hidden);
                let mut count = 0;
                for denominator in [1, 3, 2, 4, 3, 5] {
                    let left = pieces.left().clone();
                    let Some(found) =
                        Boxes::new(&left).find(claim.place, claim.requirement.direction, 1)
                    else {
                        break;
                    };
                    let amount = i128::from(found.capacity(&left)) * denominator - 1;
                    let steps = found.steps.iter().map(|&(cell, direction)| {
                        (left.cell(cell as usize), i128::from(direction.sign()) * amount)
                    });
                    let mut movement: Vec<(CellId, i128)> = steps.collect();
                    movement.sort_unstable_by_key(|&(cell, _)| cell);
                    let denominator = denominator as u64;
                    assert!(pieces.add(&Certificate { movement, denominator }));
                    count += 1;
                }
                let left = pieces.left().clone();
                let sum = pieces.sum();
                if count > 0 {
                    assert_eq!(verify(&problem, &pattern, &sum), Ok(()), "{seed} {claim:?}");
                }
                for (place, &cell) in hidden.cells().iter().enumerate() {
                    let amount = sum.amount(cell).div_euclid(i128::from(sum.denominator)) as Value;
                    assert!(left.up[place] <= hidden.up[place] - amount, "{seed} {claim:?}");
                    assert!(left.down[place] >= 0 && left.up[place] >= 0, "{seed} {claim:?}");
                }
                most = most.max(count);
            }
        }
        assert!(most >= 3, "only {most} pieces");
    }
}
