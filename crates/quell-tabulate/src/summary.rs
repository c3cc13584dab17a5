//! What is known of a cell before anything is decided about it.

use std::ops::AddAssign;

use quell_model::Value;

use crate::{Contribution, ContributorKey, ProtectionRequest, Top};

/// All that rules and costs may ask of a cell. Summaries of disjoint sets of records and
/// contributors add up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellSummary {
    /// The total of the response, unweighted.
    pub value: Value,
    /// The weighted total of the response; each record's product is rounded to the
    /// response's decimals, so that totals add up exactly.
    pub weighted_value: Value,
    /// The unweighted total of the cost variable; 0 without one.
    pub cost: Value,
    /// Number of records.
    pub records: u64,
    /// The sum of their weights, in units of the weights.
    pub weight: Value,
    /// Records whose response is zero.
    pub zeros: u64,
    /// Records whose response or shadow variable is negative.
    pub negatives: u64,
    /// Records whose response is missing: they count as records and add nothing.
    pub missing: u64,
    /// Who contributes, records of one respondent taken together.
    pub respondents: Contributors,
    /// The same for holdings, if there are any.
    pub holdings: Option<Box<Contributors>>,
}

/// Whose contributions are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// Those of respondents.
    Respondents,
    /// Those of holdings, all their respondents together.
    Holdings,
}

/// The contributors to a cell, and what they contribute to the shadow variable (the response,
/// if there is no other).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contributors {
    /// How many there are, those that contribute zero included.
    pub count: u64,
    /// The sum of the absolute values of their contributions. Without negative ones this is
    /// the total of the shadow variable.
    pub size: Value,
    /// The same, weighted.
    pub weighted_size: Value,
    /// How many of them signed a waiver.
    pub waived: u64,
    /// The largest absolute contribution of someone who did not.
    pub largest_unwaived: Value,
    /// The largest contributions.
    pub top: Top,
    /// One of those who are in no top list because they contribute nothing, or weigh nothing:
    /// who is alone in a cell knows it all the same.
    pub unlisted: Option<ContributorKey>,
}

impl Contributors {
    /// Nobody yet, with a list for the `wanted` largest, where a weight of 1 is `unit`.
    pub fn none(wanted: usize, unit: Value) -> Self {
        Self {
            count: 0,
            size: 0,
            weighted_size: 0,
            waived: 0,
            largest_unwaived: 0,
            top: Top::new(wanted, unit),
            unlisted: None,
        }
    }

    /// Adds one more, whose contribution weighted is `weighted`.
    pub fn add(&mut self, contribution: Contribution, weighted: Value) {
        self.count += 1;
        self.size += contribution.value.abs();
        self.weighted_size += weighted.abs();
        if contribution.request == ProtectionRequest::Waived {
            self.waived += 1;
        } else {
            self.largest_unwaived = self.largest_unwaived.max(contribution.value.abs());
        }
        if !contribution.is_listed() {
            self.unlisted = first(self.unlisted, Some(contribution.who));
        }
        self.top.add(contribution);
    }

    /// The one contributor, if nobody else contributes.
    pub fn only(&self) -> Option<ContributorKey> {
        match (self.count, self.top.entries()) {
            (1, [only]) => Some(only.who),
            (1, []) => self.unlisted,
            _ => None,
        }
    }
}

/// The same of two, whichever came first.
fn first(one: Option<ContributorKey>, other: Option<ContributorKey>) -> Option<ContributorKey> {
    [one, other].into_iter().flatten().min()
}

impl CellSummary {
    /// The summary of no records.
    pub fn empty(respondents: Contributors, holdings: Option<Box<Contributors>>) -> Self {
        Self {
            value: 0,
            weighted_value: 0,
            cost: 0,
            records: 0,
            weight: 0,
            zeros: 0,
            negatives: 0,
            missing: 0,
            respondents,
            holdings,
        }
    }
}

impl AddAssign<&Self> for Contributors {
    fn add_assign(&mut self, other: &Self) {
        self.count += other.count;
        self.size += other.size;
        self.weighted_size += other.weighted_size;
        self.waived += other.waived;
        self.largest_unwaived = self.largest_unwaived.max(other.largest_unwaived);
        self.top.merge(&other.top);
        self.unlisted = first(self.unlisted, other.unlisted);
    }
}

impl AddAssign<&Self> for CellSummary {
    fn add_assign(&mut self, other: &Self) {
        self.value += other.value;
        self.weighted_value += other.weighted_value;
        self.cost += other.cost;
        self.records += other.records;
        self.weight += other.weight;
        self.zeros += other.zeros;
        self.negatives += other.negatives;
        self.missing += other.missing;
        self.respondents += &other.respondents;
        if let (Some(own), Some(other)) = (&mut self.holdings, &other.holdings) {
            **own += other;
        }
    }
}

impl AddAssign for CellSummary {
    fn add_assign(&mut self, other: Self) {
        *self += &other;
    }
}
