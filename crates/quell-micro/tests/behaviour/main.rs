//! Behaviour of the microdata crate, in one binary.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails loudly")]

mod brute_force;
mod paper_example;
mod random_combinations;
