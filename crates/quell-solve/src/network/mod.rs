//! Flows in networks, with whole-number capacities and costs.
//!
//! A [`Network`] is built once and asked many times: capacities and costs may be changed between
//! queries, and a query undoes only what the one before has touched. [`MaxFlow`] and
//! [`MinCostFlow`] are the searches, with their working memory.
//!
//! Costs are integers, not floats: shortest paths with potentials rest on sums cancelling exactly,
//! and a rounding error there shows up as a negative cost that the search cannot deal with. Whoever
//! has fractional costs scales them.

mod graph;
mod layers;
mod max_flow;
mod min_cost_flow;

pub use graph::{Link, MAX_CAPACITY, MAX_COST, Network};
pub use max_flow::MaxFlow;
pub use min_cost_flow::{Flow, MinCostFlow};
