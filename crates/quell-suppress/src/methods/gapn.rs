//! **gapn**, the genetic algorithm of protection networks (ditrich-2010, as told in
//! herrington-2015, chapter 2): rectangles as genes.
//!
//! Crossover takes a primary by chance, looks in both parents for the simple rectangle of
//! hidden cells that protects it, and exchanges their secondaries, if both have any.
//! Offspring that are not safe are thrown away. The best offspring of a generation loses
//! whatever is redundant. Of parents and offspring together the cheapest live on.
//!
//! - *Guarantee*: every pattern is safe; no bound on the cost.
//! - *Complexity*: a generation checks ten offspring, each over the circuits that were cut,
//!   and tries every secondary of one.
//! - *Choose it* to study the literature: it cannot exchange circuits larger than
//!   rectangles, and `heurgene` makes no unsafe offspring.
//! - *Deviates*: members of the same cost are taken for identical, and one is enough. What
//!   no circuit uses is published at once. Its seeds are not told by the thesis; rectangles
//!   are what its crossover works on.

use quell_model::Random;

use crate::genetic::{Breeding, Population, Replacement, Selection, Termination, Watch, two_way};
use crate::search::two_way::{Chromosome, CircuitBuilder, HiddenCells, TwoWay, hidden_rectangle};
use crate::{Error, Method, Proposal, Task};

/// The settings of `gapn`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gapn {
    /// Members of the population.
    pub population: usize,
    /// When to end.
    pub termination: Termination,
}

impl Default for Gapn {
    fn default() -> Self {
        Self { population: 20, termination: Termination::default() }
    }
}

impl Method for Gapn {
    fn name(&self) -> &'static str {
        "gapn"
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let table = two_way(task, self.name())?;
        let mut breeding = Breeding::new(task, &table);
        task.progress.stage("first population", None);
        let size = self.population.max(2);
        let mut population =
            breeding.population(size, |_, builder, random| builder.hypercube(random));
        task.progress.stage("generations", None);
        let mut watch = Watch::default();
        while task.budget.stop().is_none()
            && watch.goes_on(self.termination, population.best().cost())
        {
            let pairs = breeding
                .breed(size / 2, |_, builder, random| mate(&table, &population, builder, random));
            let mut offspring: Vec<Chromosome> = pairs.into_iter().flatten().collect();
            offspring.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
            if let Some(best) = offspring.first_mut() {
                let improved = breeding.breed(1, |_, builder, _| {
                    let mut child = best.clone();
                    let secondaries = builder.dearest_first(&child);
                    builder.remove_redundant(&mut child, &secondaries);
                    child
                });
                improved.into_iter().for_each(|child| *best = child);
            }
            let mut random = breeding.random();
            for child in offspring {
                if !population.has_cost(child.cost()) {
                    population.replace(Replacement::Elite, child, &mut random);
                }
            }
            task.progress.advance(1);
        }
        Ok(Proposal::unbounded(population.best().pattern(&table)))
    }
}

/// The safe offspring of two members, at most two.
fn mate(
    table: &TwoWay,
    population: &Population,
    builder: &mut CircuitBuilder,
    random: &mut Random,
) -> Vec<Chromosome> {
    let (one, other) = population.select(Selection::Tournament, random);
    let parents = [one, other].map(|member| population.member(member));
    let primary = table.primaries[random.below(table.primaries.len())];
    let networks = parents.map(|parent| hidden_rectangle(table, &parent.hidden(table), primary));
    let [Some(mine), Some(yours)] = networks else { return Vec::new() };
    if mine.is_empty() || yours.is_empty() || mine == yours {
        return Vec::new();
    }
    let mut child = |parent: &Chromosome, lost: &[_], gained: &[_]| {
        let kept = parent.secondaries().filter(|cell| !lost.contains(cell));
        let mut hidden = HiddenCells::new(table, kept.chain(gained.iter().copied()));
        builder.prove(&mut hidden, &parents)
    };
    [child(parents[0], &mine, &yours), child(parents[1], &yours, &mine)]
        .into_iter()
        .flatten()
        .collect()
}
