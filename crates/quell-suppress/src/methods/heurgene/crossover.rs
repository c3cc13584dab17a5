//! Crossover: the exchange of one primary's circuit (herrington-2015, figure 4).

use quell_model::{CellId, Random};

use crate::genetic::{Population, Selection};
use crate::search::two_way::{Chromosome, TwoWay};

/// Circuits with more secondaries are not exchanged.
const MOST_CELLS: usize = 32;

/// Primaries tried with one pair of parents.
const ATTEMPTS: usize = 100;

/// Pairs of parents tried for one pair of offspring.
const MATINGS: usize = 100;

/// Two offspring of members of a population, of which at least one is cheaper than both
/// its parents; `None` if none was found.
pub(super) fn mate(
    table: &TwoWay,
    population: &Population,
    selection: Selection,
    random: &mut Random,
) -> Option<[Chromosome; 2]> {
    (0..MATINGS).find_map(|_| {
        let (one, other) = population.select(selection, random);
        cross(table, population.member(one), population.member(other), random)
    })
}

/// Exchanges the circuits of a primary chosen by chance, if that pays.
///
/// The thesis' heuristic f = g + h compares the cost of the circuit to come plus that of
/// all else with the cost now. As every circuit is known, the cost of the offspring is
/// known exactly without making it.
fn cross(
    table: &TwoWay,
    one: &Chromosome,
    other: &Chromosome,
    random: &mut Random,
) -> Option<[Chromosome; 2]> {
    let cheapest = one.cost().min(other.cost());
    let weight = |gene: &[CellId]| gene.iter().map(|&cell| table.problem.weight(cell)).sum::<f64>();
    for _ in 0..ATTEMPTS {
        let primary = random.below(table.primaries.len());
        let (mine, yours) = (one.gene(primary), other.gene(primary));
        // Circuits of the same cost are taken for identical.
        if mine.len().max(yours.len()) > MOST_CELLS || weight(mine) == weight(yours) {
            continue;
        }
        let first = one.cost() + one.change(table, primary, yours);
        let second = other.cost() + other.change(table, primary, mine);
        if first.min(second) < cheapest {
            let exchanged = |parent: &Chromosome, gene: &[CellId]| {
                let mut child = parent.clone();
                child.set_gene(table, primary, gene.to_vec());
                child
            };
            return Some([exchanged(one, yours), exchanged(other, mine)]);
        }
    }
    None
}
