//! From some chosen cells to a safe pattern: what is missing is added, what is superfluous
//! taken out.

use quell_model::{CellId, Pattern, Random, Requirement};

use crate::search::clean_up::{clean_up_by_programs, dearest_first, try_without};
use crate::search::kelly_program::KellyProgram;
use crate::search::mover::{FORBIDDEN, Mover};
use crate::search::network::{NetworkBuilder, TableNetwork};
use crate::search::requirements::{or_less, requirements_for_all};
use crate::{Error, Store, Task};

/// A safe pattern.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    /// The secondaries, rising.
    pub(crate) secondaries: Vec<CellId>,
    /// What they cost; infinite if the time ended before they met every requirement.
    pub(crate) cost: f64,
}

/// Builds safe patterns.
pub(crate) trait PatternBuilder: Send {
    /// The requirements that can be met, but not by hidden primaries alone.
    fn requirements(&self) -> &[Requirement];

    /// A safe pattern that begins with the chosen cells. What it adds is chosen by `guide`
    /// instead of the weights, if given.
    fn complete(&mut self, chosen: &[CellId], guide: Option<Vec<f64>>) -> Result<Found, Error>;

    /// Tries to improve the pattern of the last [`PatternBuilder::complete`] by taking out random
    /// secondaries, so many times.
    fn shake(&mut self, random: &mut Random, times: usize) -> Result<Found, Error>;
}

/// The builder for a problem.
pub(crate) fn builder<'a>(
    task: &Task<'a>,
    network: Option<&'a TableNetwork>,
) -> Result<Box<dyn PatternBuilder + 'a>, Error> {
    Ok(match network {
        Some(network) => Box::new(NetworkBuilder::new(task, network)),
        None => Box::new(ProgramBuilder::new(*task)?),
    })
}

/// The builder for any table, by Kelly's linear program.
struct ProgramBuilder<'a> {
    task: Task<'a>,
    program: KellyProgram<'a>,
    requirements: Vec<Requirement>,
    store: Store,
    pattern: Pattern,
}

impl<'a> ProgramBuilder<'a> {
    fn new(task: Task<'a>) -> Result<Self, Error> {
        let problem = task.problem;
        let mut program = KellyProgram::new(problem, task.budget)?;
        let mut wanted = requirements_for_all(problem);
        wanted.sort_by_key(|requirement| std::cmp::Reverse(requirement.distance));
        let alone = |cell| if problem.status(cell).is_primary() { 0.0 } else { FORBIDDEN };
        let mut open = Vec::new();
        for requirement in wanted {
            if task.budget.is_over() {
                break;
            }
            if program.cheapest(&requirement, &alone)?.is_some() {
                continue;
            }
            for requirement in or_less(problem, requirement) {
                if program.cheapest(&requirement, &|_| 0.0)?.is_some() {
                    open.push(requirement);
                    break;
                }
            }
        }
        let pattern = Pattern::of_primaries(problem);
        Ok(Self {
            store: Store::new(problem, Vec::new()),
            task,
            program,
            requirements: open,
            pattern,
        })
    }

    fn found(&self) -> Found {
        let problem = self.task.problem;
        Found {
            secondaries: self.pattern.secondaries(problem).collect(),
            cost: self.pattern.cost(problem),
        }
    }

    /// Meets the open requirements at these costs; says whether it could, in time.
    fn meet_open(&mut self, cost: &dyn Fn(CellId) -> f64) -> Result<bool, Error> {
        for index in 0..self.requirements.len() {
            if self.task.budget.is_over() {
                return Ok(false);
            }
            if self.store.is_proven(index) {
                continue;
            }
            let pattern = &self.pattern;
            let price = |cell: CellId| if pattern.is_suppressed(cell) { 0.0 } else { cost(cell) };
            let Some(movement) = self.program.cheapest(&self.requirements[index], &price)? else {
                return Ok(false);
            };
            movement.cells().for_each(|cell| self.pattern.suppress(cell));
            self.store.add(self.task.problem, movement);
        }
        Ok(true)
    }
}

impl PatternBuilder for ProgramBuilder<'_> {
    fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    fn complete(&mut self, chosen: &[CellId], guide: Option<Vec<f64>>) -> Result<Found, Error> {
        let problem = self.task.problem;
        self.store = Store::new(problem, self.requirements.clone());
        self.pattern = Pattern::of_primaries(problem);
        chosen.iter().for_each(|&cell| self.pattern.suppress(cell));
        let cost = |cell: CellId| match &guide {
            Some(guide) => guide[cell.index()],
            None => problem.weight(cell).max(f64::MIN_POSITIVE),
        };
        if !self.meet_open(&cost)? {
            return Ok(Found { cost: f64::INFINITY, ..self.found() });
        }
        let none = Pattern::of_primaries(problem);
        let Self { task, program, store, pattern, .. } = self;
        clean_up_by_programs(task, store, pattern, program, &none)?;
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
