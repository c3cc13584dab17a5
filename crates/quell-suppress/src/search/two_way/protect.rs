//! Building patterns primary by primary, and taking away what is superfluous.

use quell_model::{Budget, CellId, Random, Requirement};

use super::rectangle::cheapest_rectangle;
use super::search::CircuitSearch;
use super::{Chromosome, HiddenCells, TwoWay};

/// How a primary that is not safe yet is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finder {
    /// By the cheapest rectangle; by paths where no rectangle has the room.
    Rectangles,
    /// By the cheapest paths.
    Paths,
}

/// Builds and changes chromosomes of one table; working memory of the searches.
pub(crate) struct CircuitBuilder<'a> {
    table: &'a TwoWay<'a>,
    budget: &'a Budget,
    search: CircuitSearch<'a>,
    /// Requirements that nothing can meet.
    pub(crate) unmet: Vec<Requirement>,
}

impl<'a> CircuitBuilder<'a> {
    /// A builder for a table. When the budget ends, patterns are still built, because half
    /// a pattern is none, but no longer improved.
    pub(crate) fn new(table: &'a TwoWay<'a>, budget: &'a Budget) -> Self {
        Self { table, budget, search: CircuitSearch::new(table), unmet: Vec::new() }
    }

    /// Paths looked for so far: the effort.
    pub(crate) fn effort(&self) -> u64 {
        self.search.paths
    }

    /// Protects the primaries, by their positions, one after the other, starting from
    /// nothing.
    pub(crate) fn protect(&mut self, order: &[usize], finder: Finder) -> Chromosome {
        let mut hidden = HiddenCells::new(self.table, std::iter::empty());
        self.complete(&mut hidden, &[], order, finder)
    }

    /// The thesis' procedure (herrington-2015, figure 3): primaries in random order, a
    /// rectangle for each that is not safe, redundant secondaries removed.
    pub(crate) fn hypercube(&mut self, random: &mut Random) -> Chromosome {
        let order = self.shuffled(random);
        let mut chromosome = self.protect(&order, Finder::Rectangles);
        let secondaries: Vec<CellId> = chromosome.secondaries().collect();
        self.remove_redundant(&mut chromosome, &secondaries);
        chromosome
    }

    /// Makes a set of hidden cells safe: primaries are proven by a circuit of a `known`
    /// chromosome that is still there, or by one inside the hidden cells, and for the rest
    /// more is hidden. What then protects nothing is not part of the result.
    pub(crate) fn complete(
        &mut self,
        hidden: &mut HiddenCells,
        known: &[&Chromosome],
        order: &[usize],
        finder: Finder,
    ) -> Chromosome {
        let mut result = Chromosome::new(self.table);
        for &primary in order {
            let gene = match kept(hidden, known, primary) {
                Some(gene) => gene,
                None => self.find(primary, hidden, finder),
            };
            result.set_gene(self.table, primary, gene);
        }
        result
    }

    /// Proves that a set of hidden cells is safe, with the circuits of `known` chromosomes
    /// that are still there where possible; `None` if it is not.
    pub(crate) fn prove(
        &mut self,
        hidden: &mut HiddenCells,
        known: &[&Chromosome],
    ) -> Option<Chromosome> {
        let mut result = Chromosome::new(self.table);
        for primary in 0..self.table.primaries.len() {
            let kept = kept(hidden, known, primary);
            let gene = kept.or_else(|| self.circuits(primary, hidden))?;
            result.set_gene(self.table, primary, gene);
        }
        Some(result)
    }

    /// Circuits for a primary; hides what they need.
    fn find(&mut self, primary: usize, hidden: &mut HiddenCells, finder: Finder) -> Vec<CellId> {
        let table = self.table;
        let mut gene = Vec::new();
        for requirement in table.requirements_of(primary) {
            let cells = self.search.within(requirement, hidden).or_else(|| {
                let rectangle = match finder {
                    Finder::Rectangles => cheapest_rectangle(table, hidden, requirement),
                    Finder::Paths => None,
                };
                rectangle.or_else(|| self.search.cheapest(requirement, hidden))
            });
            match cells {
                Some(cells) => {
                    cells.iter().for_each(|&cell| hidden.hide(table, cell));
                    gene.extend(cells);
                }
                None => self.unmet.push(*requirement),
            }
        }
        gene.sort_unstable();
        gene.dedup();
        gene
    }

    /// The circuits of a primary inside the hidden cells, or `None` if it is not safe.
    fn circuits(&mut self, primary: usize, hidden: &mut HiddenCells) -> Option<Vec<CellId>> {
        let mut gene = Vec::new();
        for requirement in self.table.requirements_of(primary) {
            gene.extend(self.search.within(requirement, hidden)?);
        }
        gene.sort_unstable();
        gene.dedup();
        Some(gene)
    }

    /// Publishes a secondary if all primaries whose circuits use it are safe without it;
    /// they get new circuits, most often larger ones. Says whether it did.
    pub(crate) fn try_without(
        &mut self,
        chromosome: &mut Chromosome,
        hidden: &mut HiddenCells,
        cell: CellId,
    ) -> bool {
        hidden.publish(self.table, cell);
        let users = 0..self.table.primaries.len();
        let affected = users.filter(|&p| chromosome.gene(p).binary_search(&cell).is_ok());
        let mut genes = Vec::new();
        for primary in affected {
            let Some(gene) = self.circuits(primary, hidden) else {
                hidden.hide(self.table, cell);
                return false;
            };
            genes.push((primary, gene));
        }
        let mut freed = Vec::new();
        for (primary, gene) in genes {
            freed.extend(chromosome.set_gene(self.table, primary, gene));
        }
        freed.retain(|&cell| chromosome.users(cell) == 0);
        freed.into_iter().for_each(|cell| hidden.publish(self.table, cell));
        true
    }

    /// Tries to publish every secondary, in the given order, while the budget lasts.
    pub(crate) fn remove_redundant(&mut self, chromosome: &mut Chromosome, cells: &[CellId]) {
        let mut hidden = chromosome.hidden(self.table);
        for &cell in cells {
            if self.budget.stop().is_some() {
                return;
            }
            if chromosome.users(cell) > 0 {
                self.try_without(chromosome, &mut hidden, cell);
            }
        }
    }

    /// Publishes a secondary and repairs what that breaks along the cheapest paths, which
    /// may well hide it again; keeps the result if it is cheaper. Says whether it was.
    pub(crate) fn try_instead(&mut self, chromosome: &mut Chromosome, cell: CellId) -> bool {
        let others = chromosome.secondaries().filter(|&other| other != cell);
        let mut hidden = HiddenCells::new(self.table, others);
        let order: Vec<usize> = (0..self.table.primaries.len()).collect();
        let repaired = self.complete(&mut hidden, &[chromosome], &order, Finder::Paths);
        let cheaper = repaired.cost() < chromosome.cost();
        if cheaper {
            *chromosome = repaired;
        }
        cheaper
    }

    /// The primaries in random order.
    pub(crate) fn shuffled(&self, random: &mut Random) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.table.primaries.len()).collect();
        random.shuffle(&mut order);
        order
    }

    /// The secondaries of a chromosome, dearest first.
    pub(crate) fn dearest_first(&self, chromosome: &Chromosome) -> Vec<CellId> {
        let weight = |cell: CellId| self.table.problem.weight(cell);
        let mut cells: Vec<CellId> = chromosome.secondaries().collect();
        cells.sort_by(|&a, &b| weight(b).total_cmp(&weight(a)));
        cells
    }
}

/// The circuits of a primary in the first of some chromosomes whose cells are all hidden.
fn kept(hidden: &HiddenCells, known: &[&Chromosome], primary: usize) -> Option<Vec<CellId>> {
    let mut genes = known.iter().map(|chromosome| chromosome.gene(primary));
    let gene = genes.find(|gene| gene.iter().all(|&cell| hidden.contains(cell)))?;
    Some(gene.to_vec())
}
