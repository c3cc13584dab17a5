//! The best ways of a search, judged by their linear programs.

use quell_model::{Budget, Value};

use crate::program::Program;
use crate::round::round;
use crate::{Error, Instance, Way};

/// How many of the best ways are kept in case the best cannot be rounded.
const KEPT: usize = 8;

/// Costs that differ by less are the same.
const SAME: f64 = 1e-6;

/// Judges ways and keeps the best.
pub(crate) struct Judge<'a> {
    instance: &'a Instance<'a>,
    program: Program<'a>,
    /// The best ways and their costs before rounding, best first.
    best: Vec<(f64, Vec<Way>)>,
    /// Linear programs solved.
    pub(crate) solved: u64,
}

impl<'a> Judge<'a> {
    /// A judge who has seen nothing yet.
    pub(crate) fn new(instance: &'a Instance<'a>, budget: &Budget) -> Result<Self, Error> {
        let mut program = Program::new(instance, &first_ways(instance))?;
        program.limit(budget)?;
        Ok(Self { instance, program, best: Vec::new(), solved: 0 })
    }

    /// What ways cost before rounding, or `None` if they are infeasible (or the budget ended).
    pub(crate) fn judge(&mut self, ways: &[Way]) -> Result<Option<f64>, Error> {
        self.judge_below(ways, None)
    }

    /// As [`judge`](Self::judge), but `None` as well for ways that cost more than `worse`.
    pub(crate) fn judge_below(
        &mut self,
        ways: &[Way],
        worse: Option<f64>,
    ) -> Result<Option<f64>, Error> {
        self.program.set_ways(ways)?;
        self.solved += 1;
        let cost = self.program.solve(worse)?;
        if let Some(cost) = cost {
            self.keep(cost, ways);
        }
        Ok(cost)
    }

    /// Keeps ways of known cost.
    pub(crate) fn keep(&mut self, cost: f64, ways: &[Way]) {
        let worst = self.best.last().map_or(f64::INFINITY, |last| last.0);
        let full = self.best.len() == KEPT;
        if (full && cost >= worst) || self.best.iter().any(|known| known.1 == ways) {
            return;
        }
        // Of ways that cost the same the first stays first: how long a search went on, which
        // the number of threads may change, then does not change the result.
        let place = self.best.partition_point(|known| known.0 <= cost + SAME);
        self.best.insert(place, (cost, ways.to_vec()));
        self.best.truncate(KEPT);
    }

    /// The best ways so far and what they cost before rounding.
    pub(crate) fn best(&self) -> Option<&(f64, Vec<Way>)> {
        self.best.first()
    }

    /// The cost of the best ways, infinite if there are none.
    pub(crate) fn best_cost(&self) -> f64 {
        self.best.first().map_or(f64::INFINITY, |best| best.0)
    }

    /// The duals of the equations at the ways judged last.
    pub(crate) fn duals(&mut self, into: &mut Vec<f64>) -> Result<(), Error> {
        self.program.duals(into)
    }

    /// The best movement in whole units. Not stopped by a deadline: without it the search
    /// was for nothing. Solved afresh: from another basis another vertex might come.
    pub(crate) fn settle(self, budget: &Budget) -> Result<Option<Vec<Value>>, Error> {
        let budget = Budget::default().with_cancel(budget.cancel_flag().clone());
        for (_, ways) in self.best {
            let mut program = Program::new(self.instance, &ways)?;
            program.limit(&budget)?;
            if program.solve(None)?.is_none() {
                continue;
            }
            let movement = program.movement()?;
            if let Some(rounded) = round(self.instance, &ways, &movement, &budget)? {
                return Ok(Some(rounded));
            }
        }
        Ok(None)
    }
}

/// Ways that bounds allow, rising where both are open.
pub(crate) fn first_ways(instance: &Instance) -> Vec<Way> {
    let way = |can_rise: bool| if can_rise { Way::Rise } else { Way::Fall };
    instance.sensitive.iter().map(|sensitive| way(sensitive.can_rise)).collect()
}
