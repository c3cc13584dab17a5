//! The real command: its output, exit codes and files.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails loudly")]

mod adjust;
mod argus;
mod attackers;
mod audit;
mod bibliography;
mod broken;
mod cases;
mod checkpoints;
mod compare;
mod convert;
mod formats;
mod generate;
mod given;
mod job;
mod kills;
mod micro;
mod micro_job;
mod micro_thresholds;
mod mistakes;
mod readme;
mod report;
mod runner;
#[path = "../../../quell-data/tests/it/samples.rs"]
mod samples;
mod trust;
mod unpick;
mod usage;
