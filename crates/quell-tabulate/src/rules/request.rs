//! Protection on request.

use std::sync::Arc;

use quell_model::Reason;

use super::rule::{ArgusForm, Demand, Needs, Parameter, Rule, RuleKind, Scope};
use super::view::View;
use crate::ProtectionRequest;

/// The declaration.
pub(super) static KIND: RuleKind = RuleKind {
    key: "request",
    title: "request",
    why: "a contributor asked for it (request)",
    reason: Reason::Request,
    scope: Scope::Contributors,
    repeats: false,
    parameters: &[
        Parameter::share(
            "first",
            "the largest share, in percent, of who asked by the first code; 0 for any",
            70.0,
        ),
        Parameter::share("second", "the same for who asked by the second code", 50.0).or(0.0),
        Parameter::weight("minimum", "the least number of contributors if the largest asked", 3.0),
        Parameter::margin("margin", "the protection levels, in percent of the value"),
    ],
    argus: Some(ArgusForm {
        keyword: "REQ",
        arguments: &[&["first", "second", "minimum", "margin"]],
        most: 1,
        keeps_a_place: &["first", "second"],
    }),
    make: |values| {
        let [first, second, minimum, margin] = [values[0], values[1], values[2], values[3]];
        Arc::new(OnRequest { first, second, minimum, margin })
    },
};

/// The largest contributor asked for protection, and is exposed.
///
/// # What it does
/// A cell is unsafe if its largest contributor asked for protection, and either has more than
/// the percentage for its kind of request of the total, or fewer than `minimum` contribute.
/// The protection levels are `margin` percent of the value. A percentage of 0 leaves only the
/// number of contributors to decide.
///
/// # Why
/// In foreign trade statistics, figures are confidential only if a trader asks (passive
/// confidentiality). The rule looks only at the largest contributor: who is one of many small
/// ones is not seen in the total.
///
/// # Example
/// With first = 50, second = 70, minimum = 3 and margin = 10: the largest of 60 + 20 + 20 asked
/// by the first code, and 60 is more than 50 % of 100, so the levels are 10. If it had asked by
/// the second code, the cell would be safe: 60 is at most 70 %. With fewer than three
/// contributors it would be unsafe by either code.
///
/// # Reference
/// The request rule of τ-ARGUS; `[data]` names the variable of requests and its codes.
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

impl Rule for OnRequest {
    fn kind(&self) -> &'static RuleKind {
        &KIND
    }

    fn values(&self) -> Vec<f64> {
        vec![self.first, self.second, self.minimum, self.margin]
    }

    fn applies(&self) -> bool {
        self.first > 0.0 || self.second > 0.0 || self.minimum > 0.0
    }

    fn needs(&self) -> Needs {
        Needs { top: 1, counts: true, requests: true }
    }

    fn test(&self, cell: &View<'_>) -> Option<Demand> {
        let largest = cell.first()?;
        let percent = match largest.request {
            ProtectionRequest::FirstRequest => self.first,
            ProtectionRequest::SecondRequest => self.second,
            ProtectionRequest::None | ProtectionRequest::Waived => return None,
        };
        let size = cell.unweighted(i128::from(largest.value.unsigned_abs()));
        let above = percent > 0.0 && cell.is_more_than(percent, size);
        (above || cell.has_fewer_than(self.minimum)).then_some(Demand::Margin(self.margin))
    }

    fn parameters(&self) -> String {
        format!("{} %, {} %, minimum {}", self.first, self.second, self.minimum)
    }
}
