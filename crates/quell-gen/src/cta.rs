//! The class of cox-2005 (section 3): tables for controlled tabular adjustment.
//!
//! Two- and three-way tables, 4×4 to 25×25 and n×n×n up to 20×20×20. Internal values are
//! uniform between 0 and 1000; 10 % of the internal entries are then set to zero; 30 % of
//! the internal entries are sensitive, margins never are; a sensitive value must move by
//! 20 %, any other value may move by at most 20 %; the sum of absolute changes counts, so
//! all weights are 1.
//!
//! The limits of movement are the bounds of the cells. What the paper leaves open, and
//! what we chose: whole numbers; levels are rounded to the nearest unit, at least one;
//! bounds are rounded outwards and always leave room for the level; zeros can neither
//! move nor be protected, and 30 % sensitive means 30 % of all internal entries, so some
//! of them fall on zeros.

use quell_model::{
    Cell, Cube, Dimension, Hierarchy, Labels, Problem, Protection, Random, Reason, Status, Value,
};

use crate::ParameterError;
use crate::leaves::{all_leaves, base_cells};
use crate::parameters::{decimals, level, percent, share};

/// The most internal entries a table may have.
const MOST_ENTRIES: usize = 1 << 26;

/// The parameters of the class.
#[derive(Debug, Clone, PartialEq)]
pub struct Cta {
    /// Sizes of the dimensions, without totals, as the paper counts.
    pub sizes: Vec<usize>,
    /// Internal values are uniform from 0 up to this.
    pub largest: f64,
    /// Share of internal entries that are then set to zero.
    pub zeros: f64,
    /// Share of internal entries that are sensitive.
    pub sensitive: f64,
    /// How far a sensitive value must move, in percent.
    pub level_percent: f64,
    /// How far any value may move, in percent.
    pub limit_percent: f64,
    /// Decimals of the values.
    pub decimals: u8,
}

impl Default for Cta {
    /// The paper's 10×10×10 table.
    fn default() -> Self {
        Self {
            sizes: vec![10, 10, 10],
            largest: 1000.0,
            zeros: 0.1,
            sensitive: 0.3,
            level_percent: 20.0,
            limit_percent: 20.0,
            decimals: 0,
        }
    }
}

impl Cta {
    /// The table of a seed. Time: linear in the number of cells.
    ///
    /// # Errors
    /// If a parameter makes no table.
    pub fn generate(&self, seed: u64) -> Result<Problem, ParameterError> {
        self.check()?;
        let decimals = decimals(self.decimals)?;
        let dimensions: Vec<Dimension> = self
            .sizes
            .iter()
            .enumerate()
            .map(|(position, &size)| {
                Dimension::new(format!("d{}", position + 1), Hierarchy::flat(size))
            })
            .collect();
        let coordinates = all_leaves(&dimensions);
        let mut random = Random::new(seed, 0);
        let scale = decimals.scale() as f64;
        let mut internal: Vec<Value> = coordinates
            .iter()
            .map(|_| (random.uniform() * self.largest * scale).round() as Value)
            .collect();
        let mut order: Vec<usize> = (0..internal.len()).collect();
        random.shuffle(&mut order);
        let zeros = (internal.len() as f64 * self.zeros).round() as usize;
        for &entry in &order[..zeros] {
            internal[entry] = 0;
        }
        let base = coordinates.into_iter().zip(internal);
        let (cube, values) = Cube::roll_up(dimensions, base).expect("base cells are the leaves");
        let mut inner = base_cells(&cube);
        random.shuffle(&mut inner);
        let mut sensitive = vec![false; values.len()];
        for &cell in &inner[..(inner.len() as f64 * self.sensitive).round() as usize] {
            sensitive[cell] = true;
        }
        let cells = values.iter().zip(sensitive).map(|(&value, sensitive)| {
            self.cell(value, if sensitive { Status::Primary(Reason::Given) } else { Status::Safe })
        });
        let problem = Problem::new(cube.system(), decimals, cells);
        Ok(problem.with_labels(Labels::Cube(Box::new(cube))))
    }

    fn cell(&self, value: Value, status: Status) -> Cell {
        let protects = status.is_primary() && value > 0;
        let level = if protects { level(value, self.level_percent) } else { 0 };
        let limit = (value as f64 * self.limit_percent / 100.0).ceil() as Value;
        let reach = limit.max(level);
        let lower_bound = (value - reach).max(0);
        Cell {
            value,
            weight: 1.0,
            status,
            lower_bound,
            upper_bound: value + reach,
            protection: Protection {
                lower: level.min(value - lower_bound),
                upper: level,
                sliding: 0,
            },
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        let entries = self.sizes.iter().try_fold(1_usize, |all, &size| all.checked_mul(size));
        let sane = entries.is_some_and(|entries| (1..=MOST_ENTRIES).contains(&entries));
        if self.sizes.is_empty() || !sane {
            let found = format!("{:?}", self.sizes);
            let expected = "sizes of at least 1 with at most 2^26 entries in all";
            return Err(ParameterError::new("sizes", found, expected));
        }
        if !(self.largest > 0.0 && self.largest <= 1e9) {
            return Err(ParameterError::new("largest", self.largest, "above 0 and up to 1e9"));
        }
        share("zeros", self.zeros)?;
        share("sensitive", self.sensitive)?;
        percent("level_percent", self.level_percent)?;
        percent("limit_percent", self.limit_percent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_as_the_paper_says() {
        for sizes in [vec![4, 4], vec![25, 25], vec![5, 5, 5], vec![10, 10, 20], vec![20, 20, 20]] {
            let table = Cta { sizes: sizes.clone(), ..Cta::default() };
            let problem = table.generate(1).unwrap();
            let entries: usize = sizes.iter().product();
            let cells: usize = sizes.iter().map(|size| size + 1).product();
            assert_eq!(problem.cell_count(), cells);
            assert_eq!(problem.faults(), []);
            let share = problem.primaries().count() as f64 / entries as f64;
            assert!((share - 0.3).abs() < 0.02, "{sizes:?}: {share}");
            let Labels::Cube(cube) = problem.labels() else { panic!("a cube") };
            assert!(problem.primaries().all(|cell| cube.is_base(cell)));
            let zeros = problem.values().iter().filter(|&&value| value == 0).count() as f64;
            assert!(zeros >= (entries as f64 * 0.1).floor(), "{sizes:?}: {zeros}");
        }
    }

    #[test]
    fn sensitive_values_have_room_to_move_as_they_must() {
        let problem = Cta { limit_percent: 5.0, ..Cta::default() }.generate(4).unwrap();
        for cell in problem.primaries() {
            let levels = problem.protection(cell);
            assert!(levels.upper <= problem.room_up(cell));
            assert!(levels.lower <= problem.room_down(cell));
            let value = problem.value(cell);
            assert!(value < 3 || levels.upper >= value / 5, "{value}: {levels:?}");
        }
    }

    #[test]
    fn a_seed_gives_the_same_table_again() {
        let table = Cta::default();
        assert_eq!(table.generate(1), table.generate(1));
        assert_ne!(table.generate(1), table.generate(2));
    }

    #[test]
    fn impossible_parameters_are_refused_by_name() {
        let parameter = |table: Cta| table.generate(1).unwrap_err().parameter;
        let usual = Cta::default;
        assert_eq!(parameter(Cta { sizes: vec![], ..usual() }), "sizes");
        assert_eq!(parameter(Cta { sizes: vec![3, 0], ..usual() }), "sizes");
        assert_eq!(parameter(Cta { sizes: vec![usize::MAX, 3], ..usual() }), "sizes");
        assert_eq!(parameter(Cta { zeros: 2.0, ..usual() }), "zeros");
        assert_eq!(parameter(Cta { sensitive: -1.0, ..usual() }), "sensitive");
        assert_eq!(parameter(Cta { level_percent: -1.0, ..usual() }), "level_percent");
    }
}
