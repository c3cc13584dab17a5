//! Behaviour of the microdata crate, in one binary.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails loudly")]

mod brute_force;
mod cancel;
mod formats;
mod paper_example;
mod random_combinations;
#[path = "../../../quell-data/tests/it/samples.rs"]
mod samples;
mod thresholds;
