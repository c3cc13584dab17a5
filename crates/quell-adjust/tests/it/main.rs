#![allow(clippy::unwrap_used, reason = "a test that unwraps fails loudly")]

//! Every method on small tables, against brute force that shares nothing with them.

mod attack;
mod brute_force;
mod campaign;
mod conflict;
mod every_method;
mod layers;
mod options;
mod tables;
