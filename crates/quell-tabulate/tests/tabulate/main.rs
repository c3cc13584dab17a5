//! Behaviour of tabulation, rules and linking, on small invented data.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails loudly")]

mod brute_force;
mod files;
mod given;
mod link;
mod mistakes;
mod rules;
mod spill;
mod survey;
