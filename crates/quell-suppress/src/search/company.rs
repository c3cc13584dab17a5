//! A safe pattern in seconds, whatever it costs: every hidden cell gets company.
//!
//! A cell can move by an amount only if in each of its equations other hidden cells can make up for
//! it. So the cheapest cells that can are hidden there, then those that can make up for these in
//! their equations, and so on until all have company. That is a necessary condition and no proof,
//! but it comes near one, takes no linear program, and needs time linear in what it looks at; what
//! the auditor still finds exposed is asked for again, for more of it.
//!
//! This is for when the time is nearly over. Kelly's programs and the like give far cheaper
//! patterns.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use quell_model::{CellId, EquationId, Pattern, Problem, Status, Value};
use rustc_hash::FxHashMap;

/// Hides company for cells that should be able to move by these amounts.
pub(crate) fn hide_company(
    problem: &Problem,
    pattern: &mut Pattern,
    wanted: impl IntoIterator<Item = (CellId, Value)>,
) {
    let mut asked: FxHashMap<CellId, Value> = FxHashMap::default();
    let mut queue: BinaryHeap<(Value, Reverse<CellId>)> =
        wanted.into_iter().map(|(cell, amount)| (amount, Reverse(cell))).collect();
    while let Some((amount, Reverse(cell))) = queue.pop() {
        // The largest come first.
        if asked.contains_key(&cell) {
            continue;
        }
        asked.insert(cell, amount);
        for (equation, coefficient) in problem.system().equations_of(cell) {
            let owed = amount.saturating_mul(Value::from(coefficient.unsigned_abs()));
            for (other, share) in company(problem, pattern, equation, (cell, owed)) {
                pattern.suppress(other);
                queue.push((share, Reverse(other)));
            }
        }
    }
}

/// The cells to hide in an equation so that others can make up for what a cell owes it, with how
/// far each has to move for that.
fn company(
    problem: &Problem,
    pattern: &Pattern,
    equation: EquationId,
    (cell, owed): (CellId, Value),
) -> Vec<(CellId, Value)> {
    // Movements go there and back, so that what is hidden for one direction serves the other.
    let reach = |other: CellId, coefficient: i32| {
        let room = problem.room_down(other).min(problem.room_up(other)).max(0);
        room.saturating_mul(Value::from(coefficient.unsigned_abs()))
    };
    let mut missing = owed;
    let mut offers: Vec<(f64, CellId, Value, Value)> = Vec::new();
    for (other, coefficient) in problem.system().cells_of(equation) {
        let reach = reach(other, coefficient);
        if other == cell || reach == 0 {
            continue;
        }
        if pattern.is_suppressed(other) {
            missing = missing.saturating_sub(reach);
        } else if problem.status(other) != Status::Protected {
            let share = (reach as f64 / owed as f64).min(1.0);
            let size = Value::from(coefficient.unsigned_abs());
            offers.push((problem.weight(other) / share, other, reach, size));
        }
    }
    offers.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut chosen = Vec::new();
    for (_, other, reach, size) in offers {
        if missing <= 0 {
            break;
        }
        chosen.push((other, (reach.min(missing) + size - 1) / size));
        missing = missing.saturating_sub(reach);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use quell_attack::{Verdict, audit};
    use quell_gen::random_problem;
    use quell_model::{Budget, Random, Silent};

    use super::*;

    /// On small tables of every shape a few rounds protect nearly all that can be protected.
    #[test]
    fn company_protects_nearly_all() {
        let budget = Budget::default().with_threads(1);
        let (mut protected, mut left) = (0, 0);
        for case in 0..300 {
            let problem = random_problem(&mut Random::new(61, case), 60);
            let safe = |pattern: &Pattern| -> Vec<CellId> {
                let audit = audit(&problem, pattern, &budget, &Silent).expect("audited");
                let safe = audit.primaries.iter().filter(|one| one.verdict == Verdict::Safe);
                safe.map(|finding| finding.cell).collect()
            };
            let possible = safe(&Pattern::of_everything(&problem));
            let mut pattern = Pattern::of_primaries(&problem);
            for round in 1..6 {
                let done = safe(&pattern);
                let open = possible.iter().filter(|cell| !done.contains(cell));
                let wanted = open.map(|&cell| {
                    let levels = problem.protection(cell);
                    let most = levels.lower.max(levels.upper).max(levels.sliding).max(1);
                    (cell, most.saturating_mul(round))
                });
                hide_company(&problem, &mut pattern, wanted.collect::<Vec<_>>());
            }
            let done = safe(&pattern);
            protected += done.len();
            left += possible.iter().filter(|cell| !done.contains(cell)).count();
        }
        assert!(protected > 500 && left * 20 < protected, "{left} left, {protected} protected");
    }
}
