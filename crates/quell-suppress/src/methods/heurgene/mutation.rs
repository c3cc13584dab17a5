//! Mutation: a redundant secondary goes, and circuits merge (herrington-2015, figure 5).

use quell_model::{CellId, Random};

use crate::search::two_way::{Chromosome, CircuitBuilder, TwoWay};

/// Publishes the first redundant secondary in the circuit of a primary chosen by chance, if
/// there is one. The primaries whose circuits used it get new ones, which wind through the
/// circuits of others: so circuits grow beyond rectangles.
pub(super) fn mutate(
    table: &TwoWay,
    builder: &mut CircuitBuilder,
    chromosome: &mut Chromosome,
    random: &mut Random,
) {
    let primary = random.below(table.primaries.len());
    let gene: Vec<CellId> = chromosome.gene(primary).to_vec();
    if gene.is_empty() {
        return;
    }
    let mut hidden = chromosome.hidden(table);
    for cell in gene {
        if builder.try_without(chromosome, &mut hidden, cell) {
            return;
        }
    }
}
