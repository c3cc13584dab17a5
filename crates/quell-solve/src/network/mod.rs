//! Flows in networks, with whole-number capacities.
//!
//! A [`Network`] is built once and asked many times: capacities may be changed between queries,
//! and a query undoes only what the one before has touched. [`MaxFlow`] is the search, with its
//! working memory.

mod graph;
mod layers;
mod max_flow;

pub use graph::{Link, MAX_CAPACITY, Network};
pub use max_flow::MaxFlow;
