//! What may and must happen to a cell.

/// Why a cell is primary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The input says so, without a reason.
    Given,
    /// Too few contributors.
    Frequency,
    /// The (n, k) dominance rule.
    Dominance,
    /// The p% or pq prior-posterior rule.
    PPercent,
    /// A contributor asked for it.
    Request,
    /// A zero that would disclose.
    Zero,
    /// Set by hand or by an a-priori file.
    Manual,
}

/// The status of a cell before and after protection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// May be published, may be suppressed to protect others.
    Safe,
    /// Must be published (or is empty): never suppressed.
    Protected,
    /// Sensitive: always suppressed.
    Primary(Reason),
    /// Not sensitive, suppressed to protect primaries.
    Secondary,
}

impl Status {
    /// Whether the cell is sensitive.
    pub fn is_primary(self) -> bool {
        matches!(self, Self::Primary(_))
    }

    /// Whether the cell is hidden from the attacker.
    pub fn is_suppressed(self) -> bool {
        matches!(self, Self::Primary(_) | Self::Secondary)
    }
}
