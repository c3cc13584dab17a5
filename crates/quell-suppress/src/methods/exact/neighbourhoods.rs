//! Neighbourhood search: part of the best pattern is opened, and an integer program over the
//! cuts chooses there anew.
//!
//! A choice that turns out unsafe gives cuts and is asked for again a few times; then paths
//! complete it. Neighbourhoods grow while they are solved without gain and shrink when they
//! are too hard.

use quell_model::{Budget, CellId, Random, Requirement};

use crate::bound::{Choice, Ended, Question, Row, Separator, separator};
use crate::search::builder::{Found, PatternBuilder, builder};
use crate::search::network::TableNetwork;
use crate::tolerance::SAME_COST;
use crate::{Error, Task};

/// Secondaries opened at first.
const SIZE: usize = 15;
/// The fewest opened.
const SMALLEST: usize = 6;
/// Cells to choose from, besides those opened.
const CANDIDATES: usize = 200;
/// Cells that count as columns when cuts are looked for.
const COLUMNS: usize = 2_000;
/// Nodes an integer program may take.
const NODES: u32 = 30;
/// How often an unsafe choice is asked for again.
const TRIES: usize = 8;

/// What a search starts from.
#[derive(Debug, Clone)]
pub(crate) struct Given {
    /// The requirements that patterns must meet.
    pub(crate) requirements: Vec<Requirement>,
    /// The cuts.
    pub(crate) rows: Vec<Row>,
    /// The cells that can be in a cheaper pattern, with their reduced costs, lowest first.
    pub(crate) open: Vec<(CellId, f64)>,
    /// No pattern costs less.
    pub(crate) lower: f64,
}

/// What a search gave.
#[derive(Debug, Clone)]
pub(crate) struct Improved {
    /// The best pattern known now.
    pub(crate) best: Found,
    /// Cuts found on the way.
    pub(crate) cuts: Vec<Row>,
}

/// The search, with its own attackers and patterns so that it can run beside others.
pub(crate) struct Neighbourhoods<'a> {
    task: Task<'a>,
    separator: Separator<'a>,
    builder: Box<dyn PatternBuilder + 'a>,
    random: Random,
    size: usize,
}

impl<'a> Neighbourhoods<'a> {
    /// A search that has not begun.
    pub(crate) fn new(task: &Task<'a>, network: Option<&'a TableNetwork>) -> Result<Self, Error> {
        Ok(Self {
            separator: separator(task.problem, network, task.budget)?,
            builder: builder(task, network)?,
            random: task.budget.random(2),
            size: SIZE,
            task: *task,
        })
    }

    /// Tries so many neighbourhoods of `best`.
    pub(crate) fn search(
        &mut self,
        given: &Given,
        best: Found,
        steps: usize,
        budget: &Budget,
    ) -> Result<Improved, Error> {
        let columns = given.open.iter().map(|&(cell, _)| cell).take(COLUMNS);
        self.separator.set_columns(&columns.collect::<Vec<_>>())?;
        let mut rows = given.rows.clone();
        let mut improved = Improved { best, cuts: Vec::new() };
        for _ in 0..steps {
            if budget.stop().is_some() || improved.best.cost <= given.lower {
                break;
            }
            self.step(given, &mut rows, &mut improved, budget)?;
        }
        Ok(improved)
    }

    /// Chooses anew among the freed cells and those of low reduced cost in their lines.
    fn choose_around(
        &self,
        rows: &[Row],
        open: &[(CellId, f64)],
        current: &[CellId],
        freed: &[CellId],
        lines: &[u32],
        budget: &Budget,
    ) -> Result<Choice, Error> {
        let system = self.task.problem.system();
        let fixed: Vec<CellId> =
            current.iter().copied().filter(|cell| freed.binary_search(cell).is_err()).collect();
        let near = |cell: CellId| {
            system.equations_of(cell).any(|(e, _)| lines.binary_search(&e.0).is_ok())
        };
        let others = open.iter().map(|&(cell, _)| cell);
        let others = others.filter(|cell| fixed.binary_search(cell).is_err() && near(*cell));
        let mut cells: Vec<CellId> = others.take(CANDIDATES).chain(freed.iter().copied()).collect();
        cells.sort_unstable();
        cells.dedup();
        Question {
            problem: self.task.problem,
            rows,
            cells: &cells,
            fixed: &fixed,
            start: Some(current),
            nodes: Some(NODES),
            budget,
        }
        .answer()
    }

    fn step(
        &mut self,
        given: &Given,
        rows: &mut Vec<Row>,
        improved: &mut Improved,
        budget: &Budget,
    ) -> Result<(), Error> {
        let problem = self.task.problem;
        let current = improved.best.secondaries.clone();
        if current.is_empty() {
            return Ok(());
        }
        let centre = current[self.random.below(current.len())];
        let (freed, lines) = self.around(&current, centre);
        let before = improved.best.cost;
        let mut hard = false;
        for _ in 0..TRIES {
            let choice = self.choose_around(rows, &given.open, &current, &freed, &lines, budget)?;
            hard |= choice.ended == Ended::Limit;
            let Some(chosen) = choice.chosen else { break };
            let cost: f64 = chosen.iter().map(|&cell| problem.weight(cell)).sum();
            if cost >= before - SAME_COST * before {
                break;
            }
            self.separator.set_choice(&chosen)?;
            let mut cuts = Vec::new();
            for requirement in &given.requirements {
                cuts.extend(self.separator.requirement(requirement)?);
            }
            let found = self.builder.complete(&chosen, None)?;
            if found.cost < improved.best.cost {
                improved.best = found;
            }
            if cuts.is_empty() {
                break;
            }
            rows.extend(cuts.iter().cloned());
            improved.cuts.append(&mut cuts);
        }
        if improved.best.cost < before {
            let found = self.builder.complete(&improved.best.secondaries, None)?;
            if found.cost < improved.best.cost {
                improved.best = found;
            }
        } else if hard {
            self.size = (self.size * 4 / 5).max(SMALLEST);
        } else {
            self.size += 1 + self.size / 8;
        }
        Ok(())
    }

    /// Secondaries around a cell, connected by equations, and the equations of all.
    fn around(&mut self, current: &[CellId], centre: CellId) -> (Vec<CellId>, Vec<u32>) {
        let system = self.task.problem.system();
        let mut freed: Vec<CellId> =
            current.iter().copied().filter(|&cell| cell == centre).collect();
        let mut lines: Vec<u32> = system.equations_of(centre).map(|(e, _)| e.0).collect();
        for (equation, _) in system.equations_of(centre) {
            let others = system.cells_of(equation).map(|(cell, _)| cell);
            freed.extend(
                others.filter(|cell| *cell != centre && current.binary_search(cell).is_ok()),
            );
        }
        let mut next = 0;
        while freed.len() < self.size.min(current.len()) {
            if next == freed.len() {
                // Nothing connected is left: go on somewhere else.
                let other = current[self.random.below(current.len())];
                if !freed.contains(&other) {
                    freed.push(other);
                }
                continue;
            }
            let cell = freed[next];
            next += 1;
            for (equation, _) in system.equations_of(cell) {
                for (other, _) in system.cells_of(equation) {
                    if current.binary_search(&other).is_ok() && !freed.contains(&other) {
                        freed.push(other);
                    }
                }
            }
        }
        for &cell in &freed {
            lines.extend(system.equations_of(cell).map(|(equation, _)| equation.0));
        }
        lines.sort_unstable();
        lines.dedup();
        freed.sort_unstable();
        (freed, lines)
    }
}
