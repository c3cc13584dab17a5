//! Which cells are sums of which: the base cells of a table, and for each the cells above it.
//!
//! A table knows that from its hierarchies; a system of equations in which every equation says
//! "this total is the sum of those cells" can be asked, too, and covers files, linked tables
//! and cubes alike.

use crate::{CellId, EquationId, System, fingerprint};

/// For every cell the base cells it is the sum of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ancestry {
    /// The base cells, rising: those that no equation says to be a sum.
    base: Vec<CellId>,
    /// By cell: positions of base cells, rising.
    under: Lists,
    /// By position of a base cell: the cells that contain it, itself among them, rising.
    over: Lists,
}

/// Lists of numbers, one after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Lists {
    starts: Vec<usize>,
    entries: Vec<u32>,
}

impl Lists {
    fn list(&self, number: usize) -> &[u32] {
        &self.entries[self.starts[number]..self.starts[number + 1]]
    }

    /// For each of `count` numbers the lists it stands in, rising.
    fn inverted(&self, count: usize) -> Self {
        let mut starts = vec![0; count + 1];
        for &entry in &self.entries {
            starts[entry as usize + 1] += 1;
        }
        for number in 0..count {
            starts[number + 1] += starts[number];
        }
        let mut next = starts.clone();
        let mut entries = vec![0; self.entries.len()];
        for number in 0..self.starts.len() - 1 {
            for &entry in self.list(number) {
                entries[next[entry as usize]] = number as u32;
                next[entry as usize] += 1;
            }
        }
        Self { starts, entries }
    }
}

/// No total.
const NONE: u32 = u32::MAX;

impl Ancestry {
    /// The ancestry of a system; `None` if some equation is not a sum, or totals are sums of
    /// each other, or two equations make the same total a sum of different base cells.
    pub fn of(system: &System) -> Option<Self> {
        let totals: Vec<CellId> =
            system.equations().map(|equation| total(system, equation)).collect::<Option<_>>()?;
        // One equation for each total; the others are checked at the end.
        let mut defined_by = vec![NONE; system.cell_count()];
        for equation in system.equations() {
            defined_by[totals[equation.index()].index()] = equation.0;
        }
        let order = children_first(system, &totals, &defined_by)?;
        let base: Vec<CellId> =
            system.cells().filter(|cell| defined_by[cell.index()] == NONE).collect();
        let under = under(system, &totals, &defined_by, &order, &base)?;
        // Sums of lots of the base cells: equal sums are equal sets, but for one in 2⁶⁴.
        let sums: Vec<u64> = system
            .cells()
            .map(|cell| under.list(cell.index()).iter().map(|&one| fingerprint(one)).fold(0, add))
            .collect();
        let agrees = |equation: EquationId| {
            let total = totals[equation.index()];
            let parts = system.cells_of(equation).filter(|&(cell, _)| cell != total);
            parts.map(|(cell, _)| sums[cell.index()]).fold(0, add) == sums[total.index()]
        };
        let over = under.inverted(base.len());
        system.equations().all(agrees).then_some(Self { base, under, over })
    }

    /// The base cells, rising.
    pub fn base(&self) -> &[CellId] {
        &self.base
    }

    /// The base cells a cell is the sum of, as positions in [`Ancestry::base`], rising.
    pub fn under(&self, cell: CellId) -> &[u32] {
        self.under.list(cell.index())
    }

    /// The cells that contain a base cell (by position), itself among them, rising.
    pub fn over(&self, base: u32) -> impl ExactSizeIterator<Item = CellId> + Clone + '_ {
        self.over.list(base as usize).iter().map(|&cell| CellId(cell))
    }
}

/// The cell that an equation says to be the sum of the others: the only one of its sign, or of
/// two the one with the negative sign, as is usual.
fn total(system: &System, equation: EquationId) -> Option<CellId> {
    let entries = || system.cells_of(equation);
    let is_plain = system.right_hand_side(equation) == 0 && entries().all(|(_, c)| c.abs() == 1);
    let of_sign = |sign: i32| {
        let mut cells = entries().filter(move |&(_, coefficient)| coefficient == sign);
        cells.next().filter(|_| cells.next().is_none()).map(|(cell, _)| cell)
    };
    let alone = of_sign(-1).or_else(|| of_sign(1));
    alone.filter(|_| is_plain)
}

/// The totals in an order in which each comes after its parts; `None` if there is none.
fn children_first(system: &System, totals: &[CellId], defined_by: &[u32]) -> Option<Vec<CellId>> {
    let mut waits_for = vec![0_u32; system.cell_count()];
    let defining = |cell: CellId| {
        Some(defined_by[cell.index()]).filter(|&equation| equation != NONE).map(EquationId)
    };
    for cell in system.cells() {
        if let Some(equation) = defining(cell) {
            waits_for[cell.index()] = system.cells_of(equation).len() as u32 - 1;
        }
    }
    let mut done: Vec<CellId> =
        system.cells().filter(|cell| waits_for[cell.index()] == 0).collect();
    let mut next = 0;
    while let Some(&cell) = done.get(next) {
        next += 1;
        for (equation, _) in system.equations_of(cell) {
            let total = totals[equation.index()];
            if total != cell && defining(total) == Some(equation) {
                waits_for[total.index()] -= 1;
                if waits_for[total.index()] == 0 {
                    done.push(total);
                }
            }
        }
    }
    (done.len() == system.cell_count()).then_some(done)
}

/// The base cells under each cell; `None` if a total contains one twice.
fn under(
    system: &System,
    totals: &[CellId],
    defined_by: &[u32],
    order: &[CellId],
    base: &[CellId],
) -> Option<Lists> {
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); system.cell_count()];
    for (position, cell) in base.iter().enumerate() {
        lists[cell.index()].push(position as u32);
    }
    for &cell in order.iter().filter(|cell| defined_by[cell.index()] != NONE) {
        let equation = EquationId(defined_by[cell.index()]);
        let parts = system.cells_of(equation).filter(|&(part, _)| part != totals[equation.index()]);
        let mut all: Vec<u32> =
            parts.flat_map(|(part, _)| lists[part.index()].iter().copied()).collect();
        all.sort_unstable();
        if !all.is_sorted_by(|a, b| a < b) {
            return None;
        }
        lists[cell.index()] = all;
    }
    let mut starts = vec![0];
    starts.extend(lists.iter().scan(0, |sum, list| {
        *sum += list.len();
        Some(*sum)
    }));
    Some(Lists { starts, entries: lists.concat() })
}

fn add(sum: u64, fingerprint: u64) -> u64 {
    sum.wrapping_add(fingerprint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SystemBuilder;

    fn system(cells: usize, sums: &[&[u32]]) -> System {
        let mut builder = SystemBuilder::new(cells);
        for sum in sums {
            let parts = sum[1..].iter().map(|&part| (CellId(part), 1));
            builder.equation(parts.chain([(CellId(sum[0]), -1)]), 0);
        }
        builder.build()
    }

    /// A table of two rows and two columns, totals last, one of its cells missing.
    const TABLE: &[&[u32]] = &[&[3, 0, 1], &[4, 2], &[5, 0, 2], &[6, 1], &[7, 3, 4], &[7, 5, 6]];

    #[test]
    fn every_cell_knows_its_base_cells() {
        let ancestry = Ancestry::of(&system(8, TABLE)).expect("all are sums");
        assert_eq!(ancestry.base(), [CellId(0), CellId(1), CellId(2)]);
        assert_eq!(ancestry.under(CellId(7)), [0, 1, 2]);
        assert_eq!(ancestry.under(CellId(5)), [0, 2]);
        assert_eq!(ancestry.under(CellId(6)), [1]);
        let over: Vec<u32> = ancestry.over(2).map(|cell| cell.0).collect();
        assert_eq!(over, [2, 4, 5, 7]);
    }

    #[test]
    fn what_is_no_sum_has_no_ancestry() {
        let mut builder = SystemBuilder::new(4);
        builder.equation([(CellId(0), 1), (CellId(1), 1), (CellId(2), -1), (CellId(3), -1)], 0);
        assert_eq!(Ancestry::of(&builder.build()), None, "two against two");
        let mut builder = SystemBuilder::new(3);
        builder.equation([(CellId(0), 1), (CellId(1), 2), (CellId(2), -1)], 0);
        assert_eq!(Ancestry::of(&builder.build()), None, "a cell counts twice");
        let mut builder = SystemBuilder::new(2);
        builder.equation([(CellId(0), 1), (CellId(1), -1)], 3);
        assert_eq!(Ancestry::of(&builder.build()), None, "a constant");
        assert_eq!(Ancestry::of(&system(4, &[&[0, 1, 2], &[1, 0, 3]])), None, "a circle");
        assert_eq!(Ancestry::of(&system(5, &[&[0, 1, 2], &[0, 3, 4]])), None, "two sums");
        assert_eq!(Ancestry::of(&system(4, &[&[0, 1, 2], &[1, 2, 3]])), None, "twice in a sum");
    }
}
