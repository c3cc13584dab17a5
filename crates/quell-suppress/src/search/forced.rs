//! Cells that every safe pattern hides, found without a program.
//!
//! If a primary must be able to move so far, the other cells of each of its equations must be
//! able to make up for it. One without which they cannot is hidden in every safe pattern, and
//! must itself move by what the others lack: the same question again, for its own equations.
//! For a primary part and its total this is the pre-selection of margins of serpell-2011 (§3.6,
//! equations 20–22); here it holds for any equation, and for either direction.
//!
//! Each such cell is the cut `x ≥ 1` of Benders' master program, so what they cost together is
//! a lower bound, of whole numbers and free of rounding. What is asked of them and of the
//! primaries gives more cuts, and a better bound ([`crate::bound::bound_by_equations`]).

use quell_model::{CellId, Direction, EquationId, Problem, Requirement, Status, Value};
use rustc_hash::FxHashMap;

use crate::search::requirements::level_of;

/// How often more may be asked of a cell: where equations form a circle each can ask a little more
/// of the next without end, and whatever is asked by then is asked rightly.
const RAISES: u32 = 16;

/// The cells, rising, that are hidden whatever pattern does what is [`asked`].
pub(crate) fn forced_cells(problem: &Problem, asked: &[Requirement]) -> Vec<CellId> {
    let mut forced: Vec<CellId> = asked.iter().map(|requirement| requirement.cell).collect();
    forced.retain(|&cell| !problem.status(cell).is_primary());
    forced.dedup();
    forced
}

/// What every pattern that meets these requirements lets cells do, by cell: the primaries, and the
/// cells without which they cannot.
pub(crate) fn asked(problem: &Problem, requirements: &[Requirement]) -> Vec<Requirement> {
    // How far a cell must move, by cell and direction, and how often that was raised.
    let mut asked: FxHashMap<(CellId, Direction), (i128, u32)> = FxHashMap::default();
    let levels = requirements.iter().filter_map(|requirement| level_of(problem, requirement));
    let mut open: Vec<(CellId, Direction, i128)> = levels
        .map(|requirement| {
            (requirement.cell, requirement.direction, i128::from(requirement.distance))
        })
        .collect();
    while let Some((cell, direction, amount)) = open.pop() {
        // Of a requirement that nothing can meet nothing follows.
        if amount > i128::from(problem.room(cell, direction)) {
            continue;
        }
        let (known, raises) = asked.entry((cell, direction)).or_insert((0, 0));
        if amount <= *known || *raises == RAISES {
            continue;
        }
        *known = amount;
        *raises += 1;
        for (equation, coefficient) in problem.system().equations_of(cell) {
            let owed = amount * i128::from(direction.sign()) * i128::from(coefficient);
            open.extend(forced_by(problem, equation, cell, owed));
        }
    }
    // No amount is above its cell's room, so all are values.
    let mut asked: Vec<Requirement> = (asked.into_iter())
        .map(|((cell, direction), (amount, _))| Requirement::new(cell, direction, amount as Value))
        .collect();
    asked.sort_unstable();
    asked
}

/// The cells of an equation without which the others cannot make up for what `cell` adds to it,
/// with what is asked of each.
fn forced_by(
    problem: &Problem,
    equation: EquationId,
    cell: CellId,
    owed: i128,
) -> Vec<(CellId, Direction, i128)> {
    let others = problem.system().cells_of(equation).filter(|&(other, _)| other != cell);
    let others = others.filter(|&(other, _)| problem.status(other) != Status::Protected);
    // What each could take off, its direction and coefficient.
    let offers: Vec<(CellId, Direction, i128, Option<i128>)> = others
        .map(|(other, coefficient)| {
            let falls = (coefficient > 0) == (owed > 0);
            let direction = if falls { Direction::Down } else { Direction::Up };
            let room = problem.room(other, direction);
            let size = i128::from(coefficient).abs();
            let most = (room != Value::MAX).then(|| i128::from(room) * size);
            (other, direction, size, most)
        })
        .collect();
    let unlimited = offers.iter().filter(|offer| offer.3.is_none()).count();
    let limited: i128 = offers.iter().filter_map(|offer| offer.3).sum();
    let owed = owed.abs();
    // More than one without limit can replace each other; too little in all cannot be helped.
    if unlimited > 1 || (unlimited == 0 && limited < owed) {
        return Vec::new();
    }
    let needed = |&(other, direction, size, most): &(CellId, Direction, i128, Option<i128>)| {
        let without = match most {
            None => limited,
            Some(_) if unlimited > 0 => return None,
            Some(most) => limited - most,
        };
        let missing = owed - without;
        (missing > 0).then(|| (other, direction, (missing + size - 1) / size))
    };
    offers.iter().filter_map(needed).collect()
}

#[cfg(test)]
mod tests {
    use quell_attack::audit;
    use quell_gen::{Shape, random_problem_of};
    use quell_model::{
        Budget, Cell, Decimals, Pattern, Protection, Random, Reason, Silent, SystemBuilder,
        UNBOUNDED_ABOVE, UNBOUNDED_BELOW,
    };

    use super::*;
    use crate::requirements;

    /// Two cells at zero that the attacker takes for anything, the first primary and up to
    /// `upper_bound`, in equations `a·first − b·second = 0`.
    fn pair(upper_bound: Value, equations: &[(i32, i32)]) -> Problem {
        let mut system = SystemBuilder::new(2);
        for &(first, second) in equations {
            system.equation([(CellId(0), first), (CellId(1), -second)], 0);
        }
        let cell = |status, upper_bound| Cell {
            value: 0,
            weight: 1.0,
            status,
            lower_bound: UNBOUNDED_BELOW,
            upper_bound,
            protection: Protection { lower: 0, upper: 5, sliding: 0 },
        };
        let primary = cell(Status::Primary(Reason::Given), upper_bound);
        let cells = [primary, cell(Status::Safe, UNBOUNDED_ABOVE)];
        Problem::new(system.build(), Decimals(0), cells)
    }

    fn forced_in(problem: &Problem) -> Vec<CellId> {
        forced_cells(problem, &asked(problem, &requirements(problem)))
    }

    /// Each equation asks a little more than the other: by doubling, which once overflowed, and
    /// by single units, which would take for ever.
    #[test]
    fn what_is_asked_in_circles_comes_to_an_end() {
        for growing in [(2, 1), (1_000_000_001, 1_000_000_000)] {
            let problem = pair(UNBOUNDED_ABOVE, &[growing, (1, 1)]);
            assert_eq!(forced_in(&problem), [CellId(1)], "{growing:?}");
        }
    }

    #[test]
    fn nothing_follows_from_a_requirement_beyond_the_room_of_its_cell() {
        for (upper_bound, forced) in [(5, vec![CellId(1)]), (4, vec![])] {
            let problem = pair(upper_bound, &[(1, 1)]);
            assert_eq!(forced_in(&problem), forced, "{upper_bound}");
        }
    }

    #[test]
    fn without_a_forced_cell_hiding_all_others_is_not_safe() {
        let mut tried = 0;
        for (number, shape) in Shape::ALL.into_iter().enumerate() {
            for seed in 0..60 {
                let mut random = Random::new(seed, 900 + number as u64);
                let problem = random_problem_of(shape, &mut random, 40);
                let is_safe = |pattern: &Pattern| {
                    let budget = Budget::default();
                    audit(&problem, pattern, &budget, &Silent).expect("audited").is_safe()
                };
                let mut all = Pattern::of_primaries(&problem);
                let may_hide = |&cell: &CellId| problem.status(cell) != Status::Protected;
                problem.system().cells().filter(may_hide).for_each(|cell| all.suppress(cell));
                if !is_safe(&all) {
                    continue;
                }
                for cell in forced_in(&problem) {
                    let mut others = all.clone();
                    others.publish(cell);
                    assert!(!is_safe(&others), "{shape:?}, seed {seed}: {cell:?}");
                    tried += 1;
                }
            }
        }
        assert!(tried > 50, "{tried} forced cells");
    }
}
