//! How small a number is nothing, and how near two are the same.
//!
//! Linear programs are solved to a feasibility tolerance of 10⁻⁷ and whole numbers to 10⁻⁶
//! ([`quell_solve::tolerance`]). Sums of a million `f64` terms are good to about 10⁻¹⁰. Whatever
//! is decided here by such a tolerance is only proposed: the audit decides exactly.

/// Two sums of costs this near, as a share, are the same: sums in another order differ by rounding.
pub(crate) const SAME_COST: f64 = 1e-9;

/// How far a movement may miss a requirement or leave a bound, as a share of its size: what the
/// linear programs' feasibility tolerance leaves.
pub(crate) const MOVEMENT: f64 = 1e-7;

/// Movements below this share of the requirement are rounding of a simplex solver: its vertices
/// keep cells that do not move at zero to far better than its feasibility tolerance.
pub(crate) const AT_REST: f64 = 1e-9;

/// The same for programs that hold many requirements of different sizes: the unit is that of the
/// largest, so that rounding is larger as a share of the smallest.
pub(crate) const AT_REST_IN_GROUP: f64 = 1e-6;

/// The same for a first-order method, which is stopped at an imbalance of 10⁻⁴.
pub(crate) const AT_REST_FIRST_ORDER: f64 = 1e-5;

/// Reduced costs this small, as a share of the cost, are rounding: the solver's dual feasibility
/// tolerance.
pub(crate) const REDUCED_COST: f64 = 1e-7;

/// Multipliers of equations (and their sums) this small are rounding: a hundredth of the dual
/// feasibility tolerance, so that none that matters is left out of a cut.
pub(crate) const MULTIPLIER: f64 = 1e-9;

/// The dual of a cut below which it plays no part in the reduced costs: far below what
/// [`REDUCED_COST`] would see.
pub(crate) const SLACK_DUAL: f64 = 1e-12;

/// Point values this near to 0 or 1 count as such, and coefficients' sums this near to what is
/// missing make up for it: the solver's integrality tolerance.
pub(crate) const INTEGRAL: f64 = 1e-6;

/// By how much, as a share, an attacker must miss his goal to count: more than the feasibility
/// tolerance, so that no cut rests on it.
pub(crate) const MISSED_GOAL: f64 = 1e-6;

/// A cut is violated clearly by so much: less is within the tolerances of the two programs that
/// made the point and the cut.
pub(crate) const CLEARLY_VIOLATED: f64 = 1e-4;

/// A point's value below which a cell counts as published in a flow.
pub(crate) const IN_SUPPORT: f64 = 1e-9;

/// How far rounding may carry a quotient across a whole number: a few units in the last place of
/// numbers up to a million.
pub(crate) const QUOTIENT_ROUNDING: f64 = 1e-9;

/// The tightest integrality that HiGHS knows, for a 0/1 variable that multiplies wide bounds: a
/// cell with wide bounds moves a long way for a little of its variable.
pub(crate) const TIGHT_INTEGRALITY: f64 = quell_solve::tolerance::TIGHTEST;

/// How far a row may be violated in such a program, for the same reason.
pub(crate) const TIGHT_FEASIBILITY: f64 = 1e-9;

/// The share of a cost within which the bound of an integer program meets it: the solver's own
/// tolerances.
pub(crate) const MET_BOUND: f64 = 1e-7;

/// A weight this near to a number of few digits is that number.
pub(crate) const WEIGHT_DIGITS: f64 = 1e-6;

/// The least gain that branching is taken to bring: with zero a cell that gains on one side only
/// would count for nothing.
pub(crate) const LEAST_BRANCH_GAIN: f64 = 1e-6;
