//! One cell against the rules, in τ-ARGUS' order: empty, then the rules in their order.

use quell_model::{Budget, CellId, Decimals, Protection, Reason, Status, Value};

use super::amounts::{Shortfall, percentage};
use super::rule::{Demand, RuleKind};
use super::set::{RuleSet, Rules, Sides};
use super::view::View;
use crate::watch::Watch;
use crate::{Error, Table, Who};

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
#[derive(Debug, Clone, Copy)]
pub struct Violation {
    /// The kind of rule.
    pub rule: &'static RuleKind,
    /// Whose contributions violate it.
    pub who: Who,
}

impl Violation {
    /// The reason it is for a primary.
    pub fn reason(&self) -> Reason {
        self.rule.reason
    }
}

impl PartialEq for Violation {
    fn eq(&self, other: &Self) -> bool {
        (self.rule.key, self.who) == (other.rule.key, other.who)
    }
}

impl Assessment {
    pub(crate) fn of(status: Status) -> Self {
        Self { status, by_hand: false, protection: Protection::default(), violated: Vec::new() }
    }
}

/// Every cell of a table against the rules.
pub fn assess_all(table: &Table, rules: &Rules) -> Vec<Assessment> {
    (0..table.cells.len()).map(|cell| assess(table, CellId::from_index(cell), rules)).collect()
}

/// Every cell of a table against the rules, as long as the budget allows.
///
/// # Errors
/// If it was stopped before the end.
pub fn assess_all_within(
    table: &Table,
    rules: &Rules,
    budget: &Budget,
) -> Result<Vec<Assessment>, Error> {
    let mut watch = Watch::new(budget);
    let cells = (0..table.cells.len()).map(CellId::from_index);
    cells.map(|cell| watch.step().map(|()| assess(table, cell, rules))).collect()
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
    let value = table.value(cell);
    let view = |contributors| View::new(contributors, table, (summary, value), rules.weighted);
    let respondents = view(&summary.respondents);
    let mut found = Vec::new();
    look(&respondents, &rules.respondents, Who::Respondents, &mut found);
    if let Some(holdings) = &summary.holdings {
        look(&view(holdings), &rules.holdings, Who::Holdings, &mut found);
    }
    look(&respondents, &rules.cells, Who::Respondents, &mut found);
    let Some((reason, protection)) = decide(&mut found, value, table.decimals, rules) else {
        return Assessment::of(Status::Safe);
    };
    Assessment {
        status: Status::Primary(reason),
        by_hand: false,
        protection,
        violated: found.into_iter().map(|(violation, _)| violation).collect(),
    }
}

pub(super) type Found = (Violation, Demand);

/// What decides among the rules that a value violates, and the protection it needs then.
pub(super) fn decide(
    found: &mut [Found],
    value: Value,
    decimals: Decimals,
    rules: &Rules,
) -> Option<(Reason, Protection)> {
    // Rules of respondents stand before the same rules of holdings; the order of the
    // rules is the order of the decision.
    found.sort_by_key(|(violation, _)| violation.rule.rank());
    let &(first, demand) = found.first()?;
    let level = level(first.reason(), demand, found, value);
    Some((first.reason(), protection(level, value, decimals, rules)))
}

/// Asks all rules of a set. Who signed a waiver needs no protection, so no rule is asked of a
/// cell in which everybody did.
pub(super) fn look(cell: &View<'_>, rules: &RuleSet, who: Who, found: &mut Vec<Found>) {
    if cell.all_waived() {
        return;
    }
    for rule in rules.iter().filter(|rule| rule.applies()) {
        let demand = rule.test(cell);
        found.extend(demand.map(|demand| (Violation { rule: rule.kind(), who }, demand)));
    }
}

/// The level that the deciding rule asks for, or more if a rule of the same kind asks for more.
fn level(reason: Reason, deciding: Demand, found: &[Found], value: Value) -> i128 {
    match deciding {
        Demand::Shortfall(shortfall) => {
            let all = found.iter().filter_map(|&(_, demand)| match demand {
                Demand::Shortfall(shortfall) => Some(shortfall),
                Demand::Margin(_) => None,
            });
            all.fold(shortfall, Shortfall::max).share_of(value.saturating_abs())
        }
        Demand::Margin(margin) => {
            let same = found.iter().filter(|(violation, _)| violation.reason() == reason);
            let margins = same.filter_map(|&(_, demand)| match demand {
                Demand::Margin(margin) => Some(margin),
                Demand::Shortfall(_) => None,
            });
            percentage(margins.fold(margin, f64::max), value)
        }
    }
}

/// Protection levels from what a rule asks: at least the minimum level, at least one unit,
/// and for a zero the range of the zero rule.
pub(super) fn protection(
    level: i128,
    value: Value,
    decimals: Decimals,
    rules: &Rules,
) -> Protection {
    let units = |amount: f64| i128::from(decimals.round(amount.max(0.0)).unwrap_or(0));
    let clamp = |level: i128| Value::try_from(level.clamp(1, LARGEST)).unwrap_or(Value::MAX / 4);
    if value == 0 {
        let upper = clamp(units(rules.range_of_zeros()));
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
