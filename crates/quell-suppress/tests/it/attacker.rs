//! The exact attackers: two linear programs for each primary in the eyes of each of them, by another
//! solver (microlp).

use std::collections::BTreeMap;

use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Problem as Program, Variable};
use quell_model::{
    Cell, CellId, ContributorId, Direction, HiddenSum, Pattern, Problem, Protection, Status,
    SystemBuilder, UNBOUNDED_ABOVE, UNBOUNDED_BELOW, Value,
};

/// How far a hidden cell can move in the outsider's eyes.
pub fn reach(problem: &Problem, pattern: &Pattern, cell: CellId, direction: Direction) -> f64 {
    reach_in(problem, pattern, cell, direction, &|other| {
        (problem.room_down(other), problem.room_up(other))
    })
}

/// How far a hidden cell can move if every cell can fall and rise so far.
fn reach_in(
    problem: &Problem,
    pattern: &Pattern,
    cell: CellId,
    direction: Direction,
    rooms: &dyn Fn(CellId) -> (Value, Value),
) -> f64 {
    let sense = match direction {
        Direction::Up => OptimizationDirection::Maximize,
        Direction::Down => OptimizationDirection::Minimize,
    };
    let mut program = Program::new(sense);
    let room = |room: Value| if room == Value::MAX { f64::INFINITY } else { room as f64 };
    let variables: Vec<Option<Variable>> = problem
        .system()
        .cells()
        .map(|other| {
            let target = if other == cell { 1.0 } else { 0.0 };
            let (down, up) = rooms(other);
            let bounds = (-room(down), room(up));
            pattern.is_suppressed(other).then(|| program.add_var(target, bounds))
        })
        .collect();
    for equation in problem.system().equations() {
        let mut terms = LinearExpr::empty();
        let mut any = false;
        for (other, coefficient) in problem.system().cells_of(equation) {
            if let Some(variable) = variables[other.index()] {
                terms.add(variable, f64::from(coefficient));
                any = true;
            }
        }
        if any {
            program.add_constraint(terms, ComparisonOp::Eq, 0.0);
        }
    }
    match program.solve() {
        Ok(solved) => solved.into_solution().expect("small programs are solved").objective().abs(),
        Err(microlp::Error::Unbounded) => f64::INFINITY,
        Err(error) => panic!("the attacker's program must be feasible: {error}"),
    }
}

/// How far a cell can fall and rise in the eyes of a contributor.
fn rooms_to(problem: &Problem, who: ContributorId, cell: CellId) -> (Value, Value) {
    let contributions = problem.contributions().expect("contributions");
    let own = contributions.shares(cell).iter().find(|share| share.contributor == who);
    let (down, up) = (problem.room_down(cell), problem.room_up(cell));
    match own {
        None => (down, up),
        Some(_) if contributions.count(cell) == 1 => (0, 0),
        Some(_) if problem.lower_bound(cell) < 0 => (down, up),
        Some(share) => (down.min(problem.value(cell) - share.amount), up),
    }
}

/// The pairs of a contributor and a primary that he can learn too much of.
pub fn exposed_to_contributors(
    problem: &Problem,
    pattern: &Pattern,
) -> Vec<(ContributorId, CellId)> {
    let Some(contributions) = problem.contributions() else { return Vec::new() };
    let mut found = Vec::new();
    for who in contributions.contributors() {
        for cell in problem.primaries() {
            if contributions.only_contributor(cell) == Some(who) {
                continue;
            }
            let rooms = |other: CellId| rooms_to(problem, who, other);
            // Nobody can be made to believe what he knows to be impossible.
            let (down, _) = rooms(cell);
            let mut levels = problem.protection(cell);
            if down < problem.room_down(cell) {
                levels.lower = levels.lower.min(down);
                levels.sliding = levels.sliding.min(down.saturating_add(problem.room_up(cell)));
            }
            if met_in(problem, pattern, cell, levels, &rooms) != [true; 3] {
                found.push((who, cell));
            }
        }
    }
    found
}

/// The sums of hidden cells that can be known too closely: of all that an equation hides on one side
/// while it publishes the rest, and of the primaries on a side of an equation.
pub fn exposed_sums(problem: &Problem, pattern: &Pattern) -> Vec<Vec<CellId>> {
    let Some(contributions) = problem.contributions() else { return Vec::new() };
    let Some(rule) = contributions.rule() else { return Vec::new() };
    let mut found = Vec::new();
    for equation in problem.system().equations() {
        let hidden: Vec<(CellId, i32)> = problem
            .system()
            .cells_of(equation)
            .filter(|&(cell, _)| pattern.is_suppressed(cell))
            .collect();
        for side in [1, -1] {
            let own = hidden.iter().filter(|cell| cell.1.signum() == side);
            if own.clone().any(|cell| cell.1 != side) {
                continue;
            }
            let all: Vec<CellId> = own.map(|cell| cell.0).collect();
            let is_primary = |cell: &CellId| problem.status(*cell).is_primary();
            let primaries: Vec<CellId> = all.iter().copied().filter(is_primary).collect();
            let published = (all.len() == hidden.len()).then_some(all);
            for mut cells in published.into_iter().chain([primaries]) {
                if cells.len() < 2 || !cells.iter().any(is_primary) {
                    continue;
                }
                let Some(levels) = rule.protection(&sum_of(problem, &cells)) else { continue };
                let down = reach_of_sum(problem, pattern, &cells, Direction::Down);
                let up = reach_of_sum(problem, pattern, &cells, Direction::Up);
                let fall = cells.iter().map(|&cell| problem.room_down(cell) as f64).sum::<f64>();
                if down < (levels.lower as f64).min(fall) - 1e-4 || up < levels.upper as f64 - 1e-4
                {
                    cells.sort_unstable();
                    found.push(cells);
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// A sum of cells by the lists of their largest contributors: how many there must be at least, and
/// what each of those listed adds to it.
fn sum_of(problem: &Problem, cells: &[CellId]) -> HiddenSum {
    let contributions = problem.contributions().expect("contributions");
    let mut parts: BTreeMap<ContributorId, Value> = BTreeMap::new();
    let mut contributors = 0;
    for &cell in cells {
        contributors = contributors.max(u64::from(contributions.count(cell)));
        for share in contributions.shares(cell) {
            *parts.entry(share.contributor).or_default() += share.amount;
        }
    }
    let mut largest: Vec<Value> = parts.into_values().collect();
    contributors = contributors.max(largest.len() as u64);
    largest.sort_unstable_by_key(|&amount| std::cmp::Reverse(amount));
    let value = cells.iter().map(|&cell| problem.value(cell)).sum();
    HiddenSum { value, contributors, largest }
}

/// How far the sum of some hidden cells can move in the outsider's eyes.
fn reach_of_sum(
    problem: &Problem,
    pattern: &Pattern,
    cells: &[CellId],
    direction: Direction,
) -> f64 {
    let mut builder = SystemBuilder::new(problem.cell_count() + 1);
    for equation in problem.system().equations() {
        let system = problem.system();
        builder.equation(system.cells_of(equation), system.right_hand_side(equation));
    }
    let sum = CellId(problem.cell_count() as u32);
    builder.equation(cells.iter().map(|&cell| (cell, 1)).chain([(sum, -1)]), 0);
    let own = problem.system().cells().map(|cell| problem.cell(cell));
    let value = cells.iter().map(|&cell| problem.value(cell)).sum();
    let levels = Protection::default();
    let (lower_bound, upper_bound) = (UNBOUNDED_BELOW, UNBOUNDED_ABOVE);
    let (status, weight) = (Status::Secondary, 0.0);
    let last = Cell { value, weight, status, lower_bound, upper_bound, protection: levels };
    let extended = Problem::new(builder.build(), problem.decimals(), own.chain([last]));
    let mut hidden = Pattern::none(&extended);
    pattern.suppressed().for_each(|cell| hidden.suppress(cell));
    hidden.suppress(sum);
    reach(&extended, &hidden, sum, direction)
}

/// What a pattern does for a primary: are its lower level, its upper one and its sliding one
/// met?
fn met(problem: &Problem, pattern: &Pattern, cell: CellId) -> [bool; 3] {
    let rooms = |other| (problem.room_down(other), problem.room_up(other));
    met_in(problem, pattern, cell, problem.protection(cell), &rooms)
}

/// The same for some levels, if every cell can fall and rise so far.
fn met_in(
    problem: &Problem,
    pattern: &Pattern,
    cell: CellId,
    levels: Protection,
    rooms: &dyn Fn(CellId) -> (Value, Value),
) -> [bool; 3] {
    if !pattern.is_suppressed(cell) {
        return [false; 3];
    }
    let down = reach_in(problem, pattern, cell, Direction::Down, rooms);
    let up = reach_in(problem, pattern, cell, Direction::Up, rooms);
    let meets = |reach: f64, level: Value| reach >= level as f64 - 1e-4;
    [meets(down, levels.lower), meets(up, levels.upper), meets(down + up, levels.sliding)]
}

/// The primaries that are not protected.
pub fn exposed(problem: &Problem, pattern: &Pattern) -> Vec<CellId> {
    problem.primaries().filter(|&cell| met(problem, pattern, cell) != [true; 3]).collect()
}

/// Everything that may be hidden.
pub fn everything(problem: &Problem) -> Pattern {
    let mut pattern = Pattern::of_primaries(problem);
    for cell in problem.system().cells() {
        if problem.status(cell) != quell_model::Status::Protected {
            pattern.suppress(cell);
        }
    }
    pattern
}

/// The least cost of a pattern that protects every primary, by trying all; `None` if there
/// are too many.
pub fn optimum(problem: &Problem) -> Option<f64> {
    cheapest(problem, &|pattern| exposed(problem, pattern).is_empty())
}

/// The least cost of a pattern that is safe from contributors and sums as well.
pub fn optimum_against_contributors(problem: &Problem) -> Option<f64> {
    cheapest(problem, &|pattern| {
        exposed(problem, pattern).is_empty()
            && exposed_to_contributors(problem, pattern).is_empty()
            && exposed_sums(problem, pattern).is_empty()
    })
}

fn cheapest(problem: &Problem, is_safe: &dyn Fn(&Pattern) -> bool) -> Option<f64> {
    let all = everything(problem);
    let free: Vec<CellId> = all.secondaries(problem).collect();
    if free.len() > 9 {
        return None;
    }
    let mut best = f64::INFINITY;
    for choice in 0_u32..1 << free.len() {
        let mut pattern = Pattern::of_primaries(problem);
        for (bit, &cell) in free.iter().enumerate() {
            if choice >> bit & 1 == 1 {
                pattern.suppress(cell);
            }
        }
        let cost = pattern.cost(problem);
        if cost < best && is_safe(&pattern) {
            best = cost;
        }
    }
    Some(best)
}
