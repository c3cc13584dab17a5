//! **kelly-ilp**: the optimum by one integer program over all primaries at once (kelly-1992; the
//! model that serpell-2011 §1.1 relaxes and serpell-2013 §3.2 solves).
//!
//! A 0/1 variable for each cell says whether it is hidden; every primary has a movement up and
//! one down, in which only hidden cells take part.
//!
//! - *Guarantee*: every pattern is safe. If the budget suffices its cost is the optimum,
//!   and the lower bound equals it; else the best pattern found, with the bound proven so
//!   far.
//! - *Complexity*: exponential in the worst case; 2·|P| copies of the table in one program.
//! - *Choose it* for tiny tables, to know the optimum: to a few hundred cells and a dozen
//!   primaries. `exact` goes much further.
//! - *Deviates*: (a) a sliding level is shared between the two movements by the program
//!   itself; (b) inequalities that every optimum satisfies are added, because the
//!   relaxation of the bare model is weak (see the `model` module); (c) the search starts
//!   from the pattern of `kelly-lp`; (d) primaries that nothing can protect are left out.

mod model;
mod movements;

use quell_attack::{CandidateAlgorithm, ExposureSets, Verdict, audit};
use quell_model::{Budget, CellId, Pattern};
use quell_solve::{Limits, Outcome, PointStatus, Solver};

use crate::search::incremental;
use crate::search::kelly_program::KellyProgram;
use crate::search::mover::Mover;
use crate::tolerance::{MET_BOUND, TIGHT_FEASIBILITY, TIGHT_INTEGRALITY};
use crate::{Error, Method, Proposal, Task};
use model::Model;
use movements::Movements;

/// The most pairs of a cell and a movement: above, the program rarely ends.
const LARGEST: usize = 60_000;

/// Branch-and-bound nodes of the first try. Later ones get ten times as many each, so that
/// a budget of effort is looked at now and then at the price of a tenth.
const FIRST_NODES: u32 = 1_000;

/// The settings of `kelly-ilp`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KellyIlp {
    /// Protect only these candidates (serpell-2013), trusting that the others are safe
    /// with them; `None`: all primaries.
    pub candidates: Option<CandidateAlgorithm>,
}

impl Method for KellyIlp {
    fn name(&self) -> &'static str {
        "kelly-ilp"
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let primaries = self.primaries(task)?;
        let movements = Movements::of(task.problem, &primaries);
        let pairs = movements.list.len().saturating_mul(task.problem.cell_count());
        if pairs > LARGEST {
            let reason = format!(
                "one program over {} cells and {} movements is too large (at most {LARGEST} pairs); \
                 use exact, which proves optima too, or kelly-lp",
                task.problem.cell_count(),
                movements.list.len(),
            );
            return Err(Error::NotForThisTable { method: self.name(), reason });
        }
        if movements.list.is_empty() {
            return Ok(Proposal::unbounded(Pattern::of_primaries(task.problem)));
        }
        let start = incremental::usual(task, self.candidates)?;
        search(task, &movements, start)
    }
}

impl KellyIlp {
    /// The primaries to protect: all, or the candidates, without those that stay exposed
    /// even if everything is hidden.
    fn primaries(&self, task: &Task) -> Result<Vec<CellId>, Error> {
        let problem = task.problem;
        let budget = Budget::default().with_threads(task.budget.threads());
        let most = audit(problem, &Pattern::of_everything(problem), &budget, task.progress)?;
        let safe = most.primaries.iter().filter(|finding| finding.verdict == Verdict::Safe);
        let mut primaries: Vec<CellId> = safe.map(|finding| finding.cell).collect();
        if let Some(algorithm) = self.candidates {
            let sets = ExposureSets::find(problem, &budget, task.progress)?;
            let candidates = sets.candidates(algorithm);
            primaries.retain(|cell| candidates.contains(cell));
        }
        Ok(primaries)
    }
}

/// Branch and bound from a safe pattern.
fn search(task: &Task, movements: &Movements, start: Proposal) -> Result<Proposal, Error> {
    let problem = task.problem;
    let model = Model::new(problem, movements);
    let mut solver = Solver::new()?;
    solver.set_stopping(Some(task.budget.over()))?;
    solver.set_integrality_tolerance(TIGHT_INTEGRALITY)?;
    solver.set_tolerances(TIGHT_FEASIBILITY, TIGHT_FEASIBILITY)?;
    solver.set_seed(task.budget.seed() as u32)?;
    model.pass(&mut solver)?;
    let mut best = start;
    task.progress.stage("solving the integer program", None);
    for tries in 0.. {
        let seconds = task.budget.time_left().map(|left| left.as_secs_f64());
        let nodes = FIRST_NODES.checked_mul(10_u32.saturating_pow(tries));
        solver.set_limits(&Limits { nodes, seconds, ..Limits::default() })?;
        let (columns, values) = model.start(&best.pattern);
        solver.set_start_sparse(&columns, &values)?;
        let outcome = solver.solve()?;
        task.budget.spend(solver.mip_nodes());
        best.iterations += solver.simplex_iterations();
        let bound = solver.mip_bound();
        if model.is_exact() && bound.is_finite() {
            best.lower_bound = best.lower_bound.max(bound);
        }
        if solver.primal_status() == PointStatus::Feasible {
            let found = found(task, movements, &model, &solver)?;
            if found.cost(problem) < best.pattern.cost(problem) {
                best.pattern = found;
            }
        }
        if outcome != Outcome::NodeLimit || task.budget.stop().is_some() {
            break;
        }
    }
    // The bound is reached up to the solver's tolerances: say so without their noise.
    let cost = best.pattern.cost(problem);
    if best.lower_bound >= cost - MET_BOUND * cost.max(1.0) {
        best.lower_bound = cost;
    }
    Ok(best)
}

/// The pattern of the solver's solution. Each of its movements is found anew with the
/// hidden cells alone: a trifle of a 0/1 variable, rounded away, may have carried one.
fn found(
    task: &Task,
    movements: &Movements,
    model: &Model,
    solver: &Solver,
) -> Result<Pattern, Error> {
    let problem = task.problem;
    let mut values = Vec::new();
    solver.column_values(&mut values)?;
    let mut pattern = model.pattern(problem, &values);
    let mut program = KellyProgram::new(problem, task.budget)?;
    for requirement in movements.requirements(|movement| model.amount(movement, &values)) {
        let cost = |cell: CellId| match pattern.is_suppressed(cell) {
            true => 0.0,
            false => problem.weight(cell).max(f64::MIN_POSITIVE),
        };
        if let Some(movement) = program.cheapest(&requirement, &cost)? {
            movement.cells().for_each(|cell| pattern.suppress(cell));
        }
    }
    Ok(pattern)
}
