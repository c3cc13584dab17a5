//! Paths and flows: which cells to move so that a primary can.
//!
//! A flow is kept as the movement of each cell, so that what a cell can still do is its
//! room less its movement. Hidden cells cost nothing; the others stand in each node's list
//! by rising cost, so that a search stops reading a list when it gets too dear.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;
use quell_model::{CellId, Direction, Knowing, Problem, Requirement};

use super::{TableNetwork, UNLIMITED};
use crate::Movement;

/// What every step costs besides its cell, as a share of the dearest cell: among paths of
/// equal cost the shortest is best, because it makes the smallest proof.
const STEP: f64 = 1e-9;

/// By how much paths get narrower when no wider one is left.
const NARROWER: i64 = 8;

const NONE: u32 = u32::MAX;

/// A distance in a heap; never NaN.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Distance(f64);

impl Eq for Distance {}

impl PartialOrd for Distance {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Distance {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// A cell as seen from one of its nodes: what a search reads, side by side.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hop {
    pub(super) cell: u32,
    pub(super) to: u32,
    /// How much it carries from this node when nothing has moved.
    pub(super) room: i64,
    /// The sign with which its movement uses that up.
    pub(super) sign: i64,
}

/// A cell that could be hidden as seen from one of its nodes.
#[derive(Debug, Clone, Copy)]
struct Offer {
    hop: Hop,
    cost: f64,
}

/// The searches on a network, with the set of hidden cells and working memory.
#[derive(Debug, Clone)]
pub(crate) struct PathSearch<'a> {
    problem: &'a Problem,
    network: &'a TableNetwork,
    /// The requirement looked at, if its attacker knows more than what is published.
    insider: Option<Requirement>,
    /// What each cell costs if it is not hidden.
    costs: Vec<f64>,
    /// Cells by node and rising cost.
    starts: Vec<u32>,
    offers: Vec<Offer>,
    hidden: FixedBitSet,
    hidden_at: Vec<Vec<Hop>>,
    /// Cells that must not be hidden for now.
    banned: FixedBitSet,
    step: f64,
    // Working memory.
    movement: Vec<i64>,
    moved: Vec<u32>,
    distance: Vec<f64>,
    from: Vec<u32>,
    reached: Vec<u32>,
    heap: BinaryHeap<Reverse<(Distance, u32)>>,
}

impl<'a> PathSearch<'a> {
    /// Searches with nothing hidden.
    pub(crate) fn new(problem: &'a Problem, network: &'a TableNetwork, costs: Vec<f64>) -> Self {
        let mut search = Self {
            hidden: FixedBitSet::with_capacity(network.cells()),
            hidden_at: vec![Vec::new(); network.nodes],
            banned: FixedBitSet::with_capacity(network.cells()),
            movement: vec![0; network.cells()],
            moved: Vec::new(),
            distance: vec![f64::INFINITY; network.nodes],
            from: vec![NONE; network.nodes],
            reached: Vec::new(),
            heap: BinaryHeap::new(),
            starts: Vec::new(),
            offers: Vec::new(),
            step: 0.0,
            costs: Vec::new(),
            insider: None,
            problem,
            network,
        };
        search.set_costs(costs);
        search
    }

    /// Other costs for the cells that are not hidden.
    pub(crate) fn set_costs(&mut self, costs: Vec<f64>) {
        let network = self.network;
        let finite = costs.iter().copied().filter(|cost| cost.is_finite());
        self.step = STEP * finite.fold(0.0, f64::max);
        self.starts = vec![0; network.nodes + 1];
        let usable = |cell: usize| {
            costs[cell].is_finite()
                && network.is_movable(cell)
                && network.tail[cell] != network.head[cell]
        };
        for cell in (0..network.cells()).filter(|&cell| usable(cell)) {
            for node in [network.tail[cell], network.head[cell]] {
                self.starts[node as usize + 1] += 1;
            }
        }
        for node in 0..network.nodes {
            self.starts[node + 1] += self.starts[node];
        }
        let mut next = self.starts.clone();
        let mut order: Vec<u32> =
            (0..network.cells() as u32).filter(|&cell| usable(cell as usize)).collect();
        order.sort_by(|&a, &b| costs[a as usize].total_cmp(&costs[b as usize]));
        let nothing = Offer { hop: Hop { cell: NONE, to: NONE, room: 0, sign: 1 }, cost: 0.0 };
        self.offers = vec![nothing; self.starts[network.nodes] as usize];
        for cell in order {
            for (node, hop) in network.hops(cell) {
                let slot = &mut next[node as usize];
                self.offers[*slot as usize] = Offer { hop, cost: costs[cell as usize] };
                *slot += 1;
            }
        }
        self.costs = costs;
    }

    /// Whether a cell is hidden.
    pub(crate) fn is_hidden(&self, cell: CellId) -> bool {
        self.hidden.contains(cell.index())
    }

    /// Hides a cell.
    pub(crate) fn hide(&mut self, cell: CellId) {
        let index = cell.index();
        if !self.hidden.put(index) && self.network.is_movable(index) {
            for (node, hop) in self.network.hops(cell.0) {
                self.hidden_at[node as usize].push(hop);
            }
        }
    }

    /// Publishes a cell.
    pub(crate) fn publish(&mut self, cell: CellId) {
        let index = cell.index();
        if self.hidden.contains(index) {
            self.hidden.set(index, false);
            for node in [self.network.tail[index], self.network.head[index]] {
                self.hidden_at[node as usize].retain(|hop| hop.cell != cell.0);
            }
        }
    }

    /// Forbids to hide a cell, or allows it again.
    pub(crate) fn ban(&mut self, cell: CellId, banned: bool) {
        self.banned.set(cell.index(), banned);
    }

    /// Moves hidden cells only so that a requirement is met; `None` if they cannot.
    pub(crate) fn prove(&mut self, requirement: &Requirement) -> Option<Movement> {
        let ends = self.look_at(requirement)?;
        if !self.could_carry(requirement, ends) {
            return None;
        }
        let reached = self.flow_among_hidden(requirement.cell.0, ends, requirement.distance);
        let movement = (reached == requirement.distance).then(|| self.read(requirement));
        self.rest();
        movement
    }

    /// The cheapest way found to meet a requirement: the movement and the cost of what it would
    /// hide. Hidden cells do what they can first; the rest goes along the cheapest path that
    /// can carry all of it, or a half, a quarter … if that is cheaper for what it carries.
    /// The same is tried from the start, without what the hidden cells do.
    pub(crate) fn cheapest(&mut self, requirement: &Requirement) -> Option<(Movement, f64)> {
        let ends = self.look_at(requirement)?;
        let done = self.flow_among_hidden(requirement.cell.0, ends, requirement.distance);
        let after = self.send_rest(requirement, ends, requirement.distance - done);
        self.rest();
        if done == 0 || after.as_ref().is_some_and(|&(_, cost)| cost == 0.0) {
            return after;
        }
        let alone = self.send_rest(requirement, ends, requirement.distance);
        self.rest();
        match (after, alone) {
            (Some(after), Some(alone)) => Some(if alone.1 < after.1 { alone } else { after }),
            (after, alone) => after.or(alone),
        }
    }

    fn send_rest(
        &mut self,
        requirement: &Requirement,
        ends: (u32, u32),
        mut amount: i64,
    ) -> Option<(Movement, f64)> {
        while amount > 0 {
            let mut best: Option<(f64, i64)> = None;
            let mut part = amount;
            loop {
                let limit = best.map_or(f64::INFINITY, |(cost, _)| cost);
                let share = part as f64 / amount as f64;
                let reach = self.shortest(requirement.cell.0, ends, part, limit * share);
                let better = reach.filter(|&cost| cost / share < limit);
                if let Some(cost) = better {
                    best = Some((cost / share, part));
                }
                // Halves, until something gets through; further only while that is cheaper.
                let stuck = best.is_some() && better.is_none() && part < amount;
                if part == 1 || stuck || best.is_some_and(|(cost, _)| cost == 0.0) {
                    break;
                }
                part -= part / 2;
            }
            let (_, part) = best?;
            self.shortest(requirement.cell.0, ends, part, f64::INFINITY)?;
            amount -= self.push(ends, amount);
        }
        let new = self.moved.iter().filter(|&&cell| !self.hidden.contains(cell as usize));
        let moves = |cell: &&u32| self.movement[**cell as usize] != 0;
        let mut cells: Vec<u32> = new.filter(moves).copied().collect();
        cells.sort_unstable();
        cells.dedup();
        let cost = cells.iter().map(|&cell| self.costs[cell as usize]).sum();
        Some((self.read(requirement), cost))
    }

    /// Begins with a requirement: from where to where its amount must go around; `None` if nothing
    /// can meet it.
    fn look_at(&mut self, requirement: &Requirement) -> Option<(u32, u32)> {
        self.insider = (requirement.knowing != Knowing::Nothing).then_some(*requirement);
        let cell = requirement.cell.index();
        let (tail, head) = (self.network.tail[cell], self.network.head[cell]);
        let (room, ends) = match requirement.direction {
            Direction::Up => (self.network.up[cell], (head, tail)),
            Direction::Down => (self.network.down[cell], (tail, head)),
        };
        (requirement.distance <= room).then_some(ends)
    }

    /// The room of a cell in the eyes of the attacker of the requirement looked at, if to the
    /// outsider it is `room`.
    fn room(&self, cell: u32, direction: Direction, room: i64) -> i64 {
        match &self.insider {
            None => room,
            Some(seen) => room.min(self.problem.room_for(seen, CellId(cell), direction)),
        }
    }

    /// How much a cell carries along a hop when nothing has moved.
    fn room_along(&self, hop: Hop) -> i64 {
        let direction = if hop.sign > 0 { Direction::Up } else { Direction::Down };
        self.room(hop.cell, direction, hop.room)
    }

    /// How much further a cell can carry when it is left from `node`, and where that leads.
    fn step_from(&self, cell: u32, node: u32) -> (i64, u32) {
        let index = cell as usize;
        let moved = self.movement[index];
        if self.network.tail[index] == node {
            let up = self.room(cell, Direction::Up, self.network.up[index]);
            (up - moved, self.network.head[index])
        } else {
            let down = self.room(cell, Direction::Down, self.network.down[index]);
            (down + moved, self.network.tail[index])
        }
    }

    /// Breadth-first augmenting paths among hidden cells, without `except`: wide paths first,
    /// because narrow ones are many and each costs a search.
    fn flow_among_hidden(&mut self, except: u32, ends: (u32, u32), limit: i64) -> i64 {
        if ends.0 == ends.1 {
            return limit;
        }
        let mut sent = 0;
        let mut width = limit;
        while sent < limit {
            if self.breadth_first(except, ends, width.min(limit - sent)) {
                sent += self.push(ends, limit - sent);
            } else if width > 1 {
                width = (width / NARROWER).max(1);
            } else {
                break;
            }
        }
        self.forget_distances();
        sent
    }

    /// Whether the hidden cells of the lines at both ends could carry a requirement, were they to
    /// find their way: most requirements that hidden cells do not meet fail here already.
    fn could_carry(&self, requirement: &Requirement, (source, sink): (u32, u32)) -> bool {
        let enough = |node: u32, leaving: bool| {
            let mut missing = requirement.distance;
            for hop in &self.hidden_at[node as usize] {
                let carried = if leaving {
                    hop.room
                } else if hop.sign > 0 {
                    self.network.down[hop.cell as usize]
                } else {
                    self.network.up[hop.cell as usize]
                };
                if hop.cell != requirement.cell.0 {
                    missing -= carried.min(missing);
                }
                if missing == 0 {
                    return true;
                }
            }
            false
        };
        source == sink || (enough(source, true) && enough(sink, false))
    }

    /// Finds a path among hidden cells that can carry `least`.
    fn breadth_first(&mut self, except: u32, (source, sink): (u32, u32), least: i64) -> bool {
        self.forget_distances();
        self.distance[source as usize] = 0.0;
        self.reached.push(source);
        let mut next = 0;
        while next < self.reached.len() {
            let node = self.reached[next];
            next += 1;
            for position in 0..self.hidden_at[node as usize].len() {
                let hop = self.hidden_at[node as usize][position];
                // Most cells lead to where the search has been: that is asked first, as it
                // needs no look at the cell itself.
                if self.distance[hop.to as usize] < f64::INFINITY
                    || hop.cell == except
                    || self.room_along(hop) - hop.sign * self.movement[hop.cell as usize] < least
                {
                    continue;
                }
                self.distance[hop.to as usize] = 0.0;
                self.from[hop.to as usize] = hop.cell;
                self.reached.push(hop.to);
                if hop.to == sink {
                    return true;
                }
            }
        }
        false
    }

    /// Dijkstra over cells that can carry `part`: the cost of the cheapest path, if below
    /// `limit`. The path stays for [`PathSearch::push`].
    fn shortest(
        &mut self,
        except: u32,
        (source, sink): (u32, u32),
        part: i64,
        limit: f64,
    ) -> Option<f64> {
        self.forget_distances();
        if source == sink {
            return Some(0.0);
        }
        self.heap.clear();
        self.reach(source, 0.0, NONE);
        while let Some(Reverse((Distance(distance), node))) = self.heap.pop() {
            if distance > self.distance[node as usize] {
                continue;
            }
            if node == sink {
                return Some(distance);
            }
            for position in 0..self.hidden_at[node as usize].len() {
                let hop = self.hidden_at[node as usize][position];
                // Most lead to where a cheaper way has been found: that is asked first.
                if distance + self.step >= self.distance[hop.to as usize] {
                    continue;
                }
                let room = self.room_along(hop) - hop.sign * self.movement[hop.cell as usize];
                if room >= part && hop.cell != except {
                    self.reach(hop.to, distance + self.step, hop.cell);
                }
            }
            let list = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
            for position in list {
                let Offer { hop, cost } = self.offers[position];
                let there = distance + cost + self.step;
                if there >= self.distance[sink as usize].min(limit) {
                    break;
                }
                let (known, index) = (self.distance[hop.to as usize], hop.cell as usize);
                // A cell that moves already is paid for.
                if distance + self.step >= known || (there >= known && self.movement[index] == 0) {
                    continue;
                }
                let moved = self.movement[index];
                if hop.cell == except
                    || self.room_along(hop) - hop.sign * moved < part
                    || self.hidden.contains(index)
                    || self.banned.contains(index)
                {
                    continue;
                }
                let there = if moved != 0 { distance + self.step } else { there };
                self.reach(hop.to, there, hop.cell);
            }
        }
        None
    }

    fn reach(&mut self, node: u32, distance: f64, from: u32) {
        let known = &mut self.distance[node as usize];
        if distance < *known {
            if *known == f64::INFINITY {
                self.reached.push(node);
            }
            *known = distance;
            self.from[node as usize] = from;
            self.heap.push(Reverse((Distance(distance), node)));
        }
    }

    /// Sends as much as fits, up to `limit`, along the path found last; says how much.
    fn push(&mut self, (source, sink): (u32, u32), limit: i64) -> i64 {
        let mut amount = limit;
        let mut node = sink;
        while node != source {
            let cell = self.from[node as usize];
            let before = self.other_end(cell, node);
            amount = amount.min(self.step_from(cell, before).0);
            node = before;
        }
        node = sink;
        while node != source {
            let cell = self.from[node as usize];
            let before = self.other_end(cell, node);
            let rises = self.network.tail[cell as usize] == before;
            self.movement[cell as usize] += if rises { amount } else { -amount };
            self.moved.push(cell);
            node = before;
        }
        amount
    }

    fn other_end(&self, cell: u32, node: u32) -> u32 {
        let (tail, head) = (self.network.tail[cell as usize], self.network.head[cell as usize]);
        if head == node { tail } else { head }
    }

    fn forget_distances(&mut self) {
        for node in self.reached.drain(..) {
            self.distance[node as usize] = f64::INFINITY;
            self.from[node as usize] = NONE;
        }
    }

    /// The movement of all cells, the requirement's included.
    fn read(&self, requirement: &Requirement) -> Movement {
        let mut cells: Vec<u32> = self.moved.clone();
        cells.sort_unstable();
        cells.dedup();
        let others = cells.iter().map(|&cell| (CellId(cell), self.movement[cell as usize] as f64));
        Movement::new(others.chain([(requirement.cell, requirement.signed())]).collect())
    }

    /// All cells at rest again.
    fn rest(&mut self) {
        for cell in self.moved.drain(..) {
            self.movement[cell as usize] = 0;
        }
        self.forget_distances();
    }
}

const _: () = assert!(UNLIMITED < i64::MAX / 2);
