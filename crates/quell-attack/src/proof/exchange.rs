//! Exchanges: two base cells with the same published cells above them can trade.
//!
//! If one rises and the other falls by the same amount, and with them the hidden cells above
//! each, no published cell changes: that is a movement, whatever the rest of the table does.
//! In sparse tables boxes have missing corners and movements of the whole table are hard to
//! make exact; exchanges are found by sorting, and a hundred thousand of them are one exact
//! movement.

use std::cmp::{Ordering, Reverse};

use quell_model::{Ancestry, CellId, Certificate, Direction, Value, fingerprint};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::proof::ledger::Claim;
use crate::view::View;

/// Partners looked at for one claim.
const MOST_PARTNERS: usize = 10_000;

/// Base cells of a claim that are looked at.
const MOST_MEMBERS: usize = 10_000;

/// The base cells of a view, by what is published above them.
pub(crate) struct Exchanges<'a> {
    hidden: &'a View,
    ancestry: &'a Ancestry,
    /// Positions of the cells of the view.
    places: FxHashMap<CellId, u32>,
    /// Base cells (as the ancestry numbers them), those of a class together, the roomiest
    /// first.
    traders: Vec<u32>,
    /// Where in `traders` the class of a base cell begins and ends.
    class_of: FxHashMap<u32, (u32, u32)>,
}

/// A movement that grows exchange by exchange.
struct Growing {
    amounts: Vec<Value>,
    /// Base cells that trade for a claim that is proven: no other claim may undo that.
    used: FxHashSet<u32>,
}

impl<'a> Exchanges<'a> {
    pub(crate) fn new(hidden: &'a View, ancestry: &'a Ancestry) -> Self {
        let cells = hidden.cells().iter().enumerate();
        let places: FxHashMap<CellId, u32> =
            cells.map(|(position, &cell)| (cell, position as u32)).collect();
        let room = |cell: CellId| {
            let place = places[&cell] as usize;
            hidden.down[place].min(hidden.up[place])
        };
        let bases = ancestry.base().iter().enumerate();
        let mut traders: Vec<(u64, Reverse<Value>, u32)> = bases
            .filter(|(_, cell)| places.contains_key(cell))
            .map(|(base, &cell)| {
                let above = ancestry.over(base as u32).filter(|cell| !places.contains_key(cell));
                let signature =
                    above.fold(0_u64, |sum, cell| sum.wrapping_add(fingerprint(cell.0)));
                (signature, Reverse(room(cell)), base as u32)
            })
            .collect();
        traders.sort_unstable();
        let mut class_of = FxHashMap::default();
        let mut begin = 0;
        for class in traders.chunk_by(|one, other| one.0 == other.0) {
            let end = begin + class.len() as u32;
            class_of.extend(class.iter().map(|&(.., base)| (base, (begin, end))));
            begin = end;
        }
        let traders = traders.into_iter().map(|(.., base)| base).collect();
        Self { hidden, ancestry, places, traders, class_of }
    }

    /// A movement that proves many of some claims, the first ones first.
    pub(crate) fn prove(&self, claims: &[Claim], is_stopped: impl Fn() -> bool) -> Certificate {
        let mut movement =
            Growing { amounts: vec![0; self.hidden.len()], used: FxHashSet::default() };
        for (number, claim) in claims.iter().enumerate() {
            if number % 1_000 == 0 && is_stopped() {
                break;
            }
            self.prove_one(claim, &mut movement);
        }
        let amounts = movement.amounts.iter().enumerate().filter(|&(_, &amount)| amount != 0);
        Certificate::integral(amounts.map(|(cell, &amount)| (self.hidden.cell(cell), amount)))
    }

    /// Adds exchanges that prove a claim, or nothing if there are none.
    fn prove_one(&self, claim: &Claim, movement: &mut Growing) {
        let sign = claim.requirement.direction.sign();
        let moved = movement.amounts[claim.place as usize] * sign;
        let mut open = claim.requirement.distance.saturating_sub(moved);
        if open <= 0 {
            return;
        }
        let mut done: Vec<(u32, u32, Value)> = Vec::new();
        let inside = self.ancestry.under(self.hidden.cell(claim.place as usize));
        for &member in inside.iter().take(MOST_MEMBERS) {
            if open == 0 {
                break;
            }
            if movement.used.contains(&member) {
                continue;
            }
            let Some(&(begin, end)) = self.class_of.get(&member) else { continue };
            let partners = self.traders[begin as usize..end as usize].iter().copied();
            let partners = partners.filter(|partner| inside.binary_search(partner).is_err());
            for partner in partners.take(MOST_PARTNERS) {
                if open == 0 {
                    break;
                }
                if movement.used.contains(&partner) {
                    continue;
                }
                let (rises, falls) = match claim.requirement.direction {
                    Direction::Up => (member, partner),
                    Direction::Down => (partner, member),
                };
                let amount = self.most(rises, falls, &movement.amounts).min(open);
                if amount > 0 {
                    self.exchange(rises, falls, amount, &mut movement.amounts);
                    done.push((rises, falls, amount));
                    open -= amount;
                }
            }
        }
        for (rises, falls, amount) in done {
            match open == 0 {
                true => movement.used.extend([rises, falls]),
                false => self.exchange(falls, rises, amount, &mut movement.amounts),
            }
        }
    }

    /// The most that can be traded on top of a movement.
    fn most(&self, rises: u32, falls: u32, amounts: &[Value]) -> Value {
        let mut most = Value::MAX;
        self.for_each_between(rises, falls, |place, sign| {
            let Some(place) = place else {
                // Published: the two are in one class by an accident of their lots.
                most = 0;
                return;
            };
            let room = if sign > 0 { self.hidden.up[place] } else { self.hidden.down[place] };
            if room != Value::MAX {
                most = most.min(room - sign * amounts[place]);
            }
        });
        // Without any limit amounts could overflow.
        most.clamp(0, 1 << 55)
    }

    fn exchange(&self, rises: u32, falls: u32, amount: Value, amounts: &mut [Value]) {
        self.for_each_between(rises, falls, |place, sign| {
            if let Some(place) = place {
                amounts[place] += sign * amount;
            }
        });
    }

    /// The cells above one of two base cells and not above the other: their places, if they
    /// are hidden, and whether they rise (+1) or fall (−1).
    fn for_each_between(&self, rises: u32, falls: u32, mut each: impl FnMut(Option<usize>, Value)) {
        let place = |cell: CellId| self.places.get(&cell).map(|&place| place as usize);
        let (mut up, mut down) =
            (self.ancestry.over(rises).peekable(), self.ancestry.over(falls).peekable());
        loop {
            let order = match (up.peek(), down.peek()) {
                (Some(one), Some(other)) => one.cmp(other),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return,
            };
            // Cells above both stand still.
            let rising = up.next_if(|_| order.is_le());
            let falling = down.next_if(|_| order.is_ge());
            match (rising, falling) {
                (Some(cell), None) => each(place(cell), 1),
                (None, Some(cell)) => each(place(cell), -1),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use quell_gen::Sparse;
    use quell_model::{
        Cell, Decimals, Pattern, Problem, Protection, Reason, Status, SystemBuilder,
        UNBOUNDED_ABOVE,
    };

    use super::*;
    use crate::proof::ledger::Ledger;
    use crate::verify;

    /// A sparse table with so many base cells in which all cells with up to `most` of them are
    /// hidden.
    fn small_cells_hidden(base_cells: usize, seed: u64, most: usize) -> (Problem, Pattern) {
        let problem =
            Sparse::giant_of(base_cells).generate(seed).expect("the parameters make a table");
        let ancestry = Ancestry::of(problem.system()).expect("a cube consists of sums");
        let mut pattern = Pattern::of_primaries(&problem);
        let small = problem.system().cells().filter(|&cell| ancestry.under(cell).len() <= most);
        small.for_each(|cell| pattern.suppress(cell));
        (problem, pattern)
    }

    #[test]
    fn exchanges_are_movements() {
        for seed in 0..10 {
            let (problem, pattern) = small_cells_hidden(300, seed, 40);
            let ancestry = Ancestry::of(problem.system()).expect("a cube consists of sums");
            let hidden = View::new(&problem, &pattern);
            let exchanges = Exchanges::new(&hidden, &ancestry);
            let ledger = Ledger::new(&problem, &hidden, &|_| true);
            let open = ledger.open();
            let proven = exchanges.prove(&open, || false);
            assert_eq!(verify(&problem, &pattern, &proven), Ok(()), "{seed}");
            let reached = open.iter().filter(|claim| claim.reach(&hidden, &proven) >= claim.goal());
            assert!(reached.count() > open.len() / 10, "{seed}");
        }
    }

    /// Two parts of a sum of which neither can give enough, and one partner for both.
    #[test]
    fn a_partner_trades_with_several_parts_of_a_sum() {
        let mut system = SystemBuilder::new(5);
        system.equation([(CellId(3), -1), (CellId(0), 1), (CellId(1), 1)], 0);
        system.equation([(CellId(4), -1), (CellId(3), 1), (CellId(2), 1)], 0);
        let status = |cell: usize| match cell {
            3 => Status::Primary(Reason::Given),
            _ => Status::Safe,
        };
        let cells = [199, 2_016, 566, 2_215, 2_781].into_iter().enumerate();
        let cells = cells.map(|(cell, value)| Cell {
            value,
            weight: 1.0,
            status: status(cell),
            lower_bound: 0,
            upper_bound: UNBOUNDED_ABOVE,
            protection: Protection { lower: 222, upper: 222, sliding: 0 },
        });
        let problem = Problem::new(system.build(), Decimals(0), cells);
        let mut pattern = Pattern::of_primaries(&problem);
        (0..3).for_each(|cell| pattern.suppress(CellId(cell)));
        let ancestry = Ancestry::of(problem.system()).expect("sums");
        let hidden = View::new(&problem, &pattern);
        let open = Ledger::new(&problem, &hidden, &|_| true).open();
        assert_eq!(open.len(), 2);
        for claim in open {
            let proven = Exchanges::new(&hidden, &ancestry).prove(&[claim], || false);
            assert_eq!(verify(&problem, &pattern, &proven), Ok(()));
            assert!(
                claim.reach(&hidden, &proven) >= claim.goal(),
                "{:?}",
                claim.requirement.direction
            );
        }
    }
}
