//! Company for hidden cells: a cell hidden alone in an equation is worked out by subtraction.
//!
//! Where nearly every primary is exposed, as in sparse tables in which most cells have one or
//! two contributors, a linear program for each would be millions. Most lack no more than
//! another hidden cell in each of their lines, and that is found by counting: hide the
//! cheapest, then see to its own lines. What is still open after that is for the programs.

use std::collections::VecDeque;

use quell_attack::unpick;
use quell_model::{CellId, EquationId, Pattern, Problem, Status, Value};

/// A line without a hidden cell that a companion brings into play makes it dearer by its
/// weight: there, it would need company itself.
fn price(problem: &Problem, cell: CellId, untouched: usize, share: f64) -> f64 {
    problem.weight(cell).max(f64::MIN_POSITIVE) * (1 + untouched) as f64 / share
}

/// The primaries, and where unpicking exposes more than so many of them the company they need.
pub(super) fn with_company(problem: &Problem, many: usize) -> Pattern {
    let mut pattern = Pattern::of_primaries(problem);
    if problem.primaries().count() > many && unpick(problem, &pattern).exposures.len() > many {
        Company::new(problem, &mut pattern).keep();
    }
    pattern
}

struct Company<'a> {
    problem: &'a Problem,
    pattern: &'a mut Pattern,
    /// Hidden cells of each equation that can move.
    hidden: Vec<u32>,
    /// How far each hidden cell should be able to move.
    amounts: Vec<Value>,
    /// Equations that may have a single one.
    lone: VecDeque<EquationId>,
}

impl<'a> Company<'a> {
    fn new(problem: &'a Problem, pattern: &'a mut Pattern) -> Self {
        let mut hidden = vec![0; problem.system().equation_count()];
        let mut amounts = vec![0; problem.cell_count()];
        for cell in pattern.suppressed().filter(|&cell| can_move(problem, cell)) {
            let levels = problem.protection(cell);
            amounts[cell.index()] = levels.lower.max(levels.upper).max(levels.sliding).max(1);
            problem.system().equations_of(cell).for_each(|(line, _)| hidden[line.index()] += 1);
        }
        let lone = problem.system().equations().filter(|line| hidden[line.index()] == 1).collect();
        Self { problem, pattern, hidden, amounts, lone }
    }

    /// Hides cells until none is hidden alone, as far as there are any to hide.
    fn keep(mut self) {
        while let Some(line) = self.lone.pop_front() {
            if self.hidden[line.index()] == 1
                && let Some((companion, amount)) = self.companion(line)
            {
                self.hide(companion, amount);
            }
        }
    }

    /// The cheapest company for the one hidden cell of a line, and how far that must move.
    fn companion(&self, line: EquationId) -> Option<(CellId, Value)> {
        let (problem, system) = (self.problem, self.problem.system());
        let cells = || system.cells_of(line).map(|(cell, _)| cell);
        let amount = cells()
            .filter(|&cell| self.pattern.is_suppressed(cell))
            .map(|cell| self.amounts[cell.index()])
            .max()?;
        let offers = cells().filter(|&cell| {
            !self.pattern.is_suppressed(cell)
                && problem.status(cell) != Status::Protected
                && can_move(problem, cell)
        });
        let offers = offers.map(|cell| {
            let room = problem.room_down(cell).min(problem.room_up(cell)).max(1);
            let share = (room as f64 / amount as f64).min(1.0);
            let lines = system.equations_of(cell);
            let untouched = lines.filter(|(line, _)| self.hidden[line.index()] == 0).count();
            (price(problem, cell, untouched, share), cell)
        });
        let best = offers.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
        Some((best.1, amount))
    }

    fn hide(&mut self, cell: CellId, amount: Value) {
        self.pattern.suppress(cell);
        self.amounts[cell.index()] = amount;
        for (line, _) in self.problem.system().equations_of(cell) {
            self.hidden[line.index()] += 1;
            if self.hidden[line.index()] == 1 {
                self.lone.push_back(line);
            }
        }
    }
}

fn can_move(problem: &Problem, cell: CellId) -> bool {
    problem.room_up(cell) > 0 || problem.room_down(cell) > 0
}

#[cfg(test)]
mod tests {
    use quell_gen::{Contributors, DimensionSize, Ons};

    use super::*;

    #[test]
    fn nobody_is_hidden_alone() {
        let table = Ons {
            dimensions: vec![DimensionSize::flat(6), DimensionSize::hierarchical(15)],
            contributors: Contributors::PrimaryShare(0.05),
            ..Ons::default()
        };
        for seed in 0..20 {
            let problem = table.generate(seed).expect("the parameters make a table");
            let pattern = with_company(&problem, 0);
            assert!(pattern.len() > problem.primaries().count(), "{seed}");
            for line in problem.system().equations() {
                let cells = problem.system().cells_of(line).map(|(cell, _)| cell);
                let movable = cells.filter(|&cell| can_move(&problem, cell));
                let hidden = movable.filter(|&cell| pattern.is_suppressed(cell)).count();
                assert_ne!(hidden, 1, "{seed}: equation {}", line.0);
            }
        }
    }
}
