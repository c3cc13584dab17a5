//! What the library promises to those who call it.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails loudly")]

mod arrow_table;
mod calls;
mod cancel;
mod cancelled_jobs;
mod candidates;
mod example;
mod from_arb;
mod inputs;
mod jobs;
