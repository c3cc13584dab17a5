//! What a sensitivity rule is, and how one declares itself.

use std::fmt;
use std::sync::Arc;

use quell_model::{LeastContributors, Reason};
use thiserror::Error;

use super::RULES;
use super::amounts::{LARGEST_AMOUNT, LARGEST_PARAMETER, Shortfall};
use super::view::View;

/// A sensitivity rule with its parameters. What all rules of one kind have in common stands
/// in its [`RuleKind`].
pub trait Rule: fmt::Debug + Send + Sync {
    /// What kind of rule this is.
    fn kind(&self) -> &'static RuleKind;

    /// The parameters, in the order of the kind's declaration.
    fn values(&self) -> Vec<f64>;

    /// Whether it looks at cells at all. A rule whose number of contributors or percentage is
    /// zero does not: τ-ARGUS files use such rules to keep a place.
    fn applies(&self) -> bool;

    /// What must be known of a cell.
    fn needs(&self) -> Needs;

    /// How much protection a cell needs, if it violates the rule. Not everybody who
    /// contributes to the cell has signed a waiver.
    fn test(&self, cell: &View<'_>) -> Option<Demand>;

    /// What the report calls it.
    fn title(&self) -> &'static str {
        self.kind().title
    }

    /// The parameters as the report shows them, if they may be told.
    fn parameters(&self) -> String;

    /// How many must contribute at least, if the rule says so, and how much protection cells of
    /// fewer need.
    fn least_contributors(&self) -> Option<LeastContributors> {
        None
    }

    /// How far above a value of zero an attacker's interval must reach, if the rule says so.
    fn range_of_zeros(&self) -> Option<f64> {
        None
    }
}

impl PartialEq for dyn Rule {
    fn eq(&self, other: &Self) -> bool {
        self.kind().key == other.kind().key && self.values() == other.values()
    }
}

/// What rules must know of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Needs {
    /// How many of the largest contributions.
    pub top: usize,
    /// How many contribute.
    pub counts: bool,
    /// Who asked for protection.
    pub requests: bool,
}

impl Needs {
    /// What is needed for either.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            top: self.top.max(other.top),
            counts: self.counts || other.counts,
            requests: self.requests || other.requests,
        }
    }
}

/// How much protection a cell needs that violates a rule, below and above its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Demand {
    /// The share by which the total falls short of what the rule asks. Among all rules that
    /// ask so, the largest counts.
    Shortfall(Shortfall),
    /// So many percent of the value. Among rules of the same reason the largest counts.
    Margin(f64),
}

/// What all rules of one kind have in common, declared once: job files, `.arb` files, reports
/// and `docs/rules.md` follow it.
#[derive(Debug)]
pub struct RuleKind {
    /// The name in job files; the rule stands in the file of this name.
    pub key: &'static str,
    /// What reports call it.
    pub title: &'static str,
    /// Why a cell that violates it is sensitive, in the words of reports.
    pub why: &'static str,
    /// The reason that cells have for being primary.
    pub reason: Reason,
    /// What it looks at.
    pub scope: Scope,
    /// Whether a table may have several.
    pub repeats: bool,
    /// Its parameters. A rule with one is written as a bare number in job files.
    pub parameters: &'static [Parameter],
    /// How it is written in `.arb` files, if τ-ARGUS has it.
    pub argus: Option<ArgusForm>,
    /// The rule with these parameters, which are in the order of the declaration and in range.
    pub make: fn(&[f64]) -> Arc<dyn Rule>,
}

/// What a rule looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Contributors: it can be asked of respondents and of holdings.
    Contributors,
    /// The cell as a whole.
    Cell,
}

/// How a rule is written in τ-ARGUS batch files.
#[derive(Debug, Clone, Copy)]
pub struct ArgusForm {
    /// The keyword.
    pub keyword: &'static str,
    /// The parameters that its arguments stand for, one list for every number of arguments.
    pub arguments: &'static [&'static [&'static str]],
    /// How many may be given for respondents. As many again are for holdings, if the rule
    /// looks at contributors.
    pub most: usize,
    /// If all of these parameters are zero the rule only keeps a place.
    pub keeps_a_place: &'static [&'static str],
}

/// A parameter of a rule.
#[derive(Debug, Clone, Copy)]
pub struct Parameter {
    /// Its name in job files.
    pub name: &'static str,
    /// What it means, for people.
    pub meaning: &'static str,
    /// What it counts.
    pub unit: Unit,
    /// The largest value that makes sense; the smallest is always 0.
    pub most: f64,
    /// The value if none is given; none if it must be.
    pub default: Option<f64>,
    /// The value that the documentation shows.
    pub example: f64,
}

/// What a parameter counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Contributors, in whole numbers.
    Contributors,
    /// Contributors or what they weigh: a fraction is possible with weighted rules.
    Weight,
    /// Percent.
    Percent,
    /// An amount of the response.
    Amount,
}

/// The most contributors a rule can look at: so many are listed for every cell.
const MOST_CONTRIBUTORS: f64 = 1000.0;

impl Parameter {
    /// A number of contributors.
    pub const fn contributors(name: &'static str, meaning: &'static str, example: f64) -> Self {
        let (unit, most) = (Unit::Contributors, MOST_CONTRIBUTORS);
        Self { name, meaning, unit, most, default: None, example }
    }

    /// A least number of contributors, or their least weight.
    pub const fn weight(name: &'static str, meaning: &'static str, example: f64) -> Self {
        let (unit, most) = (Unit::Weight, LARGEST_PARAMETER);
        Self { name, meaning, unit, most, default: None, example }
    }

    /// A share of something, in percent.
    pub const fn share(name: &'static str, meaning: &'static str, example: f64) -> Self {
        Self { name, meaning, unit: Unit::Percent, most: 100.0, default: None, example }
    }

    /// Percent of a value, which may be more than all of it; 20 if not given, as in τ-ARGUS.
    pub const fn margin(name: &'static str, meaning: &'static str) -> Self {
        let (unit, most, usual) = (Unit::Percent, LARGEST_PARAMETER, 20.0);
        Self { name, meaning, unit, most, default: Some(usual), example: usual }
    }

    /// An amount.
    pub const fn amount(name: &'static str, meaning: &'static str, example: f64) -> Self {
        Self { name, meaning, unit: Unit::Amount, most: LARGEST_AMOUNT, default: None, example }
    }

    /// With a value for those who give none.
    pub const fn or(self, default: f64) -> Self {
        Self { default: Some(default), ..self }
    }

    /// Checks a value.
    ///
    /// # Errors
    /// If it is no number, out of range, or a fraction of a contributor.
    pub fn check(&'static self, value: f64) -> Result<(), WrongParameter> {
        let whole = self.unit != Unit::Contributors || value.fract() == 0.0;
        match (0.0..=self.most).contains(&value) && whole {
            true => Ok(()),
            false => Err(WrongParameter { parameter: self, value }),
        }
    }

    /// What values it may have.
    pub fn range(&self) -> String {
        match self.unit {
            Unit::Contributors => format!("a whole number from 0 to {}", self.most),
            _ => format!("a number from 0 to {}", self.most),
        }
    }
}

/// A value that a parameter cannot have.
#[derive(Debug, Clone, Copy, Error)]
#[error("{} is {value}, but must be {}: {}", parameter.name, parameter.range(), parameter.meaning)]
pub struct WrongParameter {
    /// The parameter.
    pub parameter: &'static Parameter,
    /// The value.
    pub value: f64,
}

impl RuleKind {
    /// Its place in the order of the decision.
    pub(super) fn rank(&self) -> usize {
        RULES.iter().position(|kind| kind.key == self.key).unwrap_or(RULES.len())
    }

    /// The parameter of a name.
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// The rule with the given parameters and the usual ones for the rest.
    ///
    /// # Errors
    /// If one is missing or out of range.
    pub fn rule(&self, given: &[(&str, f64)]) -> Result<Arc<dyn Rule>, IncompleteRule> {
        let mut values = Vec::with_capacity(self.parameters.len());
        for parameter in self.parameters {
            let value = given.iter().find(|(name, _)| *name == parameter.name);
            let value = value.map(|&(_, value)| value).or(parameter.default);
            let value = value.ok_or(IncompleteRule::Missing(parameter.name))?;
            parameter.check(value)?;
            values.push(value);
        }
        Ok((self.make)(&values))
    }
}

/// Why there is no rule with these parameters.
#[derive(Debug, Clone, Copy, Error)]
pub enum IncompleteRule {
    /// A parameter that must be given is not.
    #[error("missing parameter {0}")]
    Missing(&'static str),
    /// A parameter is out of range.
    #[error(transparent)]
    Wrong(#[from] WrongParameter),
}
