//! The fourteen statuses of a cell.

/// The status of a cell, by τ-ARGUS' numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum CellStatus {
    /// 1: safe by the rules.
    Safe = 1,
    /// 2: safe because someone said so.
    SafeManual = 2,
    /// 3: unsafe by dominance or p%.
    UnsafeRule = 3,
    /// 4: unsafe on request.
    UnsafeRequest = 4,
    /// 5: too few contributors.
    UnsafeFrequency = 5,
    /// 6: a zero that discloses.
    UnsafeZero = 6,
    /// 7: a singleton; no longer given.
    UnsafeSingleton = 7,
    /// 8: a singleton set by hand; no longer given.
    UnsafeSingletonManual = 8,
    /// 9: unsafe because someone said so.
    UnsafeManual = 9,
    /// 10: may not be suppressed.
    Protected = 10,
    /// 11: suppressed to protect others.
    Secondary = 11,
    /// 12: suppressed to protect others because someone said so.
    SecondaryManual = 12,
    /// 13: empty by chance, so that a contributor is thinkable.
    EmptyNonStructural = 13,
    /// 14: empty.
    Empty = 14,
}

impl CellStatus {
    /// All of them by number.
    pub const ALL: [Self; 14] = [
        Self::Safe,
        Self::SafeManual,
        Self::UnsafeRule,
        Self::UnsafeRequest,
        Self::UnsafeFrequency,
        Self::UnsafeZero,
        Self::UnsafeSingleton,
        Self::UnsafeSingletonManual,
        Self::UnsafeManual,
        Self::Protected,
        Self::Secondary,
        Self::SecondaryManual,
        Self::EmptyNonStructural,
        Self::Empty,
    ];

    /// Its number.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// Its letter in table files.
    pub fn letter(self) -> &'static str {
        match self {
            Self::Safe | Self::SafeManual => "S",
            Self::Protected => "P",
            Self::Secondary | Self::SecondaryManual => "M",
            Self::EmptyNonStructural | Self::Empty => "E",
            _ => "U",
        }
    }

    /// Whether the value may not be published.
    pub fn is_suppressed(self) -> bool {
        matches!(self.letter(), "U" | "M")
    }

    /// Whether the cell is sensitive by itself.
    pub fn is_unsafe(self) -> bool {
        self.letter() == "U"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_tau_argus() {
        let numbers: Vec<u8> = CellStatus::ALL.iter().map(|status| status.number()).collect();
        assert_eq!(numbers, (1..=14).collect::<Vec<_>>());
        let hidden = CellStatus::ALL.iter().filter(|status| status.is_suppressed());
        let hidden: Vec<u8> = hidden.map(|status| status.number()).collect();
        assert_eq!(hidden, [3, 4, 5, 6, 7, 8, 9, 11, 12]);
    }
}
