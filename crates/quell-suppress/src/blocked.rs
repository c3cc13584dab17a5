//! Why a primary cannot be protected: the cells that would have to be hidden and must not be.
//!
//! If hiding everything that may be hidden does not protect a primary, some cells that must be
//! published are in its way, or nothing helps at all. Which ones is found as infeasible linear
//! programs are explained: a program in which the cells that must be published may move, at a price
//! (an *elastic* program), uses few of them; and those that it does without are left out one by one
//! (a *deletion filter*). What is left is irreducible: if these may be hidden the primary can be
//! protected, and without any one of them it cannot.

use quell_attack::{ContributorAttack, Finding, Verdict, with_sums};
use quell_model::{Budget, CellId, Knowing, Problem, Requirement, Status};

use crate::search::mover::{FORBIDDEN, Mover, mover};
use crate::search::requirements::of_primary;
use crate::{Error, Outcome};

/// A primary, or a sum of hidden cells, that no pattern protects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocked {
    /// The primary, or the cells of the sum.
    pub cells: Vec<CellId>,
    /// Cells that must be published, and without which it could be protected; an irreducible set.
    /// None: whatever is hidden, it is not protected.
    pub by: Vec<CellId>,
}

/// Explains why primaries of a protected table are not safe, the first few of them; what is safe
/// if everything is hidden that may be is not among them.
///
/// # Errors
/// If the solver fails.
pub fn blocked(
    problem: &Problem,
    outcome: &Outcome,
    most: usize,
    budget: &Budget,
) -> Result<Vec<Blocked>, Error> {
    let is_exposed = |finding: &Finding| {
        matches!(finding.verdict, Verdict::ExposedExactly | Verdict::ExposedWithin)
    };
    let outside = outcome.audit.primaries.iter().filter(|one| is_exposed(one));
    let outside = outside.map(|finding| (finding.cell, Knowing::Nothing));
    let ContributorAttack { unsafe_pairs, unsafe_sums, .. } = &outcome.contributors;
    let insiders = unsafe_pairs.iter().filter(|pair| is_exposed(&pair.finding));
    let insiders = insiders.map(|pair| (pair.finding.cell, Knowing::Contributor(pair.attacker)));
    let program = Explained::new(problem, budget);
    let mut found: Vec<Blocked> = Vec::new();
    for (cell, knowing) in outside.chain(insiders) {
        if found.len() == most || budget.stop().is_some() {
            return Ok(found);
        }
        let is_known = found.iter().any(|one| one.cells == [cell]);
        if let Some(by) = program.explain(cell, knowing)?.filter(|_| !is_known) {
            found.push(Blocked { cells: vec![cell], by });
        }
    }
    let exposed = unsafe_sums.iter().filter(|one| one.verdict != Verdict::Undecided);
    let sums: Vec<_> = exposed.map(|one| one.sum.clone()).take(most - found.len()).collect();
    if sums.is_empty() {
        return Ok(found);
    }
    let extended = with_sums(problem, &sums);
    let program = Explained::new(&extended, budget);
    for (place, sum) in sums.into_iter().enumerate() {
        if budget.stop().is_some() {
            break;
        }
        let virtual_cell = CellId::from_index(problem.cell_count() + place);
        if let Some(by) = program.explain(virtual_cell, Knowing::Nothing)? {
            found.push(Blocked { cells: sum.cells, by });
        }
    }
    Ok(found)
}

/// The problem, and the same with everything allowed to be hidden.
struct Explained<'a> {
    problem: &'a Problem,
    elastic: Problem,
    budget: Budget,
}

impl<'a> Explained<'a> {
    fn new(problem: &'a Problem, budget: &Budget) -> Self {
        let statuses = problem.system().cells().map(|cell| match problem.status(cell) {
            Status::Protected => Status::Safe,
            status => status,
        });
        let elastic = problem.clone().with_statuses(statuses.collect());
        Self { problem, elastic, budget: budget.clone() }
    }

    /// The cells in the way of a primary in someone's eyes, rising; `None` if nothing is.
    fn explain(&self, cell: CellId, knowing: Knowing) -> Result<Option<Vec<CellId>>, Error> {
        let mut mover = mover(&self.elastic, &self.budget)?;
        let requirements: Vec<Requirement> = of_primary(self.problem, cell)
            .filter_map(|one| self.problem.in_eyes_of(one, knowing))
            .collect();
        let mut needed = Vec::new();
        for requirement in &requirements {
            let price = |cell: CellId| match self.must_be_published(cell) && !needed.contains(&cell)
            {
                true => 1.0,
                false => 0.0,
            };
            // Without any movement no pattern of any cells helps.
            let Some(movement) = mover.cheapest(requirement, &price)? else {
                return Ok(Some(Vec::new()));
            };
            let more: Vec<CellId> =
                movement.cells().filter(|&cell| self.must_be_published(cell)).collect();
            needed.extend(more);
        }
        needed.sort_unstable();
        needed.dedup();
        if needed.is_empty() {
            return Ok(None);
        }
        let mut at = 0;
        while at < needed.len() {
            let mut others = needed.clone();
            others.remove(at);
            match self.suffice(&others, &requirements, mover.as_mut())? {
                true => needed = others,
                false => at += 1,
            }
        }
        Ok(Some(needed))
    }

    fn must_be_published(&self, cell: CellId) -> bool {
        self.problem.status(cell) == Status::Protected
    }

    /// Whether all requirements can be met if of the cells that must be published only these may be
    /// hidden.
    fn suffice(
        &self,
        cells: &[CellId],
        requirements: &[Requirement],
        mover: &mut dyn Mover,
    ) -> Result<bool, Error> {
        let price = |cell: CellId| match self.must_be_published(cell) && !cells.contains(&cell) {
            true => FORBIDDEN,
            false => 0.0,
        };
        for requirement in requirements {
            if mover.cheapest(requirement, &price)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
