//! The rules of a table.

use std::sync::Arc;

use quell_model::LeastContributors;

use super::rule::{Needs, Rule, Scope};
use super::settings::MANUAL_MARGIN;

/// Of fewer contributors one can know the other.
const FEWEST: u64 = 3;

/// More contributions need not be listed: sums to which so many contribute are told from those
/// of few, whatever a rule says.
const MOST_LISTED: u64 = 20;

/// The rules of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// Rules that look at respondents.
    pub respondents: RuleSet,
    /// Rules that look at holdings; they need a holding variable.
    pub holdings: RuleSet,
    /// Rules that look at the cell as a whole.
    pub cells: RuleSet,
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
            respondents: RuleSet::default(),
            holdings: RuleSet::default(),
            cells: RuleSet::default(),
            manual_margin: MANUAL_MARGIN.default.unwrap_or_default(),
            minimum_level: 0.0,
            weighted: false,
            missing_is_safe: false,
            sides: Sides::default(),
        }
    }
}

impl Rules {
    /// With one more rule, of respondents if it looks at contributors.
    ///
    /// ```
    /// use quell_tabulate::{Frequency, PriorPosterior, Rules};
    ///
    /// let rules = Rules::default()
    ///     .with(PriorPosterior::p_percent(10.0, 1))
    ///     .with(Frequency { minimum: 3.0, margin: 20.0 });
    /// assert_eq!(rules.top_needed(), 2);
    /// ```
    pub fn with(mut self, rule: impl Rule + 'static) -> Self {
        self.add(Arc::new(rule));
        self
    }

    /// Adds a rule, of respondents if it looks at contributors.
    pub fn add(&mut self, rule: Arc<dyn Rule>) {
        match rule.kind().scope {
            Scope::Contributors => self.respondents.add(rule),
            Scope::Cell => self.cells.add(rule),
        }
    }

    /// With one more rule that looks at holdings instead of respondents.
    pub fn with_for_holdings(mut self, rule: impl Rule + 'static) -> Self {
        self.holdings.add(Arc::new(rule));
        self
    }

    /// Whether no rule can make a cell sensitive.
    pub fn is_empty(&self) -> bool {
        let applies = |rule: &Arc<dyn Rule>| rule.applies();
        ![&self.respondents, &self.holdings, &self.cells].iter().any(|set| set.iter().any(applies))
    }

    /// What must be known of every cell.
    pub fn needs(&self) -> Needs {
        self.respondents.needs().and(self.holdings.needs()).and(self.cells.needs())
    }

    /// How many of the largest contributions these rules look at.
    pub fn top_needed(&self) -> usize {
        self.needs().top
    }

    /// How many of the largest contributions must be known if contributors are attackers: what
    /// the rules look at, and as many as must contribute to a sum of hidden cells, so that it can
    /// be told from one of fewer. Three at least: of two contributors each knows the other.
    pub fn top_against_contributors(&self) -> usize {
        let least = self.least_contributors().at_least.clamp(FEWEST, MOST_LISTED) as usize;
        self.top_needed().max(least)
    }

    /// How many must contribute to a cell, or to a sum of hidden ones, where nothing but numbers
    /// of contributors is known, and how far it must be able to move if fewer do.
    ///
    /// The strictest minimum frequency rule says both. Without one the number is three, because
    /// of two contributors each knows the other, and the distance is that of cells made unsafe by
    /// hand: nobody has computed one, here as there.
    pub fn least_contributors(&self) -> LeastContributors {
        let rules = self.respondents.iter().chain(&self.holdings).filter(|rule| rule.applies());
        let strictest = rules.filter_map(|rule| rule.least_contributors()).reduce(|one, other| {
            LeastContributors {
                at_least: one.at_least.max(other.at_least),
                percent: one.percent.max(other.percent),
            }
        });
        let percent = self.manual_margin.ceil() as u32;
        strictest.unwrap_or(LeastContributors { at_least: FEWEST, percent })
    }

    /// How far above a value of zero an attacker's interval must reach.
    pub(super) fn range_of_zeros(&self) -> f64 {
        self.cells.iter().find_map(|rule| rule.range_of_zeros()).unwrap_or(0.0)
    }
}

/// Rules that look at the same: at respondents, at holdings, or at whole cells.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RuleSet(Vec<Arc<dyn Rule>>);

impl RuleSet {
    /// Adds a rule, behind those that stand before its kind in the order of the decision.
    pub fn add(&mut self, rule: Arc<dyn Rule>) {
        let rank = rule.kind().rank();
        let place = self.0.partition_point(|other| other.kind().rank() <= rank);
        self.0.insert(place, rule);
    }

    /// Adds a rule in place of all others of its kind.
    pub fn replace(&mut self, rule: Arc<dyn Rule>) {
        self.0.retain(|other| other.kind().key != rule.kind().key);
        self.add(rule);
    }

    /// Whether there is none, not even one that does not apply.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The rules.
    pub fn iter(&self) -> std::slice::Iter<'_, Arc<dyn Rule>> {
        self.0.iter()
    }

    fn needs(&self) -> Needs {
        let needs = self.0.iter().filter(|rule| rule.applies()).map(|rule| rule.needs());
        needs.fold(Needs::default(), Needs::and)
    }
}

impl<'a> IntoIterator for &'a RuleSet {
    type Item = &'a Arc<dyn Rule>;
    type IntoIter = std::slice::Iter<'a, Arc<dyn Rule>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
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

impl Sides {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Both, Self::Upper, Self::Sliding];

    /// The name in job files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Both => "both",
            Self::Upper => "upper",
            Self::Sliding => "sliding",
        }
    }
}
