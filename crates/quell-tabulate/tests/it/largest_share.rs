//! The rule of the largest share.

use std::sync::Arc;

use quell_model::{CellId, Protection, Reason, Status};
use quell_tabulate::{Demand, Needs, Parameter, Rule, RuleKind, Rules, Scope, View, assess};

use crate::recipes::assert_is_written;
use crate::rules::plain;

/// The declaration.
static KIND: RuleKind = RuleKind {
    key: "largest-share",
    title: "largest share",
    why: "one contributor has most of it (largest share)",
    reason: Reason::Dominance,
    scope: Scope::Contributors,
    repeats: false,
    parameters: &[
        Parameter::share("share", "the largest share of the total, in percent", 60.0),
        Parameter::margin("margin", "the protection levels, in percent of the value"),
    ],
    argus: None,
    make: |values| Arc::new(LargestShare { share: values[0], margin: values[1] }),
};

/// No contributor may have more than a share of a cell.
///
/// # What it does
/// A cell is unsafe if its largest contributor has more than `share` percent of the total. The
/// protection levels are `margin` percent of the value.
///
/// # Why
/// Who knows such a cell knows its largest contributor.
///
/// # Example
/// With share = 60, the cell 70 + 20 + 10 is unsafe.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LargestShare {
    /// The largest share of the total, in percent.
    pub share: f64,
    /// The protection levels, in percent of the value.
    pub margin: f64,
}

impl Rule for LargestShare {
    fn kind(&self) -> &'static RuleKind {
        &KIND
    }

    fn values(&self) -> Vec<f64> {
        vec![self.share, self.margin]
    }

    fn applies(&self) -> bool {
        self.share > 0.0
    }

    fn needs(&self) -> Needs {
        Needs { top: 1, ..Needs::default() }
    }

    fn test(&self, cell: &View<'_>) -> Option<Demand> {
        cell.is_more_than(self.share, cell.largest(1).sum).then_some(Demand::Margin(self.margin))
    }

    fn parameters(&self) -> String {
        format!("share = {} %, margin = {} %", self.share, self.margin)
    }
}

#[test]
fn the_recipe_for_a_rule_is_this_one_and_does_what_it_says() {
    assert_is_written("//! The rule of the largest share.", include_str!("largest_share.rs"));
    let rule = (KIND.make)(&[60.0, 20.0]);
    assert_eq!(rule.values(), [60.0, 20.0]);
    let rules = Rules::default().with(LargestShare { share: 60.0, margin: 20.0 });
    let of = |values: &[i64]| assess(&plain(values), CellId(0), &rules);
    assert_eq!(of(&[60, 30, 10]).status, Status::Safe);
    let unsafe_cell = of(&[61, 29, 10]);
    assert_eq!(unsafe_cell.status, Status::Primary(Reason::Dominance));
    assert_eq!(unsafe_cell.protection, Protection { lower: 20, upper: 20, sliding: 0 });
}
