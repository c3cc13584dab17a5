//! A sparse matrix in the making.

use super::build::{Order, SparseMatrix};
use super::ffi::Index;

/// The columns or rows of a matrix, collected one by one.
#[derive(Debug, Clone)]
pub struct Vectors {
    starts: Vec<Index>,
    indices: Vec<Index>,
    values: Vec<f64>,
}

impl Default for Vectors {
    fn default() -> Self {
        Self { starts: vec![0], indices: Vec::new(), values: Vec::new() }
    }
}

impl Vectors {
    /// Adds a vector: the places of its entries, each at most once, and their values.
    pub fn push(&mut self, entries: impl IntoIterator<Item = (usize, f64)>) {
        for (place, value) in entries {
            self.indices.push(place as Index);
            self.values.push(value);
        }
        self.starts.push(self.indices.len() as Index);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The matrix of which these are the columns.
    pub fn as_columns(&self) -> SparseMatrix<'_> {
        self.as_matrix(Order::Columns)
    }

    /// The matrix of which these are the rows.
    pub fn as_rows(&self) -> SparseMatrix<'_> {
        self.as_matrix(Order::Rows)
    }

    fn as_matrix(&self, order: Order) -> SparseMatrix<'_> {
        SparseMatrix { order, starts: &self.starts, indices: &self.indices, values: &self.values }
    }
}
