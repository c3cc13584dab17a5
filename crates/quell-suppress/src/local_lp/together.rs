//! Cells that many needs ask for together: programs over the whole table for groups of them.
//!
//! A few large needs make up most of the cost of a table whose contributions have a heavy tail. Met
//! in a region each takes large totals; over the whole table thousands of small cells move a
//! little. That is the grouped linear program (serpell-2011, figure 3), here for the open needs of
//! either direction, in groups by its rules 17–19. A first-order method solves it in seconds where
//! the simplex and interior-point methods take minutes or hours, to the few digits that matter: it
//! tells which cells are worth hiding. Whether they suffice is for the proofs to show.
//!
//! The program charges by the unit, hiding a cell costs its whole weight. So each group is asked
//! again, with prices by what its cells moved and those of other groups nearly free, as long as
//! that gains enough.

use quell_model::{CellId, Direction, Pattern, Problem, Status, Value};
use quell_solve::Vectors;
use quell_solve::first_order::{Aim, FirstOrder, Program};

use super::Search;
use crate::Need;
use crate::hybrid::Grouping;

/// Groups wished for each direction; the rules may ask for more.
const GROUPS: usize = 2;

/// The largest needs are asked for alone: those of a group move together and take more cells than
/// each of them one after the other.
const ALONE: usize = 10;

/// What a cell that does not move is taken to move, as a share of a group's mean need, when cells
/// are priced anew in one round after the other.
const LITTLE: [f64; 5] = [0.1, 0.05, 0.02, 0.01, 0.005];

/// The share that a round must gain to be followed by another.
const LEAST_GAIN: f64 = 0.005;

/// The share of the time left that all groups together may take.
const TIME: f64 = 0.3;

/// Enough to tell which cells are worth hiding.
const AIM: Aim = Aim { imbalance: 1e-4, gap: 1e-2, iterations: 4_000 };

/// What a cell hidden for other groups costs, as a share of its weight.
const LEAN: f64 = 1e-3;

/// Movements below this share of a group's least need are noise.
const NOISE: f64 = 1e-5;

/// No cell has to move by more than this many times all needs of a group.
const MOST: f64 = 2.0;

/// Needs that are met at once.
struct Group {
    needs: Vec<Need>,
    /// How the cells that move do.
    movement: Vec<(CellId, f64)>,
}

impl Search<'_> {
    /// The cells that groups of the open needs, and a margin more, are best met with, as far as a few
    /// digits tell; with all that is fixed or offered.
    pub(super) fn worth_hiding(&self, margin: f64) -> Pattern {
        let (problem, budget) = (self.task.problem, self.task.budget);
        let until_then = match budget.time_left() {
            Some(left) => &budget.keeping_back(left.mul_f64(1.0 - TIME), 0),
            None => budget,
        };
        let columns = columns(problem);
        let system = FirstOrder::new(problem.system().equation_count(), columns.as_columns());
        let mut groups = self.groups(margin);
        let fixed = self.offered.as_ref().unwrap_or(&self.fixed);
        let mut hidden = Hidden { fixed, users: vec![0; problem.cell_count()] };
        let stopped = || budget.stop().is_some();
        for group in &mut groups {
            group.improve(problem, &system, &mut hidden, f64::INFINITY, &stopped);
        }
        let mut cost = hidden.cost(problem);
        let mut groups = with_largest_alone(groups, &mut hidden);
        for little in LITTLE {
            for group in groups.iter_mut().take_while(|_| until_then.stop().is_none()) {
                group.improve(problem, &system, &mut hidden, little, &stopped);
            }
            let before = std::mem::replace(&mut cost, hidden.cost(problem));
            if cost > before * (1.0 - LEAST_GAIN) {
                break;
            }
        }
        let mut worth = hidden.fixed.clone();
        let cells = problem.system().cells().filter(|cell| hidden.users[cell.index()] > 0);
        cells.for_each(|cell| worth.suppress(cell));
        worth
    }

    /// The open needs and a margin more in groups.
    fn groups(&self, margin: f64) -> Vec<Group> {
        let problem = self.task.problem;
        let open = self.store.open().map(|index| self.store.needs()[index]);
        let room = |need: &Need| problem.room(need.cell, need.direction);
        let mut open: Vec<Need> = open
            .filter(|need| need.amount <= room(need))
            .map(|need| {
                let more = need.amount.saturating_add((need.amount as f64 * margin) as Value);
                Need { amount: more.min(room(&need)), ..need }
            })
            .collect();
        open.sort_unstable_by_key(|need| need.cell);
        let mut groups = Vec::new();
        for direction in [Direction::Up, Direction::Down] {
            let mut open = open.clone();
            open.retain(|need| need.direction == direction);
            let cells: Vec<CellId> = open.iter().map(|need| need.cell).collect();
            let of = |cell: &CellId| {
                open.binary_search_by_key(cell, |need| need.cell).ok().map(|place| open[place])
            };
            let members = Grouping::Lines.groups(problem, &cells, GROUPS).into_iter();
            let members = members.map(|members| members.iter().filter_map(of).collect());
            groups.extend(members.map(Group::new));
        }
        groups
    }
}

/// The groups without the largest needs, each of which comes before them as a group of its own.
fn with_largest_alone(groups: Vec<Group>, hidden: &mut Hidden) -> Vec<Group> {
    let mut largest: Vec<Need> = groups.iter().flat_map(|group| &group.needs).copied().collect();
    largest.sort_unstable_by_key(|need| (std::cmp::Reverse(need.amount), *need));
    largest.truncate(ALONE);
    let mut others = Vec::new();
    for mut group in groups {
        group.needs.retain(|need| !largest.contains(need));
        match group.needs.is_empty() {
            true => hidden.take(&group.movement),
            false => others.push(group),
        }
    }
    let alone = largest.into_iter().map(|need| Group::new(vec![need]));
    alone.chain(others).collect()
}

/// What is hidden while groups are asked.
struct Hidden<'a> {
    fixed: &'a Pattern,
    /// How many groups move a cell.
    users: Vec<u32>,
}

impl Hidden<'_> {
    fn has(&self, cell: CellId) -> bool {
        self.fixed.is_suppressed(cell) || self.users[cell.index()] > 0
    }

    fn cost(&self, problem: &Problem) -> f64 {
        let own = |cell: &CellId| self.users[cell.index()] > 0 && !self.fixed.is_suppressed(*cell);
        problem.system().cells().filter(own).map(|cell| problem.weight(cell)).sum()
    }

    /// What a movement costs beyond what is hidden.
    fn beyond(&self, problem: &Problem, movement: &[(CellId, f64)]) -> f64 {
        let new = movement.iter().filter(|&&(cell, _)| !self.has(cell));
        new.map(|&(cell, _)| problem.weight(cell)).sum()
    }

    fn add(&mut self, movement: &[(CellId, f64)]) {
        movement.iter().for_each(|(cell, _)| self.users[cell.index()] += 1);
    }

    fn take(&mut self, movement: &[(CellId, f64)]) {
        movement.iter().for_each(|(cell, _)| self.users[cell.index()] -= 1);
    }
}

impl Group {
    fn new(needs: Vec<Need>) -> Self {
        Self { needs, movement: Vec::new() }
    }

    /// Looks for a movement that costs less than the one known, where a cell that does not move is
    /// taken to move by a share `little` of the mean need.
    fn improve(
        &mut self,
        problem: &Problem,
        system: &FirstOrder,
        hidden: &mut Hidden,
        little: f64,
        stopped: &dyn Fn() -> bool,
    ) {
        hidden.take(&self.movement);
        let (found, reached) = self.cheapest(problem, system, hidden, little, stopped);
        let is_first = self.movement.is_empty();
        let is_cheaper = || hidden.beyond(problem, &found) < hidden.beyond(problem, &self.movement);
        if is_first || (reached && is_cheaper()) {
            self.movement = found;
        }
        hidden.add(&self.movement);
    }

    /// The cheapest movement by the unit, at prices by what cells moved before, and whether it is
    /// accurate.
    fn cheapest(
        &self,
        problem: &Problem,
        system: &FirstOrder,
        hidden: &Hidden,
        little: f64,
        stopped: &dyn Fn() -> bool,
    ) -> (Vec<(CellId, f64)>, bool) {
        let cells = problem.cell_count();
        let mut start = vec![0.0; cells];
        self.movement.iter().for_each(|&(cell, amount)| start[cell.index()] = amount);
        let amounts = || self.needs.iter().map(|need| need.amount as f64);
        let total: f64 = amounts().sum();
        let little = little * total / self.needs.len() as f64;
        let (mut costs, mut lower, mut upper) =
            (vec![0.0; cells], vec![0.0; cells], vec![0.0; cells]);
        for cell in problem.system().cells() {
            let place = cell.index();
            if problem.status(cell) == Status::Protected {
                continue;
            }
            let within = |room: Value| (room as f64).min(MOST * total);
            (lower[place], upper[place]) =
                (-within(problem.room_down(cell)), within(problem.room_up(cell)));
            let by_unit = match self.movement.is_empty() {
                true => 1.0,
                false => total / (start[place].abs() + little),
            };
            costs[place] = by_unit
                * match problem.status(cell).is_primary() {
                    true => 0.0,
                    false if hidden.has(cell) => LEAN * problem.weight(cell),
                    false => problem.weight(cell),
                };
        }
        for need in &self.needs {
            let place = need.cell.index();
            let (amount, room) =
                (need.amount as f64, problem.room(need.cell, need.direction) as f64);
            let most = room.min(MOST * total);
            (lower[place], upper[place]) = match need.direction {
                Direction::Up => (amount, most),
                Direction::Down => (-most, -amount),
            };
        }
        let program = Program { costs: &costs, lower: &lower, upper: &upper };
        let start = (!self.movement.is_empty()).then_some(&start[..]);
        let found = system.solve(&program, start, AIM, stopped);
        let noise = NOISE * amounts().fold(f64::INFINITY, f64::min);
        let moved = found.values.iter().enumerate().filter(|(_, value)| value.abs() > noise);
        let movement = moved.map(|(place, &value)| (CellId(place as u32), value)).collect();
        (movement, found.reached)
    }
}

/// The equations of every cell.
fn columns(problem: &Problem) -> Vectors {
    let mut columns = Vectors::default();
    for cell in problem.system().cells() {
        let equations = problem.system().equations_of(cell);
        columns.push(equations.map(|(line, c)| (line.index(), f64::from(c))));
    }
    columns
}
