//! The zero rule.

use std::sync::Arc;

use quell_model::Reason;

use super::rule::{ArgusForm, Demand, Needs, Parameter, Rule, RuleKind, Scope};
use super::view::View;

/// The declaration.
pub(super) static KIND: RuleKind = RuleKind {
    key: "zero",
    title: "zero",
    why: "a zero that tells (zero rule)",
    reason: Reason::Zero,
    scope: Scope::Cell,
    repeats: false,
    parameters: &[Parameter::amount(
        "range",
        "how far above 0 an attacker's interval must reach",
        10.0,
    )],
    argus: Some(ArgusForm {
        keyword: "ZERO",
        arguments: &[&["range"]],
        most: 1,
        keeps_a_place: &[],
    }),
    make: |values| Arc::new(ZeroUnsafe { range: values[0] }),
};

/// A zero to which someone contributes is unsafe.
///
/// # What it does
/// A cell is unsafe if its value is 0 although someone contributes to it. The lower
/// protection level is 0, the upper one is `range`, an amount: a percentage of nothing would
/// be nothing. The range is also the upper level of zeros that other rules, or an a-priori
/// file, make unsafe.
///
/// # Why
/// A published zero says of everybody in the cell that they contribute nothing. Without the
/// rule, zeros are not sensitive.
///
/// # Example
/// With `zero = 25` a cell of two contributors of 0 gets an upper level of 25.
///
/// # Reference
/// The zero rule of τ-ARGUS.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ZeroUnsafe {
    /// The upper protection level.
    pub range: f64,
}

impl Rule for ZeroUnsafe {
    fn kind(&self) -> &'static RuleKind {
        &KIND
    }

    fn values(&self) -> Vec<f64> {
        vec![self.range]
    }

    fn applies(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn test(&self, cell: &View<'_>) -> Option<Demand> {
        // The level comes from the range, as for every other zero.
        (cell.value() == 0).then_some(Demand::Margin(0.0))
    }

    fn parameters(&self) -> String {
        format!("range {}", self.range)
    }

    fn range_of_zeros(&self) -> Option<f64> {
        Some(self.range)
    }
}
