//! Sparse integer matrices, readable by rows and by columns.

use crate::Error;
use crate::error::check_length;

/// A sparse integer matrix by columns, borrowed: column `j` has the entries `starts[j]..starts[j +
/// 1]`. Repeated entries are added up.
#[derive(Debug, Clone, Copy)]
pub struct IntegerColumns<'a> {
    /// How many rows there are.
    pub rows: usize,
    /// One more than there are columns: from 0 to the number of entries.
    pub starts: &'a [usize],
    /// The row of every entry.
    pub indices: &'a [u32],
    /// The value of every entry.
    pub values: &'a [i32],
}

/// A checked copy, by rows and by columns, without zeros and repeats.
#[derive(Debug, Clone)]
pub(super) struct Matrix {
    by_row: Vectors,
    by_column: Vectors,
}

/// Entries of rows or columns, one after the other.
#[derive(Debug, Clone)]
struct Vectors {
    starts: Vec<usize>,
    entries: Vec<(u32, i64)>,
}

impl Vectors {
    fn get(&self, vector: usize) -> &[(u32, i64)] {
        &self.entries[self.starts[vector]..self.starts[vector + 1]]
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn transpose(&self, across: usize) -> Self {
        let mut starts = vec![0; across + 1];
        for &(index, _) in &self.entries {
            starts[index as usize + 1] += 1;
        }
        for index in 0..across {
            starts[index + 1] += starts[index];
        }
        let mut free = starts.clone();
        let mut entries = vec![(0, 0); self.entries.len()];
        for vector in 0..self.len() {
            for &(index, value) in self.get(vector) {
                entries[free[index as usize]] = (vector as u32, value);
                free[index as usize] += 1;
            }
        }
        Self { starts, entries }
    }
}

impl Matrix {
    pub fn new(given: &IntegerColumns) -> Result<Self, Error> {
        let columns = given.starts.len().saturating_sub(1);
        check_length("values", given.indices.len(), given.values.len())?;
        let ends_right = given.starts.last() == Some(&given.indices.len());
        let grows = given.starts.first() == Some(&0)
            && given.starts.windows(2).all(|pair| pair[0] <= pair[1]);
        if !(ends_right && grows) {
            return Err(Error::Starts);
        }
        for size in [columns, given.rows] {
            if u32::try_from(size).is_err() {
                return Err(Error::TooLarge { what: "rows or columns", size });
            }
        }
        if let Some(&row) = given.indices.iter().find(|&&row| row as usize >= given.rows) {
            return Err(Error::OutOfRange { what: "row", index: i64::from(row), size: given.rows });
        }
        let mut by_column =
            Vectors { starts: vec![0], entries: Vec::with_capacity(given.indices.len()) };
        let mut column = Vec::new();
        for range in given.starts.windows(2) {
            let range = range[0]..range[1];
            column.clear();
            column.extend(
                given.indices[range.clone()]
                    .iter()
                    .zip(&given.values[range])
                    .map(|(&row, &value)| (row, i64::from(value))),
            );
            column.sort_unstable_by_key(|&(row, _)| row);
            for group in column.chunk_by(|a, b| a.0 == b.0) {
                let value = group.iter().map(|&(_, value)| value).sum();
                if value != 0 {
                    by_column.entries.push((group[0].0, value));
                }
            }
            by_column.starts.push(by_column.entries.len());
        }
        Ok(Self { by_row: by_column.transpose(given.rows), by_column })
    }

    pub fn rows(&self) -> usize {
        self.by_row.len()
    }

    pub fn columns(&self) -> usize {
        self.by_column.len()
    }

    /// The entries of a row, with their columns in order.
    pub fn row(&self, row: usize) -> impl Iterator<Item = (usize, i64)> {
        self.by_row.get(row).iter().map(|&(column, value)| (column as usize, value))
    }

    /// The entries of a column, with their rows in order.
    pub fn column(&self, column: usize) -> impl Iterator<Item = (usize, i64)> {
        self.by_column.get(column).iter().map(|&(row, value)| (row as usize, value))
    }

    /// One entry.
    pub fn value(&self, row: usize, column: usize) -> i64 {
        self.column(column).find(|&(index, _)| index == row).map_or(0, |(_, value)| value)
    }

    /// The part in some rows and columns, numbered anew in the order given. Rows without an entry
    /// in the part are left out: the rows kept are returned too.
    pub fn part(&self, rows: &[usize], columns: &[usize]) -> (Self, Vec<usize>) {
        const ELSEWHERE: u32 = u32::MAX;
        let mut number = vec![ELSEWHERE; self.rows()];
        for &row in rows {
            number[row] = 0;
        }
        let wanted = |row: u32| number[row as usize] != ELSEWHERE;
        let mut used = vec![false; self.rows()];
        for &column in columns {
            for &(row, _) in self.by_column.get(column) {
                used[row as usize] |= wanted(row);
            }
        }
        let kept: Vec<usize> = rows.iter().copied().filter(|&row| used[row]).collect();
        for (new, &row) in kept.iter().enumerate() {
            number[row] = new as u32;
        }
        let mut part = Vectors { starts: vec![0], entries: Vec::new() };
        for &column in columns {
            let entries = self.by_column.get(column).iter();
            part.entries.extend(
                entries
                    .filter(|&&(row, _)| used[row as usize])
                    .map(|&(row, value)| (number[row as usize], value)),
            );
            part.starts.push(part.entries.len());
        }
        (Self { by_row: part.transpose(kept.len()), by_column: part }, kept)
    }
}
