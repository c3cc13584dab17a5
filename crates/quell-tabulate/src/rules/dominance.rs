//! The (n, k) dominance rule.

use std::sync::Arc;

use quell_model::Reason;

use super::amounts::{HUNDRED_PERCENT, Shortfall, fine};
use super::rule::{ArgusForm, Demand, Needs, Parameter, Rule, RuleKind, Scope};
use super::view::View;

/// The declaration.
pub(super) static KIND: RuleKind = RuleKind {
    key: "dominance",
    title: "dominance",
    why: "few contributors dominate (n, k)",
    reason: Reason::Dominance,
    scope: Scope::Contributors,
    repeats: true,
    parameters: &[
        Parameter::contributors(
            "n",
            "how many of the largest contributors are taken together",
            2.0,
        ),
        Parameter::share(
            "k",
            "the largest share of the total, in percent, that they may have",
            85.0,
        ),
    ],
    argus: Some(ArgusForm {
        keyword: "NK",
        arguments: &[&["n", "k"]],
        most: 2,
        keeps_a_place: &[],
    }),
    make: |values| Arc::new(Dominance { n: values[0] as usize, k: values[1] }),
};

/// The `n` largest contributors may not have more than `k` percent of the total.
///
/// # What it does
/// With x₁ ≥ x₂ ≥ … the contributions and T their total, a cell is unsafe if
/// x₁ + … + xₙ > k % of T. It then needs the total at which their share would be k % exactly:
/// protection levels of 100/k · (x₁ + … + xₙ) − T below and above.
///
/// # Why
/// The total of a cell that few contributors dominate is nearly the total of those few. Who
/// knows the cell knows them closely, above all the other large ones among them, who can
/// subtract their own contribution.
///
/// # Example
/// With n = 2 and k = 80, the cell 51 + 30 + 20 = 101 is unsafe: the two largest have 81, and
/// 80 % of 101 is 80.8. They would have 80 % of 101.25, so the levels are 0.25, rounded up to
/// one unit. The cell 50 + 30 + 20 is safe: 80 of 100 is not more than 80 %.
///
/// # Waivers
/// If nobody among the n largest minds, because those who do contribute less, the rule does
/// not apply.
///
/// # Reference
/// `hundepool-2012`, chapter 4.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dominance {
    /// How many contributors.
    pub n: usize,
    /// Which share of the total, in percent.
    pub k: f64,
}

impl Rule for Dominance {
    fn kind(&self) -> &'static RuleKind {
        &KIND
    }

    fn values(&self) -> Vec<f64> {
        vec![self.n as f64, self.k]
    }

    fn applies(&self) -> bool {
        self.n > 0 && self.k > 0.0
    }

    fn needs(&self) -> Needs {
        Needs { top: self.n, ..Needs::default() }
    }

    fn test(&self, cell: &View<'_>) -> Option<Demand> {
        let largest = cell.largest(self.n);
        let (k, total) = (fine(self.k), cell.total());
        if cell.largest_to_protect() < largest.least || total <= 0 || k == 0 {
            return None;
        }
        let shortfall = Shortfall::of(HUNDRED_PERCENT * largest.sum - k * total, k * total);
        shortfall.map(Demand::Shortfall)
    }

    fn parameters(&self) -> String {
        format!("n = {}, k = {} %", self.n, self.k)
    }
}
