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

use quell_model::{CellId, Pattern, Problem, Requirement, Standing, Stop};

use super::neighbourhoods::{Given, Neighbourhoods};
use crate::bound::{Master, Row, Separator, Solved, Stay, Tree, Visitor, separator};
use crate::search::builder::{Found, PatternBuilder, builder};
use crate::search::network::TableNetwork;
use crate::search::requirements::level_of;
use crate::tolerance::{SAME_COST, WEIGHT_DIGITS};
use crate::{Checkpoint, Error, Proposal, Task};

/// Cells of each equation that are columns from the beginning, besides those in patterns.
const COLUMNS_PER_LINE: usize = 12;

/// The root ends when the bound grew by less than this share in so many rounds.
const TAILING_OFF: f64 = 1e-3;
const PATIENCE: usize = 8;

/// Rounds of the root after which its point is completed to a pattern.
const COMPLETIONS: usize = 6;

/// Remove-and-repair steps after each completion.
const SHAKES: usize = 60;

/// How much of a cell's weight its value in the linear program takes away when its point is
/// completed.
const GUIDANCE: f64 = 0.9;

/// Branch-and-bound nodes of the first integer program; each round doubles them.
const NODES: usize = 40;

/// The most cells in a tree: with more, every node takes too long.
const TREE_CELLS: usize = 5_000;

/// Rounds of cuts at the root beside one round of neighbourhoods.
const ROOT_ROUNDS: usize = 6;

/// Neighbourhoods of the first round; without a tree each round doubles them.
const NEIGHBOURHOODS: usize = 6;

/// The state of a search.
pub(crate) struct Benders<'a> {
    task: Task<'a>,
    network: Option<&'a TableNetwork>,
    builder: Box<dyn PatternBuilder + 'a>,
    separator: Separator<'a>,
    master: Master<'a>,
    /// The requirements that primaries alone do not meet.
    requirements: Vec<Requirement>,
    best: Found,
    lower: f64,
    tree: Option<Tree>,
    /// The value of the linear program at the root, with which its reduced costs belong.
    root_value: f64,
    /// Patterns that differ, differ in cost by at least this.
    grain: f64,
}

impl<'a> Benders<'a> {
    /// Starts from a pattern built path by path, or from what an earlier search left.
    ///
    /// # Errors
    /// If the solver fails.
    pub(crate) fn new(task: &Task<'a>, network: Option<&'a TableNetwork>) -> Result<Self, Error> {
        let problem = task.problem;
        let mut builder = builder(task, network)?;
        let open: Vec<Requirement> = builder
            .requirements()
            .iter()
            .filter_map(|requirement| level_of(problem, requirement))
            .collect();
        let begun = task.checkpoints.last().map_or(&[][..], |last| &last.secondaries);
        let best = builder.complete(begun, None)?;
        let mut separator = separator(problem, network, task.budget)?;
        let columns = first_columns(problem, &best.secondaries);
        let master = Master::new(problem, &columns, task.budget)?;
        separator.set_columns(master.columns())?;
        let grain = grain(problem);
        let (task, requirements, tree) = (*task, open, None);
        let (lower, root_value) = (0.0, 0.0);
        Ok(Self {
            task,
            network,
            builder,
            separator,
            master,
            requirements,
            best,
            lower,
            tree,
            root_value,
            grain,
        })
    }

    /// Searches until the proof or the end of the budget.
    ///
    /// # Errors
    /// If the solver fails.
    pub(crate) fn run(mut self) -> Result<Proposal, Error> {
        // Nothing is cheaper than nothing, and without requirements there is nothing to bound.
        if self.best.cost > 0.0 && !self.requirements.is_empty() {
            self.search()?;
        }
        self.leave_checkpoint();
        let mut pattern = Pattern::of_primaries(self.task.problem);
        self.best.secondaries.iter().for_each(|&cell| pattern.suppress(cell));
        let lower_bound = if self.is_proven() { self.best.cost } else { self.lower };
        Ok(Proposal { pattern, lower_bound, iterations: 0 })
    }

    fn search(&mut self) -> Result<(), Error> {
        self.task.progress.stage("bounding", None);
        self.root(usize::MAX)?;
        self.root_value = self.master.objective();
        let mut neighbourhoods = Neighbourhoods::new(&self.task, self.network)?;
        self.task.progress.stage("improving", None);
        for round in 0_u32.. {
            if self.is_proven()
                || self.tree.as_ref().is_some_and(Tree::is_done)
                || self.task.budget.stop().is_some()
            {
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
        let (cost, bound) = (self.best.cost, self.lower);
        self.task.progress.standing(&Standing { cost, exposed: 0, bound });
    }

    fn is_proven(&self) -> bool {
        self.lower > self.best.cost - self.grain
    }

    fn keep(&mut self, found: Found) {
        if found.cost < self.best.cost - self.grain / 2.0 {
            self.best = found;
        }
    }

    /// The linear program with all cuts it takes, for at most so many rounds.
    fn root(&mut self, rounds: usize) -> Result<(), Error> {
        let mut random = self.task.budget.random(1);
        let (mut reference, mut quiet) = (self.lower, 0);
        for round in 0..rounds {
            if self.task.budget.stop().is_some() || !self.solve()? {
                return Ok(());
            }
            self.task.budget.spend(1);
            self.tell();
            let cuts = self.cuts_at_point()?;
            if self.task.budget.stop().is_some() {
                return Ok(());
            }
            let violated = self.master.add_cuts(cuts, Stay::WhileTight)?;
            if violated == 0 && self.price_out()? == 0 {
                break;
            }
            if round % COMPLETIONS == COMPLETIONS - 1 {
                self.price_out()?;
                self.complete_point(&mut random)?;
            }
            if self.is_proven() {
                return Ok(());
            }
            quiet += 1;
            if self.master.objective() > reference * (1.0 + TAILING_OFF) {
                (reference, quiet) = (self.master.objective(), 0);
            }
            if quiet > PATIENCE {
                break;
            }
        }
        self.price_out()?;
        self.complete_point(&mut random)?;
        if !self.is_proven() {
            self.master.exclude(self.best.cost - self.grain)?;
        }
        Ok(())
    }

    /// Solves the linear program; `false` if there is nothing to go on with.
    fn solve(&mut self) -> Result<bool, Error> {
        let solved = self.master.solve()?;
        if solved == Solved::Infeasible {
            // Only cells that no cheaper pattern has are excluded, so there is none.
            self.lower = self.best.cost;
        }
        Ok(solved == Solved::Optimal)
    }

    /// Solves the linear program and adds columns until none would lower its value, which
    /// then is a bound. Says how many were added.
    fn price_out(&mut self) -> Result<usize, Error> {
        let mut added = 0;
        while self.solve()? {
            let (priced, bound) = self.master.price()?;
            self.lower = self.lower.max(bound);
            if priced == 0 {
                break;
            }
            added += priced;
            self.separator.set_columns(self.master.columns())?;
        }
        Ok(added)
    }

    fn cuts_at_point(&mut self) -> Result<Vec<Row>, Error> {
        self.separator.set_point(self.master.point())?;
        let mut cuts = Vec::new();
        for requirement in &self.requirements {
            // Where every question is a linear program, a round takes long.
            if self.task.budget.stop().is_some() {
                return Ok(cuts);
            }
            cuts.extend(self.separator.requirement(requirement)?);
        }
        for cell in self.task.problem.system().cells() {
            let primary = self.task.problem.status(cell).is_primary();
            if self.master.point()[cell.index()] > 0.01 && !primary {
                cuts.extend(self.separator.company(cell)?);
            }
        }
        Ok(cuts)
    }

    /// A pattern along the linear program's point.
    fn complete_point(&mut self, random: &mut quell_model::Random) -> Result<(), Error> {
        let problem = self.task.problem;
        let point = self.master.point();
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
            requirements: self.requirements.clone(),
            rows: self.master.rows(),
            open: self.master.cells_by_reduced_cost(self.best.cost - self.root_value),
            lower: self.lower,
        };
        let grows = self.tree.is_some() || given.open.len() <= TREE_CELLS;
        if grows && self.tree.is_none() {
            self.master.add_open_cells(self.best.cost - self.root_value)?;
            self.separator.set_columns(self.master.columns())?;
            self.tree = Some(Tree::new(self.task.problem.cell_count(), self.lower));
        }
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
            let proven = self.is_proven() || self.tree.as_ref().is_some_and(Tree::is_done);
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
            self.master.add_cuts(improved.cuts, Stay::Always)?;
        }
        Ok(())
    }

    /// Grows the tree by so many nodes, or tightens the root where a tree would have too many
    /// columns.
    fn raise_bound(&mut self, nodes: usize, done: &AtomicBool) -> Result<(), Error> {
        let Some(tree) = &mut self.tree else {
            self.root(ROOT_ROUNDS)?;
            self.root_value = self.master.objective();
            return Ok(());
        };
        let mut visitor = Visitor {
            master: &mut self.master,
            separator: &mut self.separator,
            requirements: &self.requirements,
            budget: self.task.budget,
        };
        let cutoff = self.best.cost - self.grain;
        let progressed = tree.search(&mut visitor, cutoff, nodes, done)?;
        for chosen in &progressed.chosen {
            let found = self.builder.complete(chosen, None)?;
            self.keep(found);
        }
        // Beyond the cutoff the tree knows nothing, but then nothing is cheaper than the best.
        let bound = if progressed.bound >= cutoff { self.best.cost } else { progressed.bound };
        self.lower = self.lower.max(bound.min(self.best.cost));
        Ok(())
    }
}

/// Cells that a pattern uses and the cheapest of every equation.
fn first_columns(problem: &Problem, used: &[CellId]) -> Vec<CellId> {
    let system = problem.system();
    let mut columns = used.to_vec();
    for equation in system.equations() {
        let mut cells: Vec<CellId> = system.cells_of(equation).map(|(cell, _)| cell).collect();
        cells.sort_by(|&a, &b| problem.weight(a).total_cmp(&problem.weight(b)).then(a.cmp(&b)));
        columns.extend(cells.into_iter().take(COLUMNS_PER_LINE));
    }
    columns
}

/// By how much the costs of two patterns differ at least: weights with few decimals make
/// costs that are multiples of a last digit.
fn grain(problem: &Problem) -> f64 {
    let weights = || problem.system().cells().map(|cell| problem.weight(cell));
    let largest: f64 = weights().sum();
    let fits = |digits: &i32| {
        let scale = 10_f64.powi(*digits);
        weights().all(|weight| (weight * scale - (weight * scale).round()).abs() < WEIGHT_DIGITS)
    };
    match (0..=4).find(fits) {
        // Sums are rounded, so not quite the whole of the last digit.
        Some(digits) => 0.99 * 10_f64.powi(-digits),
        None => SAME_COST * largest.max(1.0),
    }
}
