//! The tables of the measurements by name.

use std::error::Error;

use quell_gen::{Preset, Sparse};
use quell_model::Problem;

/// The table of a name and a seed: a shape of serpell-2011, or `giant` with its number of
/// base cells.
pub fn table(name: &str, seed: u64) -> Result<Problem, Box<dyn Error>> {
    if let Some(base_cells) = name.strip_prefix("giant:") {
        return Ok(Sparse::giant_of(base_cells.parse()?).generate(seed)?);
    }
    let preset = Preset::find(name).ok_or_else(|| format!("there is no table {name}"))?;
    Ok(preset.parameters().generate(seed)?)
}
