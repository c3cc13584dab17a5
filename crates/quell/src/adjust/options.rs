//! What an adjusted table must keep, as job files and command lines say it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use quell_adjust::{Cost, Distance, Keep, Limit, Options, Statistic};
use quell_model::{CellId, Problem};
use serde::{Deserialize, Serialize};

use super::limits;
use crate::Error;

/// A statistic may change by less than this share of itself; more is no limit at all.
const LARGEST_SHARE: f64 = 1e6;

/// What a unit of change costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CostOption {
    /// The table's own weights.
    #[default]
    Weight,
    /// 1: the sum of absolute changes.
    One,
    /// 1/value: the sum of relative changes.
    Relative,
}

/// How far sensitive cells move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DistanceOption {
    /// To the nearest safe value on either side.
    #[default]
    Minimal,
    /// As far or farther.
    AtLeast,
}

/// A statistic of the base cells that is kept, with the share it may change by, such as
/// `mean=0.001`.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct KeptStatistic {
    /// Which.
    pub statistic: Statistic,
    /// By how much it may change.
    pub share: f64,
}

/// The statistics by name.
const STATISTICS: [(&str, Statistic); 4] = [
    ("mean", Statistic::Mean),
    ("variance", Statistic::Variance),
    ("correlation", Statistic::Correlation),
    ("slope", Statistic::Slope),
];

impl FromStr for KeptStatistic {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('=');
        let read = parts.and_then(|(name, share)| {
            let (_, statistic) = STATISTICS.into_iter().find(|(known, _)| *known == name.trim())?;
            let share = share.trim().parse().ok()?;
            (0.0..LARGEST_SHARE).contains(&share).then_some(Self { statistic, share })
        });
        read.ok_or_else(|| {
            format!(
                "\"{text}\" is no statistic to keep; expected mean, variance, correlation or slope \
                 with a share, such as mean=0.001"
            )
        })
    }
}

impl TryFrom<String> for KeptStatistic {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl fmt::Display for KeptStatistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = STATISTICS.iter().find(|(_, statistic)| *statistic == self.statistic);
        write!(f, "{}={}", own.map_or("", |(name, _)| name), self.share)
    }
}

impl From<KeptStatistic> for String {
    fn from(kept: KeptStatistic) -> Self {
        kept.to_string()
    }
}

/// What an adjusted table must keep.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct AdjustOptions {
    /// What a unit of change costs.
    pub cost: CostOption,
    /// How far sensitive cells move.
    pub distance: DistanceOption,
    /// Other cells move by at most this percentage of their value.
    pub limit_percent: Option<f64>,
    /// A CSV file with limits of single cells, such as their sampling errors: columns cell
    /// (name or number) and limit (an amount); takes the place of the percentage.
    pub limits: Option<PathBuf>,
    /// Numbers of cells that are held fixed.
    pub fixed: Vec<u32>,
    /// Statistics of the base cells that are kept.
    pub keep: Vec<KeptStatistic>,
}

impl AdjustOptions {
    /// The options for a table, in the words of the methods.
    ///
    /// # Errors
    /// If the file of limits is faulty.
    pub fn options(&self, problem: &Problem) -> Result<Options, Error> {
        let amounts = self.limits.as_ref().map(|path| limits::read(path, problem)).transpose()?;
        let keep = |kept: &KeptStatistic| Keep {
            statistic: kept.statistic,
            tolerance: kept.share,
            cells: Vec::new(),
        };
        Ok(Options {
            cost: match self.cost {
                CostOption::Weight => Cost::Weight,
                CostOption::One => Cost::One,
                CostOption::Relative => Cost::Relative,
            },
            distance: match self.distance {
                DistanceOption::Minimal => Distance::Minimal,
                DistanceOption::AtLeast => Distance::AtLeast,
            },
            limit: self.limit_percent.map_or(Limit::Bounds, Limit::Percent),
            amounts: amounts.unwrap_or_default(),
            fixed: self.fixed.iter().copied().map(CellId).collect(),
            keep: self.keep.iter().map(keep).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_read_with_their_shares() {
        let kept: KeptStatistic = "slope=0.01".parse().unwrap();
        assert_eq!(kept, KeptStatistic { statistic: Statistic::Slope, share: 0.01 });
        assert_eq!(kept.to_string(), "slope=0.01");
        for wrong in ["", "mean", "mode=0.1", "mean=-1", "mean=nan", "mean=1e9"] {
            assert!(wrong.parse::<KeptStatistic>().is_err(), "{wrong}");
        }
    }
}
