//! The search behind `exact` and `auto`: cuts give the lower bound, and what the linear
//! program over them says guides the patterns.
//!
//! 1. *Root*: solve the linear program, add the cuts its point violates, price columns;
//!    now and then complete the point to a pattern.
//! 2. *Rounds*: side by side, an integer program over all cells that can still be in a
//!    cheaper pattern raises the bound, and integer programs over neighbourhoods of the best
//!    pattern lower its cost (`neighbourhood`). Cuts found by either serve both.
//!
//! It ends with a proof when bound and cost meet. Chance and the size of each step depend on
//! the seed and on the problem, not on threads; only a deadline brings the clock in.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use quell_model::{Pattern, Standing, Stop};

use super::neighbourhoods::{Given, Neighbourhoods};
use crate::bound::{Bounder, Round};
use crate::search::builder::{Found, PatternBuilder, builder};
use crate::search::necessary::necessary;
use crate::search::network::TableNetwork;
use crate::{Checkpoint, Error, Proposal, Task};

/// Rounds of the root after which its point is completed to a pattern.
const COMPLETIONS: usize = 6;

/// Remove-and-repair steps after each completion.
const SHAKES: usize = 60;

/// How much of a cell's weight its value in the linear program takes away when its point is
/// completed.
const GUIDANCE: f64 = 0.9;

/// Branch-and-bound nodes of the first integer program; each round doubles them.
const NODES: usize = 40;

/// Rounds of cuts at the root beside one round of neighbourhoods.
const ROOT_ROUNDS: usize = 6;

/// Neighbourhoods of the first round; without a tree each round doubles them.
const NEIGHBOURHOODS: usize = 6;

/// The state of a search.
pub(crate) struct Benders<'a> {
    task: Task<'a>,
    network: Option<&'a TableNetwork>,
    builder: Box<dyn PatternBuilder + 'a>,
    bounder: Bounder<'a>,
    best: Found,
}

impl<'a> Benders<'a> {
    /// Starts from a pattern built path by path, or from what an earlier search left.
    ///
    /// # Errors
    /// If the solver fails.
    pub(crate) fn new(task: &Task<'a>, network: Option<&'a TableNetwork>) -> Result<Self, Error> {
        let problem = task.problem;
        let mut builder = builder(task, network)?;
        let open = necessary(task, builder.requirements())?;
        let begun = task.checkpoints.last().map_or(&[][..], |last| &last.secondaries);
        let best = builder.complete(begun, None)?;
        let bounder = Bounder::new(problem, network, open, &best.secondaries, task.budget)?;
        Ok(Self { task: *task, network, builder, bounder, best })
    }

    /// Searches until the proof or the end of the budget.
    ///
    /// # Errors
    /// If the solver fails.
    pub(crate) fn run(mut self) -> Result<Proposal, Error> {
        // Nothing is cheaper than nothing, and without requirements there is nothing to bound.
        if self.best.cost > 0.0 && !self.bounder.requirements().is_empty() {
            self.search()?;
        }
        self.leave_checkpoint();
        let mut pattern = Pattern::of_primaries(self.task.problem);
        self.best.secondaries.iter().for_each(|&cell| pattern.suppress(cell));
        let lower_bound = if self.is_proven() { self.best.cost } else { self.bounder.lower() };
        Ok(Proposal { pattern, lower_bound, iterations: 0 })
    }

    fn search(&mut self) -> Result<(), Error> {
        self.task.progress.stage("bounding", None);
        self.root(usize::MAX)?;
        self.bounder.note_root();
        let mut neighbourhoods = Neighbourhoods::new(&self.task, self.network)?;
        self.task.progress.stage("improving", None);
        for round in 0_u32.. {
            if self.is_proven() || self.bounder.is_done() || self.task.budget.stop().is_some() {
                break;
            }
            self.round(round, &mut neighbourhoods)?;
            self.tell();
            if self.task.checkpoints.is_due() {
                self.leave_checkpoint();
            }
        }
        Ok(())
    }

    fn leave_checkpoint(&self) {
        self.task.checkpoints.save(&|| Checkpoint {
            secondaries: self.best.secondaries.clone(),
            ..Checkpoint::default()
        });
    }

    /// The best pattern is safe, so nothing is exposed.
    fn tell(&self) {
        let (cost, bound) = (self.best.cost, self.bounder.lower());
        self.task.progress.standing(&Standing { cost, exposed: 0, bound });
    }

    fn is_proven(&self) -> bool {
        self.bounder.is_proven(self.best.cost)
    }

    fn keep(&mut self, found: Found) {
        if found.cost < self.best.cost - self.bounder.grain() / 2.0 {
            self.best = found;
        }
    }

    /// The linear program with all cuts it takes, for at most so many rounds.
    fn root(&mut self, rounds: usize) -> Result<(), Error> {
        let mut random = self.task.budget.random(1);
        self.bounder.begin();
        for round in 0..rounds {
            match self.bounder.cut(self.best.cost)? {
                Round::Stopped => return Ok(()),
                Round::Ended => break,
                Round::Moved => self.tell(),
            }
            if round % COMPLETIONS == COMPLETIONS - 1 {
                self.bounder.price_out(self.best.cost)?;
                self.complete_point(&mut random)?;
            }
            if self.is_proven() {
                return Ok(());
            }
            if !self.bounder.grows() {
                break;
            }
        }
        self.bounder.price_out(self.best.cost)?;
        self.complete_point(&mut random)?;
        self.bounder.end_root(self.best.cost)
    }

    /// A pattern along the linear program's point.
    fn complete_point(&mut self, random: &mut quell_model::Random) -> Result<(), Error> {
        let problem = self.task.problem;
        let point = self.bounder.point();
        let guide = problem
            .system()
            .cells()
            .map(|cell| problem.weight(cell) * (1.0 - GUIDANCE * point[cell.index()]))
            .collect();
        let found = self.builder.complete(&[], Some(guide))?;
        self.keep(found);
        let found = self.builder.shake(random, SHAKES)?;
        self.keep(found);
        Ok(())
    }

    /// One round: the bound and the pattern, side by side.
    fn round(&mut self, round: u32, neighbourhoods: &mut Neighbourhoods<'a>) -> Result<(), Error> {
        let budget = self.task.budget;
        let given = Given {
            requirements: self.bounder.requirements().to_vec(),
            rows: self.bounder.rows(),
            open: self.bounder.open_cells(self.best.cost),
            lower: self.bounder.lower(),
        };
        let grows = self.bounder.plant(self.best.cost)?;
        // The first round is the tree's alone: where it suffices, patterns are lost time. Where
        // it grows, the best pattern is soon found, and the proof takes longest.
        let steps = match (grows, round) {
            (true, 0) => 0,
            (true, _) => NEIGHBOURHOODS,
            (false, _) => NEIGHBOURHOODS << round.min(4),
        };
        let nodes = NODES << round.min(4);
        let enough = Arc::new(AtomicBool::new(false));
        // Effort is counted by one side alone: who reaches a limit first is the clock's affair.
        let beside = budget.clone().with_cancel(enough.clone()).with_work(u64::MAX);
        // With a deadline, which brings the clock in anyway, the tree grows as long as the
        // neighbourhoods take.
        let waits = budget.time_left().is_some() && budget.threads() > 1 && steps > 0;
        let done = AtomicBool::new(!waits);
        let best = self.best.clone();
        let mut bounding = || {
            let bounded = self.raise_bound(nodes, &done);
            // Nobody waits for patterns when the best is proven, nor after Ctrl-C.
            let proven = self.is_proven() || self.bounder.is_done();
            let late = matches!(budget.stop(), Some(Stop::Cancelled | Stop::Deadline));
            enough.store(proven || late, Ordering::Relaxed);
            bounded.map(|()| proven)
        };
        let search = || {
            let improved = neighbourhoods.search(&given, best, steps, &beside);
            done.store(true, Ordering::Relaxed);
            improved
        };
        let (proven, improved) = match budget.threads() {
            1 => {
                let proven = bounding();
                (proven, search())
            }
            _ => rayon::join(bounding, search),
        };
        let (proven, improved) = (proven?, improved?);
        budget.spend((nodes + steps) as u64);
        // How far the neighbourhoods came when a proof cut them short depends on the clock.
        if !proven {
            self.keep(improved.best);
            self.bounder.add_cuts(improved.cuts)?;
        }
        Ok(())
    }

    /// Grows the tree by so many nodes, or tightens the root where a tree would have too many
    /// columns.
    fn raise_bound(&mut self, nodes: usize, done: &AtomicBool) -> Result<(), Error> {
        if !self.bounder.is_branching() {
            self.root(ROOT_ROUNDS)?;
            self.bounder.note_root();
            return Ok(());
        }
        for chosen in self.bounder.branch(self.best.cost, nodes, done)? {
            let found = self.builder.complete(&chosen, None)?;
            self.keep(found);
        }
        Ok(())
    }
}
