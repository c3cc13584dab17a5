//! A basis of the equations' columns, chosen in a given order, and other columns in terms
//! of it.
//!
//! Left-looking elimination: a column is reduced by the steps made so far; what is left
//! outside their rows makes it a new step, and if nothing is left it depends on earlier
//! columns. Only the steps are kept, never the reduced matrix.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use quell_model::{CellId, System};

use super::field::{Residue, Sparse, inverse, minus_product, product, residue};

/// One step of the elimination.
struct Step {
    /// The column it comes from.
    cell: CellId,
    /// Its equation.
    row: u32,
    /// What to take from other rows for one unit in the step's row.
    lower: Sparse,
    /// The reduced column in the rows of earlier steps, by step.
    upper: Sparse,
    /// The inverse of the reduced column in the step's own row.
    inverse: Residue,
}

/// The basis, and room to work in.
pub struct Basis<'a> {
    system: &'a System,
    steps: Vec<Step>,
    /// The step whose row an equation is.
    step_of: Vec<Option<u32>>,
    /// How many entries were put together into an equation: the smallest is taken as the
    /// step's row, so that chains of steps stay short (as in union by size).
    size: Vec<usize>,
    work: Vec<Residue>,
}

/// What reduces to nothing outside the steps' rows, and what does not.
enum Reduced {
    Depends(Sparse),
    Independent { upper: Sparse, rest: Sparse },
}

impl<'a> Basis<'a> {
    /// An empty basis.
    pub fn new(system: &'a System) -> Self {
        let size = system.equations().map(|equation| system.cells_of(equation).len()).collect();
        Self {
            system,
            steps: Vec::new(),
            step_of: vec![None; system.equation_count()],
            size,
            work: vec![0; system.equation_count()],
        }
    }

    /// How many columns it has.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// The cell of a basic column.
    pub fn cell(&self, step: usize) -> CellId {
        self.steps[step].cell
    }

    /// Adds a cell's column, unless it depends on those there; says whether it did.
    pub fn add(&mut self, cell: CellId) -> bool {
        let Reduced::Independent { upper, rest } = self.reduce(cell) else { return false };
        let Some(&(row, value)) = rest.iter().min_by_key(|&&(row, _)| self.size[row as usize])
        else {
            return false;
        };
        let inverse = inverse(value);
        let others = rest.into_iter().filter(|&(other, _)| other != row);
        let lower: Sparse = others.map(|(other, x)| (other, product(x, inverse))).collect();
        for &(other, _) in &lower {
            // Where columns are dense, sizes double with every step.
            let size = self.size[other as usize].saturating_add(self.size[row as usize]);
            self.size[other as usize] = size;
        }
        self.step_of[row as usize] = Some(self.steps.len() as u32);
        self.steps.push(Step { cell, row, lower, upper, inverse });
        true
    }

    /// The column of a cell as a sum of basic columns, by step; `None` if it is none.
    pub fn express(&mut self, cell: CellId) -> Option<Sparse> {
        let Reduced::Depends(upper) = self.reduce(cell) else { return None };
        // Back-substitution, the last step first. There are no more steps than equations.
        let mut open: BinaryHeap<u32> = BinaryHeap::new();
        for (step, value) in upper {
            self.work[step as usize] = value;
            open.push(step);
        }
        let mut sum = Sparse::new();
        while let Some(step) = open.pop() {
            let value = std::mem::take(&mut self.work[step as usize]);
            if value == 0 {
                continue;
            }
            let Step { upper, inverse, .. } = &self.steps[step as usize];
            let amount = product(value, *inverse);
            sum.push((step, amount));
            for &(earlier, entry) in upper {
                let slot = &mut self.work[earlier as usize];
                if *slot == 0 {
                    open.push(earlier);
                }
                *slot = minus_product(*slot, amount, entry);
            }
        }
        sum.reverse();
        Some(sum)
    }

    fn reduce(&mut self, cell: CellId) -> Reduced {
        // Steps rising: a step only changes rows that were no step's when it was made.
        let mut open: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
        let (mut upper, mut outside) = (Sparse::new(), Vec::new());
        let mut touched: Vec<u32> = Vec::new();
        for (equation, coefficient) in self.system.equations_of(cell) {
            self.work[equation.index()] = residue(coefficient);
            touched.push(equation.index() as u32);
        }
        loop {
            for row in touched.drain(..) {
                match self.step_of[row as usize] {
                    Some(step) => open.push(Reverse(step)),
                    None => outside.push(row),
                }
            }
            let Some(Reverse(step)) = open.pop() else { break };
            let Step { row, lower, .. } = &self.steps[step as usize];
            let value = std::mem::take(&mut self.work[*row as usize]);
            if value == 0 {
                continue;
            }
            upper.push((step, value));
            for &(other, share) in lower {
                let slot = &mut self.work[other as usize];
                if *slot == 0 {
                    touched.push(other);
                }
                *slot = minus_product(*slot, value, share);
            }
        }
        outside.sort_unstable();
        outside.dedup();
        let rest: Sparse = outside
            .into_iter()
            .map(|row| (row, std::mem::take(&mut self.work[row as usize])))
            .filter(|&(_, value)| value != 0)
            .collect();
        match rest.is_empty() {
            true => Reduced::Depends(upper),
            false => Reduced::Independent { upper, rest },
        }
    }
}

#[cfg(test)]
mod tests {
    use quell_model::{Random, SystemBuilder};

    use super::*;

    #[test]
    fn sizes_of_dense_columns_do_not_overflow() {
        let (cells, mut random) = (150, Random::new(3, 1));
        let mut builder = SystemBuilder::new(cells);
        for _ in 0..cells {
            let entries = (0..cells).map(|cell| {
                let coefficient = [-1, 1, 2][random.below(3)];
                (CellId::from_index(cell), coefficient)
            });
            builder.equation(entries, 0);
        }
        let system = builder.build();
        let mut basis = Basis::new(&system);
        let added = system.cells().filter(|&cell| basis.add(cell)).count();
        assert!(added > 140, "{added}");
        assert_eq!(basis.len(), added);
    }
}
