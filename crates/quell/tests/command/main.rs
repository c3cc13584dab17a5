//! The real command: its output, exit codes and files.

mod convert;
mod generate;
mod micro;
mod mistakes;
mod runner;
mod usage;
