//! The graph: arcs in CSR order, each with its reverse, and the flow they carry.

use crate::Error;

/// The largest capacity an arc may have; for "as much as you like". A quarter of the range, so that
/// capacity and flow never overflow when added.
pub const MAX_CAPACITY: i64 = i64::MAX / 4;

/// An arc from one node to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Link {
    /// The node it leaves.
    pub tail: u32,
    /// The node it enters.
    pub head: u32,
}

/// Half an arc: what a search reads, side by side.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Half {
    pub residual: i64,
    pub head: u32,
    /// The position of the other half.
    pub mate: u32,
}

/// A directed network with capacities.
///
/// Every arc is stored twice, as itself and as the reverse along which its flow can be sent back;
/// the two halves stand among the arcs of their own tails, so that a search reads memory in order.
#[derive(Debug, Clone)]
pub struct Network {
    /// Where the half-arcs of each node start; one more than there are nodes.
    pub(super) starts: Vec<u32>,
    pub(super) halves: Vec<Half>,
    capacities: Vec<i64>,
    /// The position of the forward half of each arc.
    forward: Vec<u32>,
    /// The arc of each position.
    arc_of: Vec<u32>,
    /// Positions whose residual may differ from their capacity.
    changed: Vec<u32>,
}

impl Network {
    /// A network without capacities (all 0). Arcs are numbered as given.
    pub fn new(nodes: usize, links: &[Link]) -> Result<Self, Error> {
        let count = 2 * links.len();
        if u32::try_from(count).is_err() {
            return Err(Error::TooLarge { what: "arcs", size: links.len() });
        }
        if i32::try_from(nodes).is_err() {
            return Err(Error::TooLarge { what: "nodes", size: nodes });
        }
        let mut starts = vec![0_u32; nodes + 1];
        for node in links.iter().flat_map(|link| [link.tail, link.head]) {
            let Some(count) = starts.get_mut(node as usize + 1) else {
                return Err(Error::OutOfRange {
                    what: "node",
                    index: i64::from(node),
                    size: nodes,
                });
            };
            *count += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut free = starts.clone();
        let mut place = |node: u32| {
            let position = free[node as usize];
            free[node as usize] += 1;
            position
        };
        let mut halves = vec![Half::default(); count];
        let mut arc_of = vec![0; count];
        let mut forward = Vec::with_capacity(links.len());
        for (arc, link) in links.iter().enumerate() {
            let (there, back) = (place(link.tail), place(link.head));
            halves[there as usize] = Half { head: link.head, mate: back, ..Half::default() };
            halves[back as usize] = Half { head: link.tail, mate: there, ..Half::default() };
            arc_of[there as usize] = arc as u32;
            arc_of[back as usize] = arc as u32;
            forward.push(there);
        }
        Ok(Self {
            starts,
            halves,
            capacities: vec![0; count],
            forward,
            arc_of,
            changed: Vec::new(),
        })
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    /// How many arcs there are.
    pub fn arcs(&self) -> usize {
        self.forward.len()
    }

    /// Sets how much an arc may carry, between 0 and [`MAX_CAPACITY`], and takes its flow away:
    /// capacities are for the next query.
    pub fn set_capacity(&mut self, arc: usize, capacity: i64) -> Result<(), Error> {
        let position = self.position(arc)?;
        if !(0..=MAX_CAPACITY).contains(&capacity) {
            return Err(Error::NotANumber { what: "capacity" });
        }
        let mate = self.halves[position].mate as usize;
        self.capacities[position] = capacity;
        self.halves[position].residual = capacity;
        self.halves[mate].residual = 0;
        Ok(())
    }

    /// How much an arc may carry.
    ///
    /// # Panics
    /// If there is no such arc.
    pub fn capacity(&self, arc: usize) -> i64 {
        self.capacities[self.forward[arc] as usize]
    }

    /// How much an arc carries after the last query.
    ///
    /// # Panics
    /// If there is no such arc.
    pub fn flow(&self, arc: usize) -> i64 {
        self.halves[self.halves[self.forward[arc] as usize].mate as usize].residual
    }

    /// The arcs that may carry flow after the last query, in no order and perhaps repeated: there
    /// are seldom many, so whoever reads a flow need not look at every arc.
    pub fn touched(&self) -> impl Iterator<Item = usize> {
        self.changed.iter().map(|&position| self.arc_of[position as usize] as usize)
    }

    /// Takes all flow away, in time proportional to what the last query touched.
    pub fn reset(&mut self) {
        for position in self.changed.drain(..) {
            let position = position as usize;
            let mate = self.halves[position].mate as usize;
            self.halves[position].residual = self.capacities[position];
            self.halves[mate].residual = self.capacities[mate];
        }
    }

    /// Sends flow along the half-arc at `position`, at most its residual.
    pub(super) fn push(&mut self, position: usize, amount: i64) {
        let mate = self.halves[position].mate as usize;
        // A pair that carries flow is on the list already.
        if self.halves[position].residual == self.capacities[position] {
            self.changed.push(position as u32);
        }
        self.halves[position].residual -= amount;
        self.halves[mate].residual += amount;
    }

    /// The half-arcs that leave a node, as positions.
    pub(super) fn leaving(&self, node: usize) -> std::ops::Range<usize> {
        self.starts[node] as usize..self.starts[node + 1] as usize
    }

    pub(super) fn check_node(&self, node: u32) -> Result<usize, Error> {
        let index = node as usize;
        if index < self.nodes() {
            Ok(index)
        } else {
            Err(Error::OutOfRange { what: "node", index: i64::from(node), size: self.nodes() })
        }
    }

    fn position(&self, arc: usize) -> Result<usize, Error> {
        match self.forward.get(arc) {
            Some(&position) => Ok(position as usize),
            None => Err(Error::OutOfRange {
                what: "arc",
                index: i64::try_from(arc).unwrap_or(i64::MAX),
                size: self.arcs(),
            }),
        }
    }
}
