//! The p% rule and its general form, the pq or prior-posterior rule.

use std::sync::Arc;

use quell_model::Reason;

use super::amounts::{Shortfall, fine};
use super::rule::{ArgusForm, Demand, Needs, Parameter, Rule, RuleKind, Scope};
use super::view::View;

/// The declaration.
pub(super) static KIND: RuleKind = RuleKind {
    key: "p-percent",
    title: "p%",
    why: "a contributor could estimate another (p%)",
    reason: Reason::PPercent,
    scope: Scope::Contributors,
    repeats: true,
    parameters: &[
        Parameter::share(
            "p",
            "how close an estimate must not come, in percent of a contribution",
            10.0,
        ),
        Parameter::contributors("n", "how many contributors may pool what they know", 1.0).or(1.0),
        Parameter::share(
            "q",
            "how close anyone comes beforehand, in percent; 100 is the p% rule",
            100.0,
        )
        .or(100.0),
    ],
    argus: Some(ArgusForm {
        keyword: "P",
        arguments: &[&["p"], &["p", "n"], &["p", "q", "n"]],
        most: 2,
        keeps_a_place: &[],
    }),
    make: |values| Arc::new(PriorPosterior { p: values[0], n: values[1] as usize, q: values[2] }),
};

/// Nobody may estimate another's contribution to within `p` percent.
///
/// # What it does
/// With x₁ ≥ x₂ ≥ … the contributions and T their total, a cell is unsafe if
/// x₁ + … + xₙ₊₁ + p/q · x₁ > T: the n contributors behind the largest subtract what they
/// contribute from the total and, because everybody knows every contribution to within q
/// percent beforehand, come closer than p percent to the largest. The protection levels are
/// the difference of the two sides. With q = 100, the default, this is the p% rule; with a
/// smaller q the pq or prior-posterior rule.
///
/// # Why
/// The keenest reader of a table is a competitor in the same cell. The second largest
/// contributor knows most about the rest, and the largest is the one a remainder hides least:
/// if these two are safe, everybody is.
///
/// # Example
/// With p = 15, the cell 100 + 40 + 14 = 154 is unsafe: the second largest subtracts 40 and
/// knows that the largest contributes at most 114, closer than 15 %. The levels are 15 − 14 = 1.
/// With 15 instead of 14 the cell is safe. A single contributor of 100 needs 15; against two
/// intruders (n = 2) three contributors are always too few.
///
/// With p = 10 and q = 50 a remainder of 12 beside 100 and 50 hides only 6, because everybody
/// knows it to within one half: 10/50 · 100 + 150 − 162 = 8.
///
/// # Waivers
/// The rule then protects the largest who did not sign, from the n largest others.
///
/// # Reference
/// `hundepool-2012`, chapter 4.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PriorPosterior {
    /// How close an estimate must not come, in percent of the contribution.
    pub p: f64,
    /// How close anyone can estimate any contribution beforehand, in percent.
    pub q: f64,
    /// How many contributors may conspire.
    pub n: usize,
}

impl PriorPosterior {
    /// The p% rule against `n` intruders.
    pub fn p_percent(p: f64, n: usize) -> Self {
        Self { p, q: 100.0, n }
    }
}

impl Rule for PriorPosterior {
    fn kind(&self) -> &'static RuleKind {
        &KIND
    }

    fn values(&self) -> Vec<f64> {
        vec![self.p, self.n as f64, self.q]
    }

    fn applies(&self) -> bool {
        self.p > 0.0 && self.q > 0.0
    }

    fn needs(&self) -> Needs {
        Needs { top: self.n.saturating_add(1), ..Needs::default() }
    }

    fn test(&self, cell: &View<'_>) -> Option<Demand> {
        let target = cell.largest_to_protect();
        let largest = cell.largest(self.n.saturating_add(1));
        let sum = match target < largest.least {
            // The intruders are the n largest, and the target is not one of the next.
            true => cell.largest(self.n).sum + cell.unweighted(target),
            false => largest.sum,
        };
        let (p, q, total) = (fine(self.p), fine(self.q), cell.total());
        if total <= 0 || q == 0 {
            return None;
        }
        let shortfall = Shortfall::of(p * cell.unweighted(target) + q * (sum - total), q * total);
        shortfall.map(Demand::Shortfall)
    }

    fn title(&self) -> &'static str {
        if self.q == 100.0 { KIND.title } else { "pq" }
    }

    fn parameters(&self) -> String {
        let q = match self.q == 100.0 {
            true => String::new(),
            false => format!(", q = {} %", self.q),
        };
        format!("p = {} %{q}, n = {}", self.p, self.n)
    }
}
