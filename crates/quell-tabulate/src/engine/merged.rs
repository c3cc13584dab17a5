//! Records of one contributor taken together.

use quell_model::Value;

use crate::number::rounded;
use crate::{Contribution, ProtectionRequest};

/// What some records of one contributor add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Merged {
    pub(super) value: Value,
    pub(super) weighted: Value,
    pub(super) lightest: Value,
    pub(super) heaviest: Value,
}

impl Merged {
    pub(super) fn add(&mut self, other: &Self) {
        self.value += other.value;
        self.weighted += other.weighted;
        self.lightest = self.lightest.min(other.lightest);
        self.heaviest = self.heaviest.max(other.heaviest);
    }

    /// The contribution. Its weight is that of the records, or what it comes to if they differ.
    pub(super) fn contribution(&self, unit: Value, request: ProtectionRequest) -> Contribution {
        let weight = if self.lightest == self.heaviest || self.value == 0 {
            self.heaviest
        } else {
            let weighted = i128::from(self.weighted).abs() * i128::from(unit);
            let ratio = rounded(weighted, i128::from(self.value).abs());
            let (lightest, heaviest) = (i128::from(self.lightest), i128::from(self.heaviest));
            ratio.clamp(lightest, heaviest) as Value
        };
        Contribution { value: self.value, weight, request }
    }
}
