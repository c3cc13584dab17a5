//! How small a number is nothing, and how near two are the same.
//!
//! Floating point proposes here, integers decide: no verdict rests on these. They only say which
//! of a solver's numbers are worth a look in exact arithmetic.

/// A solution this near to a bound, relative to it, attains it: rounding of a simplex vertex.
pub(crate) const ATTAINED: f64 = 1e-9;

/// Movements smaller than this (in solver units) are rounding errors: far below the feasibility
/// tolerance of 10⁻⁷, above the rounding of a vertex.
pub(crate) const AT_REST: f64 = 1e-9;

/// How far from a fraction a vertex's coordinate may be (in solver units) to be read as it: the
/// fractions tried are at least 10⁻⁶ apart, and what is read wrongly fails the exact check.
pub(crate) const FRACTION: f64 = 1e-4;

/// How far a vertex is pulled towards zero to gain room for rounding: ten times the feasibility
/// tolerance.
pub(crate) const PULL: f64 = 1e-6;

/// A Newton step that gains less than this share of the barrier's weight is the last at it: the
/// point is then centred to better than the next weight needs.
pub(crate) const CENTRED: f64 = 1e-3;

/// Stands for zero where a stopping value is a share of a norm: a system without a right-hand
/// side is solved at once.
pub(crate) const SMALLEST_NORM: f64 = 1e-300;
