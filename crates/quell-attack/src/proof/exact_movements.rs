//! Exact movements near approximate ones.

use quell_model::{CellId, Certificate, Pattern, Problem, Value};

use crate::proof::barrier::{Barrier, CENTRING_STEPS};
use crate::proof::repair::Repair;
use crate::proof::verify::verify;
use crate::view::View;

/// Movements of the cells of a pattern near ones that keep the equations to a few digits only.
pub struct ExactMovements<'a> {
    problem: &'a Problem,
    pattern: &'a Pattern,
    hidden: View,
}

/// What is known of a movement near a guess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExactMovement {
    /// It keeps every equation exactly, and is verified.
    Found(Certificate),
    /// The cells cannot move by what they must.
    Impossible,
    /// None was found.
    Unknown,
}

impl<'a> ExactMovements<'a> {
    /// Movements of the cells of `pattern`.
    pub fn new(problem: &'a Problem, pattern: &'a Pattern) -> Self {
        Self { problem, pattern, hidden: View::new(problem, pattern) }
    }

    /// A movement near a guess that moves some cells by exactly these amounts: what they leave to
    /// the others is centred, beginning with the guess.
    pub fn near(&self, moves: &[(CellId, Value)], guess: &[(CellId, f64)]) -> ExactMovement {
        let moves: Option<Vec<(usize, Value)>> = moves
            .iter()
            .map(|&(cell, amount)| Some((self.hidden.position(cell)?, amount)))
            .collect();
        let Some(moved) = moves.and_then(|moves| self.hidden.moved(&moves)) else {
            return ExactMovement::Impossible;
        };
        let mut start = vec![0.0; moved.len()];
        for &(cell, amount) in guess {
            if let Some(place) = moved.position(cell) {
                start[place] = amount;
            }
        }
        let (barrier, start) = Barrier::near(&moved, &start);
        let inside = barrier.inside(start, CENTRING_STEPS, || false);
        let certificate = Repair::new(&moved).certificate(&inside.movement);
        match certificate.filter(|found| verify(self.problem, self.pattern, found).is_ok()) {
            Some(certificate) => ExactMovement::Found(certificate),
            None => ExactMovement::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use quell_gen::random_problem;
    use quell_model::{Budget, Random, Silent};

    use super::*;
    use crate::audit;

    /// A movement that proves a primary, known to four digits, is enough to find one that is exact.
    #[test]
    fn exact_movements_are_found_near_approximate_ones() {
        let (mut found, mut unknown) = (0, 0);
        for case in 0..200 {
            let mut random = Random::new(31, case);
            let problem = random_problem(&mut random, 60);
            let pattern = Pattern::of_statuses(&problem);
            let audit = audit(&problem, &pattern, &Budget::default(), &Silent).expect("audited");
            let exact = ExactMovements::new(&problem, &pattern);
            for finding in audit.primaries {
                let Some(proof) = finding.up.certificate else { continue };
                let proof = &audit.certificates[proof];
                let share = |amount: i128| amount as f64 / proof.denominator as f64;
                let mut off = || 1.0 + 1e-4 * (random.below(3) as f64 - 1.0);
                let guess: Vec<(CellId, f64)> = proof
                    .movement
                    .iter()
                    .map(|&(cell, amount)| (cell, share(amount) * off()))
                    .collect();
                let required = finding.up.required;
                match exact.near(&[(finding.cell, required)], &guess) {
                    ExactMovement::Found(exact) => {
                        assert_eq!(verify(&problem, &pattern, &exact), Ok(()), "case {case}");
                        let moved = exact.movement.iter().find(|&&(cell, _)| cell == finding.cell);
                        let wanted = i128::from(required) * i128::from(exact.denominator);
                        assert_eq!(moved.map_or(0, |&(_, amount)| amount), wanted, "case {case}");
                        found += 1;
                    }
                    ExactMovement::Impossible => panic!("case {case}: {:?} can move", finding.cell),
                    ExactMovement::Unknown => unknown += 1,
                }
            }
        }
        assert!(found > 100 && unknown < found / 4, "{found}, {unknown}");
    }

    #[test]
    fn what_cannot_move_so_far_is_impossible() {
        let mut impossible = 0;
        for case in 0..100 {
            let problem = random_problem(&mut Random::new(32, case), 40);
            let pattern = Pattern::of_statuses(&problem);
            let exact = ExactMovements::new(&problem, &pattern);
            let limited =
                problem.primaries().filter(|&cell| problem.room_down(cell) < Value::MAX / 2);
            for cell in limited {
                let too_far = [(cell, -problem.room_down(cell) - 1)];
                match exact.near(&too_far, &[]) {
                    ExactMovement::Found(movement) => panic!("case {case}: {movement:?}"),
                    ExactMovement::Impossible => impossible += 1,
                    ExactMovement::Unknown => {}
                }
            }
        }
        assert!(impossible > 50, "{impossible}");
    }
}
