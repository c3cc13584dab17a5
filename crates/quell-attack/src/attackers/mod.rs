//! Attackers: what each can work out from the published table and what he knows besides.
//!
//! - `unpick` and `intervals`: the outsider, who knows the table and its bounds;
//! - `contributor`: the only contributor of a hidden cell, who knows its value;
//! - `exposure`: which primaries are in danger before anything is protected (serpell-2013).

mod contributor;
mod exposure;
mod intervals;
mod unpick;

pub use self::contributor::{ContributorAttack, ContributorFinding, contributor_attack};
pub use self::exposure::{CandidateAlgorithm, Cells, ExposureSets};
pub use self::intervals::{Interval, intervals};
pub use self::unpick::{Exposure, Unpicked, unpick};
