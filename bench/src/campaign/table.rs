//! One table of the campaign, and what the second auditor says of a pattern of it.

use std::collections::BTreeSet;

use quell_attack::Verdict;
use quell_gen::{random_problem, with_random_contributions};
use quell_model::{CellId, ContributorId, Problem, Random};
use quell_suppress::Outcome;

use super::second_auditor::{everything, exposed, exposed_sums, exposed_to_contributors};

/// The stream of chance that tables are drawn from, apart from those of tests.
const STREAM: u64 = 7_700;

/// A random table with its attackers.
pub(super) struct AttackedTable {
    problem: Problem,
}

/// The table of a number; every second one has contributors.
pub(super) fn table(number: u64, cells: usize) -> AttackedTable {
    let mut random = Random::new(number, STREAM);
    let size = 4 + random.below(cells.max(5) - 4);
    let problem = random_problem(&mut random, size);
    let problem = match number % 2 {
        0 => problem,
        _ => with_random_contributions(problem, &mut random),
    };
    AttackedTable { problem }
}

/// What the second auditor finds.
pub(super) struct Compared {
    /// Whether some primary cannot be protected from somebody whatever is hidden.
    pub is_hopeless: bool,
    /// Where the two auditors differ, and what could have been protected and is not.
    pub faults: Vec<String>,
}

impl AttackedTable {
    pub(super) fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Holds what a method and the first auditor say against what the second one finds.
    pub(super) fn compare(&self, outcome: &Outcome) -> Compared {
        let problem = &self.problem;
        let mut faults = Vec::new();
        let all = everything(problem);
        let (exposed_now, hopeless) = (exposed(problem, &outcome.pattern), exposed(problem, &all));
        let said: Vec<CellId> = outcome.unsafe_primaries().map(|finding| finding.cell).collect();
        differ(&mut faults, "the outsider", &said, &exposed_now);
        for cell in exposed_now.iter().filter(|cell| !hopeless.contains(cell)) {
            faults.push(format!("{cell} is exposed and could be protected"));
        }
        let is_open = |verdict: Verdict| verdict == Verdict::Undecided;
        faults.extend(
            outcome
                .unsafe_primaries()
                .filter(|finding| is_open(finding.verdict))
                .map(|finding| format!("{} is undecided", finding.cell)),
        );
        if outcome.lower_bound > outcome.cost + 1e-6 * outcome.cost.max(1.0) {
            faults.push(format!("bound {} above cost {}", outcome.lower_bound, outcome.cost));
        }
        let mut is_hopeless = !hopeless.is_empty();
        // What contributors learn of primaries that the outsider knows is not asked.
        if hopeless.is_empty() && exposed_now.is_empty() {
            let hopeless = exposed_to_contributors(problem, &all);
            is_hopeless |= !hopeless.is_empty();
            self.compare_contributors(outcome, &hopeless, &mut faults);
        }
        Compared { is_hopeless, faults }
    }

    fn compare_contributors(
        &self,
        outcome: &Outcome,
        hopeless: &[(ContributorId, CellId)],
        faults: &mut Vec<String>,
    ) {
        let exposed_now = exposed_to_contributors(&self.problem, &outcome.pattern);
        let said: Vec<(ContributorId, CellId)> = (outcome.contributors.unsafe_pairs.iter())
            .map(|pair| (pair.attacker, pair.finding.cell))
            .collect();
        differ(faults, "contributors", &said, &exposed_now);
        for pair in exposed_now.iter().filter(|pair| !hopeless.contains(pair)) {
            faults.push(format!("{pair:?} is exposed and could be protected"));
        }
        let sums = exposed_sums(&self.problem, &outcome.pattern);
        let said: Vec<Vec<CellId>> =
            outcome.contributors.unsafe_sums.iter().map(|one| one.sum.cells.clone()).collect();
        differ(faults, "sums", &said, &sums);
    }
}

/// What the first auditor says, and what the second one finds.
fn differ<T: Ord + Clone + std::fmt::Debug>(
    faults: &mut Vec<String>,
    whom: &str,
    said: &[T],
    found: &[T],
) {
    let (said, found): (BTreeSet<T>, BTreeSet<T>) =
        (said.iter().cloned().collect(), found.iter().cloned().collect());
    for unsafe_one in found.difference(&said) {
        faults.push(format!("UNSAFE from {whom}: {unsafe_one:?} is called safe"));
    }
    for safe_one in said.difference(&found) {
        faults.push(format!("{whom}: {safe_one:?} is safe and called exposed"));
    }
}
