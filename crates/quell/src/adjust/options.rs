//! What an adjusted table must keep, from the command line and job files.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use quell_adjust::{Cost, Distance, Keep, Limit, Options, Statistic};
use quell_model::{CellId, Problem};
use serde::Deserialize;

use super::limits;
use crate::Error;

/// What a unit of change costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DistanceOption {
    /// To the nearest safe value on either side.
    #[default]
    Minimal,
    /// As far or farther.
    AtLeast,
}

/// What an adjusted table must keep.
#[derive(Debug, Clone, Default, Args, Deserialize)]
#[command(next_help_heading = "What is kept")]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct AdjustOptions {
    /// What a unit of change costs
    #[arg(long, value_enum, default_value_t)]
    pub cost: CostOption,

    /// How far sensitive cells move
    #[arg(long, value_enum, default_value_t)]
    pub distance: DistanceOption,

    /// Other cells move by at most this percentage of their value
    #[arg(long, value_name = "PERCENT")]
    pub limit_percent: Option<f64>,

    /// A CSV file with limits of single cells, such as their sampling errors: columns cell
    /// (name or number) and limit (an amount); takes the place of the percentage
    #[arg(long, value_name = "FILE")]
    pub limits: Option<PathBuf>,

    /// Numbers of cells that are held fixed, separated by commas
    #[arg(long, value_delimiter = ',', value_name = "CELLS")]
    pub fixed: Vec<u32>,

    /// Statistics of the base cells that are kept, such as mean=0.001,slope=0.01: mean,
    /// variance, correlation or slope, each with the share it may change by
    #[arg(long, value_delimiter = ',', value_name = "STATISTICS")]
    pub keep: Vec<String>,
}

impl AdjustOptions {
    /// The options for a table, in the words of the methods.
    ///
    /// # Errors
    /// If a statistic is none, or the file of limits is faulty.
    pub fn options(&self, problem: &Problem) -> Result<Options, Error> {
        let amounts = self.limits.as_ref().map(|path| limits::read(path, problem)).transpose()?;
        let keep: Result<Vec<Keep>, Error> = self.keep.iter().map(|text| keep(text)).collect();
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
            keep: keep?,
        })
    }
}

fn keep(text: &str) -> Result<Keep, Error> {
    let wrong = || {
        Error::arguments(
            format!("\"{text}\" is no statistic to keep"),
            "expected mean, variance, correlation or slope with a share, such as mean=0.001",
        )
    };
    let (name, share) = text.split_once('=').ok_or_else(wrong)?;
    let statistic = match name.trim() {
        "mean" => Statistic::Mean,
        "variance" => Statistic::Variance,
        "correlation" => Statistic::Correlation,
        "slope" => Statistic::Slope,
        _ => return Err(wrong()),
    };
    let tolerance: f64 = share.trim().parse().map_err(|_| wrong())?;
    if !(0.0..1e6).contains(&tolerance) {
        return Err(wrong());
    }
    Ok(Keep { statistic, tolerance, cells: Vec::new() })
}
