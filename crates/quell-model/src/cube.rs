//! k-way tables over hierarchical dimensions, sparse: a cell exists only if some base
//! cell lies under it, so a table of 110 million possible cells with 4 million
//! non-empty ones costs 4 million.

use std::ops::AddAssign;

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::{Budget, CellId, Dimension, NodeId, Stop, System, SystemBuilder};

/// Why a cube cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CubeError {
    /// No dimension.
    #[error("a table needs at least one dimension")]
    NoDimension,
    /// The product of the dimensions' sizes does not fit in 64 bits.
    #[error("the table has more than 2^64 possible cells")]
    TooManyCells,
    /// Wrong number of coordinates, or one that is no leaf of its dimension.
    #[error("base cell {index}: coordinates {coordinates:?} do not name one leaf per dimension")]
    NotABaseCell {
        /// Position of the base cell in the input.
        index: usize,
        /// Its coordinates as given.
        coordinates: Vec<NodeId>,
    },
    /// The budget was over before the cube was complete.
    #[error("stopped before the table was complete ({0:?})")]
    Stopped(Stop),
}

/// After how many cells rolling up looks at its budget.
const LOOK: usize = 1024;

/// A product of dimensions with the cells that exist in it.
///
/// Cells are ordered by their coordinates, the first dimension slowest; as the total
/// of each dimension is its first code, cell 0 is the grand total.
#[derive(Debug, Clone, PartialEq)]
pub struct Cube {
    dimensions: Vec<Dimension>,
    strides: Vec<u64>,
    keys: Vec<u64>,
}

impl Cube {
    /// Rolls base cells up to every combination of ancestors and gives the cube with
    /// what each cell adds up to. Base cells with the same coordinates are added.
    ///
    /// # Errors
    /// See [`CubeError`].
    pub fn roll_up<T: Clone + AddAssign>(
        dimensions: Vec<Dimension>,
        base: impl IntoIterator<Item = (Vec<NodeId>, T)>,
    ) -> Result<(Self, Vec<T>), CubeError> {
        Self::roll_up_within(dimensions, base, &Budget::default())
    }

    /// Rolls base cells up as long as the budget allows.
    ///
    /// # Errors
    /// See [`CubeError`].
    pub fn roll_up_within<T: Clone + AddAssign>(
        dimensions: Vec<Dimension>,
        base: impl IntoIterator<Item = (Vec<NodeId>, T)>,
        budget: &Budget,
    ) -> Result<(Self, Vec<T>), CubeError> {
        let go_on = |position: usize| match position.is_multiple_of(LOOK) {
            true => budget.stop().map_or(Ok(()), |stop| Err(CubeError::Stopped(stop))),
            false => Ok(()),
        };
        let strides = strides(&dimensions)?;
        let mut index: FxHashMap<u64, usize> = FxHashMap::default();
        let mut cells: Vec<(u64, T)> = Vec::new();
        let mut add = |cells: &mut Vec<(u64, T)>, key: u64, amount: T| {
            let slot = *index.entry(key).or_insert(cells.len());
            match cells.get_mut(slot) {
                Some(cell) => cell.1 += amount,
                None => cells.push((key, amount)),
            }
        };
        for (position, (coordinates, amount)) in base.into_iter().enumerate() {
            go_on(position)?;
            let leaves = coordinates.len() == dimensions.len()
                && coordinates.iter().zip(&dimensions).all(|(&node, dimension)| {
                    (node as usize) < dimension.hierarchy.len()
                        && dimension.hierarchy.total_of(node).is_empty()
                });
            if !leaves {
                return Err(CubeError::NotABaseCell { index: position, coordinates });
            }
            let key = coordinates.iter().zip(&strides).map(|(&node, s)| u64::from(node) * s).sum();
            add(&mut cells, key, amount);
        }
        // One dimension after the other: what is rolled up already is rolled up again.
        for (dimension, &stride) in dimensions.iter().zip(&strides) {
            let size = dimension.hierarchy.len() as u64;
            for position in 0..cells.len() {
                go_on(position)?;
                let (key, amount) = cells[position].clone();
                let node = key / stride % size;
                for &above in dimension.hierarchy.ancestors(node as NodeId) {
                    add(
                        &mut cells,
                        key - node * stride + u64::from(above) * stride,
                        amount.clone(),
                    );
                }
            }
        }
        cells.sort_unstable_by_key(|&(key, _)| key);
        let (keys, amounts) = cells.into_iter().unzip();
        Ok((Self { dimensions, strides, keys }, amounts))
    }

    /// The dimensions.
    pub fn dimensions(&self) -> &[Dimension] {
        &self.dimensions
    }

    /// Number of cells that exist.
    pub fn cell_count(&self) -> usize {
        self.keys.len()
    }

    /// The code of a cell in one dimension.
    pub fn coordinate(&self, cell: CellId, dimension: usize) -> NodeId {
        let size = self.dimensions[dimension].hierarchy.len() as u64;
        (self.keys[cell.index()] / self.strides[dimension] % size) as NodeId
    }

    /// The code texts of a cell, one for each dimension.
    pub fn codes(&self, cell: CellId) -> impl Iterator<Item = &str> {
        self.dimensions.iter().enumerate().map(move |(position, dimension)| {
            dimension.hierarchy.code(self.coordinate(cell, position))
        })
    }

    /// Whether a cell is no total in any dimension.
    pub fn is_base(&self, cell: CellId) -> bool {
        self.dimensions.iter().enumerate().all(|(position, dimension)| {
            dimension.hierarchy.total_of(self.coordinate(cell, position)).is_empty()
        })
    }

    /// The cell at these coordinates, if it exists.
    pub fn find(&self, coordinates: &[NodeId]) -> Option<CellId> {
        let inside = coordinates.len() == self.dimensions.len()
            && coordinates
                .iter()
                .zip(&self.dimensions)
                .all(|(&node, dimension)| (node as usize) < dimension.hierarchy.len());
        let key = coordinates.iter().zip(&self.strides).map(|(&node, s)| u64::from(node) * s);
        inside.then(|| self.keys.binary_search(&key.sum()).ok().map(CellId::from_index))?
    }

    /// The equations: in every dimension, for every total and every combination of the
    /// other codes, `−total + Σ parts = 0` over the cells that exist.
    pub fn system(&self) -> System {
        let mut builder = SystemBuilder::new(self.cell_count());
        for (dimension, &stride) in self.dimensions.iter().zip(&self.strides) {
            let hierarchy = &dimension.hierarchy;
            let size = hierarchy.len() as u64;
            // An equation is (cell of the total, which of the total's sums).
            let mut members: Vec<(u64, u32, CellId)> = Vec::new();
            for (position, &key) in self.keys.iter().enumerate() {
                let node = key / stride % size;
                for &sum in hierarchy.part_of(node as NodeId) {
                    let total = u64::from(hierarchy.sums()[sum as usize].total);
                    let total_key = key - node * stride + total * stride;
                    members.push((total_key, sum, CellId::from_index(position)));
                }
            }
            members.sort_unstable();
            for equation in members.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
                let total = self
                    .keys
                    .binary_search(&equation[0].0)
                    .map(CellId::from_index)
                    .expect("a total exists wherever a part of it does");
                let parts = equation.iter().map(|&(.., cell)| (cell, 1));
                builder.equation([(total, -1)].into_iter().chain(parts), 0);
            }
        }
        builder.build()
    }
}

fn strides(dimensions: &[Dimension]) -> Result<Vec<u64>, CubeError> {
    if dimensions.is_empty() {
        return Err(CubeError::NoDimension);
    }
    let mut strides = vec![1_u64; dimensions.len()];
    let mut size = 1_u64;
    for (stride, dimension) in strides.iter_mut().zip(dimensions).rev() {
        *stride = size;
        size = size
            .checked_mul(dimension.hierarchy.len().max(1) as u64)
            .ok_or(CubeError::TooManyCells)?;
    }
    Ok(strides)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EquationId, Hierarchy};

    fn flat(sizes: &[usize]) -> Vec<Dimension> {
        sizes
            .iter()
            .enumerate()
            .map(|(position, &size)| Dimension::new(format!("d{position}"), Hierarchy::flat(size)))
            .collect()
    }

    #[test]
    fn a_dense_square_has_its_margins_and_equations() {
        let base = (1..=2).flat_map(|r| (1..=3).map(move |c| (vec![r, c], i64::from(10 * r + c))));
        let (cube, values) = Cube::roll_up(flat(&[2, 3]), base).unwrap();
        assert_eq!(cube.cell_count(), 12);
        assert_eq!(values[0], 102);
        let system = cube.system();
        assert_eq!(system.equation_count(), 4 + 3);
        assert!(system.equations().all(|equation| system.imbalance(equation, &values) == 0));
        assert_eq!(cube.codes(CellId(11)).collect::<Vec<_>>(), ["2", "3"]);
        assert!(cube.is_base(CellId(11)) && !cube.is_base(CellId(3)));
    }

    #[test]
    fn absent_cells_cost_nothing() {
        let tree = Hierarchy::balanced(&[10, 10]);
        let leaf = tree.leaves().next().unwrap();
        let dimensions = vec![Dimension::new("a", tree.clone()), Dimension::new("b", tree)];
        let (cube, values) = Cube::roll_up(dimensions, [(vec![leaf, leaf], 7_i64)]).unwrap();
        assert_eq!(cube.cell_count(), 9);
        assert!(values.iter().all(|&value| value == 7));
        let system = cube.system();
        assert_eq!(system.equation_count(), 12);
        assert_eq!(cube.find(&[0, 0]), Some(CellId(0)));
        assert_eq!(cube.find(&[2, 0]), None);
    }

    #[test]
    fn alternative_hierarchies_share_their_leaves() {
        let codes = ["Total", "a", "b", "c", "ab", "bc"].map(String::from).to_vec();
        let sum = |total, parts: &[NodeId]| crate::Sum { total, parts: parts.to_vec() };
        let sums = vec![sum(0, &[4, 3]), sum(0, &[1, 5]), sum(4, &[1, 2]), sum(5, &[2, 3])];
        let hierarchy = Hierarchy::new(codes, sums).unwrap();
        let base = [(vec![1], 1_i64), (vec![2], 10), (vec![3], 100)];
        let (cube, values) = Cube::roll_up(vec![Dimension::new("v", hierarchy)], base).unwrap();
        assert_eq!(values, [111, 1, 10, 100, 11, 110]);
        let system = cube.system();
        assert_eq!(system.equation_count(), 4);
        assert!(system.equations().all(|equation| system.imbalance(equation, &values) == 0));
        assert_eq!(system.cells_of(EquationId(0)).count(), 3);
    }

    #[test]
    fn totals_are_not_base_cells() {
        let error = Cube::roll_up(flat(&[2, 2]), [(vec![0, 1], 1_i64)]).unwrap_err();
        assert!(matches!(error, CubeError::NotABaseCell { index: 0, .. }));
    }
}
