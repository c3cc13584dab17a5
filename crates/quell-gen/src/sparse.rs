//! Sparse giants: very large products of dimensions in which few cells are not empty, as
//! in tables of persons by place, age and occupation (sdcTools/UserSupport #146).
//!
//! Contributors arrive one by one, each at a place of its own, until so many base cells
//! are not empty. Some codes are far more frequent than others: the code of rank `k` in a
//! dimension has the weight `1/(k + 1)^concentration` (Zipf). Without that nearly every
//! base cell would have margins of its own and the table would be all primaries. Ranks are
//! spread over the hierarchy by chance, so that large codes have small neighbours.
//!
//! Contributions, rules and levels are those of [`Ons`].

use std::collections::BTreeMap;

use quell_model::{Cube, Dimension, Hierarchy, NodeId, Problem, Random};

use crate::ons::{Amount, contribution};
use crate::{Ons, ParameterError};

/// The most places the product of the dimensions may have.
const MOST_PLACES: f64 = 1e15;

/// Contributors a base cell asked for may take on average; more means that the wished
/// number of base cells can hardly be reached.
const MOST_ARRIVALS: usize = 200;

/// Base cells of the office's table, so that about 33,000 cells are not empty.
const OFFICE_BASE_CELLS: usize = 7_500;

/// A dimension of a sparse table.
#[derive(Debug, Clone, PartialEq)]
pub struct SparseDimension {
    /// Codes under the total, under each of those, and so on.
    pub branches: Vec<usize>,
    /// How much the frequent codes have more than the others: Zipf's exponent.
    pub concentration: f64,
}

/// The parameters of the class.
#[derive(Debug, Clone, PartialEq)]
pub struct Sparse {
    /// The dimensions.
    pub dimensions: Vec<SparseDimension>,
    /// Base cells that are not empty.
    pub base_cells: usize,
    /// Contributions, rules, levels, weights and bounds; its dimensions, contributors and
    /// zeros do not count.
    pub rules: Ons,
}

impl Sparse {
    /// The table of sdcTools/UserSupport #146: 650,000 base cells over 3,000 places in
    /// three levels × 10 × 2 × 75 × 10, threshold 3. The concentrations are chosen so that
    /// about 3.8 million cells are not empty and 2.4 million of these primary.
    pub fn giant() -> Self {
        Self::giant_of(650_000)
    }

    /// A smaller or larger table of the same kind, with so many base cells.
    pub fn giant_of(base_cells: usize) -> Self {
        let dimension = |branches: &[usize], concentration| SparseDimension {
            branches: branches.to_vec(),
            concentration,
        };
        Self {
            dimensions: vec![
                dimension(&[200, 15], 1.0),
                dimension(&[10], 2.2),
                dimension(&[2], 0.0),
                dimension(&[75], 2.2),
                dimension(&[10], 2.2),
            ],
            base_cells,
            rules: Ons { threshold: Some(3), ..Ons::default() },
        }
    }

    /// A table as an office publishes it: enterprises by activity in five levels (sections,
    /// divisions, groups, classes, as in NACE) and region in four, about 33,000 cells that are not
    /// empty. Most inner cells have one or two contributors, so that more than half of all cells
    /// are primary, and few contributors have most of the money.
    pub fn office() -> Self {
        Self::office_of(OFFICE_BASE_CELLS)
    }

    /// A smaller or larger table of the same kind, with so many base cells.
    pub fn office_of(base_cells: usize) -> Self {
        let dimension = |branches: &[usize], concentration| SparseDimension {
            branches: branches.to_vec(),
            concentration,
        };
        Self {
            dimensions: vec![dimension(&[21, 4, 3, 2], 1.3), dimension(&[4, 4, 6], 1.3)],
            base_cells,
            rules: Ons { p_percent: Some(10.0), ..Ons::default() },
        }
    }

    /// The table of a seed.
    ///
    /// Time: linear in the contributors and cells, plus sorting the cells.
    ///
    /// # Errors
    /// If a parameter makes no table.
    pub fn generate(&self, seed: u64) -> Result<Problem, ParameterError> {
        self.check()?;
        let dimensions: Vec<Dimension> = (self.dimensions.iter().enumerate())
            .map(|(position, size)| {
                Dimension::new(format!("d{}", position + 1), Hierarchy::balanced(&size.branches))
            })
            .collect();
        let base = self.base_cells(&dimensions, seed)?;
        let (cube, amounts) =
            Cube::roll_up(dimensions, base).expect("base cells are drawn from the leaves");
        Ok(self.rules.problem(cube, &amounts))
    }

    fn check(&self) -> Result<(), ParameterError> {
        let wrong = |found: String, expected| ParameterError::new("dimensions", found, expected);
        let places = self.dimensions.iter().flat_map(|size| &size.branches);
        let places: f64 = places.map(|&codes| codes as f64).product();
        if self.dimensions.is_empty() || !(1.0..=MOST_PLACES).contains(&places) {
            return Err(wrong(format!("{places} places"), "between 1 and 10^15 places in all"));
        }
        let usual = |size: &SparseDimension| (0.0..=3.0).contains(&size.concentration);
        if let Some(odd) = self.dimensions.iter().find(|size| !usual(size)) {
            return Err(wrong(odd.concentration.to_string(), "concentrations between 0 and 3"));
        }
        if self.base_cells == 0 || self.base_cells as f64 > places {
            let expected = "between 1 and the number of places";
            return Err(ParameterError::new("base_cells", self.base_cells, expected));
        }
        self.rules.check()
    }

    fn base_cells(
        &self,
        dimensions: &[Dimension],
        seed: u64,
    ) -> Result<Vec<(Vec<NodeId>, Amount)>, ParameterError> {
        let mut random = Random::new(seed, 0);
        let codes: Vec<Codes> = (self.dimensions.iter().zip(dimensions).enumerate())
            .map(|(position, (size, dimension))| {
                // Streams from 2³² on belong to dimensions, those below to cells.
                let mut random = Random::new(seed, (1 << 32) + position as u64);
                Codes::new(&dimension.hierarchy, size.concentration, &mut random)
            })
            .collect();
        let units = 10_f64.powi(i32::from(self.rules.decimals));
        let mut base: BTreeMap<Vec<NodeId>, Amount> = BTreeMap::new();
        for _ in 0..self.base_cells.saturating_mul(MOST_ARRIVALS) {
            let place: Vec<NodeId> = codes.iter().map(|codes| codes.draw(&mut random)).collect();
            let amount = Amount::of_one(contribution(&mut random, units));
            *base.entry(place).or_default() += amount;
            if base.len() == self.base_cells {
                return Ok(base.into_iter().collect());
            }
        }
        let expected = "fewer: with these concentrations so many places are hardly ever reached";
        Err(ParameterError::new("base_cells", self.base_cells, expected))
    }
}

/// The leaves of a dimension with their frequencies.
struct Codes {
    leaves: Vec<NodeId>,
    /// Weights added up.
    cumulated: Vec<f64>,
}

impl Codes {
    fn new(hierarchy: &Hierarchy, concentration: f64, random: &mut Random) -> Self {
        let mut leaves: Vec<NodeId> = hierarchy.leaves().collect();
        random.shuffle(&mut leaves);
        let mut sum = 0.0;
        let cumulated = (1..=leaves.len())
            .map(|rank| {
                sum += (rank as f64).powf(-concentration);
                sum
            })
            .collect();
        Self { leaves, cumulated }
    }

    fn draw(&self, random: &mut Random) -> NodeId {
        let total = self.cumulated[self.cumulated.len() - 1];
        let at = random.uniform() * total;
        let rank = self.cumulated.partition_point(|&sum| sum <= at);
        self.leaves[rank.min(self.leaves.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_base_cells_are_not_empty_as_asked_for() {
        for (seed, base_cells) in [(1, 1), (2, 300), (3, 2_000)] {
            let problem = Sparse::giant_of(base_cells).generate(seed).unwrap();
            let quell_model::Labels::Cube(cube) = problem.labels() else { panic!("no cube") };
            let found = problem.system().cells().filter(|&cell| cube.is_base(cell)).count();
            assert_eq!(found, base_cells);
            assert_eq!(problem.faults(), []);
        }
    }

    #[test]
    fn tables_of_offices_are_mostly_primaries_of_few_contributors_and_large_differences() {
        let problem = Sparse::office().generate(1).unwrap();
        assert!((30_000..35_000).contains(&problem.cell_count()), "{}", problem.cell_count());
        let primaries = problem.primaries().count();
        assert!((16_000..20_000).contains(&primaries), "{primaries}");
        let quell_model::Labels::Cube(cube) = problem.labels() else { panic!("no cube") };
        let contributors = problem.contributors().unwrap();
        let base = || problem.system().cells().filter(|&cell| cube.is_base(cell));
        let few = base().filter(|cell| contributors[cell.index()] <= 2).count();
        assert!(2 * few > base().count(), "{few} base cells of few contributors");
        let mut values: Vec<i64> = base().map(|cell| problem.value(cell)).collect();
        values.sort_unstable();
        let (middle, largest) = (values[values.len() / 2], values[values.len() - 1]);
        assert!(largest > 100 * middle, "{largest} beside {middle}");
        assert_eq!(problem.faults(), []);
    }

    #[test]
    fn a_seed_gives_the_same_table_again() {
        let table = Sparse::giant_of(200);
        assert_eq!(table.generate(9), table.generate(9));
        assert_ne!(table.generate(9), table.generate(10));
    }

    #[test]
    fn impossible_parameters_are_refused_by_name() {
        let parameter = |table: Sparse| table.generate(1).unwrap_err().parameter;
        assert_eq!(parameter(Sparse::giant_of(0)), "base_cells");
        assert_eq!(parameter(Sparse { dimensions: vec![], ..Sparse::giant() }), "dimensions");
        let crowded = SparseDimension { branches: vec![10], concentration: 3.0 };
        assert_eq!(
            parameter(Sparse { dimensions: vec![crowded.clone(); 2], ..Sparse::giant_of(100) }),
            "base_cells"
        );
        let odd = SparseDimension { concentration: -1.0, ..crowded };
        assert_eq!(
            parameter(Sparse { dimensions: vec![odd], ..Sparse::giant_of(5) }),
            "dimensions"
        );
    }
}
