//! A population, and how its members are chosen to mate and to die (herrington-2015,
//! "Selection and Replacement").

use quell_model::Random;

use crate::search::two_way::Chromosome;
use crate::tolerance::SAME_COST;

/// Members drawn for a tournament, and candidates for a replacement by similarity; the
/// thesis says "several".
const TOURNAMENT: usize = 3;

/// Which two members mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// The two fittest.
    Elite,
    /// Each with a probability proportional to its fitness, one over its cost.
    Roulette,
    /// Each the fittest of a few drawn by chance.
    Tournament,
}

/// Which member makes room for an offspring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replacement {
    /// The least fit, if the offspring is fitter.
    Elite,
    /// The least fit of some drawn by chance, if the offspring is fitter.
    KillTournament,
    /// The most similar of a few drawn by chance, fitter or not.
    Similar,
}

/// Chromosomes, and the best ever seen: replacement may lose it, we do not.
#[derive(Debug, Clone)]
pub(crate) struct Population {
    members: Vec<Chromosome>,
    best: Chromosome,
}

impl Population {
    /// A population of at least one member.
    pub(crate) fn new(members: Vec<Chromosome>) -> Self {
        let fittest = fittest(&members, 0..members.len());
        Self { best: members[fittest].clone(), members }
    }

    /// The best chromosome ever seen.
    pub(crate) fn best(&self) -> &Chromosome {
        &self.best
    }

    /// A member.
    pub(crate) fn member(&self, index: usize) -> &Chromosome {
        &self.members[index]
    }

    /// Number of members.
    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    /// The members by rising cost.
    pub(crate) fn ranking(&self) -> Vec<usize> {
        let mut ranking: Vec<usize> = (0..self.len()).collect();
        ranking.sort_by(|&a, &b| self.members[a].cost().total_cmp(&self.members[b].cost()));
        ranking
    }

    /// Whether some member costs the same; such members are taken for identical.
    pub(crate) fn has_cost(&self, cost: f64) -> bool {
        self.members.iter().any(|member| (member.cost() - cost).abs() <= SAME_COST * cost.max(1.0))
    }

    /// Two members that shall mate; the same one twice only if there is no other.
    pub(crate) fn select(&self, selection: Selection, random: &mut Random) -> (usize, usize) {
        if selection == Selection::Elite {
            let ranking = self.ranking();
            return (ranking[0], ranking[1 % ranking.len()]);
        }
        let one = self.draw(selection, random, None);
        (one, self.draw(selection, random, Some(one)))
    }

    fn draw(&self, selection: Selection, random: &mut Random, not: Option<usize>) -> usize {
        let others: Vec<usize> =
            (0..self.len()).filter(|&member| self.len() == 1 || Some(member) != not).collect();
        if selection == Selection::Tournament {
            let drawn: Vec<usize> =
                (0..TOURNAMENT).map(|_| others[random.below(others.len())]).collect();
            return fittest(&self.members, drawn.into_iter());
        }
        let fitness = |member: usize| 1.0 / self.members[member].cost().max(f64::MIN_POSITIVE);
        let total: f64 = others.iter().map(|&member| fitness(member)).sum();
        let mut left = random.uniform() * total;
        for &member in &others {
            left -= fitness(member);
            if left < 0.0 {
                return member;
            }
        }
        others[others.len() - 1]
    }

    /// Puts an offspring in, if the rule lets it.
    pub(crate) fn replace(
        &mut self,
        replacement: Replacement,
        offspring: Chromosome,
        random: &mut Random,
    ) {
        let size = self.len();
        let mut draw =
            |count: usize| -> Vec<usize> { (0..count).map(|_| random.below(size)).collect() };
        let victim = match replacement {
            Replacement::Elite => least_fit(&self.members, 0..size),
            // The size of the tournament varies, and with it the pressure.
            Replacement::KillTournament => {
                let count = 1 + draw(1)[0];
                least_fit(&self.members, draw(count).into_iter())
            }
            Replacement::Similar => {
                let drawn = draw(TOURNAMENT).into_iter();
                drawn.min_by_key(|&member| self.members[member].distance(&offspring)).unwrap_or(0)
            }
        };
        self.keep(&offspring);
        let fitter = offspring.cost() < self.members[victim].cost();
        if fitter || replacement == Replacement::Similar {
            self.members[victim] = offspring;
        }
    }

    /// Puts an offspring in the place of a member, whatever they cost.
    pub(crate) fn put(&mut self, member: usize, offspring: Chromosome) {
        self.keep(&offspring);
        self.members[member] = offspring;
    }

    fn keep(&mut self, offspring: &Chromosome) {
        if offspring.cost() < self.best.cost() {
            self.best = offspring.clone();
        }
    }
}

fn fittest(members: &[Chromosome], among: impl Iterator<Item = usize>) -> usize {
    among.min_by(|&a, &b| members[a].cost().total_cmp(&members[b].cost())).unwrap_or(0)
}

fn least_fit(members: &[Chromosome], among: impl Iterator<Item = usize>) -> usize {
    among.max_by(|&a, &b| members[a].cost().total_cmp(&members[b].cost())).unwrap_or(0)
}
