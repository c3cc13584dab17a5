//! Exact covering with at most 64 columns, by branch and bound on bit masks.
//!
//! The columns that a cover leaves out are an *independent set*: no row lies wholly
//! inside it. We search the heaviest one. Three things keep the search small:
//!
//! - once a column is kept, a row of three with it becomes an edge between the other
//!   two, and an edge with a kept column takes the other one out;
//! - a partition of what is left into cliques of such edges bounds it: at most one
//!   column a clique can be kept (Tomita's bound for cliques, on the complement);
//! - Russian dolls (Östergård): the optimum over the last columns is found first and
//!   bounds what they can add to anything chosen before.
//!
//! Linear relaxations are hopeless here: for random rows of three the fractional
//! optimum is a third of the columns, the true one two thirds.

/// The heaviest set of columns without a whole row, by search; `None` if the search was
/// cut off after `nodes` nodes.
pub(super) fn heaviest_independent(
    rows: &[u64],
    weights: &[f64],
    nodes: u64,
    mut stop: impl FnMut() -> bool,
) -> Option<u64> {
    let order = order(rows, weights.len());
    let mut place = [0_usize; 64];
    for (new, &old) in order.iter().enumerate() {
        place[old] = new;
    }
    let renumber = |mask: u64| bits(mask).fold(0_u64, |all, old| all | 1 << place[old]);
    let rows: Vec<u64> = rows.iter().map(|&row| renumber(row)).collect();
    let weights: Vec<f64> = order.iter().map(|&old| weights[old]).collect();
    let mut search = Search::new(&rows, &weights, nodes, &mut stop);
    let best = search.run()?;
    Some(bits(best).fold(0, |all, new| all | 1 << order[new]))
}

/// The bits of a mask, rising.
pub(super) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            bit
        })
    })
}

/// Columns in the order of search: repeatedly the column with the fewest rows among the
/// rest goes *first*, so that the dolls grow slowly over the dense columns at the end.
fn order(rows: &[u64], columns: usize) -> Vec<usize> {
    let mut left: u64 = if columns == 64 { u64::MAX } else { (1 << columns) - 1 };
    let mut order = Vec::with_capacity(columns);
    while left != 0 {
        let degree = |column: usize| {
            rows.iter().filter(|&&row| row >> column & 1 == 1 && row & !left == 0).count()
        };
        let column = bits(left).min_by_key(|&column| (degree(column), column)).unwrap_or(0);
        order.push(column);
        left &= !(1 << column);
    }
    order
}

struct Search<'a> {
    columns: usize,
    weights: &'a [f64],
    /// All weights equal one: bounds are whole numbers.
    unit: bool,
    /// Edges from rows of two.
    edges: [u64; 64],
    /// `third[v][u]`: columns w with a row {v, u, w}.
    third: Box<[[u64; 64]; 64]>,
    /// Rows of four and more, by column.
    long: Vec<Vec<u64>>,
    /// Columns that may not be kept at all (rows of one).
    barred: u64,
    /// Optimum over the columns from here on.
    doll: [f64; 65],
    best: f64,
    best_set: u64,
    /// Reaching this ends a doll's search.
    goal: f64,
    nodes: u64,
    limit: u64,
    stop: &'a mut dyn FnMut() -> bool,
    cut_off: bool,
}

impl<'a> Search<'a> {
    fn new(
        rows: &[u64],
        weights: &'a [f64],
        limit: u64,
        stop: &'a mut dyn FnMut() -> bool,
    ) -> Self {
        let mut search = Self {
            columns: weights.len(),
            weights,
            unit: weights.iter().all(|&weight| weight == 1.0),
            edges: [0; 64],
            third: Box::new([[0; 64]; 64]),
            long: vec![Vec::new(); 64],
            barred: 0,
            doll: [0.0; 65],
            best: 0.0,
            best_set: 0,
            goal: 0.0,
            nodes: 0,
            limit,
            stop,
            cut_off: false,
        };
        for &row in rows {
            match row.count_ones() {
                1 => search.barred |= row,
                2 => {
                    for column in bits(row) {
                        search.edges[column] |= row & !(1 << column);
                    }
                }
                3 => {
                    for v in bits(row) {
                        for u in bits(row & !(1 << v)) {
                            search.third[v][u] |= row & !(1 << v) & !(1 << u);
                        }
                    }
                }
                _ => {
                    for column in bits(row) {
                        search.long[column].push(row);
                    }
                }
            }
        }
        search
    }

    fn run(&mut self) -> Option<u64> {
        for first in (0..self.columns).rev() {
            self.doll[first] = self.doll[first + 1];
            if self.barred >> first & 1 == 1 {
                continue;
            }
            self.goal = self.doll[first + 1] + self.weights[first];
            let later = if first == 63 { 0 } else { u64::MAX << (first + 1) };
            let all = if self.columns == 64 { u64::MAX } else { (1 << self.columns) - 1 };
            let edges = self.edges;
            let candidates = all & later & !self.barred;
            self.keep(first, 0, candidates, 0.0, &edges);
            if self.cut_off {
                return None;
            }
            self.doll[first] = self.best;
        }
        Some(self.best_set)
    }

    /// Keeps a column and searches on.
    fn keep(&mut self, column: usize, kept: u64, candidates: u64, weight: f64, edges: &[u64; 64]) {
        let kept = kept | 1 << column;
        let weight = weight + self.weights[column];
        let mut candidates = candidates & !edges[column];
        let mut next = [0; 64];
        let third = &self.third[column];
        let mut left = candidates;
        while left != 0 {
            let other = left.trailing_zeros() as usize;
            left &= left - 1;
            next[other] = edges[other] | third[other];
        }
        for &row in &self.long[column] {
            let open = row & !kept;
            // With a column of the cover the row is no threat any more.
            if open & !candidates == 0 {
                match open.count_ones() {
                    1 => candidates &= !open,
                    2 => {
                        let (low, high) =
                            (open.trailing_zeros() as usize, 63 - open.leading_zeros() as usize);
                        next[low] |= 1 << high;
                        next[high] |= 1 << low;
                    }
                    _ => {}
                }
            }
        }
        self.expand(kept, candidates, weight, &next);
    }

    fn expand(&mut self, kept: u64, candidates: u64, weight: f64, edges: &[u64; 64]) {
        self.nodes += 1;
        if self.nodes >= self.limit || (self.nodes & 0xFFFF == 0 && (self.stop)()) {
            self.cut_off = true;
            return;
        }
        if weight > self.best {
            self.best = weight;
            self.best_set = kept;
        }
        if candidates == 0 || weight + self.bound(candidates, edges) <= self.best {
            return;
        }
        let mut left = candidates;
        while left != 0 {
            let column = left.trailing_zeros() as usize;
            if weight + self.doll[column] <= self.best {
                return;
            }
            left &= left - 1;
            self.keep(column, kept, left, weight, edges);
            if self.cut_off || self.best >= self.goal {
                return;
            }
        }
    }

    /// At most this much weight can be kept among the candidates.
    fn bound(&self, candidates: u64, edges: &[u64; 64]) -> f64 {
        let mut left = candidates;
        let mut bound = 0.0;
        while left != 0 {
            let mut clique = left;
            let mut heaviest = 0.0;
            while clique != 0 {
                let column = clique.trailing_zeros() as usize;
                left &= !(1 << column);
                clique &= edges[column];
                // Cliques are taken in order, so a column met again is already out.
                clique &= left;
                if self.unit {
                    heaviest = 1.0;
                } else {
                    heaviest = f64::max(heaviest, self.weights[column]);
                }
            }
            bound += heaviest;
        }
        bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quell_model::Random;

    #[test]
    fn the_search_finds_what_trying_all_sets_finds() {
        for task in 0..2000 {
            let mut random = Random::new(11, task);
            let columns = 1 + random.below(12);
            let rows: Vec<u64> = (0..random.below(20))
                .map(|_| {
                    (0..1 + random.below(5)).fold(0_u64, |row, _| row | 1 << random.below(columns))
                })
                .collect();
            let unit = random.chance(0.5);
            let weights: Vec<f64> =
                (0..columns).map(|_| if unit { 1.0 } else { random.below(5) as f64 }).collect();
            let weight = |set: u64| bits(set).map(|column| weights[column]).sum::<f64>();
            let independent = |set: u64| rows.iter().all(|&row| row & !set != 0);
            let best = (0..1_u64 << columns)
                .filter(|&set| independent(set))
                .map(weight)
                .fold(0.0, f64::max);
            let found = heaviest_independent(&rows, &weights, u64::MAX, || false).unwrap();
            assert!(independent(found), "task {task}");
            assert_eq!(weight(found), best, "task {task}");
        }
    }

    #[test]
    fn a_search_that_is_cut_off_says_so() {
        let mut random = Random::new(1, 1);
        let rows: Vec<u64> = (0..200)
            .map(|_| (0..3).fold(0_u64, |row, _| row | 1 << random.below(40)))
            .filter(|row| row.count_ones() == 3)
            .collect();
        assert_eq!(heaviest_independent(&rows, &[1.0; 40], 100, || false), None);
    }
}
