//! The real command: its output, exit codes and files.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails loudly")]

mod audit;
mod cases;
mod convert;
mod generate;
mod micro;
mod mistakes;
mod readme;
mod runner;
mod unpick;
mod usage;
