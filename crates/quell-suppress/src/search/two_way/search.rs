//! Circuits through a primary by shortest paths with capacities.
//!
//! The cost of a circuit is fixed-charge: a cell is hidden or not, however far it moves. So
//! the search prefers one path that carries all, and takes several only where it must or
//! where that is cheaper. Each path is found by Dijkstra's algorithm; arcs are sorted by
//! weight, so that a line is left as soon as its next arc cannot improve the path known
//! (castro-2012; kelly-1992).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use quell_model::{CellId, Direction, Requirement, Value};

use super::table::Arc;
use super::{HiddenCells, TwoWay};

/// A requirement is first covered by paths that carry all of it, then the search is tried anew
/// with paths that may carry less; so many halvings pay on the tables of the literature.
const HALVINGS: u32 = 3;

/// Which cells a circuit may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Hidden ones, the cheapest first: does the pattern protect the primary, and how?
    HiddenCells,
    /// All that may be hidden; those that are cost nothing.
    All,
}

/// A node to be settled; the nearest comes first.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Label {
    distance: f64,
    line: u32,
}

impl Eq for Label {}

impl Ord for Label {
    fn cmp(&self, other: &Self) -> Ordering {
        other.distance.total_cmp(&self.distance).then_with(|| other.line.cmp(&self.line))
    }
}

impl PartialOrd for Label {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The search with its working memory.
pub(super) struct CircuitSearch<'a> {
    table: &'a TwoWay<'a>,
    distance: Vec<f64>,
    /// The line before, and the arc from there.
    from: Vec<(u32, Arc)>,
    labelled: Vec<u32>,
    heap: BinaryHeap<Label>,
    flow: Vec<Value>,
    moved: Vec<CellId>,
    /// Paths looked for, as a measure of effort.
    pub(super) paths: u64,
}

impl<'a> CircuitSearch<'a> {
    pub(super) fn new(table: &'a TwoWay<'a>) -> Self {
        let nothing = Arc { cell: CellId(0), to: 0, direction: Direction::Up };
        Self {
            table,
            distance: vec![f64::INFINITY; table.lines()],
            from: vec![(0, nothing); table.lines()],
            labelled: Vec::new(),
            heap: BinaryHeap::new(),
            flow: vec![0; table.problem.cell_count()],
            moved: Vec::new(),
            paths: 0,
        }
    }

    /// The cells, primaries aside, of circuits inside the hidden cells that meet a requirement;
    /// `None` if there are none, which is exact: a maximum flow.
    pub(super) fn within(
        &mut self,
        requirement: &Requirement,
        hidden: &mut HiddenCells,
    ) -> Option<Vec<CellId>> {
        self.cover(requirement, hidden, Scope::HiddenCells, requirement.distance)
    }

    /// The cells, primaries aside, of the cheapest circuits found that meet a requirement,
    /// whatever they hide; `None` if everything hidden would not do.
    pub(super) fn cheapest(
        &mut self,
        requirement: &Requirement,
        hidden: &mut HiddenCells,
    ) -> Option<Vec<CellId>> {
        let problem = self.table.problem;
        let price = |cells: &[CellId], hidden: &HiddenCells| -> f64 {
            let new = cells.iter().filter(|&&cell| !hidden.contains(cell));
            new.map(|&cell| problem.weight(cell)).sum()
        };
        let mut best: Option<(f64, Vec<CellId>)> = None;
        for halving in 0..=HALVINGS {
            let width = (requirement.distance >> halving).max(1);
            let Some(cells) = self.cover(requirement, hidden, Scope::All, width) else { break };
            let cost = price(&cells, hidden);
            if best.as_ref().is_none_or(|&(least, _)| cost < least) {
                best = Some((cost, cells));
            }
        }
        best.map(|(_, cells)| cells)
    }

    /// Sends the requirement around the primary along shortest paths, at first only such that
    /// carry `width`, and half of it when there are none left: capacity scaling, which
    /// ends with a maximum flow.
    fn cover(
        &mut self,
        requirement: &Requirement,
        hidden: &mut HiddenCells,
        scope: Scope,
        mut width: Value,
    ) -> Option<Vec<CellId>> {
        let mut missing = requirement.distance;
        let mut opened = Vec::new();
        while missing > 0 {
            let wanted = width.min(missing);
            if self.shortest(requirement, hidden, scope, wanted) {
                missing -= self.send(requirement, missing);
                // A cell in use costs nothing any more.
                for &cell in &self.moved {
                    if !hidden.contains(cell) {
                        hidden.hide(self.table, cell);
                        opened.push(cell);
                    }
                }
            } else if wanted == 1 {
                break;
            } else {
                // Most failures are lines without a way out: found at once, not by halving.
                let leads_nowhere =
                    width == requirement.distance && !self.shortest(requirement, hidden, scope, 1);
                if leads_nowhere {
                    break;
                }
                width = wanted / 2;
            }
        }
        for cell in opened {
            hidden.publish(self.table, cell);
        }
        let mut cells = Vec::new();
        for cell in self.moved.drain(..) {
            let amount = std::mem::take(&mut self.flow[cell.index()]);
            if amount != 0 && !self.table.problem.status(cell).is_primary() {
                cells.push(cell);
            }
        }
        cells.sort_unstable();
        (missing == 0).then_some(cells)
    }

    fn left(&self, arc: &Arc) -> Value {
        let flow = self.flow[arc.cell.index()];
        let used = if arc.direction == Direction::Up { flow } else { -flow };
        self.table.room(arc.cell, arc.direction) - used
    }

    /// Dijkstra's algorithm until the other end of the gap is settled; says whether it was.
    fn shortest(
        &mut self,
        requirement: &Requirement,
        hidden: &HiddenCells,
        scope: Scope,
        width: Value,
    ) -> bool {
        self.paths += 1;
        let table = self.table;
        let (source, sink) = table.gap(requirement);
        for line in self.labelled.drain(..) {
            self.distance[line as usize] = f64::INFINITY;
        }
        self.heap.clear();
        self.distance[source as usize] = 0.0;
        self.labelled.push(source);
        self.heap.push(Label { distance: 0.0, line: source });
        while let Some(Label { distance, line }) = self.heap.pop() {
            if distance > self.distance[line as usize] {
                continue;
            }
            if line == sink {
                return true;
            }
            for arc in hidden.arcs_of(line) {
                let free = scope == Scope::All || table.problem.status(arc.cell).is_primary();
                let weight = if free { 0.0 } else { table.problem.weight(arc.cell) };
                if arc.cell != requirement.cell && self.left(arc) >= width {
                    self.relax(line, arc, distance + weight, sink);
                }
            }
            if scope == Scope::HiddenCells {
                continue;
            }
            for arc in table.arcs_of(line) {
                let length = distance + table.problem.weight(arc.cell);
                if length >= self.distance[sink as usize] {
                    break;
                }
                if length < self.distance[arc.to as usize]
                    && !hidden.contains(arc.cell)
                    && self.left(arc) >= width
                {
                    self.relax(line, arc, length, sink);
                }
            }
        }
        false
    }

    fn relax(&mut self, line: u32, arc: &Arc, length: f64, sink: u32) {
        let known = self.distance[arc.to as usize];
        if length < known && length < self.distance[sink as usize] {
            if known == f64::INFINITY {
                self.labelled.push(arc.to);
            }
            self.distance[arc.to as usize] = length;
            self.from[arc.to as usize] = (line, *arc);
            self.heap.push(Label { distance: length, line: arc.to });
        }
    }

    /// Sends what the path just found carries, at most `missing`.
    fn send(&mut self, requirement: &Requirement, missing: Value) -> Value {
        let (source, sink) = self.table.gap(requirement);
        let (mut amount, mut line) = (missing, sink);
        while line != source {
            let (before, arc) = self.from[line as usize];
            amount = amount.min(self.left(&arc));
            line = before;
        }
        line = sink;
        while line != source {
            let (before, arc) = self.from[line as usize];
            let flow = &mut self.flow[arc.cell.index()];
            if *flow == 0 {
                self.moved.push(arc.cell);
            }
            *flow += amount * arc.direction.sign();
            line = before;
        }
        amount
    }
}
