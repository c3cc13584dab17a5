//! Cheapest flow of a given amount, by successive shortest paths.
//!
//! Each round finds the distances to the sink by Dijkstra's algorithm on reduced costs, stopping as
//! soon as the sink is settled, and then sends all it can along *all* shortest paths at once.
//! References: J. Edmonds and R. M. Karp, *Theoretical improvements in algorithmic efficiency for
//! network flow problems*, J. ACM 19 (1972); R. K. Ahuja, T. L. Magnanti, J. B. Orlin, *Network
//! Flows* (1993), §9.7.

use super::layers::Layers;
use super::{MAX_CAPACITY, Network};
use crate::Error;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a search sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flow {
    /// How much; less than asked for if no more gets through.
    pub amount: i64,
    /// What it costs in all.
    pub cost: i128,
}

/// The search for a cheapest flow, with its working memory.
#[derive(Debug, Clone, Default)]
pub struct MinCostFlow {
    layers: Layers,
    potential: Vec<i64>,
    distance: Vec<i64>,
    /// The nodes with a distance or a potential, to be wiped afterwards.
    labelled: Vec<u32>,
    moved: Vec<u32>,
    settled: Vec<u32>,
    heap: BinaryHeap<Reverse<(i64, u32)>>,
}

const FAR: i64 = i64::MAX;

impl MinCostFlow {
    /// Working memory that grows with the first query.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sends up to `amount` from `source` to `sink` as cheaply as possible. The flow of the last
    /// query is taken away first.
    ///
    /// If less gets through, what was sent is a maximum flow, and the cheapest of them.
    pub fn run(
        &mut self,
        network: &mut Network,
        source: u32,
        sink: u32,
        amount: i64,
    ) -> Result<Flow, Error> {
        let (source, sink) = (network.check_node(source)?, network.check_node(sink)?);
        network.reset();
        self.fit(network.nodes());
        let mut flow = Flow::default();
        let amount = amount.min(MAX_CAPACITY);
        if source == sink {
            return Ok(flow);
        }
        while flow.amount < amount && self.shortest(network, source, sink) {
            let potential = &self.potential;
            let sent =
                self.layers.exhaust(network, source, sink, amount - flow.amount, |tail, half| {
                    half.cost + potential[tail] - potential[half.head as usize] == 0
                });
            flow.amount += sent;
            flow.cost +=
                i128::from(sent) * i128::from(self.potential[sink] - self.potential[source]);
        }
        for node in self.moved.drain(..) {
            self.potential[node as usize] = 0;
        }
        Ok(flow)
    }

    fn fit(&mut self, nodes: usize) {
        if self.potential.len() != nodes {
            self.potential.clear();
            self.potential.resize(nodes, 0);
            self.distance.clear();
            self.distance.resize(nodes, FAR);
        }
        self.layers.fit(nodes);
    }

    /// Dijkstra until the sink is settled, then potentials that make all shortest paths cost
    /// nothing. Returns whether there is a path.
    ///
    /// Only settled nodes get a new potential, `distance − distance(sink)` more than before: the
    /// rest would all get the same, and only differences count.
    fn shortest(&mut self, network: &Network, source: usize, sink: usize) -> bool {
        self.settled.clear();
        self.heap.clear();
        self.distance[source] = 0;
        self.labelled.push(source as u32);
        self.heap.push(Reverse((0, source as u32)));
        let mut found = false;
        while let Some(Reverse((distance, node))) = self.heap.pop() {
            let node = node as usize;
            if distance > self.distance[node] {
                continue;
            }
            self.settled.push(node as u32);
            if node == sink {
                found = true;
                break;
            }
            let base = distance + self.potential[node];
            for half in &network.halves[network.leaving(node)] {
                if half.residual == 0 {
                    continue;
                }
                let head = half.head as usize;
                let length = base + half.cost - self.potential[head];
                // Nodes as far as the sink, or farther, need not be settled.
                if length < self.distance[head] && length < self.distance[sink] {
                    if self.distance[head] == FAR {
                        self.labelled.push(head as u32);
                    }
                    self.distance[head] = length;
                    self.heap.push(Reverse((length, head as u32)));
                }
            }
        }
        if found {
            let reach = self.distance[sink];
            for &node in &self.settled {
                let shift = self.distance[node as usize] - reach;
                if shift != 0 {
                    self.potential[node as usize] += shift;
                    self.moved.push(node);
                }
            }
        }
        for node in self.labelled.drain(..) {
            self.distance[node as usize] = FAR;
        }
        found
    }
}
