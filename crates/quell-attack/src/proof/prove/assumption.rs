//! What follows if cells move by exactly what they need.

use rayon::prelude::*;

use super::grouping::{Grouping, MOVEMENTS_AT_ONCE};
use super::{Findings, Prover};
use crate::proof::barrier::{Barrier, CENTRING_STEPS, PATIENT_CENTRING_STEPS};
use crate::proof::ledger::{Claim, SCALE};
use crate::proof::repair::Repair;

impl Prover<'_> {
    /// What follows if cells move by exactly what they need: a contradiction shows that one
    /// cannot (nor further, as its movements are an interval around zero); else a movement inside
    /// what is left is a certificate, also where nothing is to spare. Compatible claims are
    /// assumed together, and in halves where that leads to nothing, so often at most. Ends where
    /// less than a share `least` of those asked for is settled.
    pub(super) fn by_assumption(&mut self, most_failures: usize, least: f64) {
        let mut groups = Grouping::Compatible.groups(self.hidden, &self.ledger.open(), 0);
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        for groups in groups.chunks(MOVEMENTS_AT_ONCE) {
            let assume = |group: &Vec<Claim>| self.assume(group, &mut { most_failures });
            let found: Vec<Findings> = groups.par_iter().map(assume).collect();
            found.into_iter().for_each(|findings| self.note(findings));
            let asked: usize = groups.iter().map(Vec::len).sum();
            let open = groups.iter().flatten().filter(|claim| self.ledger.is_open(claim)).count();
            if ((asked - open) as f64) < least * asked as f64 || self.stopped() {
                return;
            }
        }
    }

    fn assume(&self, claims: &[Claim], failures_left: &mut usize) -> Findings {
        let mut findings = Findings::default();
        if claims.is_empty() || *failures_left == 0 || self.stopped() {
            return findings;
        }
        let moves = claims.iter();
        let moves = moves.map(|claim| {
            (claim.place as usize, claim.requirement.distance * claim.requirement.direction.sign())
        });
        let moved = self.hidden.moved(&moves.collect::<Vec<_>>());
        let certificate = moved.as_ref().and_then(|moved| {
            let steps = if claims.len() > 1 { CENTRING_STEPS } else { PATIENT_CENTRING_STEPS };
            let barrier = Barrier::new(moved);
            let inside = barrier.inside(barrier.start(), steps, || self.stopped());
            Repair::new(moved).certificate(&inside.movement)
        });
        if let Some(certificate) = certificate {
            findings.certificates.push(certificate);
            return findings;
        }
        *failures_left -= usize::from(moved.is_some());
        match claims {
            [claim] if moved.is_none() => {
                findings.limits.push((*claim, i128::from(claim.requirement.distance) * SCALE - 1));
            }
            [_] => {}
            _ => {
                let (first, second) = claims.split_at(claims.len() / 2);
                for half in [first, second] {
                    let found = self.assume(half, failures_left);
                    findings.certificates.extend(found.certificates);
                    findings.limits.extend(found.limits);
                }
            }
        }
        findings
    }
}

#[cfg(test)]
mod tests {
    use quell_gen::random_problem;
    use quell_model::{Budget, Pattern, Random};

    use super::super::{Table, Thoroughness};
    use super::*;
    use crate::proof::ledger::Ledger;
    use crate::proof::verify::verify;
    use crate::view::View;

    /// Assumptions alone settle most of what is open, several claims by one movement.
    #[test]
    fn assumptions_settle_claims_together() {
        let (mut asked, mut left, mut movements, mut proven) = (0, 0, 0, 0);
        for case in 0..150 {
            let problem = random_problem(&mut Random::new(41, case), 60);
            let pattern = Pattern::of_statuses(&problem);
            let (hidden, budget) = (View::new(&problem, &pattern), Budget::default());
            let table = Table::new(&problem);
            let ledger = Ledger::new(&problem, &hidden, &|_| true);
            let open = ledger.open();
            let thoroughness = Thoroughness::FULL;
            let mut prover =
                Prover { table: &table, hidden: &hidden, ledger, thoroughness, budget: &budget };
            prover.by_assumption(usize::MAX, 0.0);
            for certificate in &prover.ledger.certificates {
                assert_eq!(verify(&problem, &pattern, certificate), Ok(()), "case {case}");
                let meets = |claim: &&Claim| claim.reach(&hidden, certificate) >= claim.goal();
                proven += open.iter().filter(meets).count();
            }
            asked += open.len();
            left += prover.ledger.open().len();
            movements += prover.ledger.certificates.len();
        }
        assert!(asked > 300 && left < asked / 4, "{left} of {asked} left");
        assert!(proven > movements, "{proven} by {movements} movements");
    }
}
