//! Flows against HiGHS, against all cuts, and against the optimality conditions.

use crate::lp::Dense;
use crate::random::Random;
use quell_solve::network::{Link, MAX_CAPACITY, MaxFlow, MinCostFlow, Network};
use quell_solve::{Error, Order, Outcome, Sense, Solver};

struct Case {
    nodes: usize,
    links: Vec<Link>,
    capacities: Vec<i64>,
    costs: Vec<i64>,
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
        let highest = [0, 2, 20][random.below(3)];
        let costs = (0..arcs).map(|_| random.between(0, highest)).collect();
        Self { nodes, links, capacities, costs }
    }

    fn load(&self, network: &mut Network) {
        for arc in 0..self.links.len() {
            network.set_capacity(arc, self.capacities[arc]).unwrap();
            network.set_cost(arc, self.costs[arc]).unwrap();
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

    /// A flow is cheapest for its amount if no cycle of negative cost is left (Bellman–Ford).
    fn no_cheaper_cycle(&self, network: &Network) -> bool {
        let mut label = vec![0_i64; self.nodes];
        for _ in 0..=self.nodes {
            let mut changed = false;
            for (arc, link) in self.links.iter().enumerate() {
                let (tail, head) = (link.tail as usize, link.head as usize);
                let flow = network.flow(arc);
                if flow < self.capacities[arc] && label[tail] + self.costs[arc] < label[head] {
                    label[head] = label[tail] + self.costs[arc];
                    changed = true;
                }
                if flow > 0 && label[head] - self.costs[arc] < label[tail] {
                    label[tail] = label[head] - self.costs[arc];
                    changed = true;
                }
            }
            if !changed {
                return true;
            }
        }
        false
    }

    /// The least cost of sending `amount`, by LP.
    fn cheapest_by_lp(&self, amount: i64) -> f64 {
        let arcs = self.links.len();
        let mut matrix = vec![vec![0.0; arcs]; self.nodes];
        for (arc, link) in self.links.iter().enumerate() {
            matrix[link.tail as usize][arc] += 1.0;
            matrix[link.head as usize][arc] -= 1.0;
        }
        let mut demand = vec![0.0; self.nodes];
        demand[0] = amount as f64;
        demand[self.nodes - 1] = -amount as f64;
        let model = Dense {
            sense: Sense::Minimise,
            costs: self.costs.iter().map(|&cost| cost as f64).collect(),
            lower: vec![0.0; arcs],
            upper: self.capacities.iter().map(|&capacity| capacity as f64).collect(),
            row_lower: demand.clone(),
            row_upper: demand,
            matrix,
            kinds: None,
        };
        let mut solver = Solver::new().unwrap();
        model.pass(&mut solver, Order::Columns).unwrap();
        assert_eq!(solver.solve().unwrap(), Outcome::Optimal);
        solver.objective()
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
fn the_cheapest_flow_costs_what_the_lp_says() {
    let (mut most, mut cheapest) = (MaxFlow::new(), MinCostFlow::new());
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let mut case = Case::random(&mut random);
        let mut network = case.network();
        let sink = case.nodes as u32 - 1;
        // The same graph again with other capacities and costs: nothing of the last query may
        // remain.
        for round in 0..3 {
            if round > 0 {
                for arc in 0..case.links.len() {
                    case.capacities[arc] = random.between(0, 6);
                    case.costs[arc] = random.between(0, 5);
                }
                case.load(&mut network);
            }
            let limit = most.run(&mut network, 0, sink, MAX_CAPACITY).unwrap();
            let wanted = random.between(0, 12);
            let flow = cheapest.run(&mut network, 0, sink, wanted).unwrap();
            assert_eq!(flow.amount, wanted.min(limit), "seed {seed}");
            case.check_flow(&network, flow.amount);
            let cost: i64 =
                (0..case.links.len()).map(|arc| network.flow(arc) * case.costs[arc]).sum();
            assert_eq!(flow.cost, i128::from(cost), "seed {seed}");
            assert!(case.no_cheaper_cycle(&network), "seed {seed}");
            if round == 0 && !case.links.is_empty() {
                let lp = case.cheapest_by_lp(flow.amount);
                assert!((lp - flow.cost as f64).abs() < 1e-6, "seed {seed}");
            }
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
    assert!(network.set_cost(0, -1).is_err());
    assert!(network.set_capacity(1, 1).is_err());
    assert!(MaxFlow::new().run(&mut network, 0, 2, 1).is_err());
    assert_eq!(MaxFlow::new().run(&mut network, 1, 1, 1), Ok(0));
}
