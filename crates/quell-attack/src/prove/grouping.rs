//! Which wishes one movement of the whole view is asked to grant.

use crate::hidden::Hidden;
use crate::ledger::Wish;

/// Barrier movements computed from one state of knowledge, in parallel.
const MOVEMENTS_AT_ONCE: usize = 2;

/// Which wishes are asked for together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grouping {
    /// All, each cell in a direction drawn by lot, and all in the opposite directions.
    Everything,
    /// Wishes that share no equation nor a neighbour, so that they do not compete.
    FarApart,
}

impl Grouping {
    pub(super) fn groups(self, hidden: &Hidden, open: &[Wish], round: u64) -> Vec<Vec<Wish>> {
        match self {
            Self::Everything => everything(hidden, open, round),
            Self::FarApart => far_apart(hidden, open),
        }
    }
}

pub(super) fn everything(hidden: &Hidden, open: &[Wish], round: u64) -> Vec<Vec<Wish>> {
    // The lots depend on the round alone: no seed of the user should change a verdict.
    let mut random = quell_model::Random::new(0, round);
    let lots: Vec<bool> = (0..hidden.len()).map(|_| random.chance(0.5)).collect();
    let mut is_open = [vec![false; hidden.len()], vec![false; hidden.len()]];
    for wish in open {
        is_open[wish.direction as usize][wish.cell as usize] = true;
    }
    let group = |number: usize| {
        let chosen = open.iter().filter(|wish| {
            let cell = wish.cell as usize;
            let first = usize::from(lots[cell] ^ (number % 2 == 1));
            let wanted = if is_open[first][cell] { first } else { 1 - first };
            wish.direction as usize == wanted
        });
        chosen.copied().collect()
    };
    (0..MOVEMENTS_AT_ONCE).map(group).collect()
}

fn far_apart(hidden: &Hidden, open: &[Wish]) -> Vec<Vec<Wish>> {
    let mut groups: Vec<Vec<Wish>> = Vec::new();
    let mut left: Vec<Wish> = open.to_vec();
    while groups.len() < MOVEMENTS_AT_ONCE && !left.is_empty() {
        let mut taken = vec![false; hidden.equation_count()];
        let mut group = Vec::new();
        left.retain(|wish| {
            let own = hidden.equations_of(wish.cell as usize);
            if own.iter().any(|&(equation, _)| taken[equation as usize]) {
                return true;
            }
            for &(equation, _) in own {
                for &(cell, _) in hidden.cells_of(equation as usize) {
                    for &(next, _) in hidden.equations_of(cell as usize) {
                        taken[next as usize] = true;
                    }
                }
            }
            group.push(*wish);
            false
        });
        groups.push(group);
    }
    groups
}
