//! Cells that many requirements ask for together: programs over the whole table for groups of them.
//!
//! A few large requirements make up most of the cost of a table whose contributions have a heavy
//! tail. Met in a region each takes large totals; over the whole table thousands of small cells
//! move a little. That is the grouped linear program (serpell-2011, figure 3), here for the open
//! requirements of either direction, in groups by its rules 17–19. A first-order method solves it
//! in seconds where the simplex and interior-point methods take minutes or hours, to the few digits
//! that matter: it tells which cells are worth hiding. An exact movement near what it finds is the
//! proof.
//!
//! The program charges by the unit, hiding a cell costs its whole weight. So each group is asked
//! again, with prices by what its cells moved and those of other groups nearly free, as long as
//! that gains enough.

use quell_attack::{ExactMovement, ExactMovements};
use quell_model::{
    CellId, Certificate, Direction, Knowing, Pattern, Problem, Requirement, Status, Value,
};
use quell_solve::Vectors;
use quell_solve::first_order::{Aim, FirstOrder, Program};
use rayon::prelude::*;

use super::{Search, seen_by};
use crate::Movement;
use crate::search::grouping::Grouping;
use crate::search::mover::PRICE_OF_HIDDEN;
use crate::search::requirements::attackers;
use crate::tolerance::AT_REST_FIRST_ORDER;

/// Groups wished for each direction; the rules may ask for more.
const GROUPS: usize = 2;

/// The largest requirements are asked for alone: those of a group move together and take more cells
/// than each of them one after the other.
const ALONE: usize = 10;

/// What a cell that does not move is taken to move, as a share of a group's mean requirement, when
/// cells are priced anew in one round after the other.
const LITTLE: [f64; 5] = [0.1, 0.05, 0.02, 0.01, 0.005];

/// The share that a round must gain to be followed by another.
const LEAST_GAIN: f64 = 0.005;

/// The share of the time left that all groups together may take.
const TIME: f64 = 0.3;

/// Enough to tell which cells are worth hiding.
const AIM: Aim = Aim { imbalance: 1e-4, gap: 1e-2, iterations: 4_000 };

/// No cell has to move by more than this many times all requirements of a group.
const MOST: f64 = 2.0;

/// A requirement that a program moves by more than this times its amount is not held to the amount.
const BEYOND: f64 = 1.01;

/// How often no exact movement may be found near what a program finds for a group, before no more
/// of its requirements are tried in halves.
const FAILURES: usize = 4;

/// Requirements that are met at once.
struct Group {
    requirements: Vec<Requirement>,
    /// How the cells that move do.
    movement: Vec<(CellId, f64)>,
    /// Whether that was found for these requirements, and not for more.
    is_own: bool,
}

impl Search<'_> {
    /// Meets groups of the open requirements, for which a margin more is asked. Leaves open what is
    /// not proven, and offers the cells found for it.
    pub(super) fn meet_groups(&mut self, margin: f64) {
        let problem = self.task.problem;
        let groups = self.improved_groups(margin);
        let mut offered = self.offered.take().unwrap_or_else(|| self.fixed.clone());
        let moving = groups.iter().flat_map(|group| &group.movement);
        moving.for_each(|&(cell, _)| offered.suppress(cell));
        let proofs = |group: &Group| {
            let seen = seen_by(problem, &self.insiders, group.knowing());
            group.proofs(seen, &self.fixed, &offered)
        };
        let found: Vec<Vec<Certificate>> = groups.par_iter().map(proofs).collect();
        for certificate in found.into_iter().flatten() {
            self.store.add(problem, Movement::of_certificate(&certificate));
        }
        self.offered = Some(offered);
    }

    /// Groups of the open requirements with the cheapest movements found for them.
    fn improved_groups(&self, margin: f64) -> Vec<Group> {
        let (problem, budget) = (self.task.problem, self.task.budget);
        let until_then = match budget.time_left() {
            Some(left) => &budget.keeping_back(left.mul_f64(1.0 - TIME), 0),
            None => budget,
        };
        let columns = columns(problem);
        let system = FirstOrder::new(problem.system().equation_count(), columns.as_columns());
        let mut groups = self.groups(margin);
        let fixed = self.offered.as_ref().unwrap_or(&self.fixed);
        let mut hidden = HiddenByGroups { fixed, users: vec![0; problem.cell_count()] };
        let stopped = || budget.stop().is_some();
        for group in &mut groups {
            let seen = seen_by(problem, &self.insiders, group.knowing());
            group.improve(seen, &system, &mut hidden, f64::INFINITY, &stopped);
        }
        if until_then.stop().is_some() {
            return groups;
        }
        let mut cost = hidden.cost(problem);
        groups = with_largest_alone(groups, &mut hidden);
        for little in LITTLE {
            for group in groups.iter_mut().take_while(|_| until_then.stop().is_none()) {
                let seen = seen_by(problem, &self.insiders, group.knowing());
                group.improve(seen, &system, &mut hidden, little, &stopped);
            }
            let before = std::mem::replace(&mut cost, hidden.cost(problem));
            if cost > before * (1.0 - LEAST_GAIN) {
                break;
            }
        }
        groups
    }

    /// The open requirements and a margin more in groups.
    fn groups(&self, margin: f64) -> Vec<Group> {
        let problem = self.task.problem;
        let open = self.store.open().map(|index| self.store.requirements()[index]);
        // (Of the cells that a class knows only some can be met so; they are left to be met one by
        // one.)
        let room = |requirement: &Requirement| {
            let seen = seen_by(problem, &self.insiders, requirement.knowing);
            seen.room(requirement.cell, requirement.direction)
        };
        let mut open: Vec<Requirement> = open
            .filter(|requirement| requirement.distance <= room(requirement))
            .map(|requirement| {
                let more = requirement
                    .distance
                    .saturating_add((requirement.distance as f64 * margin) as Value);
                Requirement { distance: more.min(room(&requirement)), ..requirement }
            })
            .collect();
        open.sort_unstable_by_key(|requirement| requirement.cell);
        let mut groups = Vec::new();
        let kinds = attackers(problem).iter();
        let kinds =
            kinds.flat_map(|&knowing| [(Direction::Up, knowing), (Direction::Down, knowing)]);
        for kind in kinds {
            let mut open = open.clone();
            open.retain(|requirement| (requirement.direction, requirement.knowing) == kind);
            let cells: Vec<CellId> = open.iter().map(|requirement| requirement.cell).collect();
            let of = |cell: &CellId| {
                open.binary_search_by_key(cell, |requirement| requirement.cell)
                    .ok()
                    .map(|place| open[place])
            };
            let members = Grouping::Lines.groups(problem, &cells, GROUPS).into_iter();
            let members = members.map(|members| members.iter().filter_map(of).collect());
            groups.extend(members.map(Group::new));
        }
        groups
    }
}

/// The groups without the largest requirements, each of which comes before them as a group of its
/// own.
fn with_largest_alone(groups: Vec<Group>, hidden: &mut HiddenByGroups) -> Vec<Group> {
    let mut largest: Vec<Requirement> =
        groups.iter().flat_map(|group| &group.requirements).copied().collect();
    largest.sort_unstable_by_key(|requirement| {
        (std::cmp::Reverse(requirement.distance), *requirement)
    });
    largest.truncate(ALONE);
    let (mut alone, mut others) = (Vec::new(), Vec::new());
    for mut group in groups {
        for &requirement in
            group.requirements.iter().filter(|requirement| largest.contains(requirement))
        {
            hidden.add(&group.movement);
            let movement = group.movement.clone();
            alone.push(Group { requirements: vec![requirement], movement, is_own: false });
        }
        group.requirements.retain(|requirement| !largest.contains(requirement));
        match group.requirements.is_empty() {
            true => hidden.take(&group.movement),
            false => others.push(group),
        }
    }
    alone.sort_unstable_by_key(|group| {
        (std::cmp::Reverse(group.requirements[0].distance), group.requirements[0])
    });
    alone.extend(others);
    alone
}

/// What is hidden while groups are asked.
struct HiddenByGroups<'a> {
    fixed: &'a Pattern,
    /// How many groups move a cell.
    users: Vec<u32>,
}

impl HiddenByGroups<'_> {
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
    fn new(requirements: Vec<Requirement>) -> Self {
        Self { requirements, movement: Vec::new(), is_own: false }
    }

    /// In whose eyes the requirements are.
    fn knowing(&self) -> Knowing {
        self.requirements.first().map_or(Knowing::Nothing, |requirement| requirement.knowing)
    }

    /// Exact movements that meet the requirements, or most of them, with cells of its own besides
    /// those fixed, or else with those offered.
    fn proofs(&self, problem: &Problem, fixed: &Pattern, offered: &Pattern) -> Vec<Certificate> {
        let mut own = fixed.clone();
        self.movement.iter().for_each(|&(cell, _)| own.suppress(cell));
        let exact = [ExactMovements::new(problem, &own), ExactMovements::new(problem, offered)];
        let mut found = Vec::new();
        self.prove(&self.requirements, &exact, &mut { FAILURES }, &mut found);
        found
    }

    fn prove(
        &self,
        requirements: &[Requirement],
        exact: &[ExactMovements],
        failures_left: &mut usize,
        found: &mut Vec<Certificate>,
    ) {
        let amount = |requirement: &Requirement| {
            let place = self.movement.binary_search_by_key(&requirement.cell, |&(cell, _)| cell);
            let moved = place.map_or(0.0, |place| self.movement[place].1.abs());
            let is_held = moved < BEYOND * requirement.distance as f64;
            requirement.direction.sign()
                * if is_held { requirement.distance } else { moved as Value }
        };
        let moves: Vec<(CellId, Value)> = requirements
            .iter()
            .map(|requirement| (requirement.cell, amount(requirement)))
            .collect();
        for exact in exact {
            if *failures_left == 0 {
                return;
            }
            match exact.near(&moves, &self.movement) {
                ExactMovement::Found(certificate) => return found.push(certificate),
                ExactMovement::Impossible => {}
                ExactMovement::Unknown => *failures_left -= 1,
            }
        }
        if requirements.len() > 1 {
            let (first, second) = requirements.split_at(requirements.len() / 2);
            self.prove(first, exact, failures_left, found);
            self.prove(second, exact, failures_left, found);
        }
    }

    /// Looks for a movement that costs less than the one known, where a cell that does not move is
    /// taken to move by a share `little` of the mean requirement.
    fn improve(
        &mut self,
        problem: &Problem,
        system: &FirstOrder,
        hidden: &mut HiddenByGroups,
        little: f64,
        stopped: &dyn Fn() -> bool,
    ) {
        hidden.take(&self.movement);
        let (found, reached) = self.cheapest(problem, system, hidden, little, stopped);
        let is_cheaper = || hidden.beyond(problem, &found) < hidden.beyond(problem, &self.movement);
        if self.movement.is_empty() || (reached && (!self.is_own || is_cheaper())) {
            self.movement = found;
            self.is_own = true;
        }
        hidden.add(&self.movement);
    }

    /// The cheapest movement by the unit, at prices by what cells moved before, and whether it is
    /// accurate.
    fn cheapest(
        &self,
        problem: &Problem,
        system: &FirstOrder,
        hidden: &HiddenByGroups,
        little: f64,
        stopped: &dyn Fn() -> bool,
    ) -> (Vec<(CellId, f64)>, bool) {
        let cells = problem.cell_count();
        let mut start = vec![0.0; cells];
        self.movement.iter().for_each(|&(cell, amount)| start[cell.index()] = amount);
        let amounts = || self.requirements.iter().map(|requirement| requirement.distance as f64);
        let total: f64 = amounts().sum();
        let little = little * total / self.requirements.len() as f64;
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
            let by_unit = match self.is_own {
                false => 1.0,
                true => total / (start[place].abs() + little),
            };
            costs[place] = by_unit
                * match problem.status(cell).is_primary() {
                    true => 0.0,
                    false if hidden.has(cell) => PRICE_OF_HIDDEN * problem.weight(cell),
                    false => problem.weight(cell),
                };
        }
        for requirement in &self.requirements {
            let place = requirement.cell.index();
            let (amount, room) = (
                requirement.distance as f64,
                problem.room(requirement.cell, requirement.direction) as f64,
            );
            let most = room.min(MOST * total);
            (lower[place], upper[place]) = match requirement.direction {
                Direction::Up => (amount, most),
                Direction::Down => (-most, -amount),
            };
        }
        let program = Program { costs: &costs, lower: &lower, upper: &upper };
        let start = self.is_own.then_some(&start[..]);
        let found = system.solve(&program, start, AIM, stopped);
        let noise = AT_REST_FIRST_ORDER * amounts().fold(f64::INFINITY, f64::min);
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

#[cfg(test)]
mod tests {
    use quell_attack::intervals;
    use quell_gen::random_problem;
    use quell_model::{Budget, Random, Silent};

    use super::*;
    use crate::Task;

    /// On small tables of every shape: what groups met lies inside the exact
    /// attacker's interval.
    #[test]
    fn what_groups_meet_the_attacker_cannot_rule_out() {
        let (mut met, mut open) = (0, 0);
        for case in 0..150 {
            let problem = random_problem(&mut Random::new(57, case), 60);
            let budget = Budget::default();
            let task = Task::new(&problem, &budget, &Silent);
            let mut search = Search::new(&task, Pattern::of_primaries(&problem)).expect("a search");
            search.meet_groups(0.0);
            let ends = intervals(&problem, &search.pattern(), &budget, &Silent).expect("solved");
            let ends = ends.expect("within the budget");
            for (number, requirement) in search.store.requirements().iter().enumerate() {
                if !search.store.is_proven(number) {
                    open += 1;
                    continue;
                }
                let end =
                    ends.iter().find(|end| end.cell == requirement.cell).expect("a hidden cell");
                let reach = if requirement.direction == Direction::Up { end.up } else { end.down };
                assert!(
                    reach > requirement.distance as f64 - 1e-6,
                    "case {case}: {requirement:?}, {reach}"
                );
                met += 1;
            }
        }
        assert!(met > 300, "{met} met, {open} open");
    }
}
