//! Which primaries the search protects (serpell-2011, §3.1, §3.4 and §3.5).

use quell_attack::{CandidateAlgorithm, unpick};
use quell_model::{CellId, Direction, Pattern, Problem, Requirement};
use rustc_hash::FxHashMap;

use crate::search::requirements::{candidate_requirements, of_primary};
use crate::{Error, Task, requirements};

/// Which primaries the search for the best order protects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Candidates {
    /// All: the order of Clark & Smith's first algorithm.
    All,
    /// K_u: those that unpicking exposes when only primaries are hidden. The others are
    /// looked after when the order is known.
    #[default]
    Unpicked,
    /// K: those that an algorithm of serpell-2013 finds with attackers' programs, two a
    /// primary (§3.1). For tables of up to some ten thousand cells.
    Attacked(CandidateAlgorithm),
}

/// Which levels the search protects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SurrogateLevels {
    /// Upper and lower.
    Both,
    /// The upper ones of the candidates that fail there: nearly all that fail below fail
    /// above as well (Table 2), and for the search only the ranking of orders counts.
    #[default]
    UpperOnly,
}

/// What must be protected, cell by cell.
#[derive(Debug, Clone, Default)]
pub(crate) struct CandidateRequirements {
    of_cell: FxHashMap<CellId, Vec<Requirement>>,
    /// The cells in the order in which they were added.
    pub(crate) cells: Vec<CellId>,
}

impl CandidateRequirements {
    pub(crate) fn new(requirements: impl Iterator<Item = Requirement>) -> Self {
        let mut wanted = Self::default();
        for requirement in requirements {
            let of_cell = wanted.of_cell.entry(requirement.cell).or_default();
            if of_cell.is_empty() {
                wanted.cells.push(requirement.cell);
            }
            of_cell.push(requirement);
        }
        wanted
    }

    /// All of it, cell by cell.
    pub(crate) fn requirements(&self) -> impl Iterator<Item = &Requirement> {
        self.cells.iter().filter_map(|cell| self.of_cell.get(cell)).flatten()
    }

    /// What is wanted of a cell in a direction.
    pub(crate) fn requirement(&self, cell: CellId, direction: Direction) -> Option<Requirement> {
        let of_cell = self.of_cell.get(&cell)?;
        of_cell.iter().copied().find(|requirement| requirement.direction == direction)
    }
}

impl Candidates {
    /// The requirements that the search for an order meets.
    ///
    /// # Errors
    /// If the solver fails.
    pub(crate) fn wanted(
        self,
        task: &Task,
        levels: SurrogateLevels,
    ) -> Result<CandidateRequirements, Error> {
        let problem = task.problem;
        let requirements: Vec<Requirement> = match (self, levels) {
            (Self::All, _) => requirements(problem),
            (Self::Attacked(algorithm), _) => candidate_requirements(task, Some(algorithm))?,
            (Self::Unpicked, SurrogateLevels::UpperOnly) => {
                exposed(problem, &Pattern::of_primaries(problem))
            }
            (Self::Unpicked, SurrogateLevels::Both) => {
                let exposed = exposed(problem, &Pattern::of_primaries(problem));
                let mut cells: Vec<CellId> =
                    exposed.into_iter().map(|requirement| requirement.cell).collect();
                cells.dedup();
                cells.into_iter().flat_map(|cell| of_primary(problem, cell)).collect()
            }
        };
        let counts = |requirement: &Requirement| {
            levels == SurrogateLevels::Both || requirement.direction == Direction::Up
        };
        Ok(CandidateRequirements::new(requirements.into_iter().filter(counts)))
    }
}

/// The requirements that unpicking shows not to be met by a pattern, primary by primary.
pub(crate) fn exposed(problem: &Problem, pattern: &Pattern) -> Vec<Requirement> {
    let fails = |&(cell, down, up): &(CellId, i64, i64)| {
        let fails = move |requirement: &Requirement| match requirement.direction {
            Direction::Up => requirement.distance > up,
            Direction::Down => requirement.distance > down,
        };
        let primary = problem.status(cell).is_primary();
        primary.then(|| of_primary(problem, cell).filter(fails).collect::<Vec<Requirement>>())
    };
    unpick(problem, pattern).rooms.iter().filter_map(fails).flatten().collect()
}
