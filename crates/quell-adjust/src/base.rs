//! Tables whose totals follow from their base cells.
//!
//! If every equation has a cell that is the sum of its others, and no cell is a part of
//! itself, then whole numbers for the base cells give whole numbers for all cells, and
//! every equation holds: additivity by construction.

use quell_model::{CellId, Problem, Value};

/// The base cells of a table, and which cells each of them is a part of.
#[derive(Debug, Clone)]
pub(crate) struct Base {
    /// The base cells.
    pub(crate) cells: Vec<CellId>,
    starts: Vec<usize>,
    parts: Vec<(u32, i32)>,
}

impl Base {
    /// The base of a table, if its totals follow from one.
    pub(crate) fn of(problem: &Problem) -> Option<Self> {
        let system = problem.system();
        // The equation that gives a total, and the total's coefficient there.
        let mut defined = vec![None; problem.cell_count()];
        for equation in system.equations() {
            let positive = system.cells_of(equation).filter(|entry| entry.1 > 0).count();
            let negative = system.cells_of(equation).len() - positive;
            let lone = match (positive, negative) {
                (_, 1) => -1,
                (1, _) => 1,
                _ => return None,
            };
            let mut cells = system.cells_of(equation);
            let total = cells.find(|entry| entry.1.signum() == lone)?;
            if total.1.abs() != 1 {
                return None;
            }
            defined[total.0.index()].get_or_insert((equation, total.1));
        }
        // What each cell is a part of: its totals, and what those are parts of.
        let mut totals: Vec<Option<Vec<(u32, i32)>>> = vec![None; problem.cell_count()];
        let mut above: Vec<Vec<(u32, i32)>> = vec![Vec::new(); problem.cell_count()];
        for cell in system.cells() {
            if let Some((equation, sign)) = defined[cell.index()] {
                for (part, coefficient) in system.cells_of(equation).filter(|e| e.0 != cell) {
                    above[part.index()].push((cell.0, -coefficient * sign));
                }
            }
        }
        let mut base = Self { cells: Vec::new(), starts: vec![0], parts: Vec::new() };
        let mut open = vec![false; problem.cell_count()];
        for cell in system.cells().filter(|cell| defined[cell.index()].is_none()) {
            let closure = close(cell.0, &above, &mut totals, &mut open)?;
            base.cells.push(cell);
            base.parts.extend(closure);
            base.starts.push(base.parts.len());
        }
        base.holds(problem).then_some(base)
    }

    /// The cells that a base cell is a part of, itself among them, with its coefficient.
    pub(crate) fn parts(&self, base: usize) -> &[(u32, i32)] {
        &self.parts[self.starts[base]..self.starts[base + 1]]
    }

    /// Whether all equations hold whatever the base cells are: for each base cell alone.
    fn holds(&self, problem: &Problem) -> bool {
        let system = problem.system();
        let mut sums = vec![0_i64; system.equation_count()];
        (0..self.cells.len()).all(|index| {
            let add = |sums: &mut [Value], sign: i64| {
                for &(cell, coefficient) in self.parts(index) {
                    for (equation, c) in system.equations_of(CellId(cell)) {
                        sums[equation.index()] += sign * i64::from(c) * i64::from(coefficient);
                    }
                }
            };
            add(&mut sums, 1);
            let mut touched = self.parts(index).iter().map(|&(cell, _)| CellId(cell));
            let balanced =
                touched.all(|c| system.equations_of(c).all(|(e, _)| sums[e.index()] == 0));
            add(&mut sums, -1);
            balanced
        })
    }
}

/// A cell and all it is a part of; `None` if it is a part of itself.
fn close(
    cell: u32,
    above: &[Vec<(u32, i32)>],
    known: &mut [Option<Vec<(u32, i32)>>],
    open: &mut [bool],
) -> Option<Vec<(u32, i32)>> {
    if let Some(closure) = &known[cell as usize] {
        return Some(closure.clone());
    }
    if std::mem::replace(&mut open[cell as usize], true) {
        return None;
    }
    let mut closure = vec![(cell, 1)];
    for &(total, coefficient) in &above[cell as usize] {
        let more = close(total, above, known, open)?;
        closure.extend(more.into_iter().map(|(cell, c)| (cell, c * coefficient)));
    }
    closure.sort_unstable();
    closure.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    closure.retain(|&(_, coefficient)| coefficient != 0);
    open[cell as usize] = false;
    known[cell as usize] = Some(closure.clone());
    Some(closure)
}
