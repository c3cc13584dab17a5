//! The searches against brute force and against the flows of `quell-solve`.

use proptest::prelude::*;
use quell_gen::{Shape, random_problem_of};
use quell_model::{Budget, CellId, Direction, Problem, Random, Requirement};
use quell_solve::network::{Link, MaxFlow, Network};

use super::rectangle::cheapest_rectangle;
use super::search::CircuitSearch;
use super::{CircuitBuilder, Finder, HiddenCells, TwoWay};

/// A random flat table, and the cells hidden in it beside the primaries.
fn some_table(seed: u64) -> (Problem, Vec<CellId>) {
    let mut random = Random::new(seed, 0);
    let problem = random_problem_of(Shape::Flat, &mut random, 10 + (seed % 50) as usize);
    let hidden = problem.system().cells().filter(|_| random.chance(0.4)).collect();
    (problem, hidden)
}

/// How far the hidden cells let a primary move, up to its requirement, by a maximum flow.
fn farthest(table: &TwoWay, hidden: &HiddenCells, requirement: &Requirement) -> i64 {
    let cells: Vec<CellId> = table.problem.system().cells().collect();
    let usable = |cell: CellId| hidden.contains(cell) && cell != requirement.cell;
    let cells: Vec<CellId> = cells.into_iter().filter(|&cell| usable(cell)).collect();
    let links: Vec<Link> = cells
        .iter()
        .flat_map(|&cell| {
            let (tail, head) = table.ends(cell);
            [Link { tail, head }, Link { tail: head, head: tail }]
        })
        .collect();
    let mut network = Network::new(table.lines(), &links).unwrap();
    for (position, &cell) in cells.iter().enumerate() {
        network.set_capacity(2 * position, table.room(cell, Direction::Up)).unwrap();
        network.set_capacity(2 * position + 1, table.room(cell, Direction::Down)).unwrap();
    }
    let (source, sink) = table.gap(requirement);
    MaxFlow::new().run(&mut network, source, sink, requirement.distance).unwrap()
}

fn all_requirements(table: &TwoWay) -> Vec<Requirement> {
    (0..table.primaries.len()).flat_map(|primary| table.requirements_of(primary).to_vec()).collect()
}

/// The price of the cheapest rectangle by trying all.
fn brute_rectangle(table: &TwoWay, hidden: &HiddenCells, requirement: &Requirement) -> Option<f64> {
    let (source, sink) = table.gap(requirement);
    let cost = |cell: CellId| match hidden.contains(cell) {
        true => 0.0,
        false => table.problem.weight(cell),
    };
    let carries = |arc: &super::table::Arc| {
        arc.cell != requirement.cell && table.room(arc.cell, arc.direction) >= requirement.distance
    };
    let mut best: Option<f64> = None;
    for one in table.arcs_of(source).iter().filter(|arc| carries(arc)) {
        if one.to == sink {
            best = Some(best.map_or(cost(one.cell), |least| least.min(cost(one.cell))));
            continue;
        }
        for two in table.arcs_of(one.to).iter().filter(|arc| carries(arc)) {
            let back = [source, sink, one.to].contains(&two.to);
            for three in table.arcs_of(two.to).iter().filter(|arc| carries(arc)) {
                if !back && three.to == sink {
                    let price = cost(one.cell) + cost(two.cell) + cost(three.cell);
                    best = Some(best.map_or(price, |least| least.min(price)));
                }
            }
        }
    }
    best
}

proptest! {
    #[test]
    fn circuits_are_found_exactly_where_a_maximum_flow_suffices(seed in 0_u64..1_000_000) {
        let (problem, secondaries) = some_table(seed);
        let Some(table) = TwoWay::of(&problem) else { return Ok(()) };
        let mut hidden = HiddenCells::new(&table, secondaries.iter().copied());
        let mut search = CircuitSearch::new(&table);
        for requirement in all_requirements(&table) {
            let found = search.within(&requirement, &mut hidden);
            let flow = farthest(&table, &hidden, &requirement);
            prop_assert_eq!(found.is_some(), flow == requirement.distance);
            // What was found is enough by itself.
            if let Some(cells) = found {
                let alone = HiddenCells::new(&table, cells.into_iter());
                prop_assert_eq!(farthest(&table, &alone, &requirement), requirement.distance);
            }
        }
    }

    #[test]
    fn paths_are_found_unless_nothing_helps(seed in 0_u64..1_000_000) {
        let (problem, secondaries) = some_table(seed);
        let Some(table) = TwoWay::of(&problem) else { return Ok(()) };
        let mut hidden = HiddenCells::new(&table, secondaries.iter().copied());
        let all = HiddenCells::new(&table, (0..table.lines()).flat_map(|line| {
            table.arcs_of(line as u32).iter().map(|arc| arc.cell)
        }).chain(secondaries.iter().copied()));
        let mut search = CircuitSearch::new(&table);
        for requirement in all_requirements(&table) {
            let found = search.cheapest(&requirement, &mut hidden);
            prop_assert_eq!(found.is_some(), farthest(&table, &all, &requirement) == requirement.distance);
            if let Some(cells) = found {
                let with = HiddenCells::new(&table, cells.into_iter());
                prop_assert_eq!(farthest(&table, &with, &requirement), requirement.distance);
            }
        }
    }

    #[test]
    fn the_rectangle_found_is_the_cheapest_there_is(seed in 0_u64..1_000_000) {
        let (problem, _) = some_table(seed);
        let Some(table) = TwoWay::of(&problem) else { return Ok(()) };
        // Lines with several cells between them are told apart by the search, not here.
        if !matches!(problem.system().equation_count(), 4..) { return Ok(()) }
        let hidden = HiddenCells::new(&table, std::iter::empty());
        for requirement in all_requirements(&table) {
            let found = cheapest_rectangle(&table, &hidden, &requirement);
            let price = found.map(|cells| -> f64 {
                cells.iter().map(|&cell| problem.weight(cell)).sum()
            });
            prop_assert_eq!(price, brute_rectangle(&table, &hidden, &requirement));
        }
    }

    #[test]
    fn chromosomes_stay_safe_and_know_their_cost(seed in 0_u64..1_000_000) {
        let (problem, _) = some_table(seed);
        let Some(mut table) = TwoWay::of(&problem) else { return Ok(()) };
        let budget = Budget::default();
        let mut first = CircuitBuilder::new(&table, &budget);
        let order: Vec<usize> = (0..table.primaries.len()).collect();
        first.protect(&order, Finder::Paths);
        let unmet = first.unmet;
        table.retain(|requirement| !unmet.contains(requirement));
        let mut builder = CircuitBuilder::new(&table, &budget);
        let mut random = Random::new(seed, 1);
        let one = builder.hypercube(&mut random);
        let mut other = builder.hypercube(&mut random);
        for primary in 0..table.primaries.len() {
            let expected = other.cost() + other.change(&table, primary, one.gene(primary));
            other.set_gene(&table, primary, one.gene(primary).to_vec());
            prop_assert!((other.cost() - expected).abs() < 1e-6);
            let weights: f64 = other.secondaries().map(|cell| problem.weight(cell)).sum();
            prop_assert!((other.cost() - weights).abs() < 1e-6);
            let hidden = other.hidden(&table);
            for requirement in all_requirements(&table) {
                prop_assert_eq!(farthest(&table, &hidden, &requirement), requirement.distance);
            }
        }
        for cell in one.secondaries().collect::<Vec<_>>() {
            let mut changed = one.clone();
            builder.try_instead(&mut changed, cell);
            prop_assert!(changed.cost() <= one.cost());
            let hidden = changed.hidden(&table);
            for requirement in all_requirements(&table) {
                prop_assert_eq!(farthest(&table, &hidden, &requirement), requirement.distance);
            }
        }
    }
}
