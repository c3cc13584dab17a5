//! Protecting groups of primaries one after the other: the incremental model with the
//! grouped linear program.

use quell_model::{Budget, CellId, Direction, Pattern, Problem, Requirement};
use rustc_hash::FxHashSet;

use super::candidates::CandidateRequirements;
use crate::search::group_program::{Answer, GroupProgram};
use crate::search::mover::Mover;
use crate::search::nearby::Nearby;
use crate::search::requirements::{level_of, of_primary};
use crate::{Error, Movement};

/// Whether there was time for all of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    Yes,
    OutOfTime,
}

/// A pattern that grows group by group.
pub(crate) struct Protector<'a> {
    problem: &'a Problem,
    pub(crate) program: GroupProgram<'a>,
    pub(crate) pattern: Pattern,
    /// What movements found so far prove, and what nothing can: not to be asked again.
    settled: FxHashSet<(CellId, Direction)>,
    /// What groups were given so far.
    pub(crate) movements: Vec<Movement>,
    /// For requirements that there is no time left to protect in groups.
    nearby: Option<Nearby<'a>>,
}

/// What a cell costs that is to move: nothing if it is hidden.
fn price(problem: &Problem, pattern: &Pattern, cell: CellId) -> f64 {
    match pattern.is_suppressed(cell) {
        true => 0.0,
        false => problem.weight(cell).max(f64::MIN_POSITIVE),
    }
}

impl<'a> Protector<'a> {
    /// A protector that starts from a pattern.
    pub(crate) fn new(
        problem: &'a Problem,
        budget: &Budget,
        start: &Pattern,
    ) -> Result<Self, Error> {
        Ok(Self {
            problem,
            program: GroupProgram::new(problem, budget)?,
            pattern: start.clone(),
            settled: FxHashSet::default(),
            movements: Vec::new(),
            nearby: None,
        })
    }

    /// Begins with what groups were given in an earlier run.
    pub(crate) fn take(&mut self, movements: &[Movement]) {
        movements.iter().for_each(|movement| self.give(movement.clone()));
    }

    /// Meets what is wanted of a group, upper levels first, then lower ones (figure 3).
    /// Whatever movement is found is kept, even if time ends before the rest.
    pub(crate) fn protect(
        &mut self,
        group: &[CellId],
        wanted: &CandidateRequirements,
    ) -> Result<Done, Error> {
        for direction in [Direction::Up, Direction::Down] {
            let requirements = group.iter().filter_map(|&cell| wanted.requirement(cell, direction));
            let open: Vec<Requirement> =
                requirements.filter(|requirement| !self.is_settled(requirement)).collect();
            if self.meet(&open)? == Done::OutOfTime {
                return Ok(Done::OutOfTime);
            }
        }
        Ok(Done::Yes)
    }

    /// Meets what is wanted of a group requirement by requirement, each in a small region: dearer,
    /// but quick, and whatever the budget says.
    pub(crate) fn protect_nearby(
        &mut self,
        group: &[CellId],
        wanted: &CandidateRequirements,
    ) -> Result<(), Error> {
        let mut nearby = self.nearby.take().unwrap_or_else(|| Nearby::new(self.problem));
        for direction in [Direction::Up, Direction::Down] {
            for requirement in group.iter().filter_map(|&cell| wanted.requirement(cell, direction))
            {
                let level = level_of(self.problem, &requirement);
                for asked in [Some(requirement), level].into_iter().flatten() {
                    if self.is_settled(&requirement) {
                        break;
                    }
                    if let Some(movement) = nearby.cheapest(&asked, &|cell| self.price(cell))? {
                        self.hide(&movement);
                        self.settled.insert((requirement.cell, requirement.direction));
                    }
                }
                self.settled.insert((requirement.cell, requirement.direction));
            }
        }
        self.nearby = Some(nearby);
        Ok(())
    }

    /// Whether a requirement is met or cannot be.
    pub(crate) fn is_settled(&self, requirement: &Requirement) -> bool {
        self.settled.contains(&(requirement.cell, requirement.direction))
    }

    fn meet(&mut self, open: &[Requirement]) -> Result<Done, Error> {
        if open.is_empty() {
            return Ok(Done::Yes);
        }
        match self.ask(open)? {
            Answer::Movement(movement) => self.give(movement),
            Answer::OutOfTime => return Ok(Done::OutOfTime),
            Answer::Impossible if open.len() > 1 => {}
            Answer::Impossible => return self.meet_level(&open[0]),
        }
        if let &[requirement] = open {
            // Up to rounding it is met; asking again would not change that.
            self.settled.insert((requirement.cell, requirement.direction));
            return Ok(Done::Yes);
        }
        // Not all at once, or too small beside the others for the solver: then one by one.
        for requirement in open {
            if !self.is_settled(requirement) && self.meet(&[*requirement])? == Done::OutOfTime {
                return Ok(Done::OutOfTime);
            }
        }
        Ok(Done::Yes)
    }

    /// What can be done for a primary whose sliding level is out of reach.
    fn meet_level(&mut self, requirement: &Requirement) -> Result<Done, Error> {
        if let Some(level) =
            level_of(self.problem, requirement).filter(|level| level != requirement)
        {
            match self.ask(&[level])? {
                Answer::Movement(movement) => self.give(movement),
                Answer::OutOfTime => return Ok(Done::OutOfTime),
                Answer::Impossible => {}
            }
        }
        self.settled.insert((requirement.cell, requirement.direction));
        Ok(Done::Yes)
    }

    fn ask(&mut self, open: &[Requirement]) -> Result<Answer, Error> {
        let (problem, pattern) = (self.problem, &self.pattern);
        self.program.meet(open, &|cell| price(problem, pattern, cell))
    }

    fn price(&self, cell: CellId) -> f64 {
        price(self.problem, &self.pattern, cell)
    }

    fn give(&mut self, movement: Movement) {
        self.hide(&movement);
        self.movements.push(movement);
    }

    /// Hides what moves, and notes what that proves, there and back.
    fn hide(&mut self, movement: &Movement) {
        movement.cells().for_each(|cell| self.pattern.suppress(cell));
        self.note(movement);
        if let Some(back) = movement.reversed(self.problem) {
            self.note(&back);
        }
    }

    fn note(&mut self, movement: &Movement) {
        for cell in movement.cells().filter(|&cell| self.problem.status(cell).is_primary()) {
            let met = of_primary(self.problem, cell)
                .filter(|requirement| movement.meets(self.problem, requirement));
            self.settled.extend(met.map(|requirement| (requirement.cell, requirement.direction)));
        }
    }
}
