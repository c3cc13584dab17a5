//! Every method on random tables of every shape, against an attacker that shares nothing
//! with the methods nor with the audit.

mod attacker;
mod bibliography;
mod checkpoints;
mod every_method;
mod exact;
mod gauss;
mod hybrid;
mod kelly_ilp;
mod layers;
mod local_lp;
mod standing;
mod time;
mod two_way;
