//! Which claims one movement of the whole view is asked to prove.

use quell_model::Direction;

use crate::proof::ledger::Claim;
use crate::view::View;

/// Barrier movements computed from one state of knowledge, in parallel.
pub(super) const MOVEMENTS_AT_ONCE: usize = 2;

/// Which claims are asked for together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Grouping {
    /// All, each cell in a direction drawn by lot, and all in the opposite directions.
    Everything,
    /// Claims in one direction that share no equation (serpell-2011, equation 19): what is hidden
    /// for primaries in groups proves those groups.
    Compatible,
    /// Claims that share no equation nor a neighbour, so that they do not compete.
    FarApart,
}

impl Grouping {
    pub(super) fn groups(self, hidden: &View, open: &[Claim], round: u64) -> Vec<Vec<Claim>> {
        match self {
            Self::Everything => everything(hidden, open, round),
            Self::Compatible => compatible(hidden, open),
            Self::FarApart => far_apart(hidden, open),
        }
    }
}

pub(super) fn everything(hidden: &View, open: &[Claim], round: u64) -> Vec<Vec<Claim>> {
    // The lots depend on the round alone: no seed of the user should change a verdict.
    let mut random = quell_model::Random::new(0, round);
    let lots: Vec<bool> = (0..hidden.len()).map(|_| random.chance(0.5)).collect();
    let mut is_open = [vec![false; hidden.len()], vec![false; hidden.len()]];
    for claim in open {
        is_open[claim.requirement.direction as usize][claim.place as usize] = true;
    }
    let group = |number: usize| {
        let chosen = open.iter().filter(|claim| {
            let cell = claim.place as usize;
            let first = usize::from(lots[cell] ^ (number % 2 == 1));
            let wanted = if is_open[first][cell] { first } else { 1 - first };
            claim.requirement.direction as usize == wanted
        });
        chosen.copied().collect()
    };
    (0..MOVEMENTS_AT_ONCE).map(group).collect()
}

fn far_apart(hidden: &View, open: &[Claim]) -> Vec<Vec<Claim>> {
    let mut groups: Vec<Vec<Claim>> = Vec::new();
    let mut left: Vec<Claim> = open.to_vec();
    while groups.len() < MOVEMENTS_AT_ONCE && !left.is_empty() {
        let mut taken = vec![false; hidden.equation_count()];
        let mut group = Vec::new();
        left.retain(|claim| {
            let own = hidden.equations_of(claim.place as usize);
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
            group.push(*claim);
            false
        });
        groups.push(group);
    }
    groups
}

/// All claims in groups, the largest first.
fn compatible(hidden: &View, open: &[Claim]) -> Vec<Vec<Claim>> {
    let mut groups: Vec<Vec<Claim>> = Vec::new();
    for direction in [Direction::Up, Direction::Down] {
        let mut left: Vec<Claim> =
            open.iter().filter(|claim| claim.requirement.direction == direction).copied().collect();
        left.sort_unstable_by_key(|claim| {
            (std::cmp::Reverse(claim.requirement.distance), claim.place)
        });
        while !left.is_empty() {
            let mut taken = vec![false; hidden.equation_count()];
            let mut group = Vec::new();
            left.retain(|claim| {
                let own = hidden.equations_of(claim.place as usize);
                let is_free = own.iter().all(|&(equation, _)| !taken[equation as usize]);
                if is_free {
                    own.iter().for_each(|&(equation, _)| taken[equation as usize] = true);
                    group.push(*claim);
                }
                !is_free
            });
            groups.push(group);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use quell_gen::random_problem;
    use quell_model::{Pattern, Random};

    use super::*;
    use crate::proof::ledger::Ledger;

    #[test]
    fn compatible_claims_share_no_equation() {
        let mut together = 0;
        for case in 0..300 {
            let problem = random_problem(&mut Random::new(13, case), 60);
            let hidden = View::new(&problem, &Pattern::of_statuses(&problem));
            let open = Ledger::new(&problem, &hidden, &|_| true).open();
            let groups = compatible(&hidden, &open);
            assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), open.len(), "case {case}");
            for group in groups {
                assert!(
                    group
                        .iter()
                        .all(|claim| claim.requirement.direction == group[0].requirement.direction)
                );
                let lines = |claim: &Claim| hidden.equations_of(claim.place as usize).iter();
                let mut lines: Vec<u32> =
                    group.iter().flat_map(lines).map(|&(line, _)| line).collect();
                let all = lines.len();
                lines.sort_unstable();
                lines.dedup();
                assert_eq!(lines.len(), all, "case {case}: {group:?}");
                together += usize::from(group.len() > 1);
            }
        }
        assert!(together > 100, "{together}");
    }
}
