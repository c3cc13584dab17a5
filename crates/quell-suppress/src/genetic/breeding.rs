//! Breeding on several threads, and the tables on which it works.

use quell_model::Random;
use rayon::prelude::*;

use super::Population;
use crate::search::two_way::{Chromosome, CircuitBuilder, Finder, TwoWay};
use crate::{Error, Task};

/// Seeds bred before the budget is asked again: a number that does not depend on the
/// threads, so that a limit of work does not either.
const BATCH: usize = 4;

/// The table of a task as a network, without the requirements that nothing can meet: these would
/// make every offspring look infeasible. (The audit reports them.)
///
/// # Errors
/// If the table is no network.
pub(crate) fn two_way<'a>(task: &Task<'a>, method: &'static str) -> Result<TwoWay<'a>, Error> {
    let Some(mut table) = TwoWay::of(task.problem) else {
        return Err(Error::NotForThisTable {
            method,
            reason: "it works on the rows and columns of a two-way table, of which one \
                     dimension may have sub-totals; use hypercube or kelly-lp, which take any \
                     table"
                .to_owned(),
        });
    };
    let mut builder = CircuitBuilder::new(&table, task.budget);
    let order: Vec<usize> = (0..table.primaries.len()).collect();
    builder.protect(&order, Finder::Paths);
    task.budget.spend(builder.effort());
    let unmet = builder.unmet;
    table.retain(|requirement| !unmet.contains(requirement));
    Ok(table)
}

/// Breeds chromosomes of a table, several at once.
pub(crate) struct Breeding<'a> {
    task: &'a Task<'a>,
    table: &'a TwoWay<'a>,
    pool: Option<rayon::ThreadPool>,
    /// Streams of chance used so far.
    streams: u64,
}

impl<'a> Breeding<'a> {
    /// Breeding within the budget of a task.
    pub(crate) fn new(task: &'a Task<'a>, table: &'a TwoWay<'a>) -> Self {
        let threads = task.budget.threads();
        let pool = match threads {
            1 => None,
            // Without a pool the work is done here: slower, but the same.
            _ => rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok(),
        };
        Self { task, table, pool, streams: 1 }
    }

    /// A stream of chance that nobody else has.
    pub(crate) fn random(&mut self) -> Random {
        self.streams += 1;
        self.task.budget.random(self.streams)
    }

    /// What `breed` gives for each of `count` numbers, in order. The effort is counted
    /// when all are done, so that a limit of work means the same on any number of threads.
    pub(crate) fn breed<T: Send>(
        &mut self,
        count: usize,
        breed: impl Fn(usize, &mut CircuitBuilder, &mut Random) -> T + Sync,
    ) -> Vec<T> {
        let (table, budget, first) = (self.table, self.task.budget, self.streams + 1);
        self.streams += count as u64;
        let one = |builder: &mut CircuitBuilder, number: usize| {
            let before = builder.effort();
            let mut random = budget.random(first + number as u64);
            let result = breed(number, builder, &mut random);
            (result, builder.effort() - before)
        };
        let results: Vec<(T, u64)> = match &self.pool {
            Some(pool) => pool.install(|| {
                (0..count)
                    .into_par_iter()
                    .map_init(|| CircuitBuilder::new(table, budget), one)
                    .collect()
            }),
            None => {
                let mut builder = CircuitBuilder::new(table, budget);
                (0..count).map(|number| one(&mut builder, number)).collect()
            }
        };
        budget.spend(results.iter().map(|(_, effort)| effort).sum());
        results.into_iter().map(|(result, _)| result).collect()
    }

    /// A first population: `size` chromosomes, each by `build`; fewer, but at least
    /// [`BATCH`] if so many are wanted, when the budget ends before.
    pub(crate) fn population(
        &mut self,
        size: usize,
        build: impl Fn(usize, &mut CircuitBuilder, &mut Random) -> Chromosome + Sync,
    ) -> Population {
        let mut members = Vec::with_capacity(size);
        while members.is_empty() || (members.len() < size && self.task.budget.stop().is_none()) {
            let first = members.len();
            let count = BATCH.min(size - first);
            members.extend(
                self.breed(count, |number, builder, random| build(first + number, builder, random)),
            );
        }
        Population::new(members)
    }
}
