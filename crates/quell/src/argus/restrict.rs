//! A table with fewer codes, which is what a recode makes of it.
//!
//! Every code that stays has its cells in the table already, with its contributors merged
//! as they should be; nothing is added up again.

use std::ops::AddAssign;

use quell_model::{CellId, Cube, CubeError, Dimension, Hierarchy, HierarchyError, NodeId};
use quell_tabulate::Table;
use thiserror::Error;

/// Why codes cannot be left out.
#[derive(Debug, Error)]
pub enum RestrictError {
    /// What is left is no hierarchy.
    #[error(transparent)]
    Hierarchy(#[from] HierarchyError),
    /// What is left is no table.
    #[error(transparent)]
    Cube(#[from] CubeError),
}

/// The table with only the codes of one dimension for which `keep` holds; the total always
/// stays. A code whose parts go becomes a leaf, and parts of one that goes belong to the
/// nearest above it. `name` is what a code and the dimension are called from then on.
///
/// # Errors
/// If what is left is no table.
pub fn restrict(
    table: &Table,
    position: usize,
    keep: impl Fn(&Hierarchy, NodeId) -> bool,
    name: impl Fn(&str) -> String,
) -> Result<Table, RestrictError> {
    let old = &table.dimensions()[position].hierarchy;
    let kept: Vec<NodeId> =
        (0..old.len() as NodeId).filter(|&node| node == 0 || keep(old, node)).collect();
    let new_of = |node: NodeId| kept.iter().position(|&other| other == node);
    let parents: Vec<Option<NodeId>> = kept
        .iter()
        .map(|&node| {
            let above = old.ancestors(node).iter().copied().filter(|&node| new_of(node).is_some());
            above.max_by_key(|&above| old.ancestors(above).len()).and_then(new_of)
        })
        .map(|parent| parent.map(|parent| parent as NodeId))
        .collect();
    let codes = kept.iter().map(|&node| name(old.code(node))).collect();
    let hierarchy = Hierarchy::from_parents(codes, &parents)?;
    let mut dimensions = table.dimensions().to_vec();
    dimensions[position] = Dimension::new(name(&dimensions[position].name), hierarchy);
    let place = |cell: CellId| -> Option<Vec<NodeId>> {
        let coordinates = (0..dimensions.len()).map(|dimension| {
            let node = table.cube.coordinate(cell, dimension);
            if dimension == position { new_of(node).map(|node| node as NodeId) } else { Some(node) }
        });
        coordinates.collect()
    };
    let is_base = |coordinates: &Vec<NodeId>| {
        let leaf = |(dimension, &node): (&Dimension, &NodeId)| {
            dimension.hierarchy.total_of(node).is_empty()
        };
        dimensions.iter().zip(coordinates).all(leaf)
    };
    let cells = || (0..table.cells.len()).map(CellId::from_index);
    let base: Vec<(Vec<NodeId>, Present)> =
        cells().filter_map(place).filter(is_base).map(|place| (place, Present)).collect();
    let (cube, _) = Cube::roll_up(dimensions.clone(), base)?;
    // Both cubes hold the cells with records, in the same order of codes that stayed.
    let summaries = cells().filter(|&cell| place(cell).is_some_and(|at| cube.find(&at).is_some()));
    let mut found: Vec<(CellId, CellId)> =
        summaries.filter_map(|cell| Some((cube.find(&place(cell)?)?, cell))).collect();
    found.sort_unstable();
    let missing = table.missing_codes[position].iter().filter_map(|&node| new_of(node));
    let mut missing_codes = table.missing_codes.clone();
    missing_codes[position] = missing.map(|node| node as NodeId).collect();
    Ok(Table {
        cube,
        cells: found.into_iter().map(|(_, cell)| table.summary(cell).clone()).collect(),
        missing_codes,
        ..table.clone()
    })
}

/// That a cell exists.
#[derive(Clone, Copy)]
struct Present;

impl AddAssign for Present {
    fn add_assign(&mut self, _: Self) {}
}
