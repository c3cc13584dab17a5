//! Two-dimensional tables are networks: equations are nodes, cells are arcs usable both
//! ways, and how far a cell can move is a maximum flow around it. Flows are integers, so
//! their answers are exact certificates and exact limits as they stand.
//!
//! The structure is recognised, not declared: a view is a network if every cell stands
//! in at most two equations and equations can be given signs such that each cell enters
//! one and leaves the other.

use quell_model::{Certificate, Direction, Value};
use quell_solve::Error;
use quell_solve::network::{Link, MAX_CAPACITY, MaxFlow, Network};

use crate::view::View;

/// The network of a view.
pub(crate) struct FlowAttack<'a> {
    hidden: &'a View,
    links: Vec<Link>,
    network: Network,
    max_flow: MaxFlow,
}

impl<'a> FlowAttack<'a> {
    /// The network of `hidden`, if it is one.
    pub(crate) fn new(hidden: &'a View) -> Result<Option<Self>, Error> {
        let Some(links) = links(hidden) else { return Ok(None) };
        // Each cell is two arcs: 2i for rising, 2i + 1 for falling.
        let arcs: Vec<Link> = links
            .iter()
            .flat_map(|&link| [link, Link { tail: link.head, head: link.tail }])
            .collect();
        let mut network = Network::new(hidden.equation_count() + 1, &arcs)?;
        for cell in 0..hidden.len() {
            network.set_capacity(2 * cell, hidden.up[cell].min(MAX_CAPACITY))?;
            network.set_capacity(2 * cell + 1, hidden.down[cell].min(MAX_CAPACITY))?;
        }
        Ok(Some(Self { hidden, links, network, max_flow: MaxFlow::new() }))
    }

    /// Moves a cell as far as it goes, but not beyond `enough`: the movement and whether
    /// it ended there because it could go no further.
    pub(crate) fn farthest(
        &mut self,
        cell: usize,
        direction: Direction,
        enough: Value,
    ) -> Result<(Certificate, Reached), Error> {
        let hidden = self.hidden;
        let room = match direction {
            Direction::Down => hidden.down[cell],
            Direction::Up => hidden.up[cell],
        };
        let goal = enough.min(room).min(MAX_CAPACITY);
        let link = self.links[cell];
        if link.tail == link.head {
            let movement = Certificate::integral([(hidden.cell(cell), goal * direction.sign())]);
            let reached = if goal < enough { Reached::Limit(goal) } else { Reached::Enough };
            return Ok((movement, reached));
        }
        self.network.set_capacity(2 * cell, 0)?;
        self.network.set_capacity(2 * cell + 1, 0)?;
        let (source, sink) = match direction {
            Direction::Up => (link.head, link.tail),
            Direction::Down => (link.tail, link.head),
        };
        let flow = self.max_flow.run(&mut self.network, source, sink, goal)?;
        let certificate = self.movement(cell, flow * direction.sign());
        self.network.reset();
        self.network.set_capacity(2 * cell, hidden.up[cell].min(MAX_CAPACITY))?;
        self.network.set_capacity(2 * cell + 1, hidden.down[cell].min(MAX_CAPACITY))?;
        let reached = if flow < enough { Reached::Limit(flow) } else { Reached::Enough };
        Ok((certificate, reached))
    }

    fn movement(&self, cell: usize, amount: Value) -> Certificate {
        let mut touched: Vec<usize> = self.network.touched().map(|arc| arc / 2).collect();
        touched.sort_unstable();
        touched.dedup();
        let others = touched.iter().map(|&other| {
            let net = self.network.flow(2 * other) - self.network.flow(2 * other + 1);
            (self.hidden.cell(other), net)
        });
        let moved = others.chain([(self.hidden.cell(cell), amount)]);
        Certificate::integral(moved.filter(|&(_, amount)| amount != 0))
    }
}

/// How a flow ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reached {
    /// As far as was asked for.
    Enough,
    /// It can move this far and no further.
    Limit(Value),
}

/// The arc of each cell, or `None` if the view is no network. The node after the last
/// equation stands for the outside, where cells of a single equation end.
fn links(hidden: &View) -> Option<Vec<Link>> {
    let outside = hidden.equation_count() as u32;
    let fits = |cell: usize| {
        let equations = hidden.equations_of(cell);
        equations.len() <= 2 && equations.iter().all(|&(_, coefficient)| coefficient.abs() == 1)
    };
    if !(0..hidden.len()).all(fits) {
        return None;
    }
    let mut signs = vec![0_i32; hidden.equation_count()];
    for start in 0..signs.len() {
        if signs[start] != 0 {
            continue;
        }
        signs[start] = 1;
        let mut open = vec![start as u32];
        while let Some(equation) = open.pop() {
            let own_sign = signs[equation as usize];
            for &(cell, coefficient) in hidden.cells_of(equation as usize) {
                for &(other, theirs) in hidden.equations_of(cell as usize) {
                    if other == equation {
                        continue;
                    }
                    let wanted = -own_sign * coefficient * theirs;
                    match &mut signs[other as usize] {
                        sign if *sign == 0 => {
                            *sign = wanted;
                            open.push(other);
                        }
                        sign if *sign != wanted => return None,
                        _ => {}
                    }
                }
            }
        }
    }
    let link = |cell: usize| {
        let mut link = Link { tail: outside, head: outside };
        for &(equation, coefficient) in hidden.equations_of(cell) {
            match signs[equation as usize] * coefficient {
                1 => link.head = equation,
                _ => link.tail = equation,
            }
        }
        link
    };
    Some((0..hidden.len()).map(link).collect())
}
