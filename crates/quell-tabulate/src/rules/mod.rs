//! Sensitivity rules: which cells may not be published, and how much protection they need.
//!
//! Each rule is one file behind the trait [`Rule`]; its declaration, a [`RuleKind`], is all that
//! job files, `.arb` files, reports and `docs/rules.md` know of it. To add a rule, write its
//! file and put it into [`RULES`]; `CONTRIBUTING.md` walks through it.
//!
//! The meaning is that of τ-ARGUS; `docs/rules.md` explains each rule with numbers. Tests are
//! exact: parameters are taken to millionths and compared in integers, so that a cell that
//! meets a limit exactly is on the right side of it.

mod amounts;
mod apriori;
mod assess;
mod dominance;
mod frequency;
mod p_percent;
mod request;
mod rule;
mod set;
mod settings;
mod sum;
mod view;
mod zero;

pub use amounts::Shortfall;
pub use apriori::{Apriori, Directive, Refusal, TrivialLevels, apply_apriori};
pub use assess::{Assessment, Violation, assess, assess_all, assess_all_within};
pub use dominance::Dominance;
pub use frequency::Frequency;
pub use p_percent::PriorPosterior;
pub use request::OnRequest;
pub use rule::{
    ArgusForm, Demand, IncompleteRule, Needs, Parameter, Rule, RuleKind, Scope, Unit,
    WrongParameter,
};
pub use set::{RuleSet, Rules, Sides};
pub use settings::{MANUAL_MARGIN, MINIMUM_LEVEL, SETTINGS, Setting};
pub(crate) use sum::on_sums;
pub use sum::{RulesOnSums, SumsBy};
pub use view::{Largest, View};
pub use zero::ZeroUnsafe;

/// All kinds of rules. Their order is the order of the decision: the first that a cell violates
/// is the reason it is sensitive for.
pub static RULES: &[&RuleKind] =
    &[&dominance::KIND, &p_percent::KIND, &request::KIND, &frequency::KIND, &zero::KIND];
