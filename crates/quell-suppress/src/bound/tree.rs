//! Branch and cut: the linear program with some cells fixed, cut and split until nothing
//! cheaper is left.
//!
//! Nodes are taken by lowest bound, and from each the search dives along the likelier
//! branch. Cuts found at a node are valid everywhere and stay in the master program. Cells to
//! branch on are chosen by pseudo-costs, begun by trial (strong) branching (achterberg-2005).

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, Ordering as Atomic};

use quell_model::{Budget, CellId, Requirement};

use super::Master;
use super::master::{Solved, Stay};
use crate::Error;

use super::Separator;
use crate::tolerance::{INTEGRAL, LEAST_BRANCH_GAIN};

/// Rounds of cuts at a node.
const CUT_ROUNDS: usize = 6;
/// A round of cuts must close this share of the gap to be followed by another.
const GAIN: f64 = 0.005;
/// Cells tried at a node to begin their pseudo-costs.
const TRIALS: usize = 8;
/// Pseudo-costs rest on at least so many branchings before they are believed.
const RELIABLE: u32 = 2;

/// A part of the patterns: those with some cells hidden and some published.
#[derive(Debug, Clone)]
struct Node {
    bound: f64,
    fixed: Vec<(CellId, bool)>,
    /// Counts the nodes, to break ties the same way always.
    number: u64,
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Node {}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Node {
    /// The lowest bound is the greatest: it comes first out of the heap.
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound).then(other.number.cmp(&self.number))
    }
}

/// What branching on a cell has brought so far: gain per unit, publishing and hiding it.
#[derive(Debug, Clone, Copy, Default)]
struct Experience {
    gain: [f64; 2],
    times: [u32; 2],
}

impl Experience {
    fn add(&mut self, side: usize, gain: f64) {
        self.gain[side] += gain;
        self.times[side] += 1;
    }

    fn mean(&self, side: usize) -> f64 {
        self.gain[side] / f64::from(self.times[side].max(1))
    }
}

/// What the search at a node comes to.
enum Visit {
    /// Nothing cheaper is there.
    Closed,
    /// A choice of whole cells that satisfies all requirements.
    Chosen,
    /// To be split at a cell with this value.
    Split(CellId, f64),
    /// The solver gave up: nothing is known beyond the node's own bound.
    Unknown,
}

/// What every visit works with.
pub(crate) struct Visitor<'m, 'a> {
    /// The linear program.
    pub(crate) master: &'m mut Master<'a>,
    /// Finds cuts.
    pub(crate) separator: &'m mut Separator<'a>,
    /// The requirements that patterns must meet.
    pub(crate) requirements: &'m [Requirement],
    /// How long it may take.
    pub(crate) budget: &'m Budget,
}

/// The tree.
pub(crate) struct Tree {
    open: BinaryHeap<Node>,
    experience: Vec<Experience>,
    number: u64,
    /// The lowest bound of a node that the solver gave up on.
    given_up: f64,
}

/// What a part of the search gave.
#[derive(Debug, Clone, Default)]
pub(crate) struct Progressed {
    /// Choices that satisfy all requirements.
    pub(crate) chosen: Vec<Vec<CellId>>,
    /// No pattern cheaper than the cutoff is cheaper than this.
    pub(crate) bound: f64,
}

impl Tree {
    /// A tree with its root. All cells that can be in a cheaper pattern must be columns.
    pub(crate) fn new(cells: usize, bound: f64) -> Self {
        let root = Node { bound, fixed: Vec::new(), number: 0 };
        Self {
            open: BinaryHeap::from([root]),
            experience: vec![Experience::default(); cells],
            number: 0,
            given_up: f64::INFINITY,
        }
    }

    /// Whether nothing is left to visit. With sliding levels the cheapest choice may then
    /// still be no pattern: the bound knows nothing of them.
    pub(crate) fn is_done(&self) -> bool {
        self.open.is_empty()
    }

    /// Visits so many nodes, and more until `done`, for choices cheaper than `cutoff`, which falls
    /// as they are found.
    pub(crate) fn search(
        &mut self,
        visitor: &mut Visitor,
        mut cutoff: f64,
        nodes: usize,
        done: &AtomicBool,
    ) -> Result<Progressed, Error> {
        let budget = visitor.budget;
        let mut progressed = Progressed::default();
        let mut next: Option<Node> = None;
        for visited in 0.. {
            let enough = visited >= nodes && done.load(Atomic::Relaxed);
            if enough || budget.stop().is_some() {
                break;
            }
            let Some(node) = next.take().or_else(|| self.open.pop()) else { break };
            if node.bound >= cutoff {
                continue;
            }
            match self.visit(visitor, &node, cutoff)? {
                // An interrupted visit decides nothing.
                _ if budget.stop().is_some() => self.open.push(node),
                Visit::Closed => {}
                Visit::Unknown => self.given_up = self.given_up.min(node.bound),
                Visit::Chosen => {
                    cutoff = cutoff.min(visitor.master.objective() - INTEGRAL);
                    progressed.chosen.push(visitor.master.chosen());
                }
                Visit::Split(cell, value) => {
                    let bound = visitor.master.objective().max(node.bound);
                    let mut child = |hidden: bool| {
                        let mut fixed = node.fixed.clone();
                        fixed.push((cell, hidden));
                        self.number += 1;
                        Node { bound, fixed, number: self.number }
                    };
                    let likely = value > 0.5;
                    let (dive, other) = (child(likely), child(!likely));
                    self.open.push(other);
                    next = Some(dive);
                }
            }
        }
        self.open.extend(next);
        // The heap's first node has the lowest bound.
        let lowest = self.open.peek().map_or(f64::INFINITY, |node| node.bound);
        progressed.bound = lowest.min(cutoff).min(self.given_up);
        visitor.master.fix(&[])?;
        Ok(progressed)
    }

    fn visit(&mut self, visitor: &mut Visitor, node: &Node, cutoff: f64) -> Result<Visit, Error> {
        let Visitor { master, separator, requirements, budget } = visitor;
        master.fix(&node.fixed)?;
        let mut before = f64::NEG_INFINITY;
        for round in 0.. {
            match master.solve()? {
                Solved::Infeasible => return Ok(Visit::Closed),
                // Nothing is known of this part; its own cells go on fixing it.
                Solved::Trouble => break,
                Solved::Optimal => {}
            }
            if round == 0 {
                self.learn(node, master.objective());
            }
            if master.objective() >= cutoff {
                return Ok(Visit::Closed);
            }
            if budget.stop().is_some() {
                break;
            }
            let whole = master.fractional().is_empty();
            let slow = master.objective() - before < GAIN * (cutoff - master.objective());
            if !whole && (round >= CUT_ROUNDS || (round > 1 && slow)) {
                break;
            }
            before = master.objective();
            separator.set_point(master.point())?;
            let mut cuts = Vec::new();
            for requirement in *requirements {
                cuts.extend(separator.requirement(requirement)?);
            }
            if cuts.is_empty() && whole {
                return Ok(Visit::Chosen);
            }
            let stay = if whole { Stay::Always } else { Stay::WhileTight };
            if master.add_cuts(cuts, stay)? == 0 {
                break;
            }
        }
        match master.solve()? {
            Solved::Infeasible => Ok(Visit::Closed),
            Solved::Optimal if master.objective() >= cutoff => Ok(Visit::Closed),
            Solved::Optimal => self.choose(master, cutoff),
            // What the point of an earlier solution leaves open is split without trial.
            Solved::Trouble => Ok(match master.fractional().first() {
                Some(&(cell, value)) => Visit::Split(cell, value),
                None => Visit::Unknown,
            }),
        }
    }

    /// Books what the last branching of a node has brought.
    fn learn(&mut self, node: &Node, objective: f64) {
        if let Some(&(cell, hidden)) = node.fixed.last() {
            let gain = (objective - node.bound).max(0.0);
            self.experience[cell.index()].add(usize::from(hidden), gain);
        }
    }

    /// The cell whose branches both gain most, tried out where experience is wanting.
    fn choose(&mut self, master: &mut Master, cutoff: f64) -> Result<Visit, Error> {
        let fractional = master.fractional();
        let score = |experience: &Experience| {
            experience.mean(0).max(LEAST_BRANCH_GAIN) * experience.mean(1).max(LEAST_BRANCH_GAIN)
        };
        let mut ranked: Vec<(f64, CellId, f64)> = fractional
            .iter()
            .map(|&(cell, value)| {
                let experience = &self.experience[cell.index()];
                let known = experience.times.iter().all(|&times| times > 0);
                let guess = value.min(1.0 - value) * master.weight(cell);
                (if known { score(experience) } else { guess * guess }, cell, value)
            })
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        // Whole and not cut off, though not safe by a hair.
        let Some(&(_, first, value)) = ranked.first() else { return Ok(Visit::Unknown) };
        let basis = master.basis()?;
        let mut best = (f64::NEG_INFINITY, first, value);
        let objective = master.objective();
        for &(_, cell, value) in ranked.iter().take(TRIALS) {
            let reliable =
                self.experience[cell.index()].times.iter().all(|&times| times >= RELIABLE);
            if !reliable {
                for hidden in [false, true] {
                    let reached = master.try_fixing(&basis, cell, hidden)?;
                    let gain = (reached.min(cutoff) - objective).max(0.0);
                    self.experience[cell.index()].add(usize::from(hidden), gain);
                }
            }
            let worth = score(&self.experience[cell.index()]);
            if worth > best.0 {
                best = (worth, cell, value);
            }
        }
        master.set_basis(&basis)?;
        Ok(Visit::Split(best.1, best.2))
    }
}
