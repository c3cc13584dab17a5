//! One cell against the rules, in τ-ARGUS' order: empty, dominance, p%, request, frequency,
//! zero.

use quell_model::{CellId, Protection, Reason, Status, Value};

use super::test::{Shortfall, View, ceiling, fine};
use super::{ContributorRules, Dominance, Frequency, OnRequest, PriorPosterior, Rules, Sides};
use crate::Table;

/// What the rules say of a cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment {
    /// Its status.
    pub status: Status,
    /// Whether the status was set by hand.
    pub by_hand: bool,
    /// The protection it needs; zero unless it is primary.
    pub protection: Protection,
    /// All rules it violates, those that did not decide included.
    pub violated: Vec<Violation>,
}

/// A rule that a cell violates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Violation {
    /// (n, k) dominance of respondents.
    Dominance(Dominance),
    /// p% or pq of respondents.
    PriorPosterior(PriorPosterior),
    /// The largest respondent asked.
    Request(OnRequest),
    /// Too few respondents.
    Frequency(Frequency),
    /// (n, k) dominance of holdings.
    HoldingDominance(Dominance),
    /// p% or pq of holdings.
    HoldingPriorPosterior(PriorPosterior),
    /// The largest holding asked.
    HoldingRequest(OnRequest),
    /// Too few holdings.
    HoldingFrequency(Frequency),
    /// A zero to which someone contributes.
    Zero,
}

impl Violation {
    /// The reason it is for a primary.
    pub fn reason(&self) -> Reason {
        match self {
            Self::Dominance(_) | Self::HoldingDominance(_) => Reason::Dominance,
            Self::PriorPosterior(_) | Self::HoldingPriorPosterior(_) => Reason::PPercent,
            Self::Request(_) | Self::HoldingRequest(_) => Reason::Request,
            Self::Frequency(_) | Self::HoldingFrequency(_) => Reason::Frequency,
            Self::Zero => Reason::Zero,
        }
    }

    /// The margin of rules that have one, in percent of the value.
    fn margin(&self) -> Option<f64> {
        match self {
            Self::Request(rule) | Self::HoldingRequest(rule) => Some(rule.margin),
            Self::Frequency(rule) | Self::HoldingFrequency(rule) => Some(rule.margin),
            _ => None,
        }
    }
}

impl Assessment {
    pub(super) fn of(status: Status) -> Self {
        Self { status, by_hand: false, protection: Protection::default(), violated: Vec::new() }
    }
}

/// Every cell of a table against the rules.
pub fn assess_all(table: &Table, rules: &Rules) -> Vec<Assessment> {
    (0..table.cells.len()).map(|cell| assess(table, CellId::from_index(cell), rules)).collect()
}

/// One cell of a table against the rules.
pub fn assess(table: &Table, cell: CellId, rules: &Rules) -> Assessment {
    let summary = table.summary(cell);
    if summary.respondents.count == 0 {
        return Assessment::of(Status::Protected);
    }
    if rules.missing_is_safe && table.has_missing_code(cell) {
        return Assessment::of(Status::Safe);
    }
    let unit = table.weight_decimals.scale();
    let mut findings = Findings { violated: Vec::new(), shortfall: None };
    let respondents = View::new(&summary.respondents, unit, rules.weighted);
    findings.look(&respondents, summary.weight, &rules.respondents, &RESPONDENTS);
    if let Some(holdings) = &summary.holdings {
        let holdings = View::new(holdings, unit, rules.weighted);
        findings.look(&holdings, summary.weight, &rules.holdings, &HOLDINGS);
    }
    let value = table.value(cell);
    if rules.zero.is_some() && value == 0 && !respondents.all_waived() {
        findings.violated.push(Violation::Zero);
    }
    // Rules of respondents stand before the same rules of holdings; the order of the
    // reasons is the order of the decision.
    let mut violated = findings.violated;
    violated.sort_by_key(|violation| order(violation.reason()));
    let Some(first) = violated.first() else { return Assessment::of(Status::Safe) };
    let reason = first.reason();
    let level = match (reason, findings.shortfall) {
        (Reason::Dominance | Reason::PPercent, Some(shortfall)) => {
            shortfall.share_of(value.saturating_abs())
        }
        _ => {
            let same = violated.iter().filter(|violation| violation.reason() == reason);
            let margin = same.filter_map(Violation::margin).fold(0.0, f64::max);
            percentage(margin, value)
        }
    };
    Assessment {
        status: Status::Primary(reason),
        by_hand: false,
        protection: protection(level, value, table, rules),
        violated,
    }
}

fn order(reason: Reason) -> u8 {
    match reason {
        Reason::Dominance => 0,
        Reason::PPercent => 1,
        Reason::Request => 2,
        Reason::Frequency => 3,
        Reason::Zero | Reason::Manual | Reason::Given => 4,
    }
}

/// So many percent of the size of a value, rounded up.
pub(super) fn percentage(percent: f64, value: Value) -> i128 {
    ceiling(fine(percent) * i128::from(value.unsigned_abs()), fine(100.0))
}

/// Protection levels from what a rule asks: at least the minimum level, at least one unit,
/// and for a zero the range of the zero rule.
pub(super) fn protection(level: i128, value: Value, table: &Table, rules: &Rules) -> Protection {
    let units = |amount: f64| i128::from(table.decimals.round(amount.max(0.0)).unwrap_or(0));
    let clamp = |level: i128| Value::try_from(level.clamp(1, LARGEST)).unwrap_or(Value::MAX / 4);
    if value == 0 {
        let upper = clamp(units(rules.zero.unwrap_or(0.0)));
        return Protection { lower: 0, upper, sliding: 0 };
    }
    let level = clamp(level.max(units(rules.minimum_level)));
    match rules.sides {
        Sides::Both => Protection { lower: level, upper: level, sliding: 0 },
        Sides::Upper => Protection { lower: 0, upper: level, sliding: 0 },
        Sides::Sliding => Protection { lower: 0, upper: 0, sliding: clamp(2 * i128::from(level)) },
    }
}

/// Beyond this no value goes, so no level needs to.
const LARGEST: i128 = (Value::MAX / 4) as i128;

/// How violations of one kind of contributors are called.
struct Names {
    dominance: fn(Dominance) -> Violation,
    prior_posterior: fn(PriorPosterior) -> Violation,
    request: fn(OnRequest) -> Violation,
    frequency: fn(Frequency) -> Violation,
}

const RESPONDENTS: Names = Names {
    dominance: Violation::Dominance,
    prior_posterior: Violation::PriorPosterior,
    request: Violation::Request,
    frequency: Violation::Frequency,
};

const HOLDINGS: Names = Names {
    dominance: Violation::HoldingDominance,
    prior_posterior: Violation::HoldingPriorPosterior,
    request: Violation::HoldingRequest,
    frequency: Violation::HoldingFrequency,
};

/// What was found of a cell so far.
struct Findings {
    violated: Vec<Violation>,
    /// The largest shortfall of a dominance or p% rule.
    shortfall: Option<Shortfall>,
}

impl Findings {
    fn look(&mut self, view: &View<'_>, weight: Value, rules: &ContributorRules, names: &Names) {
        if view.all_waived() {
            return;
        }
        for rule in &rules.dominance {
            self.short(view.dominance(rule), (names.dominance)(*rule));
        }
        for rule in &rules.prior_posterior {
            self.short(view.prior_posterior(rule), (names.prior_posterior)(*rule));
        }
        let count = view.count(weight);
        let fewer_than = |minimum: f64| count * fine(1.0) < fine(minimum) * view.unit();
        if let Some(rule) = rules.request {
            let asked = view.requested(&rule);
            if asked.is_some_and(|above| above || fewer_than(rule.minimum)) {
                self.violated.push((names.request)(rule));
            }
        }
        if let Some(rule) = rules.frequency
            && fewer_than(rule.minimum)
        {
            self.violated.push((names.frequency)(rule));
        }
    }

    fn short(&mut self, shortfall: Option<Shortfall>, violation: Violation) {
        let Some(shortfall) = shortfall else { return };
        self.violated.push(violation);
        if self.shortfall.is_none_or(|largest| shortfall.exceeds(&largest)) {
            self.shortfall = Some(shortfall);
        }
    }
}
