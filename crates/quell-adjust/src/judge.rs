//! The best directions of a search, judged by their linear programs.

use quell_model::{Budget, Direction, Value};

use crate::choice::first_directions;
use crate::program::Program;
use crate::round::round;
use crate::tolerance::SAME_COST;
use crate::{Error, Instance};

/// How many of the best directions are kept in case the best cannot be rounded.
const KEPT: usize = 8;

/// Directions that were judged.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    /// What they cost before rounding.
    pub(crate) cost: f64,
    pub(crate) directions: Vec<Direction>,
    /// How far every cell moves, before rounding, if the linear program was solved here.
    movement: Option<Vec<f64>>,
}

/// Judges directions and keeps the best.
pub(crate) struct Judge<'a> {
    instance: &'a Instance<'a>,
    program: Program<'a>,
    budget: Budget,
    /// The best directions, best first.
    best: Vec<Known>,
    /// Linear programs solved.
    pub(crate) solved: u64,
}

impl<'a> Judge<'a> {
    /// A judge who has seen nothing yet.
    pub(crate) fn new(instance: &'a Instance<'a>, budget: &Budget) -> Result<Self, Error> {
        let program = Program::new(instance, &first_directions(instance))?;
        Ok(Self { instance, program, budget: budget.clone(), best: Vec::new(), solved: 0 })
    }

    /// What directions cost before rounding, or `None` if they are infeasible (or the budget
    /// ended).
    pub(crate) fn judge(&mut self, directions: &[Direction]) -> Result<Option<f64>, Error> {
        self.judge_below(directions, None)
    }

    /// As [`judge`](Self::judge), but `None` as well for directions that cost more than `worse`.
    pub(crate) fn judge_below(
        &mut self,
        directions: &[Direction],
        worse: Option<f64>,
    ) -> Result<Option<f64>, Error> {
        self.program.set_directions(directions)?;
        self.program.limit(&self.budget)?;
        self.solved += 1;
        let cost = self.program.solve(worse)?;
        if let Some(cost) = cost.filter(|&cost| self.is_news(cost, directions)) {
            let movement = Some(self.program.movement()?);
            self.add(Known { cost, directions: directions.to_vec(), movement });
        }
        Ok(cost)
    }

    /// Keeps directions of known cost.
    pub(crate) fn keep(&mut self, cost: f64, directions: &[Direction]) {
        if self.is_news(cost, directions) {
            self.add(Known { cost, directions: directions.to_vec(), movement: None });
        }
    }

    /// Keeps what another judge has found.
    pub(crate) fn learn(&mut self, others: Vec<Known>) {
        for known in others {
            if self.is_news(known.cost, &known.directions) {
                self.add(known);
            }
        }
    }

    fn is_news(&self, cost: f64, directions: &[Direction]) -> bool {
        let worst = self.best.last().map_or(f64::INFINITY, |last| last.cost);
        let full = self.best.len() == KEPT;
        !(full && cost >= worst || self.best.iter().any(|known| known.directions == directions))
    }

    fn add(&mut self, known: Known) {
        // Of directions that cost the same the first stays first: how long a search went on, which
        // the number of threads may change, then does not change the result.
        let place = self.best.partition_point(|other| other.cost <= known.cost + SAME_COST);
        self.best.insert(place, known);
        self.best.truncate(KEPT);
    }

    /// The best directions so far.
    pub(crate) fn best(&self) -> Option<&Known> {
        self.best.first()
    }

    /// All directions that are kept, best first.
    pub(crate) fn into_best(self) -> Vec<Known> {
        self.best
    }

    /// The cost of the best directions, infinite if there are none.
    pub(crate) fn best_cost(&self) -> f64 {
        self.best.first().map_or(f64::INFINITY, |best| best.cost)
    }

    /// The duals of the equations at the directions judged last.
    pub(crate) fn duals(&mut self, into: &mut Vec<f64>) -> Result<(), Error> {
        self.program.duals(into)
    }

    /// The best movement in whole units. Directions whose linear program was not solved yet have it
    /// solved whatever the time: without it the search was for nothing.
    pub(crate) fn settle(self, budget: &Budget) -> Result<Option<Vec<Value>>, Error> {
        let patient = Budget::default().with_cancel(budget.cancel_flag().clone());
        for Known { directions, movement, .. } in self.best {
            let solved = || -> Result<Option<Vec<f64>>, Error> {
                let mut program = Program::new(self.instance, &directions)?;
                program.limit(&patient)?;
                let cost = program.solve(None)?;
                cost.map(|_| program.movement()).transpose()
            };
            let known = movement.map_or_else(solved, |movement| Ok(Some(movement)))?;
            let Some(movement) = known else { continue };
            if let Some(rounded) = round(self.instance, &directions, &movement, budget)? {
                return Ok(Some(rounded));
            }
        }
        Ok(None)
    }
}
