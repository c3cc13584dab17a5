//! `quell generate ons`.

use clap::{Args, ValueEnum};
use quell::Error;
use quell_gen::{
    Contributors, DimensionSize, EmptyCells, Levels, Ons, PRESETS, Preset, UpperBound,
};

use super::{Target, WeightsChoice};

/// What the upper bound is a multiple of.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum UpperBoundChoice {
    /// The grand total
    Total,
    /// The cell's own value
    Own,
    /// Nothing: the attacker knows no upper bound
    None,
}

/// Options of the class ons.
#[derive(Debug, Args)]
pub struct OnsArguments {
    #[command(flatten)]
    pub(super) target: Target,

    /// Sizes of the dimensions, totals included, H for one with sub-totals: 100,158H,9
    #[arg(long, value_delimiter = ',', value_name = "SIZES", conflicts_with = "preset")]
    dims: Option<Vec<DimensionSize>>,

    /// A table of serpell-2011 by its shape, such as 100x100x100; a wrong name lists all
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// Share of all cells that have at most the threshold's number of contributors
    #[arg(long, value_name = "SHARE", conflicts_with = "mean")]
    primary_share: Option<f64>,

    /// Mean number of contributors of a base cell that is not empty
    #[arg(long, value_name = "MEAN")]
    mean: Option<f64>,

    /// Share of base cells without contributors [default: 0]
    #[arg(long, value_name = "SHARE")]
    zeros: Option<f64>,

    /// Cells with at most so many contributors are primary; 0 for no such rule
    #[arg(long, value_name = "N", default_value_t = 2)]
    threshold: u32,

    /// Cells that fail the p% rule with this p are primary
    #[arg(long, value_name = "P")]
    p_percent: Option<f64>,

    /// Both protection levels, in percent of the value
    #[arg(long, value_name = "PERCENT", default_value_t = 10.0)]
    level_percent: f64,

    /// Cells that fail the p% rule get the levels that the rule asks for
    #[arg(long, requires = "p_percent")]
    levels_from_rule: bool,

    /// What suppressing a cell costs
    #[arg(long, value_enum, default_value_t = WeightsChoice::Value)]
    weights: WeightsChoice,

    /// What the attacker's upper bound is a multiple of; his lower bound is 0
    #[arg(long, value_enum, default_value_t = UpperBoundChoice::Total, value_name = "OF")]
    upper_bound: UpperBoundChoice,

    /// The multiple
    #[arg(long, value_name = "FACTOR", default_value_t = 2.0)]
    upper_factor: f64,

    /// Decimals of all values
    #[arg(long, value_name = "N", default_value_t = 2)]
    decimals: u8,

    /// Keep empty cells as published zeros instead of leaving them out
    #[arg(long)]
    publish_zeros: bool,
}

impl OnsArguments {
    pub(super) fn parameters(&self) -> Result<Ons, Error> {
        let start = match &self.preset {
            None => Ons::default(),
            Some(name) => Preset::find(name).map(Preset::parameters).ok_or_else(|| {
                let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
                let advice = format!("the presets are {}", names.join(", "));
                Error::arguments(format!("there is no preset called \"{name}\""), advice)
            })?,
        };
        let contributors = match (self.mean, self.primary_share) {
            (Some(mean), _) => Contributors::Mean(mean),
            (_, Some(share)) => Contributors::PrimaryShare(share),
            _ => start.contributors,
        };
        let upper_bound = match self.upper_bound {
            UpperBoundChoice::Total => UpperBound::GrandTotal(self.upper_factor),
            UpperBoundChoice::Own => UpperBound::OwnValue(self.upper_factor),
            UpperBoundChoice::None => UpperBound::Unbounded,
        };
        Ok(Ons {
            dimensions: self.dims.clone().unwrap_or(start.dimensions),
            contributors,
            zeros: self.zeros.unwrap_or(start.zeros),
            threshold: (self.threshold > 0).then_some(self.threshold),
            p_percent: self.p_percent,
            levels: match self.levels_from_rule {
                true => Levels::FromRule(self.level_percent),
                false => Levels::Percent(self.level_percent),
            },
            weights: self.weights.into(),
            upper_bound,
            decimals: self.decimals,
            empty_cells: match self.publish_zeros {
                true => EmptyCells::Published,
                false => EmptyCells::Absent,
            },
        })
    }
}
