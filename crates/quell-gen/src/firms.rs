//! Tables of firms with branches in many cells: who contributes what to which cell is known.
//!
//! Every firm is at home in one code of the first dimension and has branches in random codes of
//! the others; few are large, most are small. A cell has as many branches as chance puts there, often
//! one or two. Cells with too few firms, or in which the second largest could estimate the largest too
//! closely, are primary (minimum frequency and p% rule).

use std::sync::Arc;

use quell_model::{
    Cell, Contributions, ContributorId, Cube, Decimals, Dimension, Hierarchy, Labels,
    LeastContributors, NodeId, Problem, Protection, Random, Reason, Share, Status, UNBOUNDED_ABOVE,
    Value,
};

use crate::ParameterError;
use crate::parameters::share;

/// How many shares of each cell are listed.
const LISTED: usize = 3;

/// The class of tables.
#[derive(Debug, Clone, PartialEq)]
pub struct Firms {
    /// The codes of each dimension, which is flat.
    pub sizes: Vec<usize>,
    /// The share of inner cells that are not empty.
    pub filled: f64,
    /// Branches in an inner cell that is not empty, on average.
    pub branches: f64,
    /// Firms at home in each code of the first dimension.
    pub firms: usize,
    /// Fewer firms are too few.
    pub minimum: u32,
    /// Nobody may estimate another to within so many percent.
    pub p: f64,
}

impl Default for Firms {
    fn default() -> Self {
        Self { sizes: vec![10, 10], filled: 0.8, branches: 6.0, firms: 200, minimum: 3, p: 10.0 }
    }
}

/// What a firm adds to a cell, by the number of the cell among all combinations of codes.
type Branch = (u64, u32, Value);

impl Firms {
    /// The table of a seed, contributors included.
    ///
    /// # Errors
    /// If a parameter makes no table.
    pub fn generate(&self, seed: u64) -> Result<Problem, ParameterError> {
        if self.sizes.is_empty() || self.sizes.contains(&0) {
            let found = format!("{:?}", self.sizes);
            return Err(ParameterError::new("sizes", found, "at least one code in each dimension"));
        }
        if self.firms == 0 {
            return Err(ParameterError::new("firms", 0, "at least one firm"));
        }
        share("filled", self.filled)?;
        if self.branches < 1.0 || !self.branches.is_finite() {
            return Err(ParameterError::new("branches", self.branches, "at least 1"));
        }
        let branches = self.branches(&mut Random::new(seed, 0));
        if branches.is_empty() {
            return Err(ParameterError::new("filled", self.filled, "enough for one cell"));
        }
        let dimension = |(place, &size): (usize, &usize)| {
            Dimension::new(format!("d{}", place + 1), Hierarchy::flat(size))
        };
        let dimensions = self.sizes.iter().enumerate().map(dimension).collect();
        let base = branches.iter().map(|&(key, _, amount)| (self.nodes(key), amount));
        let (cube, values) = Cube::roll_up(dimensions, base)
            .map_err(|error| ParameterError::new("sizes", error, "fewer codes"))?;
        let shares = self.shares(&cube, branches);
        let cells = values.iter().zip(&shares).map(|(&value, own)| self.cell(value, own));
        let counts = shares.iter().map(|own| own.0).collect();
        let problem = Problem::new(cube.system(), Decimals(0), cells.collect::<Vec<_>>());
        let rule = LeastContributors { at_least: u64::from(self.minimum), percent: 20 };
        let contributions = Contributions::new(shares).with_rule(Arc::new(rule));
        Ok(problem
            .with_labels(Labels::Cube(Box::new(cube)))
            .with_contributors(counts)
            .with_contributions(contributions))
    }

    /// Branches of firms in inner cells, one for each firm in a cell.
    fn branches(&self, random: &mut Random) -> Vec<Branch> {
        let inner: usize = self.sizes.iter().product();
        let mut branches = Vec::new();
        for cell in 0..inner {
            if random.uniform() >= self.filled {
                continue;
            }
            let key = self.key(cell);
            let home = cell % self.sizes[0];
            // Geometric: many cells have one or two.
            let mut count = 1;
            while random.uniform() < 1.0 - 1.0 / self.branches {
                count += 1;
            }
            for _ in 0..count {
                let firm = random.below(self.firms);
                // The few large ones are large everywhere.
                let size = 1_000.0 / (1.0 + firm as f64).sqrt() * (0.2 + random.uniform());
                let id = (home * self.firms + firm) as u32;
                branches.push((key, id, size as Value + 1));
            }
        }
        added_up(&mut branches);
        branches
    }

    /// The key of an inner cell by its number: codes count from 1, the total is 0.
    fn key(&self, mut cell: usize) -> u64 {
        let (mut key, mut stride) = (0, 1);
        for &size in &self.sizes {
            key += (cell % size + 1) as u64 * stride;
            stride *= size as u64 + 1;
            cell /= size;
        }
        key
    }

    fn nodes(&self, mut key: u64) -> Vec<NodeId> {
        let node = |&size: &usize| {
            let codes = size as u64 + 1;
            let node = key % codes;
            key /= codes;
            node as NodeId
        };
        self.sizes.iter().map(node).collect()
    }

    /// How many firms contribute to each cell of the cube, and the largest of them.
    fn shares(&self, cube: &Cube, branches: Vec<Branch>) -> Vec<(u32, Vec<Share>)> {
        let mut shares = vec![(0, Vec::new()); cube.cell_count()];
        for totals in 0..1_u32 << self.sizes.len() {
            let mut own: Vec<Branch> = branches
                .iter()
                .map(|&(key, firm, amount)| (self.with_totals(key, totals), firm, amount))
                .collect();
            added_up(&mut own);
            for of_cell in own.chunk_by(|a, b| a.0 == b.0) {
                let Some(cell) = cube.find(&self.nodes(of_cell[0].0)) else { continue };
                let mut all: Vec<Share> = of_cell
                    .iter()
                    .map(|&(_, firm, amount)| Share { contributor: ContributorId(firm), amount })
                    .collect();
                all.sort_by_key(|share| (std::cmp::Reverse(share.amount), share.contributor));
                all.truncate(LISTED);
                shares[cell.index()] = (of_cell.len() as u32, all);
            }
        }
        shares
    }

    /// A key with the totals of some dimensions in place of their codes.
    fn with_totals(&self, key: u64, totals: u32) -> u64 {
        let (mut shown, mut stride) = (0, 1);
        for (place, node) in self.nodes(key).into_iter().enumerate() {
            if totals >> place & 1 == 0 {
                shown += u64::from(node) * stride;
            }
            stride *= self.sizes[place] as u64 + 1;
        }
        shown
    }

    fn cell(&self, value: Value, (count, shares): &(u32, Vec<Share>)) -> Cell {
        let amount = |place: usize| shares.get(place).map_or(0, |share| share.amount);
        let wanted = (amount(0) as f64 * self.p / 100.0).ceil() as Value;
        let missing = wanted - (value - amount(0) - amount(1));
        let reason = match (missing > 0, *count < self.minimum) {
            (true, _) => Some(Reason::PPercent),
            (false, true) => Some(Reason::Frequency),
            (false, false) => None,
        };
        let level = missing.max(value / 5).max(1).min(value);
        Cell {
            value,
            weight: value as f64,
            status: reason.map_or(Status::Safe, Status::Primary),
            lower_bound: 0,
            upper_bound: UNBOUNDED_ABOVE,
            protection: match reason {
                Some(Reason::PPercent) => Protection { lower: missing, upper: missing, sliding: 0 },
                Some(_) => Protection { lower: level, upper: level, sliding: 0 },
                None => Protection::default(),
            },
        }
    }
}

/// Branches sorted by cell and firm, those of one firm in one cell together.
fn added_up(branches: &mut Vec<Branch>) {
    branches.sort_unstable();
    branches.dedup_by(|later, earlier| {
        let same = (later.0, later.1) == (earlier.0, earlier.1);
        if same {
            earlier.2 += later.2;
        }
        same
    });
}

#[cfg(test)]
mod tests {
    use quell_model::CellId;

    use super::*;

    #[test]
    fn shares_are_those_of_the_branches_in_every_cell() {
        let table = Firms { sizes: vec![4, 3, 2], firms: 5, branches: 2.0, ..Firms::default() };
        let problem = table.generate(3).expect("a table");
        assert!(problem.faults().is_empty());
        let contributions = problem.contributions().expect("contributors");
        let Labels::Cube(cube) = problem.labels() else { panic!("a cube") };
        let branches = table.branches(&mut Random::new(3, 0));
        for cell in problem.system().cells() {
            let nodes: Vec<NodeId> = (0..3).map(|place| cube.coordinate(cell, place)).collect();
            let mut own = std::collections::BTreeMap::<u32, Value>::new();
            for &(key, firm, amount) in &branches {
                let inside = table.nodes(key).iter().zip(&nodes).all(|(a, b)| *b == 0 || a == b);
                if inside {
                    *own.entry(firm).or_default() += amount;
                }
            }
            assert_eq!(own.values().sum::<Value>(), problem.value(cell));
            assert_eq!(own.len() as u32, contributions.count(cell), "{cell}");
            for share in contributions.shares(cell) {
                assert_eq!(own[&share.contributor.0], share.amount, "{cell}");
            }
        }
        let singles = |cell: &CellId| contributions.count(*cell) == 1;
        assert!(problem.system().cells().filter(singles).count() > 3);
    }
}
