//! The real command: its output, exit codes and files.

mod audit;
mod cases;
mod convert;
mod generate;
mod micro;
mod mistakes;
mod runner;
mod unpick;
mod usage;
