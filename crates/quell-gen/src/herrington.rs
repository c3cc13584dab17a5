//! The class of herrington-2015 (Table 1 and its section on data): large two-way tables
//! with few primaries.
//!
//! Internal cells are uniform real numbers between 0 and 1000; a random subset of the
//! internal cells is sensitive, from 0.25 % to 3 %; protection is ±10 % of the value; a
//! suppression costs the value; the table is positive, so the attacker knows that no
//! value is below zero.
//!
//! What the paper leaves open, and what we chose: two decimals; the smallest value is one
//! unit, so that every primary can be protected; no upper bound, which in JJ files,
//! that have no infinity, is twice the grand total. Its Table 1 gives the tables of
//! 400×250 cells 1,101 marginal cells, which a table of that size does not have (651).

use quell_model::{
    Cell, Cube, Dimension, Hierarchy, Labels, Problem, Protection, Random, Reason, Status, Value,
};

use crate::leaves::{all_leaves, base_cells};
use crate::parameters::{decimals, level, percent, share};
use crate::{ParameterError, Weights};

/// The most cells a side may have.
const LONGEST: usize = 1 << 15;

/// How many internal cells are primary.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Primaries {
    /// This share of the internal cells, to the nearest number.
    Share(f64),
    /// So many.
    Count(usize),
}

/// The parameters of the class.
#[derive(Debug, Clone, PartialEq)]
pub struct Herrington {
    /// Rows, without the total.
    pub rows: usize,
    /// Columns, without the total.
    pub columns: usize,
    /// How many internal cells are primary.
    pub primaries: Primaries,
    /// Internal values are uniform from 0 up to this.
    pub largest: f64,
    /// Both protection levels, in percent of the value.
    pub level_percent: f64,
    /// What suppressing a cell costs.
    pub weights: Weights,
    /// Decimals of the values.
    pub decimals: u8,
}

impl Default for Herrington {
    /// The first table of the paper, 100×100 with 0.5 % primaries.
    fn default() -> Self {
        Self {
            rows: 100,
            columns: 100,
            primaries: Primaries::Share(0.005),
            largest: 1000.0,
            level_percent: 10.0,
            weights: Weights::Value,
            decimals: 2,
        }
    }
}

impl Herrington {
    /// The seven kinds of tables of the paper, with its names.
    pub fn presets() -> [(&'static str, Self); 7] {
        let of = |rows, columns, primaries| Self {
            rows,
            columns,
            primaries: Primaries::Count(primaries),
            ..Self::default()
        };
        [
            ("10000Cells0.5", of(100, 100, 50)),
            ("10000Cells1", of(100, 100, 100)),
            ("10000Cells3", of(100, 100, 300)),
            ("100000Cells0.5", of(400, 250, 500)),
            ("100000Cells1", of(400, 250, 1_000)),
            ("100000Cells3", of(400, 250, 3_000)),
            ("100000CellsRC", of(400, 250, 250)),
        ]
    }

    /// The table of a seed. Time: linear in the number of cells.
    ///
    /// # Errors
    /// If a parameter makes no table.
    pub fn generate(&self, seed: u64) -> Result<Problem, ParameterError> {
        let primaries = self.check()?;
        let decimals = decimals(self.decimals)?;
        let dimensions = vec![
            Dimension::new("row", Hierarchy::flat(self.rows)),
            Dimension::new("column", Hierarchy::flat(self.columns)),
        ];
        let mut random = Random::new(seed, 0);
        let scale = decimals.scale() as f64;
        let internal: Vec<Value> = (0..self.rows * self.columns)
            .map(|_| ((random.uniform() * self.largest * scale).round() as Value).max(1))
            .collect();
        let base = all_leaves(&dimensions).into_iter().zip(internal);
        let (cube, values) =
            Cube::roll_up(dimensions.clone(), base).expect("base cells are the leaves");
        let mut sensitive = vec![false; values.len()];
        let mut inner: Vec<usize> = base_cells(&cube);
        random.shuffle(&mut inner);
        for &cell in &inner[..primaries] {
            sensitive[cell] = true;
        }
        let upper_bound = values[0] * 2;
        let cells = values.iter().zip(sensitive).map(|(&value, sensitive)| {
            let level = if sensitive { level(value, self.level_percent) } else { 0 };
            let primary = Status::Primary(Reason::Given);
            Cell {
                value,
                weight: self.weights.of(value, decimals, 1),
                status: if sensitive { primary } else { Status::Safe },
                lower_bound: 0,
                upper_bound,
                protection: Protection { lower: level.min(value), upper: level, sliding: 0 },
            }
        });
        let problem = Problem::new(cube.system(), decimals, cells);
        Ok(problem.with_labels(Labels::Cube(Box::new(cube))))
    }

    /// Checks the parameters and gives the number of primaries.
    fn check(&self) -> Result<usize, ParameterError> {
        for (parameter, side) in [("rows", self.rows), ("columns", self.columns)] {
            if !(1..=LONGEST).contains(&side) {
                return Err(ParameterError::new(parameter, side, "between 1 and 32768"));
            }
        }
        percent("level_percent", self.level_percent)?;
        if !(self.largest > 0.0 && self.largest <= 1e9) {
            return Err(ParameterError::new("largest", self.largest, "above 0 and up to 1e9"));
        }
        if self.weights == Weights::Contributors {
            let expected = "value or one: the class has no contributors";
            return Err(ParameterError::new("weights", "contributors", expected));
        }
        let internal = self.rows * self.columns;
        match self.primaries {
            Primaries::Share(of_all) => {
                share("primaries", of_all)?;
                Ok((internal as f64 * of_all).round() as usize)
            }
            Primaries::Count(count) if count <= internal => Ok(count),
            Primaries::Count(count) => {
                Err(ParameterError::new("primaries", count, "at most the number of internal cells"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_as_the_paper_says() {
        for (name, table) in Herrington::presets() {
            let problem = table.generate(1).unwrap();
            let internal = table.rows * table.columns;
            assert_eq!(problem.cell_count(), internal + table.rows + table.columns + 1, "{name}");
            let Primaries::Count(count) = table.primaries else { panic!("presets count") };
            assert_eq!(problem.primaries().count(), count);
            assert_eq!(problem.faults(), []);
            let mean = problem.decimals().to_f64(problem.values()[0]) / internal as f64;
            assert!((490.0..510.0).contains(&mean), "{name}: {mean}");
        }
    }

    #[test]
    fn only_internal_cells_are_primary() {
        let table = Herrington {
            rows: 6,
            columns: 5,
            primaries: Primaries::Share(1.0),
            ..Herrington::default()
        };
        let problem = table.generate(3).unwrap();
        let Labels::Cube(cube) = problem.labels() else { panic!("a cube") };
        for cell in problem.system().cells() {
            assert_eq!(problem.status(cell).is_primary(), cube.is_base(cell));
        }
    }

    #[test]
    fn a_seed_gives_the_same_table_again() {
        let table = Herrington { rows: 9, columns: 4, ..Herrington::default() };
        assert_eq!(table.generate(1), table.generate(1));
        assert_ne!(table.generate(1), table.generate(2));
    }

    #[test]
    fn impossible_parameters_are_refused_by_name() {
        let parameter = |table: Herrington| table.generate(1).unwrap_err().parameter;
        let usual = Herrington::default;
        assert_eq!(parameter(Herrington { rows: 0, ..usual() }), "rows");
        assert_eq!(
            parameter(Herrington { primaries: Primaries::Count(10_001), ..usual() }),
            "primaries"
        );
        assert_eq!(
            parameter(Herrington { primaries: Primaries::Share(-0.1), ..usual() }),
            "primaries"
        );
        assert_eq!(parameter(Herrington { largest: f64::NAN, ..usual() }), "largest");
        assert_eq!(parameter(Herrington { weights: Weights::Contributors, ..usual() }), "weights");
    }
}
