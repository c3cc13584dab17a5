//! The class of serpell-2011 (section 2) and serpell-2013: tables like those of the
//! generator of the Office for National Statistics.
//!
//! A Poisson number of contributors per base cell, each contributing `−1/ln r` with `r`
//! uniform in (0, 1); every cell, margins included, is primary if it has at most
//! `threshold` contributors or fails the p% rule; protection is ±10 % of the value.
//!
//! What the papers leave open, and what we chose:
//!
//! - Shares of empty and of primary cells are independent factors there. Here a base
//!   cell is empty with probability `zeros`, else its number of contributors is Poisson
//!   *given that it is not zero*; a plain Poisson of mean λ is `zeros = exp(−λ)`.
//! - A wished share of primaries fixes the mean, computed (not simulated) from the
//!   threshold rule over all cells, margins included.
//! - Decimals: with two, and weights equal to values, the costs per primary come out as
//!   in Table 4a of serpell-2011 (13 to 20 where primaries are the bulk of the cost).
//! - `1/−ln r` has no mean: one contributor in a million would dwarf the table, so
//!   contributions are cut at [`LARGEST_CONTRIBUTION`]; the smallest is one unit, so that
//!   no contributor is invisible.
//! - The attacker knows that values are not negative. JJ files have no infinity, so the
//!   default upper bound is twice the grand total: it tells him nothing, and leaves room
//!   even for the grand total itself.

use std::ops::AddAssign;

use quell_model::{
    Cell, Cube, Dimension, Labels, NodeId, Problem, Protection, Random, Reason, Status,
    UNBOUNDED_ABOVE, Value,
};

use crate::parameters::{decimals, level, percent, share};
use crate::{DimensionSize, ParameterError, Weights};

/// The largest contribution, in whole numbers (not units).
pub const LARGEST_CONTRIBUTION: f64 = 1e9;

/// The largest mean number of contributors a base cell may have.
const LARGEST_MEAN: f64 = 10_000.0;

/// How the number of contributors is set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Contributors {
    /// The Poisson mean of a base cell that is not empty (before that condition).
    Mean(f64),
    /// So that this share of all possible cells (the product of the sizes, as the papers
    /// count them) has between one and `threshold` contributors.
    PrimaryShare(f64),
}

/// How far primaries must be protected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Levels {
    /// Both levels are this percentage of the value.
    Percent(f64),
    /// Cells that fail the p% rule get what the rule asks for,
    /// `p/100·x₁ − (X − x₁ − x₂)`; cells below the threshold get this percentage.
    FromRule(f64),
}

/// What the attacker knows as an upper bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum UpperBound {
    /// This factor times the grand total, the same for every cell.
    GrandTotal(f64),
    /// This factor times the cell's own value.
    OwnValue(f64),
    /// Nothing. Such a table cannot be written as JJ.
    Unbounded,
}

/// Whether cells without contributors are part of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EmptyCells {
    /// They do not exist: the sparse way.
    #[default]
    Absent,
    /// They exist with value zero and are published.
    Published,
}

/// The parameters of the class.
#[derive(Debug, Clone, PartialEq)]
pub struct Ons {
    /// Sizes of the dimensions, margin totals included.
    pub dimensions: Vec<DimensionSize>,
    /// How the number of contributors is set.
    pub contributors: Contributors,
    /// Share of base cells without contributors.
    pub zeros: f64,
    /// Cells with one to so many contributors are primary; none if absent.
    pub threshold: Option<u32>,
    /// The p of the p% rule: a cell is primary if `X − x₁ − x₂ < p/100·x₁`.
    pub p_percent: Option<f64>,
    /// How far primaries must be protected.
    pub levels: Levels,
    /// What suppressing a cell costs.
    pub weights: Weights,
    /// What the attacker knows as an upper bound; his lower bound is zero.
    pub upper_bound: UpperBound,
    /// Decimals of contributions, and so of everything.
    pub decimals: u8,
    /// Whether cells without contributors are part of the table.
    pub empty_cells: EmptyCells,
}

impl Default for Ons {
    /// 20×20×20 with the primaries of the preset of that name.
    fn default() -> Self {
        Self {
            dimensions: vec![DimensionSize::flat(20); 3],
            contributors: Contributors::PrimaryShare(0.1875),
            zeros: 0.0,
            threshold: Some(2),
            p_percent: None,
            levels: Levels::Percent(10.0),
            weights: Weights::Value,
            upper_bound: UpperBound::GrandTotal(2.0),
            decimals: 2,
            empty_cells: EmptyCells::Absent,
        }
    }
}

impl Ons {
    /// The table of a seed.
    ///
    /// Time: linear in the number of possible base cells, contributors and cells, plus
    /// sorting the cells.
    ///
    /// # Errors
    /// If a parameter makes no table.
    pub fn generate(&self, seed: u64) -> Result<Problem, ParameterError> {
        self.check()?;
        let dimensions: Vec<Dimension> = self
            .dimensions
            .iter()
            .enumerate()
            .map(|(position, size)| size.dimension(position, seed))
            .collect();
        let mean = self.mean(&dimensions)?;
        let base = self.base_cells(&dimensions, mean, seed);
        let (cube, amounts) =
            Cube::roll_up(dimensions, base).expect("base cells are drawn from the leaves");
        Ok(self.problem(cube, &amounts))
    }

    pub(crate) fn check(&self) -> Result<(), ParameterError> {
        DimensionSize::check(&self.dimensions)?;
        share("zeros", self.zeros)?;
        decimals(self.decimals)?;
        if self.zeros >= 1.0 && self.empty_cells == EmptyCells::Absent {
            return Err(ParameterError::new("zeros", self.zeros, "below 1, or nothing is left"));
        }
        let (Levels::Percent(margin) | Levels::FromRule(margin)) = self.levels;
        percent("levels", margin)?;
        if let Some(p) = self.p_percent {
            percent("p_percent", p)?;
        }
        match self.upper_bound {
            UpperBound::GrandTotal(factor) | UpperBound::OwnValue(factor)
                if !(1.0..=1000.0).contains(&factor) =>
            {
                Err(ParameterError::new("upper_bound", factor, "a factor between 1 and 1000"))
            }
            _ => Ok(()),
        }
    }

    /// The Poisson mean that is asked for or that gives the share asked for.
    fn mean(&self, dimensions: &[Dimension]) -> Result<f64, ParameterError> {
        match self.contributors {
            Contributors::Mean(mean) if mean > 0.0 && mean <= LARGEST_MEAN => Ok(mean),
            Contributors::Mean(mean) => {
                Err(ParameterError::new("contributors", mean, "a mean above 0 and up to 10000"))
            }
            Contributors::PrimaryShare(wanted) => {
                share("contributors", wanted)?;
                let threshold = self.threshold.filter(|&threshold| threshold > 0);
                let threshold = threshold.ok_or_else(|| {
                    let expected = "a mean: a share of primaries needs a threshold rule";
                    ParameterError::new("contributors", "a share", expected)
                })?;
                calibrate(dimensions, self.zeros, threshold, wanted)
            }
        }
    }

    fn base_cells(
        &self,
        dimensions: &[Dimension],
        mean: f64,
        seed: u64,
    ) -> Vec<(Vec<NodeId>, Amount)> {
        let mut random = Random::new(seed, 0);
        let units = 10_f64.powi(i32::from(self.decimals));
        let leaves: Vec<Vec<NodeId>> =
            dimensions.iter().map(|dimension| dimension.hierarchy.leaves().collect()).collect();
        let possible: usize = leaves.iter().map(Vec::len).product();
        let expected = match self.empty_cells {
            EmptyCells::Absent => (possible as f64 * (1.0 - self.zeros) * 1.01) as usize,
            EmptyCells::Published => possible,
        };
        let mut base = Vec::with_capacity(expected.min(possible));
        let mut place = vec![0_usize; leaves.len()];
        for index in 0..possible {
            let empty = self.zeros > 0.0 && random.chance(self.zeros);
            let mut amount = Amount::default();
            if !empty {
                for _ in 0..poisson_above_zero(&mut random, mean) {
                    amount += Amount::of_one(contribution(&mut random, units));
                }
            }
            let last_chance = base.is_empty() && index + 1 == possible;
            if last_chance && empty && self.empty_cells == EmptyCells::Absent {
                // A tiny table of almost only zeros still has to be a table.
                amount = Amount::of_one(contribution(&mut random, units));
            }
            if amount.contributors > 0 || self.empty_cells == EmptyCells::Published {
                let coordinates = place.iter().zip(&leaves).map(|(&at, of)| of[at]).collect();
                base.push((coordinates, amount));
            }
            for (at, of) in place.iter_mut().zip(&leaves).rev() {
                *at += 1;
                if *at < of.len() {
                    break;
                }
                *at = 0;
            }
        }
        base
    }

    /// The rules applied to what the cells add up to.
    pub(crate) fn problem(&self, cube: Cube, amounts: &[Amount]) -> Problem {
        let grand_total = amounts.first().map_or(0, |amount| amount.value);
        let cells = amounts.iter().map(|amount| self.cell(amount, grand_total));
        let contributors = amounts.iter().map(|amount| amount.contributors).collect();
        Problem::new(cube.system(), quell_model::Decimals(self.decimals), cells)
            .with_contributors(contributors)
            .with_labels(Labels::Cube(Box::new(cube)))
    }

    fn cell(&self, amount: &Amount, grand_total: Value) -> Cell {
        let value = amount.value;
        let status = self.status(amount);
        let level = match status {
            Status::Primary(reason) => self.level(amount, reason),
            _ => 0,
        };
        let upper_bound = match self.upper_bound {
            UpperBound::GrandTotal(factor) => (grand_total as f64 * factor).ceil() as Value,
            UpperBound::OwnValue(factor) => (value as f64 * factor).ceil() as Value,
            UpperBound::Unbounded => UNBOUNDED_ABOVE,
        };
        Cell {
            value,
            weight: self.weights.of(
                value,
                quell_model::Decimals(self.decimals),
                amount.contributors,
            ),
            status,
            lower_bound: 0,
            upper_bound,
            protection: Protection { lower: level.min(value), upper: level, sliding: 0 },
        }
    }

    fn status(&self, amount: &Amount) -> Status {
        if amount.contributors == 0 {
            Status::Protected
        } else if self.threshold.is_some_and(|most| amount.contributors <= most) {
            Status::Primary(Reason::Frequency)
        } else if self.p_percent.is_some_and(|p| amount.shortfall(p) > 0.0) {
            Status::Primary(Reason::PPercent)
        } else {
            Status::Safe
        }
    }

    fn level(&self, amount: &Amount, reason: Reason) -> Value {
        match (self.levels, self.p_percent, reason) {
            (Levels::FromRule(_), Some(p), Reason::PPercent) => {
                (amount.shortfall(p).ceil() as Value).max(1)
            }
            (Levels::Percent(margin) | Levels::FromRule(margin), ..) => level(amount.value, margin),
        }
    }
}

/// What a cell adds up to, with its two largest contributions for the p% rule.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Amount {
    value: Value,
    largest: Value,
    second: Value,
    contributors: u32,
}

impl Amount {
    pub(crate) fn of_one(contribution: Value) -> Self {
        Self { value: contribution, largest: contribution, second: 0, contributors: 1 }
    }

    /// What the others lack to hide the largest from the second by p%, in units.
    fn shortfall(&self, p: f64) -> f64 {
        let others = self.value - self.largest - self.second;
        self.largest as f64 * p / 100.0 - others as f64
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Self) {
        self.value += other.value;
        self.contributors += other.contributors;
        if other.largest > self.largest {
            self.second = self.largest.max(other.second);
            self.largest = other.largest;
        } else {
            self.second = self.second.max(other.largest);
        }
    }
}

/// `−1/ln r` in units, between one unit and the largest contribution.
pub(crate) fn contribution(random: &mut Random, units: f64) -> Value {
    let amount = (-1.0 / random.uniform().ln()).min(LARGEST_CONTRIBUTION);
    ((amount * units).round() as Value).max(1)
}

/// Poisson given that it is not zero, exactly: the first arrival falls into the time
/// `0..mean` for sure, and the rest is Poisson over the time that is left.
fn poisson_above_zero(random: &mut Random, mean: f64) -> u32 {
    let first = -(-random.uniform() * -(-mean).exp_m1()).ln_1p();
    1 + random.poisson(mean - first)
}

/// The mean at which the expected share of cells with one to `threshold` contributors is
/// as wanted, by bisection: the share falls as the mean grows.
fn calibrate(
    dimensions: &[Dimension],
    zeros: f64,
    threshold: u32,
    wanted: f64,
) -> Result<f64, ParameterError> {
    let populations = populations(dimensions);
    let share = |mean| expected_share(&populations, zeros, threshold, mean);
    let (mut low, mut high) = (1e-6, 700.0);
    if share(low) < wanted || share(high) > wanted {
        let expected = "a share of primaries that the zeros, the threshold and margins allow";
        return Err(ParameterError::new("contributors", wanted, expected));
    }
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if share(middle) > wanted { low = middle } else { high = middle }
    }
    Ok((low + high) / 2.0)
}

/// How many base cells lie under a cell, and how many cells have so many: every cell of
/// the product of the dimensions, grouped.
fn populations(dimensions: &[Dimension]) -> Vec<(f64, f64)> {
    let mut groups: Vec<(u64, u64)> = vec![(1, 1)];
    for dimension in dimensions {
        let hierarchy = &dimension.hierarchy;
        let mut under = vec![0_u64; hierarchy.len()];
        for leaf in hierarchy.leaves() {
            under[leaf as usize] = 1;
            for &above in hierarchy.ancestors(leaf) {
                under[above as usize] += 1;
            }
        }
        let mut products: Vec<(u64, u64)> = groups
            .iter()
            .flat_map(|&(size, count)| under.iter().map(move |&leaves| (size * leaves, count)))
            .collect();
        products.sort_unstable();
        groups.clear();
        for (size, count) in products {
            match groups.last_mut() {
                Some(last) if last.0 == size => last.1 += count,
                _ => groups.push((size, count)),
            }
        }
    }
    groups.into_iter().map(|(size, count)| (size as f64, count as f64)).collect()
}

/// The expected share of cells with one to `threshold` contributors.
fn expected_share(populations: &[(f64, f64)], zeros: f64, threshold: u32, mean: f64) -> f64 {
    // Probabilities of 0, 1, … contributors of one base cell.
    let mut one = vec![zeros];
    let mut term = (1.0 - zeros) / mean.exp_m1();
    for count in 1..=threshold {
        term *= mean / f64::from(count);
        one.push(term);
    }
    let (mut primaries, mut cells) = (0.0, 0.0);
    for &(size, count) in populations {
        primaries += count * power(&one, size as u64).iter().skip(1).sum::<f64>();
        cells += count;
    }
    primaries / cells
}

/// A power of a polynomial, cut off at its own degree: the distribution of the sum of
/// `exponent` independent counts.
fn power(polynomial: &[f64], exponent: u64) -> Vec<f64> {
    let product = |a: &[f64], b: &[f64]| -> Vec<f64> {
        (0..a.len()).map(|n| (0..=n).map(|k| a[k] * b[n - k]).sum()).collect()
    };
    let mut result = vec![0.0; polynomial.len()];
    result[0] = 1.0;
    let (mut square, mut rest) = (polynomial.to_vec(), exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result = product(&result, &square);
        }
        square = product(&square, &square);
        rest >>= 1;
    }
    result
}

/// A table of serpell-2011 by its shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Preset {
    /// What it is called, such as `100x158Hx9`.
    pub name: &'static str,
    /// Primaries the paper counts, or those chosen where it does not.
    pub primaries: usize,
    /// Share of base cells without contributors.
    pub zeros: f64,
}

/// The tables of serpell-2011 and a 20×20×20 table of the same kind for smaller experiments.
///
/// The paper counts primaries in its Tables 1 and 3; for the other shapes of its Table 4 a
/// share is chosen that is usual there: 17 % in flat tables, 11 % in hierarchical ones. It
/// gives no zeros; they are chosen so that about as many primaries are exposed by unpicking
/// as in its Table 1, for empty cells leave primaries alone in their lines.
pub const PRESETS: [Preset; 32] = [
    Preset { name: "20x20x20", primaries: 1_500, zeros: 0.0 },
    Preset { name: "100x33x78", primaries: 44_617, zeros: 0.0 },
    Preset { name: "100x25x96", primaries: 59_853, zeros: 0.0 },
    Preset { name: "100x73x35", primaries: 24_981, zeros: 0.3 },
    Preset { name: "100x66x38", primaries: 86_250, zeros: 0.0 },
    Preset { name: "51Hx77Hx40", primaries: 16_224, zeros: 0.0 },
    Preset { name: "88Hx50x40", primaries: 24_076, zeros: 0.0 },
    Preset { name: "21x35x60x6", primaries: 44_934, zeros: 0.0 },
    Preset { name: "489x1026", primaries: 68_445, zeros: 0.0 },
    Preset { name: "243x2132", primaries: 109_855, zeros: 0.0 },
    Preset { name: "100x242Hx22H", primaries: 59_416, zeros: 0.0 },
    Preset { name: "100x56x97", primaries: 164_239, zeros: 0.0 },
    Preset { name: "90x90x90", primaries: 164_927, zeros: 0.0 },
    Preset { name: "100x100x100", primaries: 227_590, zeros: 0.0 },
    Preset { name: "100x112Hx4", primaries: 4_928, zeros: 0.0 },
    Preset { name: "100x27x18", primaries: 8_262, zeros: 0.0 },
    Preset { name: "100x21x24", primaries: 8_568, zeros: 0.0 },
    Preset { name: "100x5x106H", primaries: 5_830, zeros: 0.0 },
    Preset { name: "100x7x83", primaries: 9_877, zeros: 0.0 },
    Preset { name: "100x20x31", primaries: 10_540, zeros: 0.0 },
    Preset { name: "100x6x112H", primaries: 7_392, zeros: 0.0 },
    Preset { name: "100x20x36", primaries: 12_240, zeros: 0.0 },
    Preset { name: "100x76x10", primaries: 12_920, zeros: 0.0 },
    Preset { name: "100x4x212H", primaries: 9_328, zeros: 0.0 },
    Preset { name: "100x85x10", primaries: 14_450, zeros: 0.0 },
    Preset { name: "100x11x90H", primaries: 10_890, zeros: 0.0 },
    Preset { name: "50x50x40", primaries: 17_000, zeros: 0.0 },
    Preset { name: "100x43x27", primaries: 19_737, zeros: 0.0 },
    Preset { name: "100x158Hx9", primaries: 15_642, zeros: 0.0 },
    Preset { name: "100x30x51", primaries: 26_010, zeros: 0.0 },
    Preset { name: "100x91x23", primaries: 35_581, zeros: 0.0 },
    Preset { name: "100x55x46", primaries: 43_010, zeros: 0.0 },
];

impl Preset {
    /// The preset of a name.
    pub fn find(name: &str) -> Option<Self> {
        PRESETS.into_iter().find(|preset| preset.name.eq_ignore_ascii_case(name))
    }

    /// Its parameters.
    pub fn parameters(self) -> Ons {
        let dimensions: Vec<DimensionSize> = self
            .name
            .split('x')
            .map(|size| size.parse().expect("presets are named by their sizes"))
            .collect();
        let cells: usize = dimensions.iter().map(|size| size.codes).product();
        Ons {
            contributors: Contributors::PrimaryShare(self.primaries as f64 / cells as f64),
            zeros: self.zeros,
            dimensions,
            ..Ons::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Ons {
        Ons {
            dimensions: vec![DimensionSize::flat(8), DimensionSize::hierarchical(30)],
            ..Ons::default()
        }
    }

    #[test]
    fn every_preset_has_the_papers_primaries_within_a_fifth() {
        for preset in PRESETS.iter().filter(|preset| preset.primaries < 25_000) {
            let problem = preset.parameters().generate(1).unwrap();
            let found = problem.primaries().count() as f64;
            let ratio = found / preset.primaries as f64;
            assert!((0.95..1.05).contains(&ratio), "{}: {found}", preset.name);
        }
    }

    #[test]
    fn tables_are_additive_and_inside_their_bounds() {
        for seed in 0..20 {
            for zeros in [0.0, 0.5, 0.99] {
                let table = Ons {
                    zeros,
                    p_percent: Some(10.0),
                    contributors: Contributors::Mean(2.0),
                    ..small()
                };
                assert_eq!(table.generate(seed).unwrap().faults(), []);
            }
        }
    }

    #[test]
    fn published_zeros_make_the_table_complete() {
        let table = Ons { zeros: 0.6, contributors: Contributors::Mean(3.0), ..small() };
        let sparse = table.generate(3).unwrap();
        let full = Ons { empty_cells: EmptyCells::Published, ..table }.generate(3).unwrap();
        assert!(sparse.cell_count() < 240);
        assert_eq!(full.cell_count(), 240);
        let counted = full.contributors().unwrap();
        let zeros = counted.iter().filter(|&&contributors| contributors == 0).count();
        assert_eq!(zeros, 240 - sparse.cell_count());
        assert_eq!(sparse.primaries().count(), full.primaries().count());
    }

    #[test]
    fn the_threshold_rule_looks_at_every_cell() {
        let problem = Ons { threshold: Some(4), ..small() }.generate(5).unwrap();
        let contributors = problem.contributors().unwrap();
        for cell in problem.system().cells() {
            let few = contributors[cell.index()] <= 4;
            assert_eq!(problem.status(cell).is_primary(), few);
        }
    }

    #[test]
    fn the_p_percent_rule_gives_its_own_levels() {
        let table = Ons {
            threshold: None,
            contributors: Contributors::Mean(4.0),
            p_percent: Some(20.0),
            levels: Levels::FromRule(10.0),
            ..small()
        };
        let problem = table.generate(1).unwrap();
        assert!(problem.primaries().count() > 20);
        for cell in problem.primaries() {
            assert_eq!(problem.status(cell), Status::Primary(Reason::PPercent));
            // No more than p% of the largest contribution, hence of the value.
            assert!(problem.protection(cell).upper <= problem.value(cell) / 5 + 1);
        }
    }

    #[test]
    fn top_contributions_survive_adding_up() {
        let mut sum = Amount::of_one(5);
        sum += Amount::of_one(9);
        let mut other = Amount::of_one(7);
        other += Amount::of_one(8);
        sum += other;
        assert_eq!((sum.value, sum.largest, sum.second, sum.contributors), (29, 9, 8, 4));
        assert!((sum.shortfall(150.0) - 1.5).abs() < 1e-12);
    }

    #[test]
    fn counts_above_zero_have_their_distribution() {
        let mut random = Random::new(1, 0);
        let mean = 1.3_f64;
        let draws = 200_000;
        let ones = (0..draws).filter(|_| poisson_above_zero(&mut random, mean) == 1).count();
        let expected = mean / mean.exp_m1();
        assert!((ones as f64 / f64::from(draws) - expected).abs() < 0.004);
    }

    #[test]
    fn a_seed_gives_the_same_table_again() {
        let table = Ons::default();
        assert_eq!(table.generate(9), table.generate(9));
        assert_ne!(table.generate(9), table.generate(10));
    }

    #[test]
    fn impossible_parameters_are_refused_by_name() {
        let parameter = |table: Ons| table.generate(1).unwrap_err().parameter;
        assert_eq!(parameter(Ons { dimensions: vec![], ..small() }), "dimensions");
        assert_eq!(
            parameter(Ons { dimensions: vec![DimensionSize::flat(1)], ..small() }),
            "dimensions"
        );
        assert_eq!(parameter(Ons { zeros: 1.5, ..small() }), "zeros");
        assert_eq!(parameter(Ons { zeros: 1.0, ..small() }), "zeros");
        assert_eq!(parameter(Ons { decimals: 9, ..small() }), "decimals");
        assert_eq!(
            parameter(Ons { contributors: Contributors::Mean(-1.0), ..small() }),
            "contributors"
        );
        assert_eq!(
            parameter(Ons { contributors: Contributors::PrimaryShare(0.99), ..small() }),
            "contributors"
        );
        assert_eq!(parameter(Ons { threshold: None, ..small() }), "contributors");
        assert_eq!(
            parameter(Ons { upper_bound: UpperBound::OwnValue(0.5), ..small() }),
            "upper_bound"
        );
        assert_eq!(parameter(Ons { levels: Levels::Percent(f64::NAN), ..small() }), "levels");
    }
}
