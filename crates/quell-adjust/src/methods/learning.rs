//! **learning**: the parametric image (cox-2005, section 5).
//!
//! Binary variables are given goals, up or down, by a penalty in the objective of the linear
//! relaxation (equation 9). A variable that misses its goal shows overt resistance
//! (equations 10 and 11); one that reaches it may still resist potentially, by its reduced
//! cost (12 and 13); one without a goal shows free resistance by its value (14 and 15). Over
//! a diversified sample of goals these are added up; the variables with the clearest
//! preference are fixed, and the rest is looked at again (16), until an integer program can
//! finish.
//!
//! - *Guarantee*: what is given keeps everything; no bound on how far it is from the optimum.
//! - *Complexity*: a sample of linear programs for each step, each from the basis of the last.
//! - *Choose it* as a yardstick: `auto` is better in less time.
//! - *Deviates*: the paper leaves the sample, the penalty and the number fixed a step to
//!   cox-2006; here a goal for half of the open variables, a penalty as large as
//!   the mean cost of a flip, a tenth of the open variables in each step.

use quell_model::{Direction, Random};
use quell_solve::{Changed, Index, Outcome, Solver};

use crate::bound::line_bound;
use crate::judge::Judge;
use crate::question::{Question, Written};
use crate::tolerance::INTEGRAL;
use crate::{Error, Method, Proposal, Task};

/// The settings of `learning`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Learning {
    /// Goal vectors a step.
    pub sample: usize,
    /// Share of the open variables that is fixed a step.
    pub fixed: f64,
    /// So few open variables are left to an integer program.
    pub rest: usize,
}

impl Default for Learning {
    fn default() -> Self {
        Self { sample: 20, fixed: 0.1, rest: 16 }
    }
}

impl Method for Learning {
    fn name(&self) -> &'static str {
        "learning"
    }

    fn adjust(&self, task: &Task) -> Result<Proposal, Error> {
        let instance = task.instance;
        let mut judge = Judge::new(instance, task.budget)?;
        let mut image = Image::new(task)?;
        let mut random = task.budget.random(1);
        let mut fixed: Vec<Option<Direction>> = vec![None; instance.sensitive.len()];
        task.progress.stage("learning", Some(fixed.len() as u64));
        loop {
            let open: Vec<usize> =
                (0..fixed.len()).filter(|&index| fixed[index].is_none()).collect();
            if open.len() <= self.rest || task.budget.stop().is_some() {
                break;
            }
            let mut preference = vec![0.0; fixed.len()];
            for _ in 0..self.sample {
                image.sample(&open, &mut random, &mut preference)?;
                task.budget.spend(1);
            }
            let count = ((open.len() as f64 * self.fixed).ceil() as usize).max(1);
            let mut order = open;
            order.sort_by(|&a, &b| preference[b].abs().total_cmp(&preference[a].abs()));
            for &index in &order[..count] {
                let direction =
                    if preference[index] > 0.0 { Direction::Up } else { Direction::Down };
                fixed[index] = Some(direction);
                image.fix(index, direction)?;
            }
            task.progress.advance(count as u64);
        }
        let answer = Question {
            fixed: &fixed,
            nodes: Some(2_000),
            ..Question::whole(instance, task.budget)
        }
        .answer()?;
        if let Some((directions, cost)) = answer.directions {
            judge.keep(cost, &directions);
        }
        Ok(Proposal { movement: judge.settle(task.budget)?, lower_bound: line_bound(instance) })
    }
}

/// The linear relaxation with an objective that goals change.
struct Image {
    written: Written,
    solver: Solver,
    penalty: f64,
    values: Vec<f64>,
    reduced: Vec<f64>,
}

impl Image {
    fn new(task: &Task) -> Result<Self, Error> {
        let instance = task.instance;
        let written = Question::whole(instance, task.budget).written();
        let mut solver = Solver::new()?;
        written.columns.pass(&mut solver)?;
        solver.relax()?;
        solver.set_stopping(Some(task.budget.over()))?;
        let flips = instance.sensitive.iter().map(|sensitive| {
            let cost = instance.costs[sensitive.cell.index()].max(1e-3);
            cost * (sensitive.rise + sensitive.fall) as f64
        });
        let penalty = flips.sum::<f64>() / instance.sensitive.len().max(1) as f64;
        Ok(Self { written, solver, penalty, values: Vec::new(), reduced: Vec::new() })
    }

    fn fix(&mut self, index: usize, direction: Direction) -> Result<(), Error> {
        let column = self.written.variables[index] as usize;
        let value = if direction == Direction::Up { 1.0 } else { 0.0 };
        let bounds = (self.written.columns.lower[column], self.written.columns.upper[column]);
        // A variable whose bounds leave one value has it already.
        if bounds.0 < bounds.1 {
            self.solver.set_column_bounds(column, value, value)?;
        }
        Ok(())
    }

    /// Solves for a random vector of goals and adds what it shows: positive for up.
    fn sample(
        &mut self,
        open: &[usize],
        random: &mut Random,
        preference: &mut [f64],
    ) -> Result<(), Error> {
        let goals: Vec<Option<Direction>> = open
            .iter()
            .map(|_| match random.below(4) {
                0 => Some(Direction::Up),
                1 => Some(Direction::Down),
                _ => None,
            })
            .collect();
        let columns: Vec<Index> =
            open.iter().map(|&index| self.written.variables[index] as Index).collect();
        let true_cost = |column: Index| self.written.columns.costs[column as usize];
        let costs: Vec<f64> = columns
            .iter()
            .zip(&goals)
            .map(|(&column, goal)| match goal {
                None => true_cost(column),
                Some(Direction::Up) => true_cost(column) - self.penalty,
                Some(Direction::Down) => true_cost(column) + self.penalty,
            })
            .collect();
        self.solver.set_costs(&columns, &costs)?;
        if self.solver.resolve(Changed::Objective)? != Outcome::Optimal {
            return Ok(());
        }
        self.solver.column_values(&mut self.values)?;
        self.solver.column_duals(&mut self.reduced)?;
        for ((&index, goal), &column) in open.iter().zip(&goals).zip(&columns) {
            let value = self.values[column as usize];
            let reduced = self.reduced[column as usize] / self.penalty;
            preference[index] += match goal {
                // Free resistance: to neither way where the value is one half.
                None => value - 0.5,
                // Overt resistance to a goal missed, potential resistance to one reached: a
                // reduced cost near the whole penalty shows none.
                Some(Direction::Up) if value < 1.0 - INTEGRAL => -(1.0 - value),
                Some(Direction::Up) => (-reduced).clamp(0.0, 2.0) - 1.0,
                Some(Direction::Down) if value > INTEGRAL => value,
                Some(Direction::Down) => 1.0 - reduced.clamp(0.0, 2.0),
            };
        }
        let costs: Vec<f64> = columns.iter().map(|&column| true_cost(column)).collect();
        self.solver.set_costs(&columns, &costs)?;
        Ok(())
    }
}
