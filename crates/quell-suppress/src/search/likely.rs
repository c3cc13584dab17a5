//! Which cells are likely to move with a primary: where a linear program over a large table
//! begins.

use quell_model::{CellId, EquationId, Problem, Requirement, Status};
use rustc_hash::{FxHashMap, FxHashSet};

/// Cells that all boxes of a group may have together, about, and the fewest of one.
const BOXES: (usize, usize) = (4_000, 16);

/// Cells of a line are taken until their rooms make up for the requirement this many times, but
/// half of the width at least.
const COVERED: f64 = 3.0;

/// Boxes are looked for in so many dimensions.
const MOST_WAYS: usize = 4;

/// Whether a cell may be hidden.
pub(crate) fn may_move(problem: &Problem, cell: CellId) -> bool {
    problem.status(cell) != Status::Protected
}

/// The cells likely to move with a group, and the totals above it, which together can always
/// move unless bounds forbid it.
pub(crate) fn of_group(
    problem: &Problem,
    group: &[Requirement],
    cost: &dyn Fn(CellId) -> f64,
) -> Vec<CellId> {
    let size = (BOXES.0 / group.len().max(1)).max(BOXES.1);
    let mut near: Vec<CellId> = group.iter().map(|requirement| requirement.cell).collect();
    add_totals_above(problem, &mut near);
    for requirement in group {
        near.extend(of_requirement(problem, requirement, size, cost));
    }
    near
}

/// Adds the totals above cells, the totals above those and so on: moving them all together
/// keeps every equation.
fn add_totals_above(problem: &Problem, cells: &mut Vec<CellId>) {
    let mut seen = FxHashSet::default();
    let mut next = 0;
    while next < cells.len() {
        for (equation, _) in problem.system().equations_of(cells[next]) {
            cells.extend(total_of(problem, equation).filter(|&total| seen.insert(total)));
        }
        next += 1;
    }
}

/// Cells that can move in circles with a requirement: the best of its lines, and those that lie
/// where lines through them meet, about `size` in all. In a cube this is a box of some rows,
/// columns and layers.
fn of_requirement(
    problem: &Problem,
    requirement: &Requirement,
    size: usize,
    cost: &dyn Fn(CellId) -> f64,
) -> Vec<CellId> {
    let system = problem.system();
    let ways = system.equations_of(requirement.cell).len().clamp(1, MOST_WAYS);
    let width = (size as f64).powf(1.0 / ways as f64).round() as usize;
    let mut cells = vec![requirement.cell];
    let mut lines: FxHashSet<EquationId> = FxHashSet::default();
    for (line, _) in system.equations_of(requirement.cell) {
        lines.insert(line);
        cells.extend(best_of_line(problem, requirement, line, width, cost));
    }
    let mut first = 1;
    for _ in 1..ways {
        let mut met: FxHashMap<CellId, u32> = FxHashMap::default();
        let through = |&cell: &CellId| system.equations_of(cell).map(|(line, _)| line);
        for line in cells[first..].iter().flat_map(through) {
            if lines.insert(line) {
                system.cells_of(line).for_each(|(other, _)| *met.entry(other).or_default() += 1);
            }
        }
        first = cells.len();
        cells.iter().for_each(|cell| {
            met.remove(cell);
        });
        let mut meeting: Vec<CellId> =
            met.into_iter().filter(|&(_, lines)| lines > 1).map(|(cell, _)| cell).collect();
        meeting.sort_unstable();
        cells.extend(meeting);
    }
    cells
}

/// The cells of a line that meet a requirement at the least cost: hidden ones and cheap ones first,
/// those without the room for it later.
fn best_of_line(
    problem: &Problem,
    requirement: &Requirement,
    line: EquationId,
    width: usize,
    cost: &dyn Fn(CellId) -> f64,
) -> impl Iterator<Item = CellId> {
    /// What a cell costs for its share of the requirement, how much too small it is, and the cell.
    type Offer = (f64, f64, CellId);
    let offer = |cell: CellId| -> Offer {
        let room = problem.room_down(cell).min(problem.room_up(cell)).max(1);
        let too_small = (requirement.distance as f64 / room as f64).max(1.0);
        (cost(cell) * too_small, too_small, cell)
    };
    let others = problem.system().cells_of(line).map(|(cell, _)| cell);
    let others = others.filter(|&cell| cell != requirement.cell && may_move(problem, cell));
    let mut offers: Vec<Offer> = others.map(offer).collect();
    offers
        .sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    let mut covered = 0.0;
    let enough = move |&(number, (_, too_small, _)): &(usize, Offer)| {
        let more = number < width && (number <= width / 2 || covered < COVERED);
        covered += 1.0 / too_small;
        more
    };
    offers.into_iter().enumerate().take_while(enough).map(|(_, (_, _, cell))| cell)
}

/// The total of an equation: the only cell on its side.
pub(crate) fn total_of(problem: &Problem, equation: EquationId) -> Option<CellId> {
    let only = |positive: bool| {
        let cells = problem.system().cells_of(equation);
        let mut side = cells.filter(|&(_, coefficient)| (coefficient > 0) == positive);
        match (side.next(), side.next()) {
            (Some((cell, 1 | -1)), None) => Some(cell),
            _ => None,
        }
    };
    // With one part, which of the two is the total makes no difference to the equation.
    only(false).or_else(|| only(true))
}
