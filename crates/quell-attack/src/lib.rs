//! What an intruder can learn from a table with hidden cells, and proofs of what he
//! cannot.
//!
//! - [`unpick`]: bounds from one equation at a time, and the order in which cells fall;
//! - [`intervals`]: the exact interval of every hidden cell;
//! - [`audit`]: a proven verdict for every primary cell, and what they add up to for the
//!   whole table ([`TableVerdict`]);
//! - [`ExactMovements`]: exact movements near approximate ones;
//! - [`verify`]: the check of a certificate, exact and without a solver;
//! - [`ExposureSets`]: which primaries need protecting (serpell-2013).
//!
//! Inside, `view` is what an attacker sees, `proof` has one file for each way of proving, `audit`
//! turns proofs into verdicts, and `attackers` has one file for each attacker.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod attackers;
mod audit;
mod proof;
mod table_verdict;
#[cfg(test)]
mod tests;
mod tolerance;
mod view;

pub use attackers::{
    CandidateAlgorithm, Cells, ContributorAttack, ContributorFinding, Exposure, ExposureSets,
    Interval, SafePairs, SensitiveSum, SumFinding, Unpicked, contributor_attack,
    contributor_attack_again, contributor_suspects, extended_pattern, intervals, sensitive_sums,
    unpick, with_sums,
};
pub use audit::{
    Audit, AuditError, Counts, End, Finding, Verdict, audit, audit_for_repair, movements_for,
    quick_audit,
};
pub use proof::exact_movements::{ExactMovement, ExactMovements};
pub use proof::verify::{CertificateError, verify};
pub use table_verdict::TableVerdict;
