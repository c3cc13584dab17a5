//! Groups of primaries that are protected together (serpell-2011, §3.2 and §3.6).
//!
//! A group may hold one cell of a line, or as many as the other primaries of the line can
//! make up for: at most half of the protection that all primaries of the line need, above
//! (17) and below (18), may fall to one group (19). More would force cells to be hidden that
//! no single primary needs.

use quell_model::{CellId, Direction, EquationId, Problem, Value};
use rustc_hash::FxHashMap;

use crate::search::requirements::of_primary;

/// How primaries are put into groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Grouping {
    /// Those with small levels together, those with large ones together.
    RisingLevel,
    /// Those of the same row or column together, where the rules allow.
    #[default]
    Lines,
}

impl Grouping {
    /// Groups of `cells`, `wished` if the rules allow, each in the order in which it grew.
    pub(crate) fn groups(
        self,
        problem: &Problem,
        cells: &[CellId],
        wished: usize,
    ) -> Vec<Vec<CellId>> {
        let wished = wished.clamp(1, cells.len().max(1));
        let mut cells = cells.to_vec();
        cells.sort_by_key(|&cell| (largest_level(problem, cell), cell));
        if wished == cells.len() {
            return cells.into_iter().map(|cell| vec![cell]).collect();
        }
        let mut groups = Groups::new(problem, wished);
        match self {
            Self::RisingLevel => {
                let count = cells.len();
                for (rank, cell) in cells.into_iter().enumerate() {
                    let first = rank * wished / count;
                    groups.put(cell, |groups, number| groups.cyclic(number, first));
                }
            }
            Self::Lines => {
                for cell in by_line(problem, &cells) {
                    groups.put(cell, |groups, number| groups.strangeness(cell, number));
                }
            }
        }
        groups.members.retain(|members| !members.is_empty());
        groups.members
    }
}

/// What a primary must be able to move, the larger way.
fn largest_level(problem: &Problem, cell: CellId) -> Value {
    of_primary(problem, cell).map(|requirement| requirement.distance).max().unwrap_or(0)
}

/// The cells line by line, those of the fullest line first.
fn by_line(problem: &Problem, cells: &[CellId]) -> Vec<CellId> {
    let system = problem.system();
    let mut lines: FxHashMap<EquationId, Vec<CellId>> = FxHashMap::default();
    for &cell in cells {
        for (line, _) in system.equations_of(cell) {
            lines.entry(line).or_default().push(cell);
        }
    }
    let mut lines: Vec<(EquationId, Vec<CellId>)> = lines.into_iter().collect();
    lines.sort_by_key(|(line, members)| (std::cmp::Reverse(members.len()), *line));
    let mut placed = rustc_hash::FxHashSet::default();
    let in_lines = lines.into_iter().flat_map(|(_, members)| members);
    in_lines.chain(cells.iter().copied()).filter(|&cell| placed.insert(cell)).collect()
}

/// What the primaries of a line need, or those of it in a group.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    cells: u32,
    upper: i128,
    lower: i128,
}

impl Sums {
    fn plus(mut self, problem: &Problem, cell: CellId) -> Self {
        self.cells += 1;
        for requirement in of_primary(problem, cell) {
            match requirement.direction {
                Direction::Up => self.upper += i128::from(requirement.distance),
                Direction::Down => self.lower += i128::from(requirement.distance),
            }
        }
        self
    }

    /// Equation 19: alone, or no more than half of what all need (17, 18).
    fn fits(self, all: Self) -> bool {
        self.cells <= 1 || (2 * self.upper <= all.upper && 2 * self.lower <= all.lower)
    }
}

/// Groups that grow.
struct Groups<'a> {
    problem: &'a Problem,
    members: Vec<Vec<CellId>>,
    /// The sums of the lines in which a group has cells.
    sums: Vec<FxHashMap<EquationId, Sums>>,
}

impl<'a> Groups<'a> {
    fn new(problem: &'a Problem, wished: usize) -> Self {
        Self {
            problem,
            members: vec![Vec::new(); wished],
            sums: vec![FxHashMap::default(); wished],
        }
    }

    /// Puts a cell into the group of lowest `rank` that the rules let it join, or into a
    /// new one.
    fn put(&mut self, cell: CellId, rank: impl Fn(&Self, usize) -> usize) {
        let open = (0..self.members.len()).filter(|&number| self.admits(number, cell));
        let number = open.min_by_key(|&number| (rank(self, number), number));
        let number = number.unwrap_or_else(|| {
            self.members.push(Vec::new());
            self.sums.push(FxHashMap::default());
            self.members.len() - 1
        });
        self.members[number].push(cell);
        for (line, _) in self.problem.system().equations_of(cell) {
            let sums = self.sums[number].entry(line).or_default();
            *sums = sums.plus(self.problem, cell);
        }
    }

    fn admits(&self, number: usize, cell: CellId) -> bool {
        let system = self.problem.system();
        system.equations_of(cell).all(|(line, _)| {
            let Some(&sums) = self.sums[number].get(&line) else { return true };
            sums.plus(self.problem, cell).fits(of_line(self.problem, line))
        })
    }

    /// How many steps after `first` a group comes.
    fn cyclic(&self, number: usize, first: usize) -> usize {
        (number + self.members.len() - first) % self.members.len()
    }

    /// Low for groups with cells in the same lines; among others the smallest is best.
    fn strangeness(&self, cell: CellId, number: usize) -> usize {
        let lines = self.problem.system().equations_of(cell);
        let together: u32 =
            lines.filter_map(|(line, _)| self.sums[number].get(&line)).map(|sums| sums.cells).sum();
        match together {
            0 => self.problem.cell_count() + self.members[number].len(),
            _ => self.problem.cell_count().saturating_sub(together as usize),
        }
    }
}

/// The sums over all primaries of a line.
fn of_line(problem: &Problem, line: EquationId) -> Sums {
    let cells = problem.system().cells_of(line).map(|(cell, _)| cell);
    let primaries = cells.filter(|&cell| problem.status(cell).is_primary());
    primaries.fold(Sums::default(), |sums, cell| sums.plus(problem, cell))
}

#[cfg(test)]
mod tests {
    use quell_gen::{Shape, random_problem_of};
    use quell_model::Random;

    use super::*;

    #[test]
    fn groups_hold_every_cell_once_and_obey_the_rules() {
        let mut shared = 0;
        for (number, shape) in Shape::ALL.into_iter().enumerate() {
            for seed in 0..60 {
                let mut random = Random::new(seed, 300 + number as u64);
                let problem = random_problem_of(shape, &mut random, 60);
                let cells: Vec<CellId> = problem.primaries().collect();
                for grouping in [Grouping::RisingLevel, Grouping::Lines] {
                    for wished in [1, 2, 5] {
                        let groups = grouping.groups(&problem, &cells, wished);
                        let mut all: Vec<CellId> = groups.concat();
                        all.sort_unstable();
                        assert_eq!(all, cells);
                        shared += check(&problem, &groups);
                    }
                }
            }
        }
        assert!(shared > 0, "no line with two cells of a group: the rules were not tried");
    }

    /// Checks equations 17–19; counts lines with several cells of a group.
    fn check(problem: &Problem, groups: &[Vec<CellId>]) -> usize {
        let mut shared = 0;
        for line in problem.system().equations() {
            let all = of_line(problem, line);
            for group in groups {
                let cells = problem.system().cells_of(line).map(|(cell, _)| cell);
                let inside: Vec<CellId> = cells.filter(|cell| group.contains(cell)).collect();
                if inside.len() <= 1 {
                    continue;
                }
                shared += 1;
                let sum = |direction: Direction| -> i128 {
                    let requirements = inside.iter().flat_map(|&cell| of_primary(problem, cell));
                    let requirements =
                        requirements.filter(|requirement| requirement.direction == direction);
                    requirements.map(|requirement| i128::from(requirement.distance)).sum()
                };
                let (upper, lower) = (sum(Direction::Up), sum(Direction::Down));
                assert!(2 * upper <= all.upper && 2 * lower <= all.lower, "{inside:?}");
            }
        }
        shared
    }

    #[test]
    fn as_many_groups_as_cells_means_one_each() {
        let problem = random_problem_of(Shape::ALL[0], &mut Random::new(1, 0), 40);
        let cells: Vec<CellId> = problem.primaries().collect();
        let groups = Grouping::Lines.groups(&problem, &cells, usize::MAX);
        assert!(groups.iter().all(|group| group.len() == 1));
        assert_eq!(groups.len(), cells.len());
    }
}
