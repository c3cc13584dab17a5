//! `quell generate herrington`.

use clap::Args;
use quell::Error;
use quell_gen::{Herrington, Primaries};

use super::{Target, WeightsChoice};

/// Options of the class herrington.
#[derive(Debug, Args)]
pub struct HerringtonArguments {
    #[command(flatten)]
    pub(super) target: Target,

    /// A table of the paper by its name, such as 10000Cells1
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// Rows, without the total [default: 100]
    #[arg(long, value_name = "N", conflicts_with = "preset")]
    rows: Option<usize>,

    /// Columns, without the total [default: 100]
    #[arg(long, value_name = "N", conflicts_with = "preset")]
    columns: Option<usize>,

    /// Share of internal cells that are primary [default: 0.005]
    #[arg(long, value_name = "SHARE", conflicts_with_all = ["primaries", "preset"])]
    primary_share: Option<f64>,

    /// Number of internal cells that are primary
    #[arg(long, value_name = "N", conflicts_with = "preset")]
    primaries: Option<usize>,

    /// Internal values are uniform from 0 up to this
    #[arg(long, value_name = "VALUE", default_value_t = 1000.0)]
    largest: f64,

    /// Both protection levels, in percent of the value
    #[arg(long, value_name = "PERCENT", default_value_t = 10.0)]
    level_percent: f64,

    /// What suppressing a cell costs
    #[arg(long, value_enum, default_value_t = WeightsChoice::Value)]
    weights: WeightsChoice,

    /// Decimals of all values
    #[arg(long, value_name = "N", default_value_t = 2)]
    decimals: u8,
}

impl HerringtonArguments {
    pub(super) fn parameters(&self) -> Result<Herrington, Error> {
        let presets = Herrington::presets();
        let start = match &self.preset {
            None => Herrington::default(),
            Some(name) => {
                let found = presets.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
                found.map(|(_, table)| table.clone()).ok_or_else(|| {
                    let names = presets.each_ref().map(|(name, _)| *name).join(", ");
                    let message = format!("there is no preset called \"{name}\"");
                    Error::arguments(message, format!("the presets are {names}"))
                })?
            }
        };
        let primaries = match (self.primaries, self.primary_share) {
            (Some(count), _) => Primaries::Count(count),
            (_, Some(share)) => Primaries::Share(share),
            _ => start.primaries,
        };
        Ok(Herrington {
            rows: self.rows.unwrap_or(start.rows),
            columns: self.columns.unwrap_or(start.columns),
            primaries,
            largest: self.largest,
            level_percent: self.level_percent,
            weights: self.weights.into(),
            decimals: self.decimals,
        })
    }
}
