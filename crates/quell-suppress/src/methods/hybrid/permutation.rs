//! Operators on permutations (eiben-2003): how orders mutate and mate.

use quell_model::Random;

/// How an order is changed a little.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderMutation {
    /// Two places exchange what they hold.
    Swap,
    /// What one place holds moves to another.
    Insert,
    /// A stretch is put in random order.
    Scramble,
    /// A stretch is turned round.
    Inversion,
}

impl OrderMutation {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Swap, Self::Insert, Self::Scramble, Self::Inversion];

    /// Its name in the paper.
    pub fn name(self) -> &'static str {
        match self {
            Self::Swap => "swap",
            Self::Insert => "insert",
            Self::Scramble => "scramble",
            Self::Inversion => "inversion",
        }
    }

    /// Changes an order once.
    pub(crate) fn apply(self, order: &mut [u32], random: &mut Random) {
        if order.len() < 2 {
            return;
        }
        let (one, other) = (random.below(order.len()), random.below(order.len()));
        let (first, last) = (one.min(other), one.max(other));
        match self {
            Self::Swap => order.swap(first, last),
            Self::Insert if one < other => order[first..=last].rotate_left(1),
            Self::Insert => order[first..=last].rotate_right(1),
            Self::Scramble => random.shuffle(&mut order[first..=last]),
            Self::Inversion => order[first..=last].reverse(),
        }
    }
}

/// How two orders make a third.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OrderCrossover {
    /// A stretch of one parent in its place, the rest in the order of the other (davis-1985).
    #[default]
    Order,
    /// A stretch of one parent in its place, the rest where the other has it; what collides
    /// goes to the place of what pushed it out (goldberg-1985).
    PartiallyMapped,
    /// Every place from one parent or the other: cycles of places in which both hold the
    /// same things come from one (oliver-1987).
    Cycle,
    /// The first parent again: evolution by mutation alone.
    Copy,
}

impl OrderCrossover {
    /// A child of two orders of the same things, numbered from zero.
    pub(crate) fn mate(self, one: &[u32], other: &[u32], random: &mut Random) -> Vec<u32> {
        if one.len() < 2 {
            return one.to_vec();
        }
        let ends = (random.below(one.len()), random.below(one.len()));
        let (first, last) = (ends.0.min(ends.1), ends.0.max(ends.1));
        match self {
            Self::Order => by_order(one, other, first, last),
            Self::PartiallyMapped => partially_mapped(one, other, first, last),
            Self::Cycle => by_cycles(one, other),
            Self::Copy => one.to_vec(),
        }
    }
}

fn by_order(one: &[u32], other: &[u32], first: usize, last: usize) -> Vec<u32> {
    let size = one.len();
    let mut child = one.to_vec();
    let mut taken = vec![false; size];
    one[first..=last].iter().for_each(|&item| taken[item as usize] = true);
    // Both go round from the end of the stretch.
    let rest = (1..=size).map(|step| other[(last + step) % size]);
    let rest = rest.filter(|&item| !taken[item as usize]);
    for (step, item) in rest.enumerate() {
        child[(last + 1 + step) % size] = item;
    }
    child
}

fn partially_mapped(one: &[u32], other: &[u32], first: usize, last: usize) -> Vec<u32> {
    let mut child = other.to_vec();
    child[first..=last].copy_from_slice(&one[first..=last]);
    let mut replaced: Vec<Option<u32>> = vec![None; one.len()];
    for place in first..=last {
        replaced[one[place] as usize] = Some(other[place]);
    }
    for place in (0..first).chain(last + 1..one.len()) {
        while let Some(instead) = replaced[child[place] as usize] {
            child[place] = instead;
        }
    }
    child
}

fn by_cycles(one: &[u32], other: &[u32]) -> Vec<u32> {
    let mut place_in_one = vec![0; one.len()];
    for (place, &item) in one.iter().enumerate() {
        place_in_one[item as usize] = place;
    }
    let mut child = other.to_vec();
    let mut seen = vec![false; one.len()];
    let mut from_one = true;
    for start in 0..one.len() {
        let mut place = start;
        if seen[place] {
            continue;
        }
        while !seen[place] {
            seen[place] = true;
            if from_one {
                child[place] = one[place];
            }
            place = place_in_one[other[place] as usize];
        }
        from_one = !from_one;
    }
    child
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_permutation(order: &[u32]) -> bool {
        let mut sorted = order.to_vec();
        sorted.sort_unstable();
        sorted.iter().enumerate().all(|(place, &item)| place == item as usize)
    }

    fn orders(size: usize, seed: u64) -> [Vec<u32>; 2] {
        [0, 1].map(|task| {
            let mut order: Vec<u32> = (0..size as u32).collect();
            Random::new(seed, task).shuffle(&mut order);
            order
        })
    }

    #[test]
    fn operators_make_permutations_of_permutations() {
        for seed in 0..300 {
            let size = 1 + seed as usize % 12;
            let [one, other] = orders(size, seed);
            let mut random = Random::new(seed, 2);
            for crossover in [
                OrderCrossover::Order,
                OrderCrossover::PartiallyMapped,
                OrderCrossover::Cycle,
                OrderCrossover::Copy,
            ] {
                let child = crossover.mate(&one, &other, &mut random);
                assert!(
                    is_permutation(&child),
                    "{crossover:?} of {one:?} and {other:?}: {child:?}"
                );
            }
            for mutation in OrderMutation::ALL {
                let mut child = one.clone();
                mutation.apply(&mut child, &mut random);
                assert!(is_permutation(&child), "{mutation:?} of {one:?}: {child:?}");
            }
        }
    }

    #[test]
    fn crossovers_do_what_their_authors_say() {
        // The examples of Eiben & Smith, figures 3.12 to 3.15, numbered from zero.
        let one = [0, 1, 2, 3, 4, 5, 6, 7, 8];
        let other = [8, 2, 6, 7, 1, 5, 4, 0, 3];
        assert_eq!(by_order(&one, &other, 3, 6), [2, 7, 1, 3, 4, 5, 6, 0, 8]);
        assert_eq!(partially_mapped(&one, &other, 3, 6), [8, 2, 1, 3, 4, 5, 6, 0, 7]);
        assert_eq!(by_cycles(&one, &other), [0, 2, 6, 3, 1, 5, 4, 7, 8]);
    }

    #[test]
    fn an_insertion_moves_one_thing_and_keeps_the_order_of_the_rest() {
        for seed in 0..50 {
            let mut order: Vec<u32> = (0..9).collect();
            OrderMutation::Insert.apply(&mut order, &mut Random::new(seed, 0));
            let moved = (0..9).any(|item| {
                let rest: Vec<u32> = order.iter().copied().filter(|&other| other != item).collect();
                rest.is_sorted()
            });
            assert!(moved, "{order:?}");
        }
    }
}
