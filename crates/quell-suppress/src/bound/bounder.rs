//! The bound that grows: the linear program over the cuts, and branch and cut when it has come to
//! its end.
//!
//! Whoever has patterns uses it beside his search: the cheaper the best pattern, the fewer cells
//! are left to look at, and what the linear program says of cells guides the next patterns.

use std::sync::atomic::AtomicBool;

use quell_model::{Budget, CellId, Problem, Requirement};

use super::by_equations::{lonely, rows_of_equations};
use super::cut::Weighing;
use super::{Master, Row, Separator, Solved, Stay, Tree, Visitor, separator};
use crate::Error;
use crate::search::forced::asked;
use crate::search::network::TableNetwork;
use crate::tolerance::{SAME_COST, WEIGHT_DIGITS};

/// Cells of each equation that are columns from the beginning, besides those in patterns.
const COLUMNS_PER_LINE: usize = 12;

/// The root ends when the bound grew by less than this share in so many rounds.
const TAILING_OFF: f64 = 1e-3;
const PATIENCE: usize = 8;

/// The most cells in a tree: with more, every node takes too long.
const TREE_CELLS: usize = 5_000;

/// Where every question is a linear program, the linear program over the cuts is solved again
/// after so many new ones: it takes less time than those asked for what it would no longer say.
const CUTS_OF_PROGRAMS: usize = 24;

/// How a round of cuts ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Round {
    /// The point has moved.
    Moved,
    /// It moves no more, or hardly.
    Ended,
    /// The time is over, or nothing is left to bound.
    Stopped,
}

/// A lower bound on the cost of every safe pattern.
pub(crate) struct Bounder<'a> {
    problem: &'a Problem,
    budget: Budget,
    separator: Separator<'a>,
    /// Where every question is a linear program, what single equations say comes first, which
    /// takes none.
    by_equations: Option<Weighing>,
    master: Master<'a>,
    /// What every safe pattern must meet.
    requirements: Vec<Requirement>,
    /// The requirement asked next.
    next: usize,
    /// The most cuts of one round.
    most_cuts: usize,
    lower: f64,
    tree: Option<Tree>,
    /// The value of the linear program at the root, with which its reduced costs belong.
    root_value: f64,
    /// Since when the root hardly grew: its value then, and rounds.
    reference: f64,
    quiet: usize,
    /// Patterns that differ, differ in cost by at least this.
    grain: f64,
}

impl<'a> Bounder<'a> {
    /// A bound of zero, for patterns that meet the requirements; `best` is one.
    ///
    /// # Errors
    /// If the solver fails.
    pub(crate) fn new(
        problem: &'a Problem,
        network: Option<&'a TableNetwork>,
        requirements: Vec<Requirement>,
        best: &[CellId],
        budget: &Budget,
    ) -> Result<Self, Error> {
        let mut separator = separator(problem, network, budget)?;
        let mut master = Master::new(problem, &first_columns(problem, best), budget)?;
        let mut by_equations = network.is_none().then(|| Weighing::new(problem));
        if let Some(weighing) = &mut by_equations {
            let asked = asked(problem, &requirements);
            master.add_cuts(rows_of_equations(problem, &asked, weighing), Stay::WhileTight)?;
        }
        separator.set_columns(master.columns())?;
        Ok(Self {
            problem,
            budget: budget.clone(),
            separator,
            by_equations,
            master,
            requirements,
            next: 0,
            most_cuts: if network.is_some() { usize::MAX } else { CUTS_OF_PROGRAMS },
            lower: 0.0,
            tree: None,
            root_value: 0.0,
            reference: 0.0,
            quiet: 0,
            grain: grain(problem),
        })
    }

    /// No safe pattern costs less.
    pub(crate) fn lower(&self) -> f64 {
        self.lower
    }

    /// What every safe pattern must meet.
    pub(crate) fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    /// Patterns that differ, differ in cost by at least this.
    pub(crate) fn grain(&self) -> f64 {
        self.grain
    }

    /// Whether no pattern is cheaper than one of this cost.
    pub(crate) fn is_proven(&self, best: f64) -> bool {
        self.lower > best - self.grain
    }

    /// Whether the tree has been searched to its end.
    pub(crate) fn is_done(&self) -> bool {
        self.tree.as_ref().is_some_and(Tree::is_done)
    }

    /// Whether branching has begun.
    pub(crate) fn is_branching(&self) -> bool {
        self.tree.is_some()
    }

    /// The last point of the linear program, for every cell.
    pub(crate) fn point(&self) -> &[f64] {
        self.master.point()
    }

    /// The cuts.
    pub(crate) fn rows(&self) -> Vec<Row> {
        self.master.rows()
    }

    /// The cells that can be in a pattern cheaper than `best`, lowest reduced cost first.
    pub(crate) fn open_cells(&self, best: f64) -> Vec<(CellId, f64)> {
        self.master.cells_by_reduced_cost(best - self.root_value)
    }

    /// Adds cuts that someone else found, for good.
    pub(crate) fn add_cuts(&mut self, cuts: Vec<Row>) -> Result<(), Error> {
        self.master.add_cuts(cuts, Stay::Always).map(|_| ())
    }

    /// Begins a count of quiet rounds.
    pub(crate) fn begin(&mut self) {
        (self.reference, self.quiet) = (self.lower, 0);
    }

    /// One round of cuts at the root.
    pub(crate) fn cut(&mut self, best: f64) -> Result<Round, Error> {
        if self.budget.stop().is_some() || !self.solve(best)? {
            return Ok(Round::Stopped);
        }
        self.budget.spend(1);
        let cuts = self.cuts_at_point()?;
        if self.budget.stop().is_some() {
            return Ok(Round::Stopped);
        }
        let violated = self.master.add_cuts(cuts, Stay::WhileTight)?;
        if violated == 0 && self.price_out(best)? == 0 {
            return Ok(Round::Ended);
        }
        Ok(Round::Moved)
    }

    /// Counts a round; says whether the root still grows.
    pub(crate) fn grows(&mut self) -> bool {
        self.quiet += 1;
        if self.master.objective() > self.reference * (1.0 + TAILING_OFF) {
            (self.reference, self.quiet) = (self.master.objective(), 0);
        }
        self.quiet <= PATIENCE
    }

    /// Ends the root: excludes the cells that no pattern cheaper than `best` has.
    pub(crate) fn end_root(&mut self, best: f64) -> Result<(), Error> {
        if !self.is_proven(best) {
            self.master.exclude(best - self.grain)?;
        }
        Ok(())
    }

    /// Notes the value with which the reduced costs belong.
    pub(crate) fn note_root(&mut self) {
        self.root_value = self.master.objective();
    }

    /// Solves the linear program; `false` if there is nothing to go on with.
    fn solve(&mut self, best: f64) -> Result<bool, Error> {
        let solved = self.master.solve()?;
        if solved == Solved::Infeasible {
            // Only cells that no cheaper pattern has are excluded, so there is none.
            self.lower = best;
        }
        Ok(solved == Solved::Optimal)
    }

    /// Solves the linear program and adds columns until none would lower its value, which
    /// then is a bound. Says how many were added.
    pub(crate) fn price_out(&mut self, best: f64) -> Result<usize, Error> {
        let mut added = 0;
        while self.solve(best)? {
            let (priced, bound) = self.master.price()?;
            self.lower = self.lower.max(bound);
            if priced == 0 || self.budget.is_over() {
                break;
            }
            added += priced;
            self.separator.set_columns(self.master.columns())?;
        }
        Ok(added)
    }

    /// Cuts that the point violates: all, or so many that solving again pays.
    fn cuts_at_point(&mut self) -> Result<Vec<Row>, Error> {
        self.separator.set_point(self.master.point())?;
        let mut cuts = Vec::new();
        if let Some(weighing) = &mut self.by_equations {
            cuts = lonely(self.problem, self.master.columns(), self.master.point(), weighing);
            if !cuts.is_empty() {
                return Ok(cuts);
            }
        }
        for _ in 0..self.requirements.len() {
            // Where every question is a linear program, a round takes long.
            if self.budget.stop().is_some() || cuts.len() >= self.most_cuts {
                break;
            }
            self.next %= self.requirements.len();
            cuts.extend(self.separator.requirement(&self.requirements[self.next])?);
            self.next += 1;
        }
        for cell in self.problem.system().cells() {
            let primary = self.problem.status(cell).is_primary();
            if self.master.point()[cell.index()] > 0.01 && !primary {
                cuts.extend(self.separator.company(cell)?);
            }
        }
        Ok(cuts)
    }

    /// Begins a tree, if the cells that a pattern cheaper than `best` can have are few enough;
    /// says whether there is one.
    pub(crate) fn plant(&mut self, best: f64) -> Result<bool, Error> {
        if self.tree.is_none() && self.open_cells(best).len() <= TREE_CELLS {
            self.master.add_open_cells(best - self.root_value)?;
            self.separator.set_columns(self.master.columns())?;
            self.tree = Some(Tree::new(self.problem.cell_count(), self.lower));
        }
        Ok(self.tree.is_some())
    }

    /// Grows the tree by so many nodes, and more until `done`. Gives choices that meet all
    /// requirements.
    pub(crate) fn branch(
        &mut self,
        best: f64,
        nodes: usize,
        done: &AtomicBool,
    ) -> Result<Vec<Vec<CellId>>, Error> {
        let Some(tree) = &mut self.tree else { return Ok(Vec::new()) };
        let mut visitor = Visitor {
            master: &mut self.master,
            separator: &mut self.separator,
            requirements: &self.requirements,
            budget: &self.budget,
        };
        let cutoff = best - self.grain;
        let progressed = tree.search(&mut visitor, cutoff, nodes, done)?;
        // Beyond the cutoff the tree knows nothing, but then nothing is cheaper than the best.
        let bound = if progressed.bound >= cutoff { best } else { progressed.bound };
        self.lower = self.lower.max(bound.min(best));
        Ok(progressed.chosen)
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
