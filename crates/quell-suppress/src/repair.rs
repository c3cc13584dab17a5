//! From a method's proposal to a pattern that the audit accepts.

use quell_attack::{Audit, Finding, Verdict, audit, audit_for_repair};
use quell_model::{
    Budget, CellId, Direction, Fault, Pattern, Problem, Progress, Requirement, Stop,
};

use crate::search::mover::{Mover, mover};
use crate::search::requirements::splits;
use crate::tolerance::SAME_COST;
use crate::{Error, Method, Movement, Task};

/// How often a proposal is repaired before what is not safe then is left to the verdict.
const REPAIRS: usize = 8;

/// What hidden cells cost, as a share of their weight, for a primary on which the audit came to
/// no verdict. There may be a movement of hidden cells only, of too many to be seen: one of few
/// is looked for, first with hardly a price for hidden cells, at last as if nothing were hidden.
const PRICES_IF_UNDECIDED: [f64; 3] = [0.01, 0.1, 1.0];

/// A protected table.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The hidden cells, primaries included.
    pub pattern: Pattern,
    /// What the secondaries cost.
    pub cost: f64,
    /// How many secondaries there are.
    pub secondaries: usize,
    /// No safe pattern costs less.
    pub lower_bound: f64,
    /// How many secondaries had to be added to the method's proposal to make it safe.
    pub repaired: usize,
    /// Solver iterations of the method.
    pub iterations: u64,
    /// The verdicts on this pattern.
    pub audit: Audit,
    /// Why the method stopped early, if it did.
    pub stopped: Option<Stop>,
}

impl Outcome {
    /// The share by which the cost may be above the optimum.
    pub fn gap(&self) -> f64 {
        let open = self.cost - self.lower_bound;
        if open > SAME_COST * self.cost { open / self.cost } else { 0.0 }
    }

    /// The primaries that are not proven safe; of those nothing can protect, hiding every
    /// cell did not either.
    pub fn unsafe_primaries(&self) -> impl Iterator<Item = &Finding> {
        self.audit.primaries.iter().filter(|finding| finding.verdict != Verdict::Safe)
    }
}

/// Protects a table with a method: what it proposes is audited, and repaired until the
/// audit accepts it or nothing more can be hidden.
///
/// The method works within `budget`; audit and repair have no deadline, because without them the
/// method's work is worth nothing. Who has no time for that uses [`protect_within`].
///
/// # Errors
/// If the table is faulty, the method cannot treat it, or a solver fails.
pub fn protect(
    method: &dyn Method,
    problem: &Problem,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Outcome, Error> {
    protect_task(method, &Task::new(problem, budget, progress))
}

/// As [`protect`], with checkpoints.
///
/// # Errors
/// As [`protect`].
pub fn protect_task(method: &dyn Method, task: &Task) -> Result<Outcome, Error> {
    let Task { budget, .. } = *task;
    let audit_budget = Budget::default().with_threads(budget.threads()).with_seed(budget.seed());
    protect_within(method, task, &audit_budget)
}

/// As [`protect_task`], with a budget for the audits and repairs that follow the method. When it
/// ends, primaries that are not settled are undecided: the pattern is then not proven safe.
///
/// # Errors
/// As [`protect`].
pub fn protect_within(
    method: &dyn Method,
    task: &Task,
    audit_budget: &Budget,
) -> Result<Outcome, Error> {
    let Task { problem, budget, progress, .. } = *task;
    let faults: Vec<Fault> =
        problem.faults().into_iter().filter(|fault| !fault.is_warning()).collect();
    if !faults.is_empty() {
        return Err(Error::Faulty(faults));
    }
    let proposal = method.suppress(task)?;
    let stopped = budget.stop();
    let mut pattern = proposal.pattern;
    let proposed = pattern.len();
    let is_stopped = || audit_budget.stop().is_some();
    let mut checked = audit_for_repair(problem, &pattern, Vec::new(), audit_budget, progress)?;
    let (mut round, mut is_fresh) = (0, true);
    loop {
        // What is undecided because the time is over is no reason to hide more.
        while !checked.is_safe()
            && !is_stopped()
            && repair(problem, &mut pattern, &checked, round, audit_budget)?
        {
            (round, is_fresh) = (round + 1, false);
            let known = checked.certificates;
            checked = audit_for_repair(problem, &pattern, known, audit_budget, progress)?;
        }
        if is_fresh || !checked.is_safe() {
            break;
        }
        // Whoever audits this pattern knows none of the movements found in smaller ones.
        checked = audit_for_repair(problem, &pattern, Vec::new(), audit_budget, progress)?;
        is_fresh = true;
    }
    if checked.counts().undecided > 0 && !is_stopped() {
        checked = audit(problem, &pattern, audit_budget, progress)?;
    }
    Ok(Outcome {
        cost: pattern.cost(problem),
        secondaries: pattern.secondaries(problem).count(),
        lower_bound: proposal.lower_bound.min(pattern.cost(problem)),
        repaired: pattern.len() - proposed,
        iterations: proposal.iterations,
        audit: checked,
        stopped,
        pattern,
    })
}

/// Hides more cells for the primaries that are not safe, asking for a little more than
/// they need in every further round. Says whether it hid any.
fn repair(
    problem: &Problem,
    pattern: &mut Pattern,
    audit: &Audit,
    round: usize,
    budget: &Budget,
) -> Result<bool, Error> {
    let before = pattern.len();
    let mut mover = mover(problem, budget)?;
    let exposed = audit.primaries.iter().filter(|finding| finding.verdict != Verdict::Safe);
    for finding in exposed.take_while(|_| round < REPAIRS && budget.stop().is_none()) {
        let shares = match finding.verdict {
            Verdict::Undecided => &PRICES_IF_UNDECIDED[round.min(PRICES_IF_UNDECIDED.len() - 1)..],
            _ => &[0.0],
        };
        for &share in shares {
            let movements = movements(problem, pattern, finding, round, share, mover.as_mut())?;
            let before = pattern.len();
            let moved = movements.iter().flat_map(Movement::cells);
            moved.for_each(|cell| pattern.suppress(cell));
            if pattern.len() > before {
                break;
            }
        }
    }
    Ok(pattern.len() > before)
}

/// The cheapest movements for a primary that is not safe, where hidden cells cost a share of
/// their weight.
fn movements(
    problem: &Problem,
    pattern: &Pattern,
    finding: &Finding,
    round: usize,
    share: f64,
    mover: &mut dyn Mover,
) -> Result<Vec<Movement>, Error> {
    let is_open = |requirement: &Requirement| match requirement.direction {
        Direction::Down => finding.down.at_least < requirement.distance,
        Direction::Up => finding.up.at_least < requirement.distance,
    };
    let cost = |cell: CellId| match pattern.is_suppressed(cell) {
        true => share * problem.weight(cell),
        false => problem.weight(cell).max(f64::MIN_POSITIVE),
    };
    // A sliding level may be out of reach one way and not another: what the first split
    // reaches is hidden only if no other reaches all.
    let mut first = None;
    for split in splits(problem, finding.cell) {
        let requirements =
            split.filter(is_open).map(|requirement| more(problem, requirement, round));
        let moved: Vec<Option<Movement>> = requirements
            .map(|requirement| mover.cheapest(&requirement, &cost))
            .collect::<Result<_, _>>()?;
        if moved.iter().all(Option::is_some) {
            first = Some(moved);
            break;
        }
        first = first.or(Some(moved));
    }
    Ok(first.into_iter().flatten().flatten().collect())
}

/// A requirement as it is in round 0; later a little larger, first by a unit, then by more, as far
/// as the cell has room: a movement that falls short by the solver's rounding then no longer
/// does.
fn more(problem: &Problem, requirement: Requirement, round: usize) -> Requirement {
    let room = match requirement.direction {
        Direction::Up => problem.room_up(requirement.cell),
        Direction::Down => problem.room_down(requirement.cell),
    };
    let wanted = requirement.distance.saturating_add(match round {
        0 => 0,
        _ => 1 + requirement.distance / 1_000 * (round as i64 - 1),
    });
    Requirement { distance: wanted.min(room.max(requirement.distance)), ..requirement }
}

#[cfg(test)]
mod tests {
    use quell_gen::{DimensionSize, Ons};
    use quell_model::Silent;

    use super::*;

    /// A safe primary of a table with many hidden cells, as if the audit had been unable to
    /// tell: what is hidden would do, but is not relied upon, and the other end is let be.
    #[test]
    fn the_undecided_get_a_movement_of_few_cells_at_the_open_end() {
        let dimensions = [7, 6, 5].map(DimensionSize::flat).to_vec();
        let table = Ons { dimensions, ..Ons::default() };
        let mut hidden_more = 0;
        for seed in 0..6 {
            let problem = table.generate(seed).expect("a table");
            let mut pattern = Pattern::of_primaries(&problem);
            problem.system().cells().skip(1).step_by(3).for_each(|cell| pattern.suppress(cell));
            let budget = Budget::default();
            let checked = audit(&problem, &pattern, &budget, &Silent).expect("audited");
            let safe = checked.primaries.iter().filter(|one| one.verdict == Verdict::Safe);
            for finding in safe.take(5) {
                let repaired = |verdict: Verdict, up: i64| {
                    let mut more = pattern.clone();
                    let mut doubted = Finding { verdict, ..*finding };
                    doubted.up.at_least = up;
                    let primaries = vec![doubted];
                    let audit = Audit { primaries, certificates: Vec::new(), stopped: None };
                    repair(&problem, &mut more, &audit, 0, &budget).expect("repaired");
                    more
                };
                // What is exposed is protected by hidden cells, if that is possible: it is.
                assert_eq!(repaired(Verdict::ExposedWithin, 0).len(), pattern.len(), "{seed}");
                let proven = repaired(Verdict::Undecided, finding.up.required);
                assert_eq!(proven.len(), pattern.len(), "{seed}");
                hidden_more += repaired(Verdict::Undecided, 0).len() - pattern.len();
            }
        }
        assert!(hidden_more > 0);
    }
}
