//! Taking off the triangular part.
//!
//! A row with one column left determines that column before all others that are left; a column with
//! one row left is determined by it after all others. What has two or more either way is the
//! nucleus.

use super::Pivot;
use super::matrix::Matrix;

/// A system in the order in which it is to be solved.
#[derive(Debug)]
pub(super) struct Peeled {
    /// To be determined first, in this order.
    pub first: Vec<Pivot>,
    /// The nucleus, to be solved next. There may be more rows than columns.
    pub rows: Vec<usize>,
    pub columns: Vec<usize>,
    /// To be determined last, in *reverse* order.
    pub last: Vec<Pivot>,
}

impl Peeled {
    pub fn new(matrix: &Matrix) -> Self {
        let mut row_count: Vec<usize> =
            (0..matrix.rows()).map(|row| matrix.row(row).count()).collect();
        let mut column_count: Vec<usize> =
            (0..matrix.columns()).map(|column| matrix.column(column).count()).collect();
        let mut row_left = vec![true; matrix.rows()];
        let mut column_left = vec![true; matrix.columns()];
        let mut rows: Vec<usize> = (0..matrix.rows()).filter(|&row| row_count[row] == 1).collect();
        let mut columns: Vec<usize> =
            (0..matrix.columns()).filter(|&column| column_count[column] == 1).collect();
        let (mut first, mut last) = (Vec::new(), Vec::new());
        loop {
            let (row, column, before) = if let Some(row) = rows.pop() {
                if !row_left[row] || row_count[row] != 1 {
                    continue;
                }
                let Some((column, _)) = matrix.row(row).find(|&(column, _)| column_left[column])
                else {
                    continue;
                };
                (row, column, true)
            } else if let Some(column) = columns.pop() {
                if !column_left[column] || column_count[column] != 1 {
                    continue;
                }
                let Some((row, _)) = matrix.column(column).find(|&(row, _)| row_left[row]) else {
                    continue;
                };
                (row, column, false)
            } else {
                break;
            };
            if before {
                first.push(Pivot { row, column });
            } else {
                last.push(Pivot { row, column });
            }
            row_left[row] = false;
            column_left[column] = false;
            for (other, _) in matrix.column(column) {
                row_count[other] -= 1;
                if row_left[other] && row_count[other] == 1 {
                    rows.push(other);
                }
            }
            for (other, _) in matrix.row(row) {
                column_count[other] -= 1;
                if column_left[other] && column_count[other] == 1 {
                    columns.push(other);
                }
            }
        }
        Self {
            first,
            rows: (0..matrix.rows()).filter(|&row| row_left[row]).collect(),
            columns: (0..matrix.columns()).filter(|&column| column_left[column]).collect(),
            last,
        }
    }
}
