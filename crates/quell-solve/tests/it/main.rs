//! Behaviour of the crate, checked against brute force and other solvers on thousands of random cases.

mod lp;
mod mip;
mod random;
mod rays;
mod warm_start;
