//! Behaviour of tabulation, rules and linking, on small invented data.

mod brute_force;
mod files;
mod given;
mod link;
mod mistakes;
mod rules;
mod survey;
