//! Directions and groups to begin with, and the order of the sensitive cells that they rest on.

use quell_model::{CellId, Direction, Random};

use crate::Instance;

/// The sensitive cells by size, largest first.
pub(crate) fn by_size(instance: &Instance) -> Vec<usize> {
    let mut order: Vec<usize> = (0..instance.sensitive.len()).collect();
    let size = |&index: &usize| {
        let sensitive = &instance.sensitive[index];
        (instance.problem.value(sensitive.cell).abs(), sensitive.rise.max(sensitive.fall))
    };
    order.sort_by_key(|index| std::cmp::Reverse(size(index)));
    order
}

/// Directions that alternate from the largest cell down, as far as the cells' bounds allow.
pub(crate) fn alternate(instance: &Instance) -> Vec<Direction> {
    let mut directions = vec![Direction::Up; instance.sensitive.len()];
    let mut next = Direction::Up;
    for index in by_size(instance) {
        let sensitive = &instance.sensitive[index];
        let direction = if instance.may(sensitive, next) { next } else { next.opposite() };
        directions[index] = direction;
        next = direction.opposite();
    }
    directions
}

/// Directions that bounds allow, rising where both are open.
pub(crate) fn first_directions(instance: &Instance) -> Vec<Direction> {
    let direction = |can_rise: bool| if can_rise { Direction::Up } else { Direction::Down };
    instance.sensitive.iter().map(|sensitive| direction(sensitive.can_rise)).collect()
}

/// A random direction for every sensitive cell, as far as its bounds allow.
pub(crate) fn random_directions(instance: &Instance, random: &mut Random) -> Vec<Direction> {
    let mut direction = |can_fall: bool, can_rise: bool| match (can_fall, can_rise) {
        (true, true) if random.chance(0.5) => Direction::Down,
        (true, false) => Direction::Down,
        _ => Direction::Up,
    };
    instance.sensitive.iter().map(|cell| direction(cell.can_fall, cell.can_rise)).collect()
}

/// The groups when cells are dealt in order of size.
pub(crate) fn dealt(instance: &Instance, most: u32) -> Vec<u32> {
    let mut groups = vec![0; instance.sensitive.len()];
    for (turn, index) in by_size(instance).into_iter().enumerate() {
        groups[index] = turn as u32 % most.max(1);
    }
    // A sensitive total with one part that is as large as itself: both move together.
    let problem = instance.problem;
    for equation in problem.system().equations() {
        let cells: Vec<_> = problem.system().cells_of(equation).collect();
        let sensitive = cells.iter().filter(|(cell, _)| instance.sensitive_at(*cell).is_some());
        let sensitive: Vec<_> = sensitive.collect();
        if let [(first, a), (second, b)] = sensitive[..]
            && a * b < 0
            && problem.value(*first) == problem.value(*second)
        {
            let position = |cell: CellId| instance.position[cell.index()] as usize;
            groups[position(*second)] = groups[position(*first)];
        }
    }
    groups
}
