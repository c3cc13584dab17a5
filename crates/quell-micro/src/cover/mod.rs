//! Set covering: choose columns of least total weight so that every row has one.
//!
//! All models of dewaal-1998 are set-covering problems: rows are MINUCs, columns are
//! values (of a record in §5, of the whole file in §6).

mod exact;
mod mip;
mod probe;
mod reduce;
mod small;

pub use exact::{Exact, solve};
pub(crate) use probe::fixed_in_optima;

use crate::{Error, KeySet, Result};

/// A hitting set of least weight over the variables of sets; none if it is to stop before.
pub(crate) fn small_hitting_set(
    sets: &[KeySet],
    weights: &[f64],
    mut stop: impl FnMut() -> bool,
) -> Option<KeySet> {
    if stop() {
        return None;
    }
    let union = KeySet(sets.iter().fold(0, |all, set| all | set.0));
    let keys: Vec<usize> = union.iter().collect();
    let place = |key: usize| (union.0 & ((1 << key) - 1)).count_ones();
    let rows: Vec<u64> =
        sets.iter().map(|set| set.iter().fold(0, |row, key| row | 1 << place(key))).collect();
    let own: Vec<f64> = keys.iter().map(|&key| weights[key]).collect();
    let kept = small::heaviest_independent(&rows, &own, u64::MAX, stop)?;
    let hit = keys.iter().enumerate().filter(|(place, _)| kept >> place & 1 == 0);
    Some(hit.fold(KeySet::EMPTY, |set, (_, &key)| set.with(key)))
}

/// A set-covering problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Covering {
    weights: Vec<f64>,
    starts: Vec<usize>,
    columns: Vec<u32>,
}

impl Covering {
    /// A problem from the columns' weights and the rows' columns. Equal rows are kept once.
    ///
    /// # Errors
    /// If a row has no column or names one that does not exist, or a weight is negative.
    pub fn new(
        weights: Vec<f64>,
        rows: impl IntoIterator<Item = impl IntoIterator<Item = u32>>,
    ) -> Result<Self> {
        if let Some(weight) = weights.iter().find(|weight| !(**weight >= 0.0 && weight.is_finite()))
        {
            return Err(Error::Request(format!("{weight} is no weight of importance")));
        }
        let mut rows: Vec<Vec<u32>> = rows
            .into_iter()
            .map(|row| {
                let mut row: Vec<u32> = row.into_iter().collect();
                row.sort_unstable();
                row.dedup();
                row
            })
            .collect();
        rows.sort_unstable();
        rows.dedup();
        let mut covering = Self { weights, starts: vec![0], columns: Vec::new() };
        for row in rows {
            match row.last() {
                None => return Err(Error::Request("a row that nothing can cover".into())),
                Some(&last) if last as usize >= covering.weights.len() => {
                    return Err(Error::Request(format!("there is no column {last}")));
                }
                Some(_) => {
                    covering.columns.extend(row);
                    covering.starts.push(covering.columns.len());
                }
            }
        }
        Ok(covering)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.weights.len()
    }

    /// The columns that cover a row, rising.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.columns[self.starts[row]..self.starts[row + 1]]
    }

    /// All rows.
    pub fn iter(&self) -> impl Iterator<Item = &[u32]> + Clone {
        (0..self.rows()).map(|row| self.row(row))
    }

    /// The weights of the columns.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The rows of every column.
    pub fn transposed(&self) -> Vec<Vec<u32>> {
        let mut rows = vec![Vec::new(); self.columns()];
        for (index, row) in self.iter().enumerate() {
            for &column in row {
                rows[column as usize].push(index as u32);
            }
        }
        rows
    }

    /// Total weight of columns.
    pub fn weight(&self, columns: &[u32]) -> f64 {
        columns.iter().map(|&column| self.weights[column as usize]).sum()
    }

    /// Whether the columns cover all rows.
    pub fn is_covered_by(&self, columns: &[u32]) -> bool {
        let mut chosen = vec![false; self.columns()];
        for &column in columns {
            chosen[column as usize] = true;
        }
        self.iter().all(|row| row.iter().any(|&column| chosen[column as usize]))
    }
}

/// A cover and what is known of its weight.
#[derive(Debug, Clone, PartialEq)]
pub struct Cover {
    /// The chosen columns, rising.
    pub columns: Vec<u32>,
    /// Their total weight.
    pub weight: f64,
    /// No cover weighs less than this.
    pub bound: f64,
}

/// Weights that differ by less than this share of their size are equal: sums of user
/// weights are exact to about 1e-15, solver bounds to about 1e-9.
pub(crate) const WEIGHT_TOLERANCE: f64 = 1e-7;

impl Cover {
    /// Whether the weight is proved to be the least.
    pub fn is_optimal(&self) -> bool {
        self.weight - self.bound <= WEIGHT_TOLERANCE * self.weight.abs().max(1.0)
    }
}
