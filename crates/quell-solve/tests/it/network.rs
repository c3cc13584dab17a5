//! Flows against all cuts.

use crate::random::Random;
use quell_solve::Error;
use quell_solve::network::{Link, MAX_CAPACITY, MaxFlow, Network};

struct Case {
    nodes: usize,
    links: Vec<Link>,
    capacities: Vec<i64>,
}

impl Case {
    fn random(random: &mut Random) -> Self {
        let nodes = random.below(6) + 2;
        let arcs = random.below(3 * nodes);
        // Loops and parallel arcs included.
        let links = (0..arcs)
            .map(|_| Link { tail: random.below(nodes) as u32, head: random.below(nodes) as u32 })
            .collect();
        let capacities = (0..arcs).map(|_| random.between(0, 6)).collect();
        Self { nodes, links, capacities }
    }

    fn load(&self, network: &mut Network) {
        for arc in 0..self.links.len() {
            network.set_capacity(arc, self.capacities[arc]).unwrap();
        }
    }

    fn network(&self) -> Network {
        let mut network = Network::new(self.nodes, &self.links).unwrap();
        self.load(&mut network);
        network
    }

    /// The smallest cut between the first and the last node, by trying all.
    fn smallest_cut(&self) -> i64 {
        (0..1_u32 << self.nodes)
            .filter(|side| side & 1 == 1 && side >> (self.nodes - 1) & 1 == 0)
            .map(|side| self.cut(|node| side >> node & 1 == 1))
            .min()
            .unwrap()
    }

    fn cut(&self, on_source_side: impl Fn(u32) -> bool) -> i64 {
        let crossing = |link: &Link| on_source_side(link.tail) && !on_source_side(link.head);
        (0..self.links.len())
            .filter(|&arc| crossing(&self.links[arc]))
            .map(|arc| self.capacities[arc])
            .sum()
    }

    /// Capacities hold, nothing is lost on the way, and so much arrives.
    fn check_flow(&self, network: &Network, amount: i64) {
        let mut balance = vec![0; self.nodes];
        for (arc, link) in self.links.iter().enumerate() {
            let flow = network.flow(arc);
            assert!((0..=self.capacities[arc]).contains(&flow));
            balance[link.tail as usize] += flow;
            balance[link.head as usize] -= flow;
        }
        let mut expected = vec![0; self.nodes];
        expected[0] = amount;
        expected[self.nodes - 1] = -amount;
        assert_eq!(balance, expected);
        let touched: Vec<usize> = network.touched().collect();
        assert!((0..self.links.len()).all(|a| network.flow(a) == 0 || touched.contains(&a)));
    }
}

#[test]
fn the_maximum_flow_equals_the_smallest_of_all_cuts() {
    let mut search = MaxFlow::new();
    for seed in 0..5000 {
        let case = Case::random(&mut Random::new(seed));
        let mut network = case.network();
        let sink = case.nodes as u32 - 1;
        let flow = search.run(&mut network, 0, sink, MAX_CAPACITY).unwrap();
        assert_eq!(flow, case.smallest_cut(), "seed {seed}");
        assert_eq!(case.cut(|node| search.on_source_side(node)), flow, "seed {seed}");
        case.check_flow(&network, flow);
        for limit in [flow, flow / 2, 0] {
            assert_eq!(search.run(&mut network, 0, sink, limit), Ok(limit), "seed {seed}");
            case.check_flow(&network, limit);
        }
    }
}

#[test]
fn nothing_of_the_last_query_remains() {
    let mut search = MaxFlow::new();
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let mut case = Case::random(&mut random);
        let mut network = case.network();
        let sink = case.nodes as u32 - 1;
        for _ in 0..3 {
            let flow = search.run(&mut network, 0, sink, random.between(0, 12)).unwrap();
            case.check_flow(&network, flow);
            case.capacities.iter_mut().for_each(|capacity| *capacity = random.between(0, 6));
            case.load(&mut network);
            let most = search.run(&mut network, 0, sink, MAX_CAPACITY).unwrap();
            assert_eq!(most, case.smallest_cut(), "seed {seed}");
        }
        network.reset();
        assert!((0..case.links.len()).all(|arc| network.flow(arc) == 0));
    }
}

#[test]
fn wrong_numbers_are_errors() {
    let link = Link { tail: 0, head: 5 };
    assert!(matches!(Network::new(3, &[link]), Err(Error::OutOfRange { .. })));
    let mut network = Network::new(2, &[Link { tail: 0, head: 1 }]).unwrap();
    assert!(network.set_capacity(0, -1).is_err());
    assert!(network.set_capacity(1, 1).is_err());
    assert!(MaxFlow::new().run(&mut network, 0, 2, 1).is_err());
    assert_eq!(MaxFlow::new().run(&mut network, 1, 1, 1), Ok(0));
}
