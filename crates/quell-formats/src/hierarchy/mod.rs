//! Files that say which codes add up to which.
//!
//! Every reader gives a [`CodeTree`]: codes with their parents and the line each stands
//! on, from which [`CodeTree::to_hierarchy`] makes a [`Hierarchy`].
//!
//! | file | reader |
//! |---|---|
//! | `.hrc` of τ-ARGUS | [`crate::argus::hrc`] |
//! | CSV of level and name, as sdcHierarchies' `df` and sdcTable have it | [`level_names`] |
//! | JSON of sdcHierarchies | [`json`] |
//! | CSV of parent and child | [`parents`] |
//! | CSV of levels, coarse to fine: a correspondence table | [`level_columns`] |
//! | none: digits of the codes | [`digits`] |
//!
//! [`merge`] makes one hierarchy of several trees over the same leaves.

mod digits;
mod json;
mod level_columns;
mod level_names;
mod merge;
mod parents;
mod tree;

pub use digits::digits;
pub use json::json;
pub use level_columns::level_columns;
pub use level_names::level_names;
pub use merge::merge;
pub use parents::parents;
pub(crate) use tree::TreeBuilder;
pub use tree::{CodeNode, CodeTree};

#[cfg(doc)]
use quell_model::Hierarchy;
