//! From some chosen cells to a safe pattern: what is missing is added, what is superfluous
//! taken out.

use quell_model::{CellId, Pattern, Random};

use crate::clean_up::{clean_up, dearest_first, try_without};
use crate::mover::{FORBIDDEN, Mover};
use crate::need::level_of;
use crate::network::{Plan, TableNetwork};
use crate::program::Program;
use crate::{Error, Need, Store, Task, needs};

/// A safe pattern.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    /// The secondaries, rising.
    pub(crate) secondaries: Vec<CellId>,
    /// What they cost.
    pub(crate) cost: f64,
}

/// Builds safe patterns.
pub(crate) trait Builder: Send {
    /// The needs that can be met, but not by hidden primaries alone.
    fn needs(&self) -> &[Need];

    /// A safe pattern that begins with the chosen cells. What it adds is chosen by `guide`
    /// instead of the weights, if given.
    fn complete(&mut self, chosen: &[CellId], guide: Option<Vec<f64>>) -> Result<Found, Error>;

    /// Tries to improve the pattern of the last [`Builder::complete`] by taking out random
    /// secondaries, so many times.
    fn shake(&mut self, random: &mut Random, times: usize) -> Result<Found, Error>;
}

/// The builder for a problem.
pub(crate) fn builder<'a>(
    task: &Task<'a>,
    network: Option<&'a TableNetwork>,
) -> Result<Box<dyn Builder + 'a>, Error> {
    Ok(match network {
        Some(network) => Box::new(Plan::new(task, network)),
        None => Box::new(ByProgram::new(*task)?),
    })
}

/// The builder for any table, by Kelly's linear program.
struct ByProgram<'a> {
    task: Task<'a>,
    program: Program<'a>,
    needs: Vec<Need>,
    store: Store,
    pattern: Pattern,
}

impl<'a> ByProgram<'a> {
    fn new(task: Task<'a>) -> Result<Self, Error> {
        let problem = task.problem;
        let mut program = Program::new(problem)?;
        let mut wanted = needs(problem);
        wanted.sort_by_key(|need| std::cmp::Reverse(need.amount));
        let alone = |cell| if problem.status(cell).is_primary() { 0.0 } else { FORBIDDEN };
        let mut open = Vec::new();
        for need in wanted {
            if program.cheapest(&need, &alone)?.is_some() {
                continue;
            }
            for need in [Some(need), level_of(problem, &need)].into_iter().flatten() {
                if program.cheapest(&need, &|_| 0.0)?.is_some() {
                    open.push(need);
                    break;
                }
            }
        }
        let pattern = Pattern::of_primaries(problem);
        Ok(Self { store: Store::new(problem, Vec::new()), task, program, needs: open, pattern })
    }

    fn found(&self) -> Found {
        let problem = self.task.problem;
        Found {
            secondaries: self.pattern.secondaries(problem).collect(),
            cost: self.pattern.cost(problem),
        }
    }

    /// Meets the open needs at these costs; says whether it could.
    fn meet_open(&mut self, cost: &dyn Fn(CellId) -> f64) -> Result<bool, Error> {
        for index in 0..self.needs.len() {
            if self.store.is_proven(index) {
                continue;
            }
            let pattern = &self.pattern;
            let price = |cell: CellId| if pattern.is_suppressed(cell) { 0.0 } else { cost(cell) };
            let Some(movement) = self.program.cheapest(&self.needs[index], &price)? else {
                return Ok(false);
            };
            movement.cells().for_each(|cell| self.pattern.suppress(cell));
            self.store.add(self.task.problem, movement);
        }
        Ok(true)
    }
}

impl Builder for ByProgram<'_> {
    fn needs(&self) -> &[Need] {
        &self.needs
    }

    fn complete(&mut self, chosen: &[CellId], guide: Option<Vec<f64>>) -> Result<Found, Error> {
        let problem = self.task.problem;
        self.store = Store::new(problem, self.needs.clone());
        self.pattern = Pattern::of_primaries(problem);
        chosen.iter().for_each(|&cell| self.pattern.suppress(cell));
        let cost = |cell: CellId| match &guide {
            Some(guide) => guide[cell.index()],
            None => problem.weight(cell).max(f64::MIN_POSITIVE),
        };
        self.meet_open(&cost)?;
        clean_up(&self.task, &mut self.store, &mut self.pattern, &mut self.program)?;
        Ok(self.found())
    }

    fn shake(&mut self, random: &mut Random, times: usize) -> Result<Found, Error> {
        let problem = self.task.problem;
        for _ in 0..times {
            let secondaries = dearest_first(problem, &self.pattern);
            if secondaries.is_empty() || self.task.budget.stop().is_some() {
                break;
            }
            let out = secondaries[random.below(secondaries.len())];
            let (store, pattern) = (self.store.clone(), self.pattern.clone());
            self.pattern.publish(out);
            self.store.take(out);
            let cost = |cell: CellId| match cell == out {
                true => f64::INFINITY,
                false => problem.weight(cell).max(f64::MIN_POSITIVE),
            };
            let mut better = self.meet_open(&cost)?;
            if better {
                for cell in dearest_first(problem, &self.pattern) {
                    let (store, program) = (&mut self.store, &mut self.program);
                    try_without(problem, store, &mut self.pattern, program, cell)?;
                }
                better = self.pattern.cost(problem) < pattern.cost(problem);
            }
            if !better {
                (self.store, self.pattern) = (store, pattern);
            }
        }
        Ok(self.found())
    }
}
