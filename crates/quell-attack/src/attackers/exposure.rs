//! Which primaries are in danger before anything is protected, and which of them need
//! protecting: the sets and algorithms of serpell-2013 (section 3.1, figure 4).
//!
//! All sets look at the unprotected table, in which only the primaries are hidden. The
//! paper writes protection levels as absolute values; here they are distances, and
//! "protection range" is the distance a cell must be able to move.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use quell_model::{Budget, CellId, EquationId, Pattern, Problem, Progress, Value};

use super::unpick;
use crate::audit::{AuditError, Verdict, audit};

/// A set of primaries, in order.
pub type Cells = BTreeSet<CellId>;

/// Every set the paper names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExposureSets {
    /// E: exposed by an exact attack.
    pub exposed: Cells,
    /// E_f: exposed exactly.
    pub fully: Cells,
    /// E_p: exposed, but not exactly.
    pub partially: Cells,
    /// E_u: exposed by unpicking.
    pub unpicked: Cells,
    /// E_n = K_n: exposed, but not by unpicking.
    pub not_unpicked: Cells,
    /// K_1: the only primary of some equation.
    pub alone: Cells,
    /// K_pl: protected by too little of the other primaries' protection (equations 6–7).
    pub by_levels: Cells,
    /// K_nv: protected by too little of the other primaries' values (equation 9).
    pub by_values: Cells,
    /// K_s: more than three times as large as the other primaries of an equation.
    pub by_size: Cells,
}

/// An algorithm that finds candidates for initially exposed cells (figure 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CandidateAlgorithm {
    /// K = E. Protecting these protects all.
    E,
    /// K = K_1 ∪ (K_s ∩ E). Smaller, but does not always protect all.
    K1,
    /// K = K_1 ∪ E_p ∪ K_n. Smaller, but often does not protect all.
    K3,
    /// K = K_1 ∪ (K_pl ∩ E) ∪ (K_nv ∩ E) ∪ K_n. The paper's choice.
    K5,
}

impl CandidateAlgorithm {
    /// All of them, in the paper's order.
    pub const ALL: [Self; 4] = [Self::E, Self::K1, Self::K3, Self::K5];
}

impl fmt::Display for CandidateAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::E => "e",
            Self::K1 => "k1",
            Self::K3 => "k3",
            Self::K5 => "k5",
        })
    }
}

impl FromStr for CandidateAlgorithm {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|one| one.to_string() == text.to_lowercase());
        known.ok_or_else(|| format!("unknown algorithm \"{text}\"; choose e, k1, k3 or k5"))
    }
}

impl ExposureSets {
    /// Finds all sets of the unprotected `problem`.
    ///
    /// # Errors
    /// As [`audit`].
    pub fn find(
        problem: &Problem,
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Self, AuditError> {
        let pattern = Pattern::of_primaries(problem);
        let mut sets = Self::default();
        for finding in audit(problem, &pattern, budget, progress)?.primaries {
            match finding.verdict {
                Verdict::ExposedExactly => sets.fully.insert(finding.cell),
                // What could not be decided must count as exposed: candidates may be too
                // many, never too few.
                Verdict::ExposedWithin | Verdict::Undecided => sets.partially.insert(finding.cell),
                Verdict::Safe => continue,
            };
            sets.exposed.insert(finding.cell);
        }
        sets.unpicked =
            unpick(problem, &pattern).exposures.iter().map(|exposure| exposure.cell).collect();
        sets.not_unpicked = sets.exposed.difference(&sets.unpicked).copied().collect();
        for equation in problem.system().equations() {
            sets.add_from_equation(problem, equation);
        }
        Ok(sets)
    }

    /// The candidates for initially exposed cells.
    pub fn candidates(&self, algorithm: CandidateAlgorithm) -> Cells {
        let exposed = |set: &Cells| -> Cells { set & &self.exposed };
        match algorithm {
            CandidateAlgorithm::E => self.exposed.clone(),
            CandidateAlgorithm::K1 => &self.alone | &exposed(&self.by_size),
            CandidateAlgorithm::K3 => &(&self.alone | &self.partially) | &self.not_unpicked,
            CandidateAlgorithm::K5 => {
                let shared = &exposed(&self.by_levels) | &exposed(&self.by_values);
                &(&self.alone | &shared) | &self.not_unpicked
            }
        }
    }

    /// Adds the primaries that one equation makes candidates, in time linear in its
    /// primaries: sums over all, less the cell's own part.
    fn add_from_equation(&mut self, problem: &Problem, equation: EquationId) {
        let primaries = || {
            let cells = problem.system().cells_of(equation);
            cells.filter(|&(cell, _)| problem.status(cell).is_primary())
        };
        let terms = || primaries().map(|(cell, coefficient)| Term::new(problem, cell, coefficient));
        let total = terms().fold(Sums::default(), |sums, term| sums.plus(&term));
        let alone = primaries().count() == 1;
        for term in terms() {
            if alone {
                self.alone.insert(term.cell);
            }
            let others = total.minus(&term);
            // The term rises as far as the levels of the others let them fall (7), and the
            // other way round (6).
            if others.falls < term.rises || others.rises < term.falls {
                self.by_levels.insert(term.cell);
            }
            let range = term.rises.max(term.falls);
            if range > others.values {
                self.by_values.insert(term.cell);
            }
            if range.max(term.value) > 3 * others.values {
                self.by_size.insert(term.cell);
            }
        }
    }
}

/// A primary's part in an equation: what it may fall and rise by its protection levels,
/// and its size.
struct Term {
    cell: CellId,
    falls: i128,
    rises: i128,
    value: i128,
}

impl Term {
    fn new(problem: &Problem, cell: CellId, coefficient: i32) -> Self {
        let levels = problem.protection(cell);
        let size = i128::from(coefficient.unsigned_abs());
        let times = |value: Value| i128::from(value) * size;
        let (falls, rises) = match coefficient > 0 {
            true => (times(levels.lower), times(levels.upper)),
            false => (times(levels.upper), times(levels.lower)),
        };
        Self { cell, falls, rises, value: times(problem.value(cell).abs()) }
    }
}

/// Sums of [`Term`]s.
#[derive(Clone, Copy, Default)]
struct Sums {
    falls: i128,
    rises: i128,
    values: i128,
}

impl Sums {
    fn plus(self, term: &Term) -> Self {
        Self {
            falls: self.falls + term.falls,
            rises: self.rises + term.rises,
            values: self.values + term.value,
        }
    }

    fn minus(self, term: &Term) -> Self {
        Self {
            falls: self.falls - term.falls,
            rises: self.rises - term.rises,
            values: self.values - term.value,
        }
    }
}
