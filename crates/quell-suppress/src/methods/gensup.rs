//! **gensup** (almeida-2006, as told in herrington-2015, chapter 2): a
//! genetic algorithm over the cells of the table.
//!
//! In every generation a member of the elite, the best quarter, mates with another member.
//! A one-point crossover over the cells in table order, at two points, gives four offspring.
//! Cut circuits are repaired along shortest paths. The two cheapest offspring and the best
//! parent mutate, one cell at a time, and are checked by shortest paths. They take the place
//! of the dearest members. No two members have the same cost.
//!
//! - *Guarantee*: every pattern is safe; no bound on the cost.
//! - *Complexity*: a generation proves anew the primaries whose circuits were cut, and
//!   tries every secondary of three members: flows over the hidden cells.
//! - *Choose it* to improve a pattern when minutes are to be had; `auto` does that better.
//! - *Deviates*: circuits are remembered, so that only cut ones are checked. Mutation may
//!   also replace a secondary by what the repair finds, which gains more than all the rest.
//!   The thesis seeds it with rectangles, and there mutation only removes: see
//!   [`GenSup::of_thesis`]. The size of the population, twenty, is told by neither.

use quell_model::{CellId, Random};

use crate::genetic::{Breeding, Population, Termination, Watch, two_way};
use crate::search::two_way::{
    Chromosome, CircuitBuilder, Finder, HiddenCells, Side, bound_and_path,
};
use crate::{Error, Method, Proposal, Task};

/// Secondaries that a mutation publishes and repairs: enough to try each several times
/// before evolution ends for want of a gain, few enough not to outweigh the rest.
const REPAIRED: usize = 8;

/// Where the first population comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Seeds {
    /// Shortest paths and parallel bound and path in turn, as in the paper.
    #[default]
    Paths,
    /// Rectangles, as in the comparisons of herrington-2015.
    Rectangles,
}

/// What mutation does to one secondary at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mutation {
    /// Publishes it if it is redundant.
    Remove,
    /// That, and publishes some and repairs the damage along shortest paths, if that is
    /// cheaper.
    #[default]
    RemoveAndRepair,
}

impl Mutation {
    fn apply(self, builder: &mut CircuitBuilder, chromosome: &mut Chromosome, random: &mut Random) {
        let mut secondaries: Vec<CellId> = chromosome.secondaries().collect();
        random.shuffle(&mut secondaries);
        builder.remove_redundant(chromosome, &secondaries);
        if self == Self::RemoveAndRepair {
            for &cell in secondaries.iter().take(REPAIRED) {
                if chromosome.users(cell) > 0 {
                    builder.try_instead(chromosome, cell);
                }
            }
        }
    }
}

/// The settings of `gensup`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GenSup {
    /// Members of the population.
    pub population: usize,
    /// Where they come from.
    pub seeds: Seeds,
    /// How they mutate.
    pub mutation: Mutation,
    /// When to end.
    pub termination: Termination,
}

impl Default for GenSup {
    fn default() -> Self {
        Self {
            population: 20,
            seeds: Seeds::default(),
            mutation: Mutation::default(),
            termination: Termination::default(),
        }
    }
}

impl GenSup {
    /// As herrington-2015 runs it in its comparisons: rectangles as seeds, and mutation
    /// that only removes.
    pub fn of_thesis() -> Self {
        Self { seeds: Seeds::Rectangles, mutation: Mutation::Remove, ..Self::default() }
    }
}

impl Method for GenSup {
    fn name(&self) -> &'static str {
        "gensup"
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let table = two_way(task, self.name())?;
        let mut breeding = Breeding::new(task, &table);
        task.progress.stage("first population", None);
        let size = self.population.max(4);
        let mut population = breeding.population(size, |number, builder, random| {
            let order = match number {
                1 => table.by_falling_level(),
                _ => builder.shuffled(random),
            };
            match (self.seeds, number % 4) {
                (Seeds::Rectangles, _) => builder.hypercube(random),
                (Seeds::Paths, 0) => bound_and_path(&table, builder, Side::One, &order),
                (Seeds::Paths, 2) => bound_and_path(&table, builder, Side::Other, &order),
                (Seeds::Paths, _) => builder.protect(&order, Finder::Paths),
            }
        });
        task.progress.stage("generations", None);
        let mut watch = Watch::default();
        while task.budget.stop().is_none()
            && watch.goes_on(self.termination, population.best().cost())
        {
            let mut random = breeding.random();
            let ranking = population.ranking();
            let (elite, rest) = ranking.split_at(ranking.len().div_ceil(4));
            let parents = [elite[random.below(elite.len())], rest[random.below(rest.len())]]
                .map(|member| population.member(member));
            let points = [0, 1].map(|_| random.below(task.problem.cell_count()));
            let mut offspring = breeding.breed(4, |number, builder, random| {
                let (one, other) = match number % 2 {
                    0 => (parents[0], parents[1]),
                    _ => (parents[1], parents[0]),
                };
                let point = CellId::from_index(points[number / 2]);
                let above = one.secondaries().filter(|&cell| cell < point);
                let below = other.secondaries().filter(|&cell| cell >= point);
                let mut hidden = HiddenCells::new(&table, above.chain(below));
                let order = builder.shuffled(random);
                builder.complete(&mut hidden, &[one, other], &order, Finder::Paths)
            });
            offspring.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
            // The two cheapest offspring and the best parent mutate.
            let fittest = [&offspring[0], &offspring[1], population.member(ranking[0])];
            let mutated = breeding.breed(fittest.len(), |number, builder, random| {
                let mut mutant = fittest[number].clone();
                self.mutation.apply(builder, &mut mutant, random);
                mutant
            });
            replace_the_dearest(&mut population, mutated);
            task.progress.advance(1);
        }
        Ok(Proposal::unbounded(population.best().pattern(&table)))
    }
}

/// Puts offspring in the place of the dearest members, unless one of the same cost is
/// there.
fn replace_the_dearest(
    population: &mut Population,
    offspring: impl IntoIterator<Item = Chromosome>,
) {
    for child in offspring {
        if !population.has_cost(child.cost()) {
            let ranking = population.ranking();
            population.put(ranking[ranking.len() - 1], child);
        }
    }
}
