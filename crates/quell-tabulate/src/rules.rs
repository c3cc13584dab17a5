//! Sensitivity rules: which cells may not be published, and how much protection they need.
//!
//! The meaning is that of τ-ARGUS; `docs/rules.md` explains each rule with numbers. Tests are
//! exact: parameters are taken to millionths and compared in integers, so that a cell that
//! meets a limit exactly is on the right side of it.

mod apriori;
mod assess;
mod test;

pub use apriori::{Apriori, Directive, Refusal, TrivialLevels, apply_apriori};
pub use assess::{Assessment, Violation, assess, assess_all};

/// The rules of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// Rules that look at respondents.
    pub respondents: ContributorRules,
    /// Rules that look at holdings; they need a holding variable.
    pub holdings: ContributorRules,
    /// A cell whose value is zero although someone contributes is unsafe; its upper
    /// protection level is this amount.
    pub zero: Option<f64>,
    /// The protection levels of cells made unsafe by hand, in percent of the value.
    pub manual_margin: f64,
    /// No protection level of a non-zero value is below this amount (τ-ARGUS' MinLPL).
    pub minimum_level: f64,
    /// Whether frequencies, totals and contributions are weighted.
    pub weighted: bool,
    /// Whether cells with a code that means "not known" are always safe.
    pub missing_is_safe: bool,
    /// On which sides of the value protection is needed.
    pub sides: Sides,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            respondents: ContributorRules::default(),
            holdings: ContributorRules::default(),
            zero: None,
            manual_margin: 20.0,
            minimum_level: 0.0,
            weighted: false,
            missing_is_safe: false,
            sides: Sides::default(),
        }
    }
}

impl Rules {
    /// How many of the largest contributions these rules look at.
    pub fn top_needed(&self) -> usize {
        self.respondents.top_needed().max(self.holdings.top_needed())
    }
}

/// The rules that look at contributors. A rule whose number of contributors or percentage is
/// zero does not apply: τ-ARGUS files use such rules to keep a place.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContributorRules {
    /// The minimum frequency.
    pub frequency: Option<Frequency>,
    /// (n, k) dominance.
    pub dominance: Vec<Dominance>,
    /// p% and pq.
    pub prior_posterior: Vec<PriorPosterior>,
    /// Protection on request.
    pub request: Option<OnRequest>,
}

impl ContributorRules {
    fn top_needed(&self) -> usize {
        let dominance = self.dominance.iter().filter(|rule| rule.applies()).map(|rule| rule.n);
        let others = self.prior_posterior.iter().filter(|rule| rule.applies());
        let request = self.request.map_or(0, |_| 1);
        dominance.chain(others.map(|rule| rule.n + 1)).max().unwrap_or(0).max(request)
    }
}

/// Too few contributors: fewer than `minimum`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frequency {
    /// The smallest number of contributors that is safe.
    pub minimum: f64,
    /// The protection levels, in percent of the value.
    pub margin: f64,
}

/// The (n, k) rule: the `n` largest contribute more than `k` percent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dominance {
    /// How many contributors.
    pub n: usize,
    /// Which share of the total, in percent.
    pub k: f64,
}

impl Dominance {
    fn applies(&self) -> bool {
        self.n > 0 && self.k > 0.0
    }
}

/// The pq rule: `n` contributors together can estimate another one, whom everybody knows to
/// within `q` percent, to within `p` percent. With `q` = 100 this is the p% rule.
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

    fn applies(&self) -> bool {
        self.p > 0.0 && self.q > 0.0
    }
}

/// Protection on request: the largest contributor asked for it, and contributes more than a
/// share of the total or has too few others beside it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnRequest {
    /// The share for the first kind of request, in percent; 0 for none.
    pub first: f64,
    /// The share for the second kind, in percent; 0 for none.
    pub second: f64,
    /// The smallest number of contributors that is safe when the largest asked.
    pub minimum: f64,
    /// The protection levels, in percent of the value.
    pub margin: f64,
}

/// On which sides of the value an attacker's interval must reach how far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sides {
    /// As far below as above (τ-ARGUS).
    #[default]
    Both,
    /// Only above.
    Upper,
    /// As wide as both together, wherever the interval lies: sliding protection.
    Sliding,
}
