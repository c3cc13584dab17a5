//! The tables of the measurements by name.

use std::error::Error;

use quell_gen::{Contributors, DimensionSize, Levels, Ons, Preset, Sparse};
use quell_model::Problem;

/// Share of primaries in the tables of the measurement of growth.
const PRIMARIES_OF_GROWTH: f64 = 0.17;

/// The table of a name and a seed: a shape of serpell-2011, with `@20` behind it if levels are
/// to be 20 % of the value instead of the usual 10; `giant:N` with N base cells; or `cube:N`, a
/// flat three-way table of about N cells.
///
/// # Errors
/// If there is no such table.
pub fn table(name: &str, seed: u64) -> Result<Problem, Box<dyn Error>> {
    if let Some(base_cells) = name.strip_prefix("giant:") {
        return Ok(Sparse::giant_of(base_cells.parse()?).generate(seed)?);
    }
    if let Some(cells) = name.strip_prefix("cube:") {
        let side = cells.parse::<f64>()?.cbrt().round() as usize;
        let table = Ons {
            dimensions: vec![DimensionSize::flat(side); 3],
            contributors: Contributors::PrimaryShare(PRIMARIES_OF_GROWTH),
            ..Ons::default()
        };
        return Ok(table.generate(seed)?);
    }
    let (shape, percent) = name.split_once('@').unwrap_or((name, "10"));
    let preset = Preset::find(shape).ok_or_else(|| format!("there is no table {shape}"))?;
    let levels = Levels::Percent(percent.parse()?);
    Ok(Ons { levels, ..preset.parameters() }.generate(seed)?)
}
