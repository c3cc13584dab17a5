//! Sums of hidden cells against the rules. An equation publishes the sum of its hidden cells, so
//! the sum needs what a cell of the table would need that says the same.

use std::sync::Arc;

use quell_model::{Decimals, HiddenSum, Protection, SumRule, Value};

use super::assess::{decide, look};
use super::rule::{Rule, Scope};
use super::set::{RuleSet, Rules};
use super::view::View;
use crate::{
    Attribution, Contribution, ContributorKey, Contributors, ProtectionRequest, Table, Top, Who,
};

/// By what the sums of hidden cells are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SumsBy {
    /// The table's rules on contributors, as if a sum were a cell.
    #[default]
    Rules,
    /// How many contribute to them only, as τ-ARGUS does.
    Frequency,
    /// Nothing: whatever they tell may be known.
    Nothing,
}

/// The rules of a table on sums of its hidden cells.
///
/// Rules on contributors judge a sum as they judge a cell: too few, dominated, estimated too
/// closely. Those of holdings do if the contributors are holdings, unless there are none; those
/// that depend on requests do not, nor do rules on whole cells, nor what was set by hand.
///
/// All that is known of a sum is how much of it is whose. So every contributor counts as one,
/// whatever they weigh, and nobody has signed a waiver; both can only ask for more protection.
/// Where rules look at another variable than the one that is shown, only those judge that count.
#[derive(Debug, Clone, PartialEq)]
pub struct RulesOnSums {
    /// As far as they judge sums, all as rules of respondents.
    rules: Rules,
    decimals: Decimals,
}

impl RulesOnSums {
    /// The rules of a table, for sums with these decimals. None if they judge no sums.
    pub fn of(rules: &Rules, table: &Table, decimals: Decimals) -> Option<Self> {
        let holdings = table.cells.iter().any(|cell| cell.holdings.is_some());
        let own = match holdings && !rules.holdings.is_empty() {
            true => &rules.holdings,
            false => &rules.respondents,
        };
        let mut judging = RuleSet::default();
        for rule in own.iter().filter(|rule| judges_sums(rule.as_ref(), table.has_shadow)) {
            judging.add(Arc::clone(rule));
        }
        if judging.is_empty() {
            return None;
        }
        let rules = Rules { respondents: judging, holdings: RuleSet::default(), ..rules.clone() };
        Some(Self { rules, decimals })
    }
}

fn judges_sums(rule: &dyn Rule, has_shadow: bool) -> bool {
    let needs = rule.needs();
    rule.applies()
        && rule.kind().scope == Scope::Contributors
        && !needs.requests
        && !(has_shadow && needs.top > 0)
}

impl SumRule for RulesOnSums {
    fn protection(&self, sum: &HiddenSum) -> Option<Protection> {
        let contributors = contributors(sum, self.rules.top_needed());
        let mut found = Vec::new();
        look(
            &View::of_sum(&contributors, sum.value),
            &self.rules.respondents,
            Who::Respondents,
            &mut found,
        );
        decide(&mut found, sum.value, self.decimals, &self.rules).map(|(_, protection)| protection)
    }
}

/// The contributors of a sum as those of a cell.
fn contributors(sum: &HiddenSum, wanted: usize) -> Contributors {
    let mut top = Top::new(wanted, 1);
    for &amount in sum.largest.iter().take(wanted) {
        let (who, request) = (ContributorKey::default(), ProtectionRequest::None);
        let (shown, value) = (amount, amount);
        top.add(Contribution { who, shown, value, weight: 1, weight_rest: 0, request });
    }
    // With negative contributions the sum is less than what its contributors have together.
    let listed = sum.largest.iter().fold(0, |all: Value, &amount| all.saturating_add(amount));
    let size = sum.value.saturating_abs().max(listed);
    Contributors {
        count: sum.contributors,
        size,
        weighted_size: size,
        waived: 0,
        largest_unwaived: sum.largest.first().copied().unwrap_or(0),
        top,
        unlisted: None,
    }
}

/// The strictest of the rules of several tables.
#[derive(Debug)]
struct Strictest(Vec<Arc<dyn SumRule>>);

impl SumRule for Strictest {
    fn protection(&self, sum: &HiddenSum) -> Option<Protection> {
        let asked = self.0.iter().filter_map(|rule| rule.protection(sum));
        asked.reduce(|one, other| Protection {
            lower: one.lower.max(other.lower),
            upper: one.upper.max(other.upper),
            sliding: one.sliding.max(other.sliding),
        })
    }

    fn asks_for_numbers_only(&self) -> bool {
        self.0.iter().all(|rule| rule.asks_for_numbers_only())
    }
}

/// What sums of hidden cells need in tables with these rules, in units of `decimals`: what the
/// strictest of them ask. Where nothing is known but numbers of contributors, or no rule judges
/// sums, enough must contribute: see [`Rules::least_contributors`]. None if nothing is asked.
pub(crate) fn on_sums<'a>(
    tables: impl Iterator<Item = (&'a Table, &'a Rules)>,
    decimals: Decimals,
    by: SumsBy,
) -> Option<Arc<dyn SumRule>> {
    let (mut judging, mut counting) = (Vec::new(), Vec::new());
    for (table, rules) in tables {
        let by_rules = by == SumsBy::Rules && table.attribution == Attribution::Named;
        match by_rules.then(|| RulesOnSums::of(rules, table, decimals)).flatten() {
            Some(own) if !judging.contains(&own) => judging.push(own),
            Some(_) => {}
            None => {
                let own = rules.least_contributors();
                if !counting.contains(&own) {
                    counting.push(own);
                }
            }
        }
    }
    if by == SumsBy::Nothing {
        return None;
    }
    let mut all: Vec<Arc<dyn SumRule>> = Vec::new();
    all.extend(judging.into_iter().map(|rule| Arc::new(rule) as Arc<dyn SumRule>));
    all.extend(counting.into_iter().map(|rule| Arc::new(rule) as Arc<dyn SumRule>));
    Some(match all.len() {
        1 => all.remove(0),
        _ => Arc::new(Strictest(all)),
    })
}
