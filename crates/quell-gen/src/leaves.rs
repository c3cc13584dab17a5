//! The base cells of a table.

use quell_model::{CellId, Cube, Dimension, NodeId};

/// Every combination of leaves, the first dimension slowest.
pub(crate) fn all_leaves(dimensions: &[Dimension]) -> Vec<Vec<NodeId>> {
    let mut combinations: Vec<Vec<NodeId>> = vec![Vec::new()];
    for dimension in dimensions {
        let leaves: Vec<NodeId> = dimension.hierarchy.leaves().collect();
        combinations = combinations
            .iter()
            .flat_map(|start| {
                leaves.iter().map(move |&leaf| {
                    let mut longer = start.clone();
                    longer.push(leaf);
                    longer
                })
            })
            .collect();
    }
    combinations
}

/// The positions of the cells that are no totals.
pub(crate) fn base_cells(cube: &Cube) -> Vec<usize> {
    let cells = (0..cube.cell_count()).map(CellId::from_index);
    cells.filter(|&cell| cube.is_base(cell)).map(CellId::index).collect()
}
