//! How exact the solvers are: what HiGHS is left at, what is set for it, and why.

/// How far a bound or row may be violated by a solution that HiGHS calls feasible. Its default;
/// tighter ones cost iterations and are still no proof.
pub const PRIMAL_FEASIBILITY: f64 = 1e-7;

/// How far a reduced cost may have the wrong sign in a solution that HiGHS calls optimal. Its
/// default.
pub const DUAL_FEASIBILITY: f64 = 1e-7;

/// The tightest tolerance HiGHS accepts; for verdicts that must not rest on
/// [`PRIMAL_FEASIBILITY`].
pub const TIGHTEST: f64 = 1e-10;

/// How far from an integer the value of an integer column may be. The default of HiGHS.
pub const INTEGRALITY: f64 = 1e-6;

/// The relative gap at which an integer program counts as solved. HiGHS's own default is 1e-4,
/// which is no proof.
pub const RELATIVE_GAP: f64 = 0.0;

/// The absolute gap at which an integer program counts as solved: costs in units of the table
/// differ by more.
pub const ABSOLUTE_GAP: f64 = 1e-6;

/// Taken off the logarithm of a prime, so that its rounding never makes too few of them look
/// like enough.
pub(crate) const LOGARITHM: f64 = 1e-6;

/// The share added to a sum of logarithms: it covers the rounding of at most 2³² terms, each good
/// to one part in 10⁹.
pub(crate) const SUM_OF_LOGARITHMS: f64 = 1e-9;
