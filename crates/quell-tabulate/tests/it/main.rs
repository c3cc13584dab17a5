//! Behaviour of tabulation, rules and linking, on small invented data.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails loudly")]

mod brute_force;
mod files;
mod given;
mod largest_share;
mod link;
mod mistakes;
mod recipes;
mod rule_docs;
mod rules;
#[path = "../../../quell-data/tests/it/samples.rs"]
mod samples;
mod spill;
mod stop;
mod sums;
mod survey;
mod weights;
