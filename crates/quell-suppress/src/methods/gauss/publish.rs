//! Publishing cells one after the other while no primary can be computed from them.
//!
//! A cell is a linear function of the free primaries, once all else that is free is
//! published: a row over their columns. Publishing it takes one column away (it becomes a
//! function of the others) from all rows. A primary is lost when its row becomes zero.

use super::field::{Sparse, inverse, negative, product, subtract};

/// What a row belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// A cell that may still be published.
    Candidate,
    /// A primary that is a function of others.
    Primary,
    /// Nothing any more: published or hidden for good.
    Nobody,
}

/// The rows.
#[derive(Default)]
pub struct Rows {
    rows: Vec<Sparse>,
    owners: Vec<Owner>,
    /// The rows that have, or once had, an entry in a column.
    members: Vec<Vec<u32>>,
    /// How many entries a column has.
    counts: Vec<u32>,
    spare: Sparse,
}

impl Rows {
    /// No rows yet, over so many free primaries.
    pub fn new(columns: usize) -> Self {
        Self { members: vec![Vec::new(); columns], counts: vec![0; columns], ..Self::default() }
    }

    /// Adds the row of a cell that may be published and gives its number.
    pub fn candidate(&mut self, row: Sparse) -> usize {
        self.add(row, Owner::Candidate)
    }

    /// Adds the row of a primary that is not free.
    pub fn primary(&mut self, row: Sparse) {
        self.add(row, Owner::Primary);
    }

    fn add(&mut self, row: Sparse, owner: Owner) -> usize {
        let number = self.rows.len();
        for &(column, _) in &row {
            self.members[column as usize].push(number as u32);
            self.counts[column as usize] += 1;
        }
        self.rows.push(row);
        self.owners.push(owner);
        number
    }

    /// Publishes a candidate if every primary stays unknown; says whether it did. If not it
    /// is hidden for good.
    pub fn publish(&mut self, number: usize) -> bool {
        let row = std::mem::take(&mut self.rows[number]);
        self.owners[number] = Owner::Nobody;
        for &(column, _) in &row {
            self.counts[column as usize] -= 1;
        }
        let pivot = row.iter().min_by_key(|&&(column, _)| (self.counts[column as usize], column));
        let Some(&(column, value)) = pivot else { return true };
        // Hiding nothing but a multiple of a primary, it would give that primary away.
        if row.len() == 1 || self.gives_away(&row, column) {
            return false;
        }
        self.take_out(&row, column, value);
        true
    }

    /// Whether a row is a multiple of a primary's; both then have entries in `column`.
    fn gives_away(&self, row: &Sparse, column: u32) -> bool {
        self.members[column as usize].iter().any(|&member| {
            let other = &self.rows[member as usize];
            self.owners[member as usize] == Owner::Primary
                && other.len() == row.len()
                && are_parallel(row, other)
        })
    }

    /// Makes the free primary of `column` a function of the others, so that `row` is zero.
    fn take_out(&mut self, row: &Sparse, column: u32, value: u32) {
        let share = inverse(value);
        let mut having = std::mem::take(&mut self.members[column as usize]);
        having.sort_unstable();
        having.dedup();
        for member in having {
            let place = member as usize;
            let Ok(entry) = self.rows[place].binary_search_by_key(&column, |&(at, _)| at) else {
                continue;
            };
            let factor = product(self.rows[place][entry].1, share);
            let (before, members) = (std::mem::take(&mut self.rows[place]), &mut self.members);
            subtract(&before, factor, row, &mut self.spare, |filled| {
                members[filled as usize].push(member);
            });
            before.iter().for_each(|&(at, _)| self.counts[at as usize] -= 1);
            self.spare.iter().for_each(|&(at, _)| self.counts[at as usize] += 1);
            self.rows[place] = std::mem::replace(&mut self.spare, before);
        }
        let rest = row.iter().filter(|&&(at, _)| at != column);
        let function = rest.map(|&(at, x)| (at, negative(product(x, share)))).collect();
        self.primary(function);
    }
}

/// Whether two rows of the same length are multiples of each other.
fn are_parallel(a: &Sparse, b: &Sparse) -> bool {
    let (Some(&(_, first)), Some(&(_, other))) = (a.first(), b.first()) else { return true };
    a.iter().zip(b).all(|(&(column, x), &(there, y))| {
        column == there && product(x, other) == product(y, first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_that_is_a_primary_itself_stays_hidden() {
        let mut rows = Rows::new(2);
        let alone = rows.candidate(vec![(1, 7)]);
        assert!(!rows.publish(alone));
    }

    #[test]
    fn of_two_cells_that_give_two_primaries_away_together_one_is_published() {
        let mut rows = Rows::new(2);
        let sum = rows.candidate(vec![(0, 1), (1, 1)]);
        let weighted = rows.candidate(vec![(0, 1), (1, 2)]);
        let nothing = rows.candidate(Vec::new());
        assert!(rows.publish(sum), "p + q alone tells neither");
        assert!(!rows.publish(weighted), "with p + 2q it would tell both");
        assert!(rows.publish(nothing));
    }
}
