//! A simplex basis, to start a later solve from.

use std::sync::Arc;

/// Where a column or row stands in a basis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BasisStatus {
    /// Nonbasic at its lower bound (or fixed).
    Lower,
    /// Basic.
    Basic,
    /// Nonbasic at its upper bound.
    Upper,
    /// Nonbasic, free, at zero.
    Zero,
    /// Nonbasic at a bound that HiGHS chooses.
    Nonbasic,
}

impl BasisStatus {
    pub(super) fn from_code(code: i32) -> Self {
        match code {
            0 => Self::Lower,
            1 => Self::Basic,
            2 => Self::Upper,
            3 => Self::Zero,
            _ => Self::Nonbasic,
        }
    }

    pub(super) fn code(self) -> i32 {
        match self {
            Self::Lower => 0,
            Self::Basic => 1,
            Self::Upper => 2,
            Self::Zero => 3,
            Self::Nonbasic => 4,
        }
    }
}

/// A simplex basis: one status for each column and each row.
///
/// Cloning shares the data, so that many tasks can start from the same basis without copying it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Basis {
    pub(super) columns: Arc<[i32]>,
    pub(super) rows: Arc<[i32]>,
}

impl Basis {
    /// A basis from the statuses of all columns and rows.
    pub fn new(columns: &[BasisStatus], rows: &[BasisStatus]) -> Self {
        Self {
            columns: columns.iter().map(|status| status.code()).collect(),
            rows: rows.iter().map(|status| status.code()).collect(),
        }
    }

    /// How many columns the basis was taken for.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// How many rows the basis was taken for.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The status of a column.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn column(&self, column: usize) -> BasisStatus {
        BasisStatus::from_code(self.columns[column])
    }

    /// The status of a row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, row: usize) -> BasisStatus {
        BasisStatus::from_code(self.rows[row])
    }
}
