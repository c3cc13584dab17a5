//! The part of a view in which a large claim can be proven: cells chosen line by line for how
//! much of it they can carry.
//!
//! A box around a cell ([`View::enclosure`]) is chosen by the cell's own lines alone; where
//! few cells are large, its far corners are too small. Here every line that joins brings in the
//! cells of it that can carry the most in the direction in which it must give way, and of those
//! that can carry all of it the ones that most other chosen lines cross.

use std::cmp::Reverse;

use quell_model::{Direction, Value};

use crate::proof::ledger::Claim;
use crate::view::View;

/// Cells taken from a line that crosses no other one.
const LONELY: usize = 3;

/// How large a region may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    /// Cells taken from each line. One that can carry less of the claim than its share of the
    /// width is not chosen.
    pub(crate) width: usize,
    /// The most lines.
    pub(crate) lines: usize,
}

/// Lines that have joined.
struct Lines<'a> {
    hidden: &'a View,
    order: Vec<u32>,
    /// By line: the sign in which a cell with coefficient one has to move to make up for the
    /// cell that brought the line in; zero if none has.
    signs: Vec<i8>,
}

impl<'a> Lines<'a> {
    fn new(hidden: &'a View) -> Self {
        Self { hidden, order: Vec::new(), signs: vec![0; hidden.equation_count()] }
    }

    fn join(&mut self, cell: u32, sign: i8) {
        for &(line, coefficient) in self.hidden.equations_of(cell as usize) {
            if !self.has(line) {
                self.order.push(line);
                self.signs[line as usize] = -sign * coefficient.signum() as i8;
            }
        }
    }

    fn has(&self, line: u32) -> bool {
        self.signs[line as usize] != 0
    }

    /// How many lines of a cell have joined, and whether all have.
    fn known(&self, cell: u32) -> (usize, bool) {
        let own = self.hidden.equations_of(cell as usize);
        let known = own.iter().filter(|&&(line, _)| self.has(line)).count();
        (known, known == own.len())
    }
}

impl View {
    /// The region of a claim: what is possible there, all other cells standing still, is
    /// possible in the whole. `None` if its cell cannot move in it.
    pub(crate) fn region(&self, claim: &Claim, size: Size) -> Option<Self> {
        let mut lines = Lines::new(self);
        lines.join(claim.place, claim.requirement.direction.sign() as i8);
        let own = lines.order.len();
        let mut next = 0;
        while next < lines.order.len() && lines.order.len() < size.lines {
            let line = lines.order[next];
            let sign = lines.signs[line as usize];
            let least = if next < own { 1 } else { 2 };
            next += 1;
            let (mut inside, mut offers, mut lonely) = (0, Vec::new(), Vec::new());
            for &(cell, coefficient) in self.cells_of(line as usize) {
                let (known, is_inside) = lines.known(cell);
                if cell == claim.place || is_inside {
                    inside += 1;
                    continue;
                }
                let sign = sign * coefficient.signum() as i8;
                let direction = if sign > 0 { Direction::Up } else { Direction::Down };
                let room = match direction {
                    Direction::Up => self.up[cell as usize],
                    Direction::Down => self.down[cell as usize],
                };
                let carried = room.min(claim.requirement.distance);
                if carried.saturating_mul(size.width as Value) >= claim.requirement.distance {
                    let kind = if known >= least { &mut offers } else { &mut lonely };
                    kind.push((Reverse((carried, known, room)), cell, sign));
                }
            }
            let mut free = size.width.saturating_sub(inside);
            if inside + offers.len() < LONELY {
                // Nothing crosses here: without others the line holds its cells fast.
                free = LONELY - inside.min(LONELY);
                offers.append(&mut lonely);
            }
            offers.sort_unstable();
            for &(_, cell, sign) in offers.iter().take(free) {
                lines.join(cell, sign);
            }
        }
        let all = lines.order.iter().flat_map(|&line| self.cells_of(line as usize));
        let mut cells: Vec<u32> = all.map(|&(cell, _)| cell).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.retain(|&cell| lines.known(cell).1);
        let mut equations = lines.order;
        equations.sort_unstable();
        self.closed(&cells, &equations, claim.place as usize)
    }
}

#[cfg(test)]
mod tests {
    use quell_gen::{DimensionSize, Ons};
    use quell_model::{Budget, Pattern};

    use super::*;
    use crate::proof::cheapest::{Answer, CheapestMovement};
    use crate::proof::ledger::Ledger;
    use crate::verify;

    /// Everything but the grand total of a three-way table is hidden.
    #[test]
    fn regions_hold_movements_and_wide_ones_are_the_whole() {
        let dimensions = [5, 4, 4].map(DimensionSize::flat).to_vec();
        let table = Ons { dimensions, ..Ons::default() };
        for seed in 0..5 {
            let problem = table.generate(seed).expect("a table");
            let mut pattern = Pattern::of_primaries(&problem);
            problem.system().cells().skip(1).for_each(|cell| pattern.suppress(cell));
            let hidden = View::new(&problem, &pattern);
            let open = Ledger::new(&problem, &hidden, &|_| true).open();
            assert!(!open.is_empty(), "{seed}");
            let mut proven = 0;
            for claim in &open {
                let whole = Size { width: 1_000, lines: 1_000 };
                let wide = hidden.region(claim, whole).expect("the cell can move");
                assert!(wide.len() * 10 >= hidden.len() * 9, "{} of {}", wide.len(), hidden.len());
                let Some(part) = hidden.region(claim, Size { width: 2, lines: 20 }) else {
                    continue;
                };
                assert!(part.len() < wide.len(), "{seed}");
                let cell = part.position(hidden.cell(claim.place as usize)).expect("its own cell");
                let budget = Budget::default();
                let mut program = CheapestMovement::new(&part, 1_000, &budget).expect("small");
                let here = Claim { place: cell as u32, ..*claim };
                if let Answer::Proven(found) = program.prove(&here).expect("solved") {
                    assert_eq!(verify(&problem, &pattern, &found), Ok(()), "{seed}");
                    assert!(claim.reach(&hidden, &found) >= claim.goal(), "{seed}");
                    proven += 1;
                }
            }
            assert!(proven > 0, "{seed}: none of {}", open.len());
        }
    }
}
