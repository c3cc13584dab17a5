//! Behaviour of the microdata crate, in one binary.

mod brute_force;
mod paper_example;
