//! What an intruder can learn from a table with hidden cells, and proofs of what he
//! cannot.
//!
//! - [`unpick`]: bounds from one equation at a time, and the order in which cells fall;
//! - [`intervals`]: the exact interval of every hidden cell;
//! - [`audit`]: a proven verdict for every primary cell, and its [`Report`];
//! - [`Near`]: exact movements near approximate ones;
//! - [`verify`]: the check of a certificate, exact and without a solver;
//! - [`ExposureSets`]: which primaries need protecting (serpell-2013).
//!
//! Inside, one file a way of proving: [`boxes`](self), flows, barrier movements made
//! exact by `repair`, linear programs; `prove` chains them and `ledger` keeps the account.

mod audit;
mod barrier;
mod boxes;
mod cheapest;
mod contributor;
mod dual;
mod exchange;
mod exposure;
mod flow;
mod hidden;
mod interval;
mod ledger;
mod lp;
mod near;
mod pieces;
mod prove;
mod region;
mod repair;
mod report;
#[cfg(test)]
mod tests;
mod unpick;
mod verify;
mod vertex;

pub use audit::{
    Audit, AuditError, Counts, End, Finding, Verdict, audit, movements_for, quick_audit,
    usual_audit,
};
pub use contributor::{ContributorAttack, ContributorFinding, contributor_attack};
pub use exposure::{CandidateAlgorithm, Cells, ExposureSets};
pub use interval::{Interval, intervals};
pub use near::{Near, NearGuess};
pub use report::{Report, TableVerdict};
pub use unpick::{Exposure, Unpicked, unpick};
pub use verify::{CertificateError, verify};
