//! The minimum frequency rule.

use std::sync::Arc;

use quell_model::{LeastContributors, Reason};

use super::rule::{ArgusForm, Demand, Needs, Parameter, Rule, RuleKind, Scope};
use super::view::View;

/// The declaration.
pub(super) static KIND: RuleKind = RuleKind {
    key: "frequency",
    title: "minimum frequency",
    why: "too few contributors (minimum frequency)",
    reason: Reason::Frequency,
    scope: Scope::Contributors,
    repeats: false,
    parameters: &[
        Parameter::weight("minimum", "the smallest number of contributors that is safe", 3.0),
        Parameter::margin("margin", "the protection levels, in percent of the value"),
    ],
    argus: Some(ArgusForm {
        keyword: "FREQ",
        arguments: &[&["minimum", "margin"]],
        most: 1,
        keeps_a_place: &[],
    }),
    make: |values| Arc::new(Frequency { minimum: values[0], margin: values[1] }),
};

/// At least `minimum` must contribute.
///
/// # What it does
/// A cell is unsafe if fewer than `minimum` contribute to it. The protection levels are
/// `margin` percent of the value.
///
/// # Why
/// A cell with one contributor is that contributor's figure; in a cell with two, each knows
/// the other. In tables of counts a small count points at few people.
///
/// # Example
/// With minimum = 3 and margin = 30, the cell 10 + 11 = 21 has two contributors: its levels are
/// 6.3, rounded up to 7 units.
///
/// # Weights
/// Weighted rules count the sum of the weights instead: two firms that stand for 1.4 and 1.6
/// are three.
///
/// # Reference
/// `hundepool-2012`, chapter 4.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frequency {
    /// The smallest number of contributors that is safe.
    pub minimum: f64,
    /// The protection levels, in percent of the value.
    pub margin: f64,
}

impl Rule for Frequency {
    fn kind(&self) -> &'static RuleKind {
        &KIND
    }

    fn values(&self) -> Vec<f64> {
        vec![self.minimum, self.margin]
    }

    fn applies(&self) -> bool {
        self.minimum > 0.0
    }

    fn needs(&self) -> Needs {
        Needs { counts: true, ..Needs::default() }
    }

    fn test(&self, cell: &View<'_>) -> Option<Demand> {
        cell.has_fewer_than(self.minimum).then_some(Demand::Margin(self.margin))
    }

    fn least_contributors(&self) -> Option<LeastContributors> {
        let (at_least, percent) = (self.minimum.ceil() as u64, self.margin.ceil() as u32);
        Some(LeastContributors { at_least, percent })
    }

    fn parameters(&self) -> String {
        format!("minimum {}, margin {} %", self.minimum, self.margin)
    }
}
