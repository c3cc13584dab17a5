//! Sums of hidden cells, which equations publish.
//!
//! The equation 100 = 60 + 25 + × + × tells everybody that the two hidden cells together are 15.
//! That is as good as a published cell of the contributors of both. If it would be sensitive as a
//! cell of the table (too few contributors, or one that dominates), it must not be known; and the
//! same holds for the primaries of an equation taken together, where secondaries are hidden beside
//! them: their sum must be as uncertain as it would have to be if it were a cell. G-Confid
//! calls such sums sensitive aggregates, τ-ARGUS knows the case of two singletons in a row.
//!
//! Each such sum becomes a *virtual* cell with an equation of its own that ties it to the cells it
//! is the sum of ([`with_sums`]). It is a primary like any other then: methods protect it, and
//! the auditor proves or refutes that it is safe.

use quell_model::{
    Budget, Cell, CellId, Contributions, EquationId, Pattern, Problem, Progress, Protection,
    Reason, Status, SystemBuilder, UNBOUNDED_ABOVE, UNBOUNDED_BELOW, Value,
};
use rustc_hash::FxHashSet;

use crate::audit::{AuditError, Finding, Verdict, audit};

/// A sum of hidden cells that would be sensitive as a cell of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SensitiveSum {
    /// The equation whose cells they are; another may have the same.
    pub equation: EquationId,
    /// The cells, rising.
    pub cells: Vec<CellId>,
    /// Their sum.
    pub value: Value,
    /// The protection it needs.
    pub protection: Protection,
    /// Whether the equation publishes it: no other of its cells is hidden.
    pub is_published: bool,
}

/// A sensitive sum that is not proven safe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SumFinding {
    /// The sum.
    pub sum: SensitiveSum,
    /// The verdict on it.
    pub verdict: Verdict,
}

/// The sensitive sums under a pattern, by equation: what all hidden cells of an equation add up
/// to, and the primaries on either side of it where other cells are hidden beside them. None
/// without a rule for sums.
pub fn sensitive_sums(problem: &Problem, pattern: &Pattern) -> Vec<SensitiveSum> {
    let Some(contributions) = problem.contributions() else { return Vec::new() };
    let mut seen: FxHashSet<Vec<CellId>> = FxHashSet::default();
    let mut found = Vec::new();
    for equation in problem.system().equations() {
        for (cells, is_published) in sums(problem, equation, pattern) {
            // A single cell is judged as a cell.
            if cells.len() < 2 || seen.contains(&cells) {
                continue;
            }
            if let Some((value, protection)) = sensitivity(problem, contributions, &cells) {
                seen.insert(cells.clone());
                found.push(SensitiveSum { equation, cells, value, protection, is_published });
            }
        }
    }
    found
}

/// The sums of hidden cells of an equation that have a secret, each with whether the equation
/// publishes it: all hidden cells if they stand on one side, and the primaries of each side.
fn sums(problem: &Problem, equation: EquationId, pattern: &Pattern) -> Vec<(Vec<CellId>, bool)> {
    let cells = problem.system().cells_of(equation);
    let hidden: Vec<(CellId, i32)> = cells.filter(|cell| pattern.is_suppressed(cell.0)).collect();
    let on_side = |sign: i32| hidden.iter().filter(move |cell| cell.1.signum() == sign);
    let is_primary = |cell: &CellId| problem.status(*cell).is_primary();
    let mut sums = Vec::new();
    for sign in [1, -1] {
        // Other coefficients make no sum of a table.
        if on_side(sign).any(|cell| cell.1.abs() != 1) {
            continue;
        }
        let mut all: Vec<CellId> = on_side(sign).map(|cell| cell.0).collect();
        all.sort_unstable();
        let primaries: Vec<CellId> = all.iter().copied().filter(is_primary).collect();
        // A sum without a primary has no secret.
        if primaries.is_empty() {
            continue;
        }
        let is_published = all.len() == hidden.len();
        let others = primaries.len() < hidden.len();
        sums.extend(is_published.then_some((all, true)));
        sums.extend(others.then_some((primaries, false)));
    }
    sums
}

/// The value of a sum and the protection it needs, if it is sensitive.
fn sensitivity(
    problem: &Problem,
    contributions: &Contributions,
    cells: &[CellId],
) -> Option<(Value, Protection)> {
    let rule = contributions.rule()?;
    let value = cells.iter().fold(0, |sum: Value, &cell| sum.saturating_add(problem.value(cell)));
    let mut protection = rule.protection(&contributions.of_sum(cells, value))?;
    // Below its least possible value no sum can be made to look.
    let room = |room: Value, cell: CellId| room.saturating_add(problem.room_down(cell));
    protection.lower = protection.lower.min(cells.iter().fold(0, |sum, &cell| room(sum, cell)));
    Some((value, protection))
}

/// The problem with a virtual cell for each sum, behind its own cells: always hidden and of no
/// weight. Cells have no names there, and the outsider is its only attacker.
pub fn with_sums(problem: &Problem, sums: &[SensitiveSum]) -> Problem {
    let (system, first) = (problem.system(), problem.cell_count());
    let mut builder = SystemBuilder::new(first + sums.len());
    for equation in system.equations() {
        builder.equation(system.cells_of(equation), system.right_hand_side(equation));
    }
    let virtual_cell = |position: usize| CellId::from_index(first + position);
    for (position, sum) in sums.iter().enumerate() {
        let parts = sum.cells.iter().map(|&cell| (cell, 1));
        builder.equation(parts.chain([(virtual_cell(position), -1)]), 0);
    }
    let own = system.cells().map(|cell| problem.cell(cell));
    let bound = |sum: &SensitiveSum, unbounded: Value, of: &dyn Fn(CellId) -> Value| {
        let bounds = sum.cells.iter().map(|&cell| of(cell));
        bounds.fold(0, |all: Value, bound| match all == unbounded || bound == unbounded {
            true => unbounded,
            false => all.saturating_add(bound),
        })
    };
    let virtual_cells = sums.iter().map(|sum| Cell {
        value: sum.value,
        weight: 0.0,
        status: Status::Primary(Reason::Dominance),
        lower_bound: bound(sum, UNBOUNDED_BELOW, &|cell| problem.lower_bound(cell)),
        upper_bound: bound(sum, UNBOUNDED_ABOVE, &|cell| problem.upper_bound(cell)),
        protection: sum.protection,
    });
    Problem::new(builder.build(), problem.decimals(), own.chain(virtual_cells))
}

/// The sums that are not proven safe.
pub(crate) fn sum_attack(
    problem: &Problem,
    pattern: &Pattern,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Vec<SumFinding>, AuditError> {
    let (published, others): (Vec<SensitiveSum>, Vec<SensitiveSum>) =
        sensitive_sums(problem, pattern).into_iter().partition(|sum| sum.is_published);
    let exposed = |sum| SumFinding { sum, verdict: Verdict::ExposedExactly };
    let mut found: Vec<SumFinding> = published.into_iter().map(exposed).collect();
    if !others.is_empty() {
        let first = CellId::from_index(problem.cell_count());
        let findings = audit_sums(problem, pattern, &others, budget, progress)?;
        let sums = others.into_iter().zip(findings.into_iter().filter(|one| one.cell >= first));
        let sums = sums.filter(|(_, finding)| finding.verdict != Verdict::Safe);
        found.extend(sums.map(|(sum, finding)| SumFinding { sum, verdict: finding.verdict }));
    }
    found.sort_by(|a, b| a.sum.equation.cmp(&b.sum.equation).then(a.sum.cells.cmp(&b.sum.cells)));
    Ok(found)
}

/// What the outsider can learn of the sums: only they are primaries here.
fn audit_sums(
    problem: &Problem,
    pattern: &Pattern,
    sums: &[SensitiveSum],
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<Vec<Finding>, AuditError> {
    let extended = with_sums(problem, sums);
    let (mut statuses, mut hidden) =
        (pattern.statuses(problem), extended_pattern(&extended, pattern));
    for status in &mut statuses {
        if status.is_primary() {
            *status = Status::Secondary;
        }
    }
    for cell in extended.system().cells().skip(problem.cell_count()) {
        statuses.push(extended.status(cell));
        hidden.suppress(cell);
    }
    let extended = extended.with_statuses(statuses);
    Ok(audit(&extended, &hidden, budget, progress)?.primaries)
}

/// A pattern of the problem without virtual cells as one of that with them, which are hidden.
pub fn extended_pattern(extended: &Problem, pattern: &Pattern) -> Pattern {
    let mut hidden = Pattern::none(extended);
    pattern.suppressed().for_each(|cell| hidden.suppress(cell));
    extended.system().cells().skip(pattern.cell_count()).for_each(|cell| hidden.suppress(cell));
    hidden
}
