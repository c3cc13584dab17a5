//! From a method's proposal to a pattern that the audit accepts.

use std::time::Duration;

use quell_attack::{
    Audit, ContributorAttack, Finding, SafePairs, SensitiveSum, TableVerdict, Verdict, audit,
    audit_for_repair, contributor_attack, contributor_attack_again, extended_pattern, quick_audit,
    with_sums,
};
use quell_model::{
    Budget, CellId, Certificate, Direction, Fault, Knowing, Pattern, Problem, Progress,
    Requirement, Stop,
};

use crate::rounds::{in_rounds, is_small};
use crate::search::company::hide_company;
use crate::search::exchange::with_exchanges;
use crate::search::mover::{Mover, mover};
use crate::search::requirements::{of_primary, splits};
use crate::tolerance::SAME_COST;
use crate::{Error, Method, Movement, Proposal, Task};

/// How often a proposal is repaired before what is not safe then is left to the verdict.
const REPAIRS: usize = 8;

/// About how long the repair of one primary takes.
const REPAIR_OF_ONE: Duration = Duration::from_millis(30);

/// The share of the time left that repairs may take; what is hidden must be audited in the rest.
const REPAIR_SHARE: f64 = 0.3;

/// In a hurry every round of company asks for twice as much as the last, so often at most.
const MOST_DOUBLINGS: u32 = 5;

/// The share of the time left that one look at what is open may take then.
const LOOK_SHARE: f64 = 0.25;

/// How often more cells are hidden for contributors and sums: every round may make new sums.
const INSIDER_REPAIRS: usize = 20;

/// What hidden cells cost, as a share of their weight, for a primary on which the audit came to
/// no verdict. There may be a movement of hidden cells only, of too many to be seen: one of few
/// is looked for, first with hardly a price for hidden cells, at last as if nothing were hidden.
const PRICES_IF_UNDECIDED: [f64; 3] = [0.01, 0.1, 1.0];

/// What the audit of a pattern that is safe takes at most, with some to spare: so much and so much for
/// every cell. Most take a tenth of it.
const AUDIT_OF_ANY: Duration = Duration::from_secs(1);
const AUDIT_OF_CELL: Duration = Duration::from_millis(2);

/// How long the audit of a table may take, repairs of a few primaries among it. For a large table, or
/// where contributors attack, this is no good guess, but more than a search would leave it.
pub fn time_for_audit(problem: &Problem) -> Duration {
    match problem.contributions() {
        Some(_) => Duration::MAX,
        None => {
            let cells = u32::try_from(problem.cell_count()).unwrap_or(u32::MAX);
            AUDIT_OF_ANY + AUDIT_OF_CELL * cells
        }
    }
}

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
    /// The outsider's verdicts on this pattern.
    pub audit: Audit,
    /// What contributors learn beyond him, if they are attackers of the problem.
    pub contributors: ContributorAttack,
    /// Why the method stopped early, if it did.
    pub stopped: Option<Stop>,
}

impl Outcome {
    /// The share by which the cost may be above the optimum.
    pub fn gap(&self) -> f64 {
        let open = self.cost - self.lower_bound;
        if open > SAME_COST * self.cost { open / self.cost } else { 0.0 }
    }

    /// Whether every primary is proven safe from every attacker of the problem.
    pub fn is_safe(&self) -> bool {
        self.audit.is_safe() && self.contributors.is_safe()
    }

    /// The verdict on the table, in the eyes of every attacker.
    pub fn verdict(&self) -> TableVerdict {
        TableVerdict::of(self.contributors.counts_with(self.audit.counts()))
    }

    /// The primaries that are not proven safe from the outsider; of those nothing can protect, hiding every
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
    let problem = task.problem;
    let faults: Vec<Fault> =
        problem.faults().into_iter().filter(|fault| !fault.is_warning()).collect();
    if !faults.is_empty() {
        return Err(Error::Faulty(faults));
    }
    let goes_on = task.checkpoints.are_kept();
    match problem.contributions().is_some() && is_small(problem) && !goes_on {
        true => in_rounds(method, task, audit_budget),
        false => {
            repaired(Proposed::by(method, task, problem)?, problem, audit_budget, task.progress)
        }
    }
}

/// What a method proposes.
pub(crate) struct Proposed {
    /// The pattern, of the cells of the problem.
    pub(crate) pattern: Pattern,
    /// No safe pattern costs less.
    pub(crate) lower_bound: f64,
    /// Solver iterations of the method.
    pub(crate) iterations: u64,
    /// Why the method stopped early, if it did.
    pub(crate) stopped: Option<Stop>,
}

impl Proposed {
    /// Has a task carried out, which may have virtual cells behind those of the problem.
    pub(crate) fn by(method: &dyn Method, task: &Task, problem: &Problem) -> Result<Self, Error> {
        let Proposal { pattern: proposed, lower_bound, iterations } = method.suppress(task)?;
        let mut pattern = Pattern::none(problem);
        let own = proposed.suppressed().filter(|cell| cell.index() < problem.cell_count());
        own.for_each(|cell| pattern.suppress(cell));
        Ok(Self { pattern, lower_bound, iterations, stopped: task.budget.stop() })
    }
}

/// A proposal, audited and repaired for all attackers of the problem.
pub(crate) fn repaired(
    proposal: Proposed,
    problem: &Problem,
    audit_budget: &Budget,
    progress: &dyn Progress,
) -> Result<Outcome, Error> {
    let (mut pattern, stopped) = (proposal.pattern, proposal.stopped);
    let proposed = pattern.len();
    let is_stopped = || audit_budget.stop().is_some();
    let (known, is_hurried) = match stopped {
        Some(_) => in_a_hurry(problem, &mut pattern, audit_budget, progress)?,
        None => (Vec::new(), false),
    };
    let mut checked = audit_for_repair(problem, &pattern, known, audit_budget, progress)?;
    if is_hurried && checked.is_safe() {
        let less = without_unused(problem, &pattern, &checked);
        let anew = audit_for_repair(problem, &less, Vec::new(), audit_budget, progress)?;
        if anew.is_safe() {
            (pattern, checked) = (less, anew);
        }
    }
    let (mut round, mut insider_round, mut is_fresh) = (0, 0, true);
    let (mut contributors, mut known_pairs) = (ContributorAttack::default(), SafePairs::default());
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
        // What nothing protects from the outsider leaves the others to be protected from everybody.
        if !checked.is_safe() && is_stopped() {
            break;
        }
        if !is_fresh {
            // Whoever audits this pattern knows none of the movements found in smaller ones.
            let anew = audit_for_repair(problem, &pattern, Vec::new(), audit_budget, progress)?;
            // What is proven stays proven when there is no time to do it again.
            if anew.is_safe() || !is_stopped() {
                checked = anew;
            }
            is_fresh = true;
            continue;
        }
        let known = &mut known_pairs;
        contributors =
            contributor_attack_again(problem, &pattern, &checked, known, audit_budget, progress)?;
        let more = !contributors.is_safe()
            && !is_stopped()
            && repair_for(problem, &mut pattern, &contributors, insider_round, audit_budget)?;
        if !more {
            break;
        }
        (insider_round, is_fresh) = (insider_round + 1, false);
        let known = checked.certificates;
        checked = audit_for_repair(problem, &pattern, known, audit_budget, progress)?;
    }
    if checked.counts().undecided > 0 && !is_stopped() {
        checked = audit(problem, &pattern, audit_budget, progress)?;
        contributors = contributor_attack(problem, &pattern, &checked, audit_budget, progress)?;
    }
    Ok(Outcome {
        cost: pattern.cost(problem),
        secondaries: pattern.secondaries(problem).count(),
        lower_bound: proposal.lower_bound.min(pattern.cost(problem)),
        repaired: pattern.len().saturating_sub(proposed),
        iterations: proposal.iterations,
        audit: checked,
        contributors,
        stopped,
        pattern,
    })
}

/// Where a method's time ended long before its work, and linear programs for all that is open would
/// take more than is left: hides more, and more again where that leaves too much open. Gives the
/// movements found on the way, and whether anything was hidden.
fn in_a_hurry(
    problem: &Problem,
    pattern: &mut Pattern,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<(Vec<Certificate>, bool), Error> {
    let (before, mut known, mut hurry) = (pattern.len(), Vec::new(), Hurry::default());
    while let Some(left) = budget.time_left() {
        let look = budget.keeping_back(left.mul_f64(1.0 - LOOK_SHARE), 0);
        let looked = quick_audit(problem, pattern, known, &look, progress)?;
        let open = looked.primaries.iter().filter(|one| one.verdict != Verdict::Safe);
        let open: Vec<CellId> = open.map(|finding| finding.cell).collect();
        known = looked.certificates;
        let programs = REPAIR_OF_ONE.saturating_mul(open.len().try_into().unwrap_or(u32::MAX));
        let left = budget.time_left().unwrap_or_default();
        let is_quick = programs < left.mul_f64(REPAIR_SHARE);
        if budget.stop().is_some() || is_quick || !hurry.hide_more(problem, pattern, &open) {
            break;
        }
    }
    Ok((known, pattern.len() > before))
}

/// What has been tried in a hurry.
#[derive(Debug, Default)]
struct Hurry {
    rounds: u32,
    /// How many primaries were open before the last round of company.
    open_before: Option<usize>,
}

impl Hurry {
    /// Hides more for primaries that are open. First cells by which base cells can trade, which is
    /// soon done and soon proven; then company for every one of them, for twice as much each time,
    /// as long as a round settles half of them; at last everything. Says whether it hid any.
    fn hide_more(&mut self, problem: &Problem, pattern: &mut Pattern, open: &[CellId]) -> bool {
        let before = pattern.len();
        let exchanges = if self.rounds == 0 { with_exchanges(problem) } else { None };
        let is_settling = self.open_before.is_none_or(|before| 2 * open.len() <= before);
        if let Some(exchanges) = exchanges {
            exchanges.suppressed().for_each(|cell| pattern.suppress(cell));
        } else if is_settling {
            let wanted = open.iter().map(|&cell| {
                let levels = problem.protection(cell);
                let most = levels.lower.max(levels.upper).max(levels.sliding).max(1);
                (cell, most.saturating_mul(1 << self.rounds.min(MOST_DOUBLINGS)))
            });
            hide_company(problem, pattern, wanted);
            self.open_before = Some(open.len());
        }
        if pattern.len() == before {
            let everything = Pattern::of_everything(problem);
            everything.suppressed().for_each(|cell| pattern.suppress(cell));
        }
        self.rounds += 1;
        pattern.len() > before
    }
}

/// The pattern without the secondaries that no proof of an audit moves.
fn without_unused(problem: &Problem, pattern: &Pattern, audit: &Audit) -> Pattern {
    let mut used = Pattern::of_primaries(problem);
    let moved = audit.certificates.iter().flat_map(|one| &one.movement).map(|&(cell, _)| cell);
    moved.filter(|&cell| pattern.is_suppressed(cell)).for_each(|cell| used.suppress(cell));
    used
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
            let wanted = Wanted { finding, knowing: Knowing::Nothing, round, share };
            let movements = movements(problem, pattern, &wanted, mover.as_mut())?;
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

/// Hides more cells for the primaries and sums that are not safe from contributors. Says whether it
/// hid any.
fn repair_for(
    problem: &Problem,
    pattern: &mut Pattern,
    attack: &ContributorAttack,
    round: usize,
    budget: &Budget,
) -> Result<bool, Error> {
    let before = pattern.len();
    if round >= INSIDER_REPAIRS {
        return Ok(false);
    }
    let share = PRICES_IF_UNDECIDED[round.min(PRICES_IF_UNDECIDED.len() - 1)];
    let mut mover_of_table = mover(problem, budget)?;
    for pair in &attack.unsafe_pairs {
        if budget.stop().is_some() {
            break;
        }
        let (finding, knowing) = (&pair.finding, Knowing::Contributor(pair.attacker));
        let share = if finding.verdict == Verdict::Undecided { share } else { 0.0 };
        let wanted = Wanted { finding, knowing, round, share };
        let movements = movements(problem, pattern, &wanted, mover_of_table.as_mut())?;
        movements.iter().flat_map(Movement::cells).for_each(|cell| pattern.suppress(cell));
    }
    let sums: Vec<SensitiveSum> = attack.unsafe_sums.iter().map(|one| one.sum.clone()).collect();
    if !sums.is_empty() {
        protect_sums(problem, pattern, &sums, round, budget)?;
    }
    Ok(pattern.len() > before)
}

/// Hides more cells, so that sums of hidden ones can move as far as they should.
fn protect_sums(
    problem: &Problem,
    pattern: &mut Pattern,
    sums: &[SensitiveSum],
    round: usize,
    budget: &Budget,
) -> Result<(), Error> {
    let extended = with_sums(problem, sums);
    let mut hidden = extended_pattern(&extended, pattern);
    let mut mover = mover(&extended, budget)?;
    for virtual_cell in extended.system().cells().skip(problem.cell_count()) {
        for requirement in of_primary(&extended, virtual_cell) {
            if budget.stop().is_some() {
                return Ok(());
            }
            let requirement = more(&extended, requirement, round);
            let cost = |cell: CellId| match hidden.is_suppressed(cell) {
                true => 0.0,
                false => extended.weight(cell).max(f64::MIN_POSITIVE),
            };
            if let Some(movement) = mover.cheapest(&requirement, &cost)? {
                movement.cells().for_each(|cell| hidden.suppress(cell));
            }
        }
    }
    let own = hidden.suppressed().filter(|cell| cell.index() < problem.cell_count());
    own.for_each(|cell| pattern.suppress(cell));
    Ok(())
}

/// What the repair of one primary asks for.
struct Wanted<'a> {
    finding: &'a Finding,
    /// In whose eyes.
    knowing: Knowing,
    round: usize,
    /// What hidden cells cost, as a share of their weight.
    share: f64,
}

/// The cheapest movements for a primary that is not safe.
fn movements(
    problem: &Problem,
    pattern: &Pattern,
    wanted: &Wanted,
    mover: &mut dyn Mover,
) -> Result<Vec<Movement>, Error> {
    let Wanted { finding, knowing, round, share } = *wanted;
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
        let seen = |requirement: Requirement| problem.in_eyes_of(requirement, knowing);
        let open = split.filter_map(seen).filter(is_open);
        let requirements = open.filter_map(|one| seen(more(problem, one, round)));
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
    use quell_gen::{DimensionSize, Ons, Shape, random_problem_of};
    use quell_model::{Random, Silent};

    use super::*;

    /// Rung by rung: in the end whatever can be safe is, and what no proof uses is not needed.
    #[test]
    fn in_a_hurry_all_that_can_be_protected_is_in_the_end() {
        let budget = Budget::default();
        let (mut rungs, mut published, mut tried) = (0, 0, 0);
        for (number, shape) in Shape::ALL.into_iter().enumerate() {
            for seed in 0..40 {
                let mut random = Random::new(seed, 1_500 + number as u64);
                let problem = random_problem_of(shape, &mut random, 60);
                let look = |pattern: &Pattern| {
                    audit(&problem, pattern, &budget, &Silent).expect("audited")
                };
                let open = |audit: &Audit| -> Vec<CellId> {
                    let open = audit.primaries.iter().filter(|one| one.verdict != Verdict::Safe);
                    open.map(|finding| finding.cell).collect()
                };
                let hopeless = open(&look(&Pattern::of_everything(&problem)));
                let mut pattern = Pattern::of_primaries(&problem);
                let mut hurry = Hurry::default();
                let mut checked = look(&pattern);
                while open(&checked) != hopeless {
                    let more = hurry.hide_more(&problem, &mut pattern, &open(&checked));
                    assert!(more, "{shape:?}, seed {seed}: nothing more is hidden");
                    checked = look(&pattern);
                    rungs += 1;
                }
                if checked.is_safe() {
                    let less = without_unused(&problem, &pattern, &checked);
                    assert!(look(&less).is_safe(), "{shape:?}, seed {seed}: all were needed");
                    published += pattern.len() - less.len();
                    tried += 1;
                }
            }
        }
        assert!(tried > 60 && rungs > tried / 2, "{tried} tables, {rungs} rungs");
        assert!(published > 0, "no cell was superfluous");
    }

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
