//! Every method on random tables of every shape, against an attacker that shares nothing
//! with the methods nor with the audit.

mod attacker;
mod checkpoints;
mod contributors;
mod every_method;
mod everything;
mod exact;
mod gauss;
mod hybrid;
mod kelly_ilp;
mod layers;
mod local_lp;
#[path = "../../../quell-tabulate/tests/it/recipes.rs"]
mod recipes;
mod standing;
mod time;
mod two_way;
