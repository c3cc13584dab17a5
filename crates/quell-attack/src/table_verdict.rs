//! What the verdicts on single primaries add up to.

use std::fmt;

use quell_model::Value;

use crate::attackers::ContributorAttack;
use crate::audit::{Counts, End, Finding, Verdict};

/// The verdict on a whole table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableVerdict {
    /// Every primary is proven safe.
    Safe,
    /// Some primary is proven exposed.
    NotSafe,
    /// No primary is proven exposed, but not all are proven safe.
    NotProven,
}

impl TableVerdict {
    /// The verdict that those on the primaries add up to.
    pub fn of(counts: Counts) -> Self {
        if counts.exposed_exactly + counts.exposed_within > 0 {
            Self::NotSafe
        } else if counts.undecided > 0 {
            Self::NotProven
        } else {
            Self::Safe
        }
    }
}

impl ContributorAttack {
    /// The outside attacker's verdicts, counted together with what contributors learn beyond
    /// them.
    pub fn counts_with(&self, mut counts: Counts) -> Counts {
        let pairs = self.unsafe_pairs.iter().map(|pair| pair.finding.verdict);
        for verdict in pairs.chain(self.unsafe_sums.iter().map(|sum| sum.verdict)) {
            match verdict {
                Verdict::Undecided => counts.undecided += 1,
                _ => counts.exposed_within += 1,
            }
        }
        counts
    }
}

impl TableVerdict {
    /// The word for it in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::NotSafe => "not-safe",
            Self::NotProven => "not-proven",
        }
    }
}

impl fmt::Display for TableVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Safe => "SAFE",
            Self::NotSafe => "NOT SAFE",
            Self::NotProven => "NOT PROVEN",
        })
    }
}

impl Finding {
    /// How much there is to spare, in units of the table: the least over both ends and
    /// the width of the interval.
    ///
    /// For a safe primary what its certificates prove beyond its levels, so never
    /// negative; for an exposed one what its limits leave short of them, so always
    /// negative; for an undecided one what its certificates still lack.
    pub fn slack(&self) -> Value {
        let reach = |end: End| match self.verdict {
            Verdict::Safe | Verdict::Undecided => end.at_least,
            Verdict::ExposedExactly | Verdict::ExposedWithin => end.at_most,
        };
        let (down, up) = (reach(self.down), reach(self.up));
        let spare = |reach: Value, required: Value| reach.saturating_sub(required);
        let least = spare(down, self.down.required)
            .min(spare(up, self.up.required))
            .min(spare(down.saturating_add(up), self.width));
        match self.verdict {
            // Both ends are rounded down, so their sum may be a unit short.
            Verdict::Safe => least.max(0),
            _ => least,
        }
    }
}
