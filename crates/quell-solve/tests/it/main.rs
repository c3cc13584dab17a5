//! Behaviour of the crate, checked against brute force and other solvers on thousands of random
//! cases.

// Helpers of tests may unwrap as tests may: a failure is what they are for.
#![allow(clippy::unwrap_used)]

mod first_order;
mod lp;
mod mip;
mod network;
mod random;
mod rational;
mod rays;
mod warm_start;
