//! Secondaries that can be known before any program is solved (serpell-2011, §3.6).
//!
//! In an equation with a published total `m` a primary `p` can rise at most to `x_m`, for
//! the other parts do not fall below zero. If that is not enough, `m` must be hidden (20),
//! and must itself be able to move by what is missing (21, 22), which may ask for the total
//! above it: repeated until nothing changes. Likewise for the largest part `n` that is no
//! primary, if `x_m − x_n` is not enough (23). The paper asks the same of a fall, though then
//! the other parts could rise instead; so these cells need not be in every safe pattern, as
//! those of [`crate::search::forced`] are.
//!
//! Cells chosen here cost nothing from then on but are no primaries: protecting them too
//! would only lengthen the programs.

use quell_model::{CellId, EquationId, Problem, Status, Value};

use crate::search::likely::total_of;

/// Which cells are chosen before the programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Preselection {
    /// None.
    None,
    /// Margin totals (equations 20–22).
    Margins,
    /// Margin totals and large cells (equation 23).
    #[default]
    MarginsAndLarge,
}

/// The cells to hide before any program is solved, rising.
pub(crate) fn preselect(problem: &Problem, preselection: Preselection) -> Vec<CellId> {
    if preselection == Preselection::None {
        return Vec::new();
    }
    let mut levels = Levels::of_primaries(problem);
    let mut chosen = margins(problem, &mut levels);
    if preselection == Preselection::MarginsAndLarge {
        chosen.extend(large_cells(problem, &levels));
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// How far cells must be able to move: primaries, and margins chosen so far.
struct Levels {
    largest: Vec<Value>,
}

impl Levels {
    fn of_primaries(problem: &Problem) -> Self {
        let mut largest = vec![0; problem.cell_count()];
        for cell in problem.primaries() {
            let levels = problem.protection(cell);
            largest[cell.index()] = levels.lower.max(levels.upper);
        }
        Self { largest }
    }

    fn of(&self, cell: CellId) -> Value {
        self.largest[cell.index()]
    }

    /// Total of an equation and the part that must move farthest, if there is one.
    fn farthest(&self, problem: &Problem, equation: EquationId) -> Option<(CellId, CellId)> {
        let total = total_of(problem, equation)?;
        let parts = problem.system().cells_of(equation).map(|(cell, _)| cell);
        let farthest = parts.filter(|&cell| cell != total).max_by_key(|&cell| self.of(cell))?;
        (self.of(farthest) > 0).then_some((total, farthest))
    }
}

/// Whether a cell is hidden: a primary, or a margin chosen so far.
fn is_hidden(problem: &Problem, cell: CellId, levels: &Levels) -> bool {
    problem.status(cell).is_primary() || levels.of(cell) > 0
}

/// Whether a published cell may be hidden.
fn may_hide(problem: &Problem, cell: CellId, levels: &Levels) -> bool {
    problem.status(cell) != Status::Protected && !is_hidden(problem, cell, levels)
}

/// Whether the equation says what the rules suppose: values are not negative and add up.
fn is_plain_sum(problem: &Problem, equation: EquationId) -> bool {
    let plain = |(cell, coefficient): (CellId, i32)| {
        coefficient.abs() == 1 && problem.value(cell) >= 0 && problem.lower_bound(cell) >= 0
    };
    problem.system().right_hand_side(equation) == 0
        && problem.system().cells_of(equation).all(plain)
}

/// Equations 20–22, repeated.
fn margins(problem: &Problem, levels: &mut Levels) -> Vec<CellId> {
    let system = problem.system();
    let mut chosen = Vec::new();
    let mut open: Vec<EquationId> =
        system.equations().filter(|&equation| is_plain_sum(problem, equation)).collect();
    while !open.is_empty() {
        let mut next = Vec::new();
        for equation in open {
            let Some((total, farthest)) = levels.farthest(problem, equation) else { continue };
            let missing = levels.of(farthest) - (problem.value(total) - problem.value(farthest));
            let may_be_chosen =
                !problem.status(total).is_primary() && problem.status(total) != Status::Protected;
            // Another equation may ask more of a margin than the one that chose it.
            if may_be_chosen && missing > levels.of(total) {
                levels.largest[total.index()] = missing;
                chosen.push(total);
                next.extend(system.equations_of(total).map(|(above, _)| above));
            }
        }
        next.retain(|&equation| is_plain_sum(problem, equation));
        next.sort_unstable();
        next.dedup();
        open = next;
    }
    chosen
}

/// Equation 23, in equations whose total is still published.
fn large_cells(problem: &Problem, levels: &Levels) -> Vec<CellId> {
    let system = problem.system();
    let mut chosen = Vec::new();
    for equation in system.equations().filter(|&equation| is_plain_sum(problem, equation)) {
        let Some((total, farthest)) = levels.farthest(problem, equation) else { continue };
        if is_hidden(problem, total, levels) {
            continue;
        }
        let parts = system.cells_of(equation).map(|(cell, _)| cell);
        let published = parts.filter(|&cell| cell != total && may_hide(problem, cell, levels));
        let Some(large) = published.max_by_key(|&cell| problem.value(cell)) else { continue };
        let left = problem.value(total) - problem.value(large);
        if left < problem.value(farthest) + levels.of(farthest) {
            chosen.push(large);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use quell_model::{Cell, Decimals, Protection, Reason, SystemBuilder};

    use super::*;

    /// Lines of parts with their total last; cells may be shared.
    fn problem(values: &[Value], primaries: &[(u32, Value)], lines: &[&[u32]]) -> Problem {
        let mut builder = SystemBuilder::new(values.len());
        for line in lines {
            let (total, parts) = line.split_last().unwrap();
            let terms = parts.iter().map(|&part| (CellId(part), 1)).chain([(CellId(*total), -1)]);
            builder.equation(terms, 0);
        }
        let cells = values.iter().enumerate().map(|(index, &value)| {
            let level = primaries.iter().find(|(cell, _)| *cell == index as u32);
            let level = level.map_or(0, |&(_, level)| level);
            Cell {
                value,
                weight: 1.0,
                status: if level > 0 { Status::Primary(Reason::Given) } else { Status::Safe },
                lower_bound: 0,
                upper_bound: 10_000,
                protection: Protection { lower: level, upper: level, sliding: 0 },
            }
        });
        Problem::new(builder.build(), Decimals(0), cells)
    }

    #[test]
    fn margins_without_room_are_chosen_up_to_the_grand_total() {
        // 90 must be able to reach 99, but its total is 95 and the total above that 97.
        let lines: &[&[u32]] = &[&[0, 1, 2], &[2, 3, 4]];
        let table = problem(&[90, 5, 95, 2, 97], &[(0, 9)], lines);
        assert_eq!(preselect(&table, Preselection::Margins), [CellId(2), CellId(4)]);
        assert_eq!(preselect(&table, Preselection::None), []);
    }

    #[test]
    fn what_is_asked_of_a_margin_is_the_most_that_any_equation_asks() {
        // Cell 2 is the total of a line that asks it to move by 2, and of one that asks 8: only
        // that is too much for the total 5 above it, which has 5 to spare.
        let lines: &[&[u32]] = &[&[0, 1, 2], &[3, 2], &[2, 4, 5]];
        let table = problem(&[90, 5, 95, 95, 5, 100], &[(0, 7), (3, 8)], lines);
        assert_eq!(preselect(&table, Preselection::Margins), [CellId(2), CellId(5)]);
    }

    #[test]
    fn margins_with_room_are_not() {
        let table = problem(&[90, 20, 110], &[(0, 9)], &[&[0, 1, 2]]);
        assert_eq!(preselect(&table, Preselection::Margins), []);
    }

    #[test]
    fn a_large_cell_is_chosen_where_the_rest_is_not_enough() {
        // Without 20 the total leaves 93 − 90 = 3 for a rise of 9.
        let table = problem(&[90, 20, 3, 113], &[(0, 9)], &[&[0, 1, 2, 3]]);
        assert_eq!(preselect(&table, Preselection::Margins), []);
        assert_eq!(preselect(&table, Preselection::MarginsAndLarge), [CellId(1)]);
        // All the more where the total is published whatever comes.
        let protected = |cell: CellId| match cell {
            CellId(3) => Cell { status: Status::Protected, ..table.cell(cell) },
            _ => table.cell(cell),
        };
        let cells = table.system().cells().map(protected);
        let table = Problem::new(table.system().clone(), Decimals(0), cells);
        assert_eq!(preselect(&table, Preselection::MarginsAndLarge), [CellId(1)]);
    }
}
