//! From microdata to tables, and from tables to a problem of disclosure control.
//!
//! ```text
//! Spec ──tabulate──► Table ──assess_all──► Assessment ─┐
//!                      │  └──Cost::of────► costs ──────┼──► problem ──► quell_model::Problem
//!                      └────linked───────► Linked ─────┘
//! ```
//!
//! - [`Microdata`], [`Spec`]: where the records are and which tables to make of them;
//! - [`Table`], [`CellSummary`]: what is known of each cell, contributions merged by
//!   respondent and by holding;
//! - [`GivenTable`]: tables that someone else made, as the same [`Table`];
//! - [`Rules`], [`assess_all`]: which cells are unsafe and how much protection they need;
//! - [`Cost`], [`AttackerBounds`]: what suppression costs, what an attacker knows;
//! - [`linked`], [`problem()`]: tables that share cells as one system to protect.

mod bounds;
mod contribution;
mod cost;
mod engine;
mod error;
mod given;
mod link;
mod number;
mod problem;
mod rules;
mod source;
mod spec;
mod summary;
mod table;

pub use bounds::AttackerBounds;
pub use contribution::{Contribution, Top, Wish};
pub use cost::{Cost, CostMeasure, SMALLEST_COST, Transformation};
pub use engine::{Resources, distinct_codes, tabulate};
pub use error::{Error, Place, UnknownCode};
pub use given::{Additivity, GivenError, GivenRow, GivenTable};
pub use link::{LinkError, Linked, ResponseEquation, TableCell, linked};
pub use problem::{Prepared, problem};
pub use rules::{
    Apriori, Assessment, ContributorRules, Directive, Dominance, Frequency, OnRequest,
    PriorPosterior, Refusal, Rules, Sides, TrivialLevels, Violation, apply_apriori, assess,
    assess_all,
};
pub use source::{Field, Layout, Microdata, Variable};
pub use spec::{Axis, CodeMatch, Request, Response, Spec, TableSpec, Waiver};
pub use summary::{CellSummary, Contributors};
pub use table::{Table, Tabulated};
