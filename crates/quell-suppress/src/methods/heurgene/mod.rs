//! **heurgene** (herrington-2015): a genetic algorithm whose genes are the circuits that
//! protect the primaries, with operators that keep every offspring safe.
//!
//! A population of ten patterns by rectangles, each from another order of the primaries
//! (figure 3). In every generation five pairs mate: they exchange the circuit of one primary
//! chosen by chance, if that makes an offspring cheaper than both parents (figure 4), then
//! each offspring loses a redundant secondary, by which circuits merge into larger ones
//! (figure 5). Which members mate and which die is drawn anew in every generation from a
//! portfolio (figure 6).
//!
//! - *Guarantee*: every offspring is safe, by construction: a circuit comes with all its
//!   secondaries, and those that other circuits share stay. No bound on the cost.
//! - *Complexity*: a mating is a few thousand additions; mutation a handful of flows over
//!   the hidden cells; 1,000 generations at most.
//! - *Choose it* to study the literature, or to improve patterns by rectangles;
//!   `shortest-path` alone is cheaper and faster.
//! - *Deviates*: circuits are the support of exact flows, so crossover makes no infeasible
//!   offspring even where circuits are large, which the thesis could not rule out (chapter
//!   5, "Mutation"). Merging gives a primary the circuit that the flow finds, not the union
//!   of all circuits concerned. The best pattern ever seen is kept, where the thesis may
//!   lose it (chapter 5, "Selection and Replacement").

mod crossover;
mod mutation;

use quell_model::Random;

use crate::genetic::{Breeding, Replacement, Selection, Termination, Watch, two_way};
use crate::{Error, Method, Proposal, Task};

/// How the members that mate and die are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strategy {
    /// The same in every generation.
    Fixed(Selection, Replacement),
    /// Drawn for every generation: elite for both with 10 %, otherwise roulette or
    /// tournament with kill-tournament or similar, each as likely.
    #[default]
    Probabilistic,
}

impl Strategy {
    fn draw(self, random: &mut Random) -> (Selection, Replacement) {
        match self {
            Self::Fixed(selection, replacement) => (selection, replacement),
            Self::Probabilistic if random.chance(0.1) => (Selection::Elite, Replacement::Elite),
            Self::Probabilistic => {
                let selection = [Selection::Roulette, Selection::Tournament][random.below(2)];
                let kinds = [Replacement::KillTournament, Replacement::Similar];
                (selection, kinds[random.below(2)])
            }
        }
    }
}

/// The settings of `heurgene`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeurGene {
    /// Members of the population.
    pub population: usize,
    /// Selection and replacement.
    pub strategy: Strategy,
    /// When to end.
    pub termination: Termination,
}

impl Default for HeurGene {
    /// As in the thesis.
    fn default() -> Self {
        Self { population: 10, strategy: Strategy::default(), termination: Termination::default() }
    }
}

impl Method for HeurGene {
    fn name(&self) -> &'static str {
        "heurgene"
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, Error> {
        let table = two_way(task, self.name())?;
        let mut breeding = Breeding::new(task, &table);
        task.progress.stage("first population", None);
        let mut population = breeding
            .population(self.population.max(1), |_, builder, random| builder.hypercube(random));
        task.progress.stage("generations", None);
        let mut watch = Watch::default();
        while task.budget.stop().is_none()
            && watch.goes_on(self.termination, population.best().cost())
        {
            let mut random = breeding.random();
            let (selection, replacement) = self.strategy.draw(&mut random);
            let pairs = population.len().div_ceil(2);
            let offspring = breeding.breed(pairs, |_, builder, random| {
                let mut pair = crossover::mate(&table, &population, selection, random)?;
                for child in &mut pair {
                    mutation::mutate(&table, builder, child, random);
                }
                Some(pair)
            });
            for child in offspring.into_iter().flatten().flatten() {
                population.replace(replacement, child, &mut random);
            }
            task.progress.advance(1);
        }
        Ok(Proposal::unbounded(population.best().pattern(&table)))
    }
}
