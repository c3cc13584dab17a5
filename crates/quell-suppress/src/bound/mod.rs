//! Lower bounds and proofs by Benders cuts (fischetti-1999, fischetti-2001).
//!
//! The master program chooses cells, `min Σ w x`; attackers answer with cuts that any safe
//! pattern satisfies and the master's choice does not. A cut rests on multipliers of the
//! equations alone, so it is valid whatever the solver's rounding.
//!
//! - `cut`: what a cut is, and its coefficients for any cell;
//! - `separate`: violated cuts, by maximum flows or by the attacker's programs;
//! - `strengthen`: what integrality adds to a cut;
//! - `by_equations`: the bound of the cuts of single equations, for tables of any size;
//! - `master`: the linear program over the cuts, with columns priced in;
//! - `tree`: branch and cut;
//! - `choice`: the integer program over the cuts;
//! - `bounder`: all of these as one bound that grows.

mod bounder;
mod by_equations;
mod by_flow;
mod by_null_space;
mod by_program;
mod choice;
mod cut;
mod master;
mod separate;
mod strengthen;
mod tree;

pub(crate) use bounder::{Bounder, Round};
pub(crate) use by_equations::bound_by_equations;
pub(crate) use choice::{Choice, Ended, Question};
pub(crate) use cut::Row;
use master::{Master, Solved, Stay};
pub(crate) use separate::{Separator, separator};
use tree::{Tree, Visitor};
