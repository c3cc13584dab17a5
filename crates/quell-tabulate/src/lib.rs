//! From microdata to tables, and from tables to a problem of disclosure control.
//!
//! ```text
//! Spec ──tabulate──► Table ──assess_all──► Assessment ─┐
//!                      │  └──Cost::of────► costs ──────┼──► problem ──► quell_model::Problem
//!                      └────linked───────► Linked ─────┘
//! ```
//!
//! - [`Spec`]: which tables to make of which [`Records`](quell_data::Records);
//! - [`Table`], [`CellSummary`]: what is known of each cell, contributions merged by
//!   respondent and by holding;
//! - [`GivenTable`]: tables that someone else made, as the same [`Table`];
//! - [`Rules`], [`assess_all`]: which cells are unsafe and how much protection they need;
//! - [`Cost`], [`AttackerBounds`]: what suppression costs, what an attacker knows;
//! - [`linked`], [`problem()`]: tables that share cells as one system to protect;
//! - [`contributions()`], [`RulesOnSums`]: contributors as attackers on it.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod bounds;
mod contribution;
mod contributions;
mod cost;
mod empty;
mod engine;
mod error;
mod given;
mod link;
mod number;
mod problem;
mod rules;
mod spec;
mod summary;
mod table;
mod watch;

pub use bounds::AttackerBounds;
pub use contribution::{Contribution, ContributorKey, ProtectionRequest, Top};
pub use contributions::contributions;
pub use cost::{Cost, CostMeasure, SMALLEST_COST, Transformation};
pub use empty::{EmptyCells, TooManyEmpty, let_empty_be_hidden};
pub use engine::{Resources, distinct_codes, tabulate};
pub use error::{Error, UnknownCode};
pub use given::{Additivity, GivenError, GivenRow, GivenTable};
pub use link::{LinkError, Linked, ResponseEquation, TableCell, linked, linked_within};
pub use problem::{Prepared, problem};
pub use quell_data::Place;
pub use rules::{
    Apriori, ArgusForm, Assessment, Demand, Directive, Dominance, Frequency, IncompleteRule,
    Largest, MANUAL_MARGIN, MINIMUM_LEVEL, Needs, OnRequest, Parameter, PriorPosterior, RULES,
    Refusal, Rule, RuleKind, RuleSet, Rules, RulesOnSums, SETTINGS, Scope, Setting, Shortfall,
    Sides, SumsBy, TrivialLevels, Unit, View, Violation, WrongParameter, ZeroUnsafe, apply_apriori,
    assess, assess_all, assess_all_within,
};
pub use spec::{Axis, CodeMatch, Request, Response, Spec, TableSpec, Waiver};
pub use summary::{CellSummary, Contributors, Who};
pub use table::{Attribution, Table, Tabulated};
