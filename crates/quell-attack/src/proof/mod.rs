//! Proofs about single cells: movements that show how far a cell can go, and limits that show
//! how far it cannot.
//!
//! One file for each way of proving: `flow` in networks, `boxes` in dense tables, `exchange` in
//! sparse ones, `barrier` for hundreds of primaries at once (made exact by `repair`), `region`,
//! `pieces` and `cheapest` for single ones, `lp` and `vertex` for what is left, `dual` for
//! limits. `prove` chains them, `ledger` keeps the account, and `verify` checks every certificate
//! without a solver.

pub(crate) mod barrier;
pub(crate) mod boxes;
pub(crate) mod cheapest;
pub(crate) mod dual;
pub(crate) mod exact;
pub(crate) mod exact_movements;
pub(crate) mod exchange;
pub(crate) mod flow;
pub(crate) mod ledger;
pub(crate) mod lp;
pub(crate) mod pieces;
pub(crate) mod prove;
pub(crate) mod region;
pub(crate) mod repair;
pub(crate) mod verify;
pub(crate) mod vertex;
