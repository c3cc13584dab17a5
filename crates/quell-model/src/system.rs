//! The additive system `M a = b`: equation (1) of serpell-2013, for any table.

use crate::{CellId, EquationId, Value};

/// A sparse system of additive equations over cells, readable by equation and by cell.
///
/// Both directions are compressed sparse rows, structure of arrays: the attackers
/// walk millions of entries and want them contiguous.
///
/// ```
/// use quell_model::{CellId, EquationId, SystemBuilder};
///
/// // Cells 0 and 1 add up to cell 2.
/// let mut builder = SystemBuilder::new(3);
/// builder.equation([(CellId(0), 1), (CellId(1), 1), (CellId(2), -1)], 0);
/// let system = builder.build();
///
/// assert_eq!(system.imbalance(EquationId(0), &[20, 30, 50]), 0);
/// assert_eq!(system.equations_of(CellId(2)).next(), Some((EquationId(0), -1)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct System {
    by_equation: Incidence<CellId>,
    by_cell: Incidence<EquationId>,
    right_hand_sides: Vec<Value>,
}

/// One direction of the incidence between cells and equations.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Incidence<Id> {
    starts: Vec<usize>,
    ids: Vec<Id>,
    coefficients: Vec<i32>,
}

impl<Id: Copy> Incidence<Id> {
    fn row(&self, row: usize) -> (&[Id], &[i32]) {
        let range = self.starts[row]..self.starts[row + 1];
        (&self.ids[range.clone()], &self.coefficients[range])
    }

    fn rows(&self) -> usize {
        self.starts.len() - 1
    }
}

impl System {
    /// Number of cells.
    pub fn cell_count(&self) -> usize {
        self.by_cell.rows()
    }

    /// Number of equations.
    pub fn equation_count(&self) -> usize {
        self.by_equation.rows()
    }

    /// Number of non-zero coefficients.
    pub fn entry_count(&self) -> usize {
        self.by_equation.ids.len()
    }

    /// All cells in order.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = CellId> + Clone + use<> {
        (0..self.cell_count() as u32).map(CellId)
    }

    /// All equations in order.
    pub fn equations(&self) -> impl ExactSizeIterator<Item = EquationId> + Clone + use<> {
        (0..self.equation_count() as u32).map(EquationId)
    }

    /// The cells of an equation with their coefficients.
    pub fn cells_of(
        &self,
        equation: EquationId,
    ) -> impl ExactSizeIterator<Item = (CellId, i32)> + Clone + '_ {
        let (cells, coefficients) = self.by_equation.row(equation.index());
        cells.iter().copied().zip(coefficients.iter().copied())
    }

    /// The equations of a cell with its coefficient in each.
    pub fn equations_of(
        &self,
        cell: CellId,
    ) -> impl ExactSizeIterator<Item = (EquationId, i32)> + Clone + '_ {
        let (equations, coefficients) = self.by_cell.row(cell.index());
        equations.iter().copied().zip(coefficients.iter().copied())
    }

    /// The constant `b` of an equation.
    pub fn right_hand_side(&self, equation: EquationId) -> Value {
        self.right_hand_sides[equation.index()]
    }

    /// `Σ M a − b` of an equation: zero iff `values` are additive there.
    pub fn imbalance(&self, equation: EquationId, values: &[Value]) -> i128 {
        let sum: i128 = self
            .cells_of(equation)
            .map(|(cell, coefficient)| i128::from(coefficient) * i128::from(values[cell.index()]))
            .sum();
        sum - i128::from(self.right_hand_side(equation))
    }
}

/// Collects equations one by one into a [`System`].
#[derive(Debug, Clone)]
pub struct SystemBuilder {
    cell_count: usize,
    starts: Vec<usize>,
    cells: Vec<CellId>,
    coefficients: Vec<i32>,
    right_hand_sides: Vec<Value>,
}

impl SystemBuilder {
    /// A builder for a system over `cell_count` cells.
    pub fn new(cell_count: usize) -> Self {
        Self {
            cell_count,
            starts: vec![0],
            cells: Vec::new(),
            coefficients: Vec::new(),
            right_hand_sides: Vec::new(),
        }
    }

    /// Adds `Σ coefficient·cell = right_hand_side`. Zero coefficients are dropped and
    /// entries of one cell are added up, so that each cell stands once in an equation.
    ///
    /// # Panics
    /// If a cell is not of this system: readers report that with its place before.
    pub fn equation(
        &mut self,
        entries: impl IntoIterator<Item = (CellId, i32)>,
        right_hand_side: Value,
    ) -> EquationId {
        let start = self.cells.len();
        for (cell, coefficient) in entries {
            assert!(cell.index() < self.cell_count, "{cell} is not of this system");
            self.cells.push(cell);
            self.coefficients.push(coefficient);
        }
        self.merge_repeated_cells(start);
        self.starts.push(self.cells.len());
        self.right_hand_sides.push(right_hand_side);
        EquationId::from_index(self.right_hand_sides.len() - 1)
    }

    fn merge_repeated_cells(&mut self, start: usize) {
        let tail = &self.cells[start..];
        let clean = tail.is_sorted_by(|a, b| a < b) && !self.coefficients[start..].contains(&0);
        if clean {
            return;
        }
        let mut entries: Vec<(usize, CellId, i32)> = self.cells[start..]
            .iter()
            .zip(&self.coefficients[start..])
            .enumerate()
            .map(|(position, (&cell, &coefficient))| (position, cell, coefficient))
            .collect();
        entries.sort_unstable_by_key(|&(position, cell, _)| (cell, position));
        let mut merged: Vec<(usize, CellId, i32)> = Vec::with_capacity(entries.len());
        for (position, cell, coefficient) in entries {
            match merged.last_mut() {
                Some(last) if last.1 == cell => last.2 += coefficient,
                _ => merged.push((position, cell, coefficient)),
            }
        }
        merged.retain(|&(_, _, coefficient)| coefficient != 0);
        // Back in the order given: a reader's file comes out as it went in.
        merged.sort_unstable_by_key(|&(position, ..)| position);
        self.cells.truncate(start);
        self.coefficients.truncate(start);
        self.cells.extend(merged.iter().map(|&(_, cell, _)| cell));
        self.coefficients.extend(merged.iter().map(|&(.., coefficient)| coefficient));
    }

    /// The finished system.
    pub fn build(self) -> System {
        let mut starts = vec![0_usize; self.cell_count + 1];
        for cell in &self.cells {
            starts[cell.index() + 1] += 1;
        }
        for cell in 0..self.cell_count {
            starts[cell + 1] += starts[cell];
        }
        let mut next = starts.clone();
        let mut ids = vec![EquationId(0); self.cells.len()];
        let mut coefficients = vec![0_i32; self.cells.len()];
        for equation in 0..self.right_hand_sides.len() {
            for entry in self.starts[equation]..self.starts[equation + 1] {
                let slot = &mut next[self.cells[entry].index()];
                ids[*slot] = EquationId::from_index(equation);
                coefficients[*slot] = self.coefficients[entry];
                *slot += 1;
            }
        }
        System {
            by_cell: Incidence { starts, ids, coefficients },
            by_equation: Incidence {
                starts: self.starts,
                ids: self.cells,
                coefficients: self.coefficients,
            },
            right_hand_sides: self.right_hand_sides,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_reads_the_same_by_equation_and_by_cell() {
        let mut builder = SystemBuilder::new(4);
        builder.equation([(CellId(0), -1), (CellId(1), 1), (CellId(2), 1)], 0);
        builder.equation([(CellId(3), 1), (CellId(1), -2)], 5);
        let system = builder.build();
        assert_eq!((system.cell_count(), system.equation_count(), system.entry_count()), (4, 2, 5));
        let of_one: Vec<_> = system.equations_of(CellId(1)).collect();
        assert_eq!(of_one, [(EquationId(0), 1), (EquationId(1), -2)]);
        let of_second: Vec<_> = system.cells_of(EquationId(1)).collect();
        assert_eq!(of_second, [(CellId(3), 1), (CellId(1), -2)]);
        assert_eq!(system.imbalance(EquationId(0), &[5, 2, 3, 9]), 0);
        assert_eq!(system.imbalance(EquationId(1), &[5, 2, 3, 10]), 1);
    }

    #[test]
    fn repeated_cells_are_added_up_and_zeros_dropped() {
        let mut builder = SystemBuilder::new(3);
        builder.equation(
            [(CellId(2), 1), (CellId(0), 1), (CellId(2), -1), (CellId(1), 1), (CellId(0), 1)],
            0,
        );
        let system = builder.build();
        let cells: Vec<_> = system.cells_of(EquationId(0)).collect();
        assert_eq!(cells, [(CellId(0), 2), (CellId(1), 1)]);
    }
}
