//! Attackers: what each can work out from the published table and what he knows besides.
//!
//! - `unpick` and `intervals`: the outsider, who knows the table and its bounds;
//! - `contributor`: a contributor, who knows his part of every cell;
//! - `sums`: what equations tell of the hidden cells together;
//! - `exposure`: which primaries are in danger before anything is protected (serpell-2013).

mod contributor;
mod exposure;
mod intervals;
mod sums;
mod unpick;

pub use self::contributor::{
    ContributorAttack, ContributorFinding, SafePairs, contributor_attack, contributor_attack_again,
    contributor_suspects,
};
pub use self::exposure::{CandidateAlgorithm, Cells, ExposureSets};
pub use self::intervals::{Interval, intervals};
pub use self::sums::{SensitiveSum, SumFinding, extended_pattern, sensitive_sums, with_sums};
pub use self::unpick::{Exposure, Unpicked, unpick};
