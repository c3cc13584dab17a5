//! `quell generate cta`.

use clap::Args;
use quell_gen::Cta;

use super::Target;

/// Options of the class cta.
#[derive(Debug, Args)]
pub struct CtaArguments {
    #[command(flatten)]
    pub(super) target: Target,

    /// Sizes of the dimensions, without totals
    #[arg(long, value_delimiter = ',', value_name = "SIZES", default_value = "10,10,10")]
    sizes: Vec<usize>,

    /// Internal values are uniform from 0 up to this
    #[arg(long, value_name = "VALUE", default_value_t = 1000.0)]
    largest: f64,

    /// Share of internal entries that are zero
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    zeros: f64,

    /// Share of internal entries that are sensitive
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    sensitive: f64,

    /// How far a sensitive value must move, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 20.0)]
    level_percent: f64,

    /// How far any value may move, in percent: its bounds
    #[arg(long, value_name = "PERCENT", default_value_t = 20.0)]
    limit_percent: f64,

    /// Decimals of all values
    #[arg(long, value_name = "N", default_value_t = 0)]
    decimals: u8,
}

impl CtaArguments {
    pub(super) fn parameters(&self) -> Cta {
        Cta {
            sizes: self.sizes.clone(),
            largest: self.largest,
            zeros: self.zeros,
            sensitive: self.sensitive,
            level_percent: self.level_percent,
            limit_percent: self.limit_percent,
            decimals: self.decimals,
        }
    }
}
