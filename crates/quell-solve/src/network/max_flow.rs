//! Maximum flow and minimum cut, by Dinic's algorithm (dinic-1970): O(V² E), far faster in
//! practice.

use super::layers::Layers;
use super::{MAX_CAPACITY, Network};
use crate::Error;

/// The search for a maximum flow, with its working memory.
#[derive(Debug, Clone, Default)]
pub struct MaxFlow {
    layers: Layers,
}

impl MaxFlow {
    /// Working memory that grows with the first query.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sends as much as possible, but at most `limit`, from `source` to `sink` and returns how much
    /// that was. The flow of the last query is taken away first.
    ///
    /// A `limit` saves time when all one wants to know is whether that much gets through.
    pub fn run(
        &mut self,
        network: &mut Network,
        source: u32,
        sink: u32,
        limit: i64,
    ) -> Result<i64, Error> {
        let (source, sink) = (network.check_node(source)?, network.check_node(sink)?);
        network.reset();
        self.layers.fit(network.nodes());
        if source == sink {
            return Ok(0);
        }
        Ok(self.layers.exhaust(network, source, sink, limit.min(MAX_CAPACITY)))
    }

    /// After a query that sent less than its limit: is the node on the source's side of the minimum
    /// cut? The arcs from that side to the other are all full, and their capacities add up to the
    /// flow.
    pub fn on_source_side(&self, node: u32) -> bool {
        self.layers.reached(node as usize)
    }
}
