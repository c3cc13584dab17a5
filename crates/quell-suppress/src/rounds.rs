//! Protection from contributors in rounds: who makes a difference is found out.
//!
//! There may be thousands of contributors, and few of them see more than the outsider. So a small
//! table is protected from the outsider first. The auditor then says which contributors might see
//! through what the method proposes, and of which primaries; that they must not becomes a
//! requirement for each of them, and the method goes on from where it was, until nobody is left.
//! What the sums of primaries need is known from the beginning: each is a virtual cell.
//!
//! All that is asked in this way is asked of every safe pattern, so that the bounds of all rounds
//! hold. What the last round proposes is repaired for everybody, and what nobody needs is published
//! again.

use std::sync::Mutex;
use std::time::Duration;

use quell_attack::{audit_for_repair, contributor_suspects, sensitive_sums, with_sums};
use quell_model::{Budget, CellId, ContributorId, Pattern, Problem, Progress};

use crate::repair::{Outcome, Proposed, repaired};
use crate::search::network::TableNetwork;
use crate::spare::publish_spare;
use crate::{Checkpoint, Checkpoints, Error, Method, Task};

/// Tables with more cells take too long.
const MOST_CELLS: usize = 3_000;

/// Rounds at most. What is open then is left to the repair.
const ROUNDS: u32 = 8;

/// The share of the budget that a round may take, but for the last one.
const SLICE: f64 = 1.0 / 16.0;

/// So many rounds may be cut short, each of twice the length of the one before, until the last comes
/// with all that is left.
const CUT_SHORT: u32 = 3;

/// A larger table that is a network stays one: its sums are left to the repair.
const FLOW_CELLS: usize = 400;

/// Whether a table is small enough.
pub(crate) fn is_small(problem: &Problem) -> bool {
    problem.cell_count() <= MOST_CELLS
}

/// Protects a table from all its attackers, round by round.
pub(crate) fn in_rounds(
    method: &dyn Method,
    task: &Task,
    audit_budget: &Budget,
) -> Result<Outcome, Error> {
    let Task { problem, budget, progress, .. } = *task;
    let slices = Slices::of(budget);
    let mut insiders: Vec<(CellId, ContributorId)> = Vec::new();
    let mut state = State::default();
    let (mut lower_bound, mut cut_short): (f64, u32) = (0.0, 0);
    let mut is_last = !method.heeds_insiders();
    let mut round = 0;
    loop {
        round += 1;
        is_last |= round == ROUNDS || cut_short == CUT_SHORT;
        let own = if is_last { budget.clone() } else { slices.take(budget, cut_short) };
        let seen = as_asked(problem, method.heeds_insiders(), insiders.clone());
        let is_draft = round == 1 && !is_last && method.makes_drafts();
        let task = Task { problem: &seen, budget: &own, progress, checkpoints: &state, is_draft };
        let mut proposed = Proposed::by(method, &task, problem)?;
        lower_bound = lower_bound.max(proposed.lower_bound);
        proposed.lower_bound = lower_bound;
        cut_short += u32::from(proposed.stopped.is_some());
        let to_look = slices.take(audit_budget, cut_short);
        let mut new = match is_last || budget.stop().is_some() {
            true => Vec::new(),
            false => suspects(problem, &proposed.pattern, &to_look, progress)?,
        };
        new.retain(|pair| insiders.binary_search(pair).is_err());
        let is_complete = new.is_empty() && proposed.stopped.is_none() && !is_draft;
        if is_last || is_complete || budget.stop().is_some() {
            let outcome = repaired(proposed, problem, audit_budget, progress)?;
            return publish_spare(problem, outcome, audit_budget);
        }
        // What is left of the budget goes into the search that lacks nothing but time.
        is_last = new.is_empty() && !is_draft;
        insiders.append(&mut new);
        insiders.sort_unstable();
        state = state.next();
    }
}

/// Who might see through what a method proposes.
fn suspects(
    problem: &Problem,
    pattern: &Pattern,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Vec<(CellId, ContributorId)>, Error> {
    let audit = audit_for_repair(problem, pattern, Vec::new(), budget, progress)?;
    Ok(contributor_suspects(problem, pattern, &audit, budget, progress)?)
}

/// What a round may take that only finds out who makes a difference.
struct Slices {
    time: Option<Duration>,
    work: Option<u64>,
}

impl Slices {
    fn of(budget: &Budget) -> Self {
        Self {
            time: budget.time_left().map(|time| time.mul_f64(SLICE)),
            work: budget.work_left().map(|work| (work as f64 * SLICE) as u64),
        }
    }

    /// A budget for a slice, twice as large for each that was too small.
    fn take(&self, budget: &Budget, doublings: u32) -> Budget {
        let (time_left, work_left) = (budget.time_left(), budget.work_left());
        let time =
            time_left.zip(self.time).map(|(left, own)| left.saturating_sub(own * (1 << doublings)));
        let work =
            work_left.zip(self.work).map(|(left, own)| left.saturating_sub(own << doublings));
        budget.keeping_back(time.unwrap_or_default(), work.unwrap_or_default())
    }
}

/// The problem as a method is to see it: with these contributors only, and with the sums of its
/// primaries.
fn as_asked(problem: &Problem, is_heeded: bool, insiders: Vec<(CellId, ContributorId)>) -> Problem {
    let plain = || problem.clone().with_insiders(Vec::new());
    let Some(contributions) = problem.contributions().filter(|_| is_heeded) else { return plain() };
    let sums = sensitive_sums(problem, &Pattern::of_primaries(problem));
    let is_flow = || problem.cell_count() > FLOW_CELLS && TableNetwork::of(problem).is_some();
    if sums.is_empty() || is_flow() {
        return problem.clone().with_insiders(insiders);
    }
    let extended = with_sums(problem, &sums);
    let contributions = contributions.with_more_cells(extended.cell_count());
    extended.with_contributions(contributions).with_insiders(insiders)
}

/// Where a round begins, and what it leaves to the next one.
#[derive(Default)]
struct State {
    begin: Option<Checkpoint>,
    left: Mutex<Option<Checkpoint>>,
}

impl State {
    fn next(self) -> Self {
        let left = self.left.into_inner().unwrap_or_default();
        Self { begin: left.or(self.begin), left: Mutex::default() }
    }
}

impl Checkpoints for State {
    fn last(&self) -> Option<&Checkpoint> {
        self.begin.as_ref()
    }

    fn are_kept(&self) -> bool {
        false
    }

    fn is_due(&self) -> bool {
        false
    }

    fn save(&self, checkpoint: &dyn Fn() -> Checkpoint) {
        if let Ok(mut left) = self.left.lock() {
            *left = Some(checkpoint());
        }
    }
}
