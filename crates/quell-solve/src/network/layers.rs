//! Blocking flows in layered networks: the inner part of Dinic's algorithm.

use super::Network;

const UNSEEN: u32 = u32::MAX;
const DEAD: u32 = u32::MAX - 1;

/// Working memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Layers {
    level: Vec<u32>,
    /// The half-arc of each node to try next.
    next: Vec<u32>,
    /// The nodes seen by the last search, in order.
    seen: Vec<u32>,
    path: Vec<u32>,
}

impl Layers {
    /// Makes room for the nodes of a network.
    pub fn fit(&mut self, nodes: usize) {
        self.seen.clear();
        self.level.clear();
        self.level.resize(nodes, UNSEEN);
        self.next.resize(nodes, 0);
    }

    /// Was the node reached by the last search?
    pub fn reached(&self, node: usize) -> bool {
        self.level.get(node).is_some_and(|&level| level != UNSEEN)
    }

    /// Sends up to `limit` from `source` to `sink`, until no path is left. Returns what was sent.
    pub fn exhaust(
        &mut self,
        network: &mut Network,
        source: usize,
        sink: usize,
        limit: i64,
    ) -> i64 {
        let mut sent = 0;
        while sent < limit && self.search(network, source, sink) {
            sent += self.block(network, source, sink, limit - sent);
        }
        sent
    }

    /// Breadth-first search: numbers the nodes by their distance, until the sink is found.
    fn search(&mut self, network: &Network, source: usize, sink: usize) -> bool {
        for node in self.seen.drain(..) {
            self.level[node as usize] = UNSEEN;
        }
        self.level[source] = 0;
        self.next[source] = network.starts[source];
        self.seen.push(source as u32);
        let mut done = 0;
        while done < self.seen.len() {
            let node = self.seen[done] as usize;
            done += 1;
            for half in &network.halves[network.leaving(node)] {
                let head = half.head as usize;
                if half.residual > 0 && self.level[head] == UNSEEN {
                    self.level[head] = self.level[node] + 1;
                    self.next[head] = network.starts[head];
                    self.seen.push(head as u32);
                    if head == sink {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Depth-first search from layer to layer; every half-arc is given up at most once.
    fn block(&mut self, network: &mut Network, source: usize, sink: usize, limit: i64) -> i64 {
        let mut sent = 0;
        let mut node = source;
        self.path.clear();
        loop {
            if node == sink {
                let amount = self
                    .path
                    .iter()
                    .map(|&position| network.halves[position as usize].residual)
                    .fold(limit - sent, i64::min);
                sent += amount;
                let mut full = None;
                for (step, &position) in self.path.iter().enumerate() {
                    network.push(position as usize, amount);
                    if full.is_none() && network.halves[position as usize].residual == 0 {
                        full = Some(step);
                    }
                }
                let Some(step) = full.filter(|_| sent < limit) else {
                    return sent;
                };
                // Go on from where the path is now cut.
                node = tail(network, self.path[step]);
                self.path.truncate(step);
                continue;
            }
            let end = network.starts[node + 1];
            let wanted = self.level[node] + 1;
            let step = (self.next[node]..end).find(|&position| {
                let half = &network.halves[position as usize];
                half.residual > 0 && self.level[half.head as usize] == wanted
            });
            match step {
                Some(position) => {
                    self.next[node] = position;
                    self.path.push(position);
                    node = network.halves[position as usize].head as usize;
                }
                None => {
                    self.next[node] = end;
                    self.level[node] = DEAD;
                    let Some(position) = self.path.pop() else {
                        return sent;
                    };
                    node = tail(network, position);
                    self.next[node] += 1;
                }
            }
        }
    }
}

fn tail(network: &Network, position: u32) -> usize {
    network.halves[network.halves[position as usize].mate as usize].head as usize
}
