//! Behaviour of readers, on small invented files.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails loudly")]

mod broken;
mod described;
mod samples;
mod typed;
