//! Records of one contributor taken together.

use quell_model::Value;

use crate::{Contribution, ContributorKey, ProtectionRequest};

/// What some records of one contributor add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Merged {
    pub(super) value: Value,
    pub(super) weighted: Value,
    pub(super) lightest: Value,
    pub(super) heaviest: Value,
    /// What of it the table shows.
    pub(super) shown: Value,
}

impl Merged {
    pub(super) fn add(&mut self, other: &Self) {
        self.value += other.value;
        self.weighted += other.weighted;
        self.lightest = self.lightest.min(other.lightest);
        self.heaviest = self.heaviest.max(other.heaviest);
        self.shown += other.shown;
    }

    /// The contribution. Its weight is that of the records, or what it comes to if they differ.
    pub(super) fn contribution(
        &self,
        who: ContributorKey,
        unit: Value,
        request: ProtectionRequest,
    ) -> Contribution {
        let size = i128::from(self.value).abs();
        let weighted = i128::from(self.weighted).abs() * i128::from(unit);
        let (weight, weight_rest) = if weighted >= i128::from(self.heaviest) * size {
            (self.heaviest, 0)
        } else if self.lightest == self.heaviest || weighted <= i128::from(self.lightest) * size {
            (self.lightest, 0)
        } else {
            ((weighted / size) as Value, (weighted % size) as Value)
        };
        Contribution { who, shown: self.shown, value: self.value, weight, weight_rest, request }
    }
}
