//! The search for the best order: a steady-state genetic algorithm over permutations whose
//! mutation adapts itself (serpell-2011, §1.2; serpell-2010), or all permutations
//! where there are few (§3.5).

use quell_model::{Budget, Random};

use super::permutation::{OrderCrossover, OrderMutation};
use crate::Error;

/// Up to so many groups all orders are tried (§3.5).
const FEW: usize = 3;

/// Children bred before the next parents are chosen; evaluated side by side.
const BROOD: usize = 2;

/// Members that meet in a tournament.
const TOURNAMENT: usize = 2;

/// How often a child takes another operator or rate than its parent.
const ADAPTATION: f64 = 0.2;

/// The rates a self-adapting member may have: mean numbers of mutations of a child.
const RATES: [f64; 5] = [0.5, 1.0, 2.0, 4.0, 8.0];

/// The rate of a fixed operator.
const FIXED_RATE: f64 = 1.0;

/// How mutation is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MutationChoice {
    /// Every member carries an operator and a rate, which its children inherit or change:
    /// what makes good children spreads with them.
    #[default]
    SelfAdaptive,
    /// Always the same operator.
    Fixed(OrderMutation),
}

/// The settings of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Evolution {
    /// Orders in the pool, which is filled whatever else is said; an even number.
    pub pool: usize,
    /// How mutation is chosen.
    pub mutation: MutationChoice,
    /// How orders mate.
    pub crossover: OrderCrossover,
    /// The search ends with the brood that comes to so many orders.
    pub most_calls: usize,
    /// The search ends after so many without a gain.
    pub calls_without_gain: usize,
}

impl Default for Evolution {
    /// A pool of ten, as in the paper.
    fn default() -> Self {
        Self {
            pool: 10,
            mutation: MutationChoice::SelfAdaptive,
            crossover: OrderCrossover::Order,
            most_calls: 1_000,
            calls_without_gain: 100,
        }
    }
}

/// What orders cost; `None` for those the budget left no time for.
pub(crate) type Fitness<'a> = dyn FnMut(&[Vec<u32>]) -> Result<Vec<Option<f64>>, Error> + 'a;

/// The best order found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Searched {
    pub(crate) order: Vec<u32>,
    /// The best cost after each call of the fitness function.
    pub(crate) trace: Vec<f64>,
}

/// A member of the pool.
#[derive(Debug, Clone)]
struct Member {
    order: Vec<u32>,
    mutation: OrderMutation,
    rate: f64,
    cost: f64,
}

impl Evolution {
    /// Searches the orders of `count` things, the first one being `0, 1, 2, …`. `evaluate`
    /// gives what orders cost.
    pub(crate) fn search<'a>(
        &self,
        count: usize,
        budget: &Budget,
        evaluate: &'a mut Fitness<'a>,
    ) -> Result<Searched, Error> {
        let mut run = Run { evaluate, trace: Vec::new(), best: None };
        if count <= FEW {
            for orders in all_orders(count).chunks(BROOD) {
                if budget.stop().is_some() {
                    break;
                }
                run.evaluate(orders)?;
            }
        } else {
            self.evolve(count, budget, &mut run)?;
        }
        let order = run.best.map_or_else(|| (0..count as u32).collect(), |(_, order)| order);
        Ok(Searched { order, trace: run.trace })
    }

    fn evolve(&self, count: usize, budget: &Budget, run: &mut Run) -> Result<(), Error> {
        let mut random = budget.random(1);
        let mut pool: Vec<Member> = Vec::new();
        let mut number = 0;
        while number < self.pool.max(2) && budget.stop().is_none() {
            let members: Vec<Member> = (number..number + BROOD)
                .map(|number| self.first_member(count, number, &mut random))
                .collect();
            number += BROOD;
            pool.extend(run.members(members)?);
        }
        let mut last_gain = run.trace.len();
        while pool.len() >= 2
            && run.trace.len() < self.most_calls
            && run.trace.len() - last_gain < self.calls_without_gain
            && budget.stop().is_none()
        {
            let before = run.best_cost();
            let brood = (0..BROOD).map(|_| self.child(&pool, &mut random)).collect();
            for child in run.members(brood)? {
                let worst = worst(&pool);
                if child.cost <= pool[worst].cost {
                    pool[worst] = child;
                }
            }
            if run.best_cost() < before {
                last_gain = run.trace.len();
            }
        }
        Ok(())
    }

    /// The first order as it is, all others by chance.
    fn first_member(&self, count: usize, number: usize, random: &mut Random) -> Member {
        let mut order: Vec<u32> = (0..count as u32).collect();
        if number > 0 {
            random.shuffle(&mut order);
        }
        let (mutation, rate) = match self.mutation {
            MutationChoice::SelfAdaptive => {
                (draw(&OrderMutation::ALL, random), draw(&RATES, random))
            }
            MutationChoice::Fixed(mutation) => (mutation, FIXED_RATE),
        };
        Member { order, mutation, rate, cost: f64::INFINITY }
    }

    fn child(&self, pool: &[Member], random: &mut Random) -> Member {
        let (one, other) = (select(pool, random), select(pool, random));
        let (mut mutation, mut rate) = (one.mutation, one.rate);
        if self.mutation == MutationChoice::SelfAdaptive {
            if random.chance(ADAPTATION) {
                mutation = draw(&OrderMutation::ALL, random);
            }
            if random.chance(ADAPTATION) {
                rate = draw(&RATES, random);
            }
        }
        let mut order = self.crossover.mate(&one.order, &other.order, random);
        for _ in 0..random.poisson(rate) {
            mutation.apply(&mut order, random);
        }
        Member { order, mutation, rate, cost: f64::INFINITY }
    }
}

/// What is known of the orders evaluated so far.
struct Run<'a> {
    evaluate: &'a mut Fitness<'a>,
    trace: Vec<f64>,
    best: Option<(f64, Vec<u32>)>,
}

impl Run<'_> {
    fn best_cost(&self) -> f64 {
        self.best.as_ref().map_or(f64::INFINITY, |&(cost, _)| cost)
    }

    fn evaluate(&mut self, orders: &[Vec<u32>]) -> Result<Vec<Option<f64>>, Error> {
        let costs = (self.evaluate)(orders)?;
        for (order, cost) in orders.iter().zip(&costs) {
            let Some(cost) = *cost else { continue };
            if cost < self.best_cost() {
                self.best = Some((cost, order.clone()));
            }
            self.trace.push(self.best_cost());
        }
        Ok(costs)
    }

    /// Members with their costs, without those that there was no time for.
    fn members(&mut self, members: Vec<Member>) -> Result<Vec<Member>, Error> {
        let orders: Vec<Vec<u32>> = members.iter().map(|member| member.order.clone()).collect();
        let costs = self.evaluate(&orders)?;
        let with_cost =
            |(member, cost): (Member, Option<f64>)| Some(Member { cost: cost?, ..member });
        Ok(members.into_iter().zip(costs).filter_map(with_cost).collect())
    }
}

fn draw<T: Copy>(from: &[T], random: &mut Random) -> T {
    from[random.below(from.len())]
}

/// The best of a few drawn by chance.
fn select<'a>(pool: &'a [Member], random: &mut Random) -> &'a Member {
    let first = &pool[random.below(pool.len())];
    (1..TOURNAMENT).fold(first, |best, _| {
        let next = &pool[random.below(pool.len())];
        if next.cost < best.cost { next } else { best }
    })
}

fn worst(pool: &[Member]) -> usize {
    let members = 0..pool.len();
    members.max_by(|&a, &b| pool[a].cost.total_cmp(&pool[b].cost)).unwrap_or(0)
}

/// All orders of a few things.
fn all_orders(count: usize) -> Vec<Vec<u32>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let shorter = all_orders(count - 1);
    let mut orders: Vec<Vec<u32>> = (shorter.iter())
        .flat_map(|order| {
            (0..=order.len()).map(move |place| {
                let mut longer = order.clone();
                longer.insert(place, count as u32 - 1);
                longer
            })
        })
        .collect();
    orders.sort();
    orders
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cost that only the reversed order makes zero: pairs that stand as at first.
    fn pairs(order: &[u32]) -> f64 {
        let pairs = (0..order.len()).flat_map(|a| (a + 1..order.len()).map(move |b| (a, b)));
        pairs.filter(|&(a, b)| order[a] < order[b]).count() as f64
    }

    fn search(evolution: &Evolution, count: usize, seed: u64) -> Searched {
        let budget = Budget::default().with_seed(seed);
        let mut evaluate =
            |orders: &[Vec<u32>]| Ok(orders.iter().map(|order| Some(pairs(order))).collect());
        evolution.search(count, &budget, &mut evaluate).unwrap()
    }

    #[test]
    fn up_to_three_groups_every_order_is_tried_once() {
        for (count, orders) in [(0, 1), (1, 1), (2, 2), (3, 6)] {
            let searched = search(&Evolution::default(), count, 1);
            assert_eq!(searched.trace.len(), orders);
            assert_eq!(pairs(&searched.order), 0.0);
        }
    }

    #[test]
    fn evolution_comes_near_the_best_order_with_every_operator_and_crossover() {
        let fixed = OrderMutation::ALL.map(MutationChoice::Fixed);
        let crossovers =
            [OrderCrossover::Order, OrderCrossover::PartiallyMapped, OrderCrossover::Cycle];
        for mutation in fixed.into_iter().chain([MutationChoice::SelfAdaptive]) {
            for crossover in crossovers {
                let evolution = Evolution {
                    mutation,
                    crossover,
                    calls_without_gain: 1_000,
                    ..Evolution::default()
                };
                let searched = search(&evolution, 7, 3);
                let (first, last) = (searched.trace[0], *searched.trace.last().unwrap());
                assert!(last <= 3.0 && first == 21.0, "{evolution:?}: {first} to {last}");
                assert!(searched.trace.is_sorted_by(|a, b| a >= b));
                assert_eq!(pairs(&searched.order), last);
            }
        }
    }

    #[test]
    fn a_seed_gives_the_same_search_again() {
        let evolution = Evolution { most_calls: 60, ..Evolution::default() };
        assert_eq!(search(&evolution, 9, 5), search(&evolution, 9, 5));
        assert_ne!(search(&evolution, 9, 5), search(&evolution, 9, 6));
    }

    #[test]
    fn orders_without_time_do_not_count() {
        let budget = Budget::default();
        let mut evaluate = |orders: &[Vec<u32>]| Ok(vec![None; orders.len()]);
        let searched = Evolution::default().search(5, &budget, &mut evaluate).unwrap();
        assert_eq!(searched, Searched { order: vec![0, 1, 2, 3, 4], trace: vec![] });
    }
}
