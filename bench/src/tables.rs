//! The tables of the measurements by name.

use std::error::Error;

use quell_gen::{
    Contributors, DimensionSize, Firms, Levels, Ons, Preset, Shape, Sparse, random_problem_of,
};
use quell_model::{Problem, Random};

/// Share of primaries in the tables of the measurement of growth.
const PRIMARIES_OF_GROWTH: f64 = 0.17;

/// The table of a name and a seed: a shape of serpell-2011, with `@20` behind it if levels are
/// to be 20 % of the value instead of the usual 10; `ons:13Hx7x7` with other sizes of that class;
/// `giant:N` with N base cells; `cube:N`, a flat three-way table of about N cells; `linked:N`, two
/// linked tables of about N cells; `firms:30x20`, a flat table whose contributors are known; `office`, a table as offices publish them, or `office:N` with N
/// base cells.
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
    if let Some(sizes) = name.strip_prefix("ons:") {
        let sizes = sizes.split('x').map(str::parse::<DimensionSize>);
        let dimensions = sizes.collect::<Result<Vec<_>, _>>()?;
        return Ok(Ons { dimensions, ..Ons::default() }.generate(seed)?);
    }
    if let Some(sizes) = name.strip_prefix("firms:") {
        let sizes = sizes.split('x').map(str::parse).collect::<Result<Vec<usize>, _>>()?;
        return Ok(Firms { sizes, ..Firms::default() }.generate(seed)?);
    }
    if let Some(cells) = name.strip_prefix("linked:") {
        let mut random = Random::new(seed, 0);
        return Ok(random_problem_of(Shape::Linked, &mut random, cells.parse()?));
    }
    if let Some(base_cells) = name.strip_prefix("office") {
        let table = match base_cells.strip_prefix(':') {
            Some(base_cells) => Sparse::office_of(base_cells.parse()?),
            None => Sparse::office(),
        };
        return Ok(table.generate(seed)?);
    }
    let (shape, percent) = name.split_once('@').unwrap_or((name, "10"));
    let preset = Preset::find(shape).ok_or_else(|| format!("there is no table {shape}"))?;
    let levels = Levels::Percent(percent.parse()?);
    Ok(Ons { levels, ..preset.parameters() }.generate(seed)?)
}
