//! All movements of a system: `M y = 0` exactly for `y = N z`.
//!
//! The rows of a hierarchical table say much the same many times over: a 13×13×7 table whose codes
//! are halved level by level has 1,183 cells and 1,443 equations, of which 967 are independent, so
//! that 216 cells say how all others move. A linear program over movements then has 216 rows
//! instead of 1,443.

use crate::{CellId, EquationId, System};

/// A basis of the movements of a system: some cells move freely, and say how the others do.
#[derive(Debug, Clone, PartialEq)]
pub struct NullSpace {
    /// The cells that move freely.
    free: Vec<CellId>,
    /// By cell: positions in `free`, rising, and how far the cell moves with each.
    starts: Vec<usize>,
    entries: Vec<(u32, f64)>,
    /// Equations from which all others follow.
    independent: Vec<EquationId>,
}

/// How a cell moves with others, rising by cell.
type Sum = Vec<(u32, f64)>;

/// Coefficients beyond this are no table's.
const LARGEST: f64 = 1e6;

/// Coefficients below this are what rounding leaves of nothing: those of tables are small whole
/// numbers and their quotients.
const NOTHING: f64 = 1e-9;

impl NullSpace {
    /// The null space of a system; `None` if it takes more than so many entries.
    pub fn of(system: &System, most_entries: usize) -> Option<Self> {
        let mut elimination = Elimination::new(system, most_entries);
        elimination.define()?;
        elimination.reconcile()?;
        elimination.finish()
    }

    /// The cells that move freely.
    pub fn free(&self) -> &[CellId] {
        &self.free
    }

    /// How a cell moves: positions in [`NullSpace::free`], rising, with coefficients.
    pub fn row(&self, cell: CellId) -> &[(u32, f64)] {
        &self.entries[self.starts[cell.index()]..self.starts[cell.index() + 1]]
    }

    /// All coefficients together.
    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// Equations from which all others follow, rising.
    pub fn independent(&self) -> &[EquationId] {
        &self.independent
    }
}

struct Elimination<'a> {
    system: &'a System,
    most_entries: usize,
    entries: usize,
    /// How each cell moves with cells that are free so far.
    sums: Vec<Option<Sum>>,
    /// For cells that were free and turned out not to be: how they move with others.
    replaced: Vec<Option<Sum>>,
    is_used: Vec<bool>,
    independent: Vec<EquationId>,
}

impl<'a> Elimination<'a> {
    fn new(system: &'a System, most_entries: usize) -> Self {
        let mut is_total = vec![false; system.cell_count()];
        for equation in system.equations() {
            if let Some(total) = total(system, equation) {
                is_total[total.index()] = true;
            }
        }
        let alone = |cell: CellId| (!is_total[cell.index()]).then(|| vec![(cell.0, 1.0)]);
        Self {
            system,
            most_entries,
            entries: 0,
            sums: system.cells().map(alone).collect(),
            replaced: vec![None; system.cell_count()],
            is_used: vec![false; system.equation_count()],
            independent: Vec::new(),
        }
    }

    /// Says of every total how it moves: by an equation in which it is the last unknown cell, or,
    /// where there is none, freely.
    fn define(&mut self) -> Option<()> {
        let system = self.system;
        let mut unknown: Vec<usize> = system
            .equations()
            .map(|e| system.cells_of(e).filter(|(c, _)| self.sums[c.index()].is_none()).count())
            .collect();
        let mut queue: Vec<EquationId> =
            system.equations().filter(|e| unknown[e.index()] == 1).collect();
        let mut next = 0;
        loop {
            let known = if let Some(equation) = queue.pop() {
                if unknown[equation.index()] != 1 {
                    continue;
                }
                let mut cells = system.cells_of(equation);
                let (cell, coefficient) =
                    cells.find(|(cell, _)| self.sums[cell.index()].is_none())?;
                let sum = self.sum_of(equation, cell, -1.0 / f64::from(coefficient))?;
                self.entries += sum.len();
                if self.entries > self.most_entries {
                    return None;
                }
                self.sums[cell.index()] = Some(sum);
                self.is_used[equation.index()] = true;
                self.independent.push(equation);
                cell
            } else {
                while next < self.sums.len() && self.sums[next].is_some() {
                    next += 1;
                }
                if next == self.sums.len() {
                    return Some(());
                }
                self.sums[next] = Some(vec![(next as u32, 1.0)]);
                CellId(next as u32)
            };
            for (equation, _) in system.equations_of(known) {
                let left = &mut unknown[equation.index()];
                *left -= 1;
                if *left == 1 {
                    queue.push(equation);
                }
            }
        }
    }

    /// What the other cells of an equation come to, times a factor.
    fn sum_of(&self, equation: EquationId, left_out: CellId, by: f64) -> Option<Sum> {
        let mut all: Sum = Vec::new();
        for (cell, coefficient) in self.system.cells_of(equation) {
            if cell != left_out {
                let sum = self.sums[cell.index()].as_ref()?;
                let factor = by * f64::from(coefficient);
                all.extend(sum.iter().map(|&(free, amount)| (free, factor * amount)));
            }
        }
        collected(all)
    }

    /// Sees to the equations that no cell was defined by: what they say of free cells that is not
    /// so anyway makes one of these follow from the others.
    fn reconcile(&mut self) -> Option<()> {
        for equation in self.system.equations() {
            if self.is_used[equation.index()] {
                continue;
            }
            let nothing = CellId(u32::MAX);
            let rest = self.without_replaced(self.sum_of(equation, nothing, 1.0)?)?;
            if rest.is_empty() {
                continue;
            }
            // The last of those of one, where there is any: whole numbers stay whole.
            let largest = rest.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
            let one = rest.iter().rev().find(|(_, by)| by.abs() == 1.0);
            let &(pivot, coefficient) = one.or(largest)?;
            let others = rest.iter().filter(|&&(free, _)| free != pivot);
            let sum: Sum = others.map(|&(free, amount)| (free, -amount / coefficient)).collect();
            self.entries += sum.len();
            if self.entries > self.most_entries {
                return None;
            }
            self.replaced[pivot as usize] = Some(sum);
            self.independent.push(equation);
        }
        Some(())
    }

    /// A sum with cells that are free.
    fn without_replaced(&self, mut sum: Sum) -> Option<Sum> {
        while sum.iter().any(|&(free, _)| self.replaced[free as usize].is_some()) {
            let mut all: Sum = Vec::new();
            for (free, amount) in sum {
                match &self.replaced[free as usize] {
                    Some(others) => all.extend(others.iter().map(|&(one, by)| (one, amount * by))),
                    None => all.push((free, amount)),
                }
            }
            if all.len() > self.most_entries {
                return None;
            }
            sum = collected(all)?;
        }
        Some(sum)
    }

    fn finish(mut self) -> Option<NullSpace> {
        let sums = std::mem::take(&mut self.sums);
        let sums: Vec<Sum> =
            sums.into_iter().map(|sum| self.without_replaced(sum?)).collect::<Option<_>>()?;
        let alone = |cell: &CellId| sums[cell.index()] == [(cell.0, 1.0)];
        let free: Vec<CellId> = self.system.cells().filter(alone).collect();
        let mut position = vec![u32::MAX; sums.len()];
        for (index, cell) in free.iter().enumerate() {
            position[cell.index()] = index as u32;
        }
        let (mut starts, mut entries) = (vec![0], Vec::new());
        for sum in sums {
            entries.extend(sum.iter().map(|&(cell, by)| (position[cell as usize], by)));
            if entries.len() > self.most_entries {
                return None;
            }
            starts.push(entries.len());
        }
        self.independent.sort_unstable();
        Some(NullSpace { free, starts, entries, independent: self.independent })
    }
}

/// The cell that an equation seems to say to be the sum of the others: the only one of its sign.
fn total(system: &System, equation: EquationId) -> Option<CellId> {
    let of_sign = |sign: i32| {
        let mut cells = system.cells_of(equation).filter(move |&(_, c)| c.signum() == sign);
        cells.next().filter(|_| cells.next().is_none()).map(|(cell, _)| cell)
    };
    of_sign(-1).or_else(|| of_sign(1))
}

/// A sum with each cell once, rising; `None` if its coefficients are too large.
fn collected(mut all: Sum) -> Option<Sum> {
    all.sort_unstable_by_key(|&(free, _)| free);
    let mut sum: Sum = Vec::with_capacity(all.len());
    for (free, amount) in all {
        match sum.last_mut() {
            Some((last, total)) if *last == free => *total += amount,
            _ => sum.push((free, amount)),
        }
    }
    sum.retain(|&(_, amount)| amount.abs() > NOTHING);
    sum.iter().all(|(_, amount)| amount.abs() <= LARGEST).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Random, SystemBuilder};

    fn system(cells: usize, equations: &[&[(u32, i32)]]) -> System {
        let mut builder = SystemBuilder::new(cells);
        for equation in equations {
            let entries = equation.iter().map(|&(cell, c)| (CellId(cell), c));
            builder.equation(entries, 0);
        }
        builder.build()
    }

    /// The rank of the equations, by elimination modulo a prime.
    fn rank(system: &System) -> usize {
        const PRIME: i64 = 1_000_003;
        let power = |base: i64, mut by: i64| {
            let (mut base, mut result) = (base.rem_euclid(PRIME), 1);
            while by > 0 {
                if by & 1 == 1 {
                    result = result * base % PRIME;
                }
                base = base * base % PRIME;
                by >>= 1;
            }
            result
        };
        let mut rows: Vec<Vec<i64>> = system
            .equations()
            .map(|equation| {
                let mut row = vec![0; system.cell_count()];
                for (cell, c) in system.cells_of(equation) {
                    row[cell.index()] = i64::from(c).rem_euclid(PRIME);
                }
                row
            })
            .collect();
        let mut rank = 0;
        for column in 0..system.cell_count() {
            let Some(found) = (rank..rows.len()).find(|&row| rows[row][column] != 0) else {
                continue;
            };
            rows.swap(rank, found);
            let inverse = power(rows[rank][column], PRIME - 2);
            let pivot: Vec<i64> = rows[rank].iter().map(|x| x * inverse % PRIME).collect();
            for row in &mut rows[rank + 1..] {
                let factor = row[column];
                if factor != 0 {
                    for (x, y) in row.iter_mut().zip(&pivot) {
                        *x = (*x - factor * y).rem_euclid(PRIME);
                    }
                }
            }
            rank += 1;
        }
        rank
    }

    fn check(system: &System) {
        let space = NullSpace::of(system, 100_000).expect("a null space");
        assert_eq!(space.free().len(), system.cell_count() - rank(system));
        assert_eq!(space.independent().len(), rank(system));
        for equation in system.equations() {
            let mut sum = vec![0.0; space.free().len()];
            for (cell, c) in system.cells_of(equation) {
                for &(free, by) in space.row(cell) {
                    sum[free as usize] += f64::from(c) * by;
                }
            }
            assert!(sum.iter().all(|one: &f64| one.abs() < 1e-6), "{equation:?} does not hold");
        }
        for (position, &cell) in space.free().iter().enumerate() {
            assert_eq!(space.row(cell), [(position as u32, 1.0)]);
        }
    }

    #[test]
    fn a_table_moves_by_its_inner_cells() {
        // 2×2 with margins.
        let table: [&[(u32, i32)]; 6] = [
            &[(0, 1), (1, 1), (2, -1)],
            &[(3, 1), (4, 1), (5, -1)],
            &[(6, 1), (7, 1), (8, -1)],
            &[(0, 1), (3, 1), (6, -1)],
            &[(1, 1), (4, 1), (7, -1)],
            &[(2, 1), (5, 1), (8, -1)],
        ];
        let system = system(9, &table);
        check(&system);
        let space = NullSpace::of(&system, 100).expect("a null space");
        assert_eq!(space.free(), [0, 1, 3, 4].map(CellId));
        assert!(NullSpace::of(&system, 5).is_none(), "too many entries");
    }

    #[test]
    fn tables_that_share_a_total_leave_one_cell_less_free() {
        check(&system(5, &[&[(0, 1), (1, 1), (4, -1)], &[(2, 1), (3, 1), (4, -1)]]));
        check(&system(4, &[&[(0, 1), (1, 1)], &[(1, 1), (2, 1)], &[(2, 1), (3, 1)]]));
        check(&system(3, &[&[(0, 1), (1, 2), (2, -1)], &[(0, 1), (1, -1)]]));
    }

    #[test]
    fn equations_of_any_kind_hold_for_every_movement() {
        let mut found = 0;
        for seed in 0..400 {
            let mut random = Random::new(seed, 77);
            let cells = 3 + random.below(8);
            let mut builder = SystemBuilder::new(cells);
            for _ in 0..1 + random.below(6) {
                let mut entries: Vec<(CellId, i32)> = Vec::new();
                for cell in 0..cells {
                    if random.chance(0.4) {
                        let coefficient = [1, 1, 1, -1, 2][random.below(5)];
                        entries.push((CellId(cell as u32), coefficient));
                    }
                }
                if entries.len() > 1 {
                    builder.equation(entries, 0);
                }
            }
            let system = builder.build();
            if NullSpace::of(&system, 10_000).is_some() {
                check(&system);
                found += 1;
            }
        }
        assert!(found > 390, "{found}");
    }
}
