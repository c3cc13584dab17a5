//! How small a number is nothing, and how near two are the same.
//!
//! Costs are sums of `f64`; movements and tables are whole numbers and checked exactly by the
//! audit.

/// Two costs this near, as a share, are the same: rounding of sums.
pub(crate) const SAME_COST_SHARE: f64 = 1e-9;

/// Two costs this near are the same: the absolute gap at which HiGHS calls an integer program
/// solved.
pub(crate) const SAME_COST: f64 = 1e-6;

/// A search counts a lower cost as a gain from here on; less is rounding of sums that are kept
/// up to date step by step.
pub(crate) const GAIN: f64 = 1e-9;

/// The same for costs that a linear program gives: its feasibility tolerance.
pub(crate) const PROGRAM_GAIN: f64 = 1e-7;

/// A solver's bound is believed but for this share.
pub(crate) const BOUND: f64 = 1e-9;

/// A solver's numbers this near to a whole one are whole: above what scaling leaves of its
/// feasibility tolerance, and checked exactly when rounded.
pub(crate) const NEAR_WHOLE: f64 = 1e-5;

/// Rounding need not be better than this share.
pub(crate) const ROUNDING_GAP: f64 = 1e-5;

/// Amounts and values of 0/1 variables this near to a whole number are it: the solver's
/// integrality tolerance.
pub(crate) const INTEGRAL: f64 = 1e-6;

/// The slack of a statistic to be kept, as a share of its limit and in its own units: rounding
/// of its sum.
pub(crate) const STATISTIC: (f64, f64) = (1e-9, 1e-6);

/// Costs and temperatures are at least this, so that nothing is divided by zero.
pub(crate) const LEAST_POSITIVE: f64 = 1e-9;

/// Stands for zero in a logarithm.
pub(crate) const LEAST_CHANCE: f64 = 1e-300;
