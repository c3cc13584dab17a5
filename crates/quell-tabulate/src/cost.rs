//! What it costs to suppress a cell.
//!
//! Costs are relative: only their proportions matter. No cost is below [`SMALLEST_COST`], because
//! a cell that costs nothing would be suppressed without need.

use quell_model::{CellId, Hierarchy, NodeId};

use crate::Table;

/// The smallest cost of a cell.
pub const SMALLEST_COST: f64 = 1e-6;

/// How costs are found: a measure of the cell, then a transformation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cost {
    /// What of the cell counts.
    pub measure: CostMeasure,
    /// How it is transformed.
    pub transformation: Transformation,
}

/// What of a cell counts as information.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum CostMeasure {
    /// The size of what the table shows (G-Confid's SIZE).
    #[default]
    Value,
    /// The same for all: as few cells as possible (G-Confid's CONSTANT).
    Unity,
    /// The number of respondents.
    Frequency,
    /// The total of the table's cost variable.
    Variable,
    /// The number of digits, log₁₀(x + 1) (G-Confid's DIGITS).
    Digits,
    /// log₁₀(x + 1) / (x + 1) (G-Confid's INFORMATION): large cells are cheap.
    Information,
    /// 1 / (x + 1) (G-Confid's INVERSE).
    Inverse,
    /// The size rounded to its first digit (G-Confid's ROUNDEDSIZE): cells of about the same
    /// size cost the same.
    RoundedSize,
    /// How far a cell is above the leaves. For each dimension the weights of the steps up
    /// from a leaf (τ-ARGUS' `<DISTANCE>`; the last one repeats): a cell costs 1 plus the
    /// weights of the steps up to its code, over all dimensions.
    Distance(Vec<Vec<f64>>),
}

/// How costs are transformed (τ-ARGUS' λ).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Transformation {
    /// Not at all (λ = 1).
    #[default]
    None,
    /// ln(x + 1) (λ = 0).
    Logarithm,
    /// x to this power.
    Power(f64),
}

impl Transformation {
    /// The transformation of a τ-ARGUS λ.
    pub fn from_lambda(lambda: f64) -> Self {
        if lambda == 1.0 {
            Self::None
        } else if lambda > 0.0 {
            Self::Power(lambda)
        } else {
            Self::Logarithm
        }
    }

    fn apply(self, cost: f64) -> f64 {
        match self {
            Self::None => cost,
            Self::Logarithm => cost.ln_1p(),
            Self::Power(power) => cost.powf(power),
        }
    }
}

impl Cost {
    /// The cost of every cell of a table.
    pub fn of(&self, table: &Table) -> Vec<f64> {
        let steps: Vec<Vec<f64>> = match &self.measure {
            CostMeasure::Distance(weights) => table
                .dimensions()
                .iter()
                .enumerate()
                .map(|(position, dimension)| {
                    let weights = weights.get(position).map_or(&[][..], Vec::as_slice);
                    steps_up(&dimension.hierarchy, weights)
                })
                .collect(),
            _ => Vec::new(),
        };
        (0..table.cells.len())
            .map(|index| {
                let cost = self.measure(table, CellId::from_index(index), &steps);
                let cost = self.transformation.apply(cost);
                if cost.is_finite() { cost.max(SMALLEST_COST) } else { SMALLEST_COST }
            })
            .collect()
    }

    fn measure(&self, table: &Table, cell: CellId, steps: &[Vec<f64>]) -> f64 {
        let summary = table.summary(cell);
        let size = table.decimals.to_f64(table.value(cell)).abs();
        match self.measure {
            CostMeasure::Value => size,
            CostMeasure::Unity => 1.0,
            CostMeasure::Frequency => summary.respondents.count as f64,
            CostMeasure::Variable => table.cost_decimals.to_f64(summary.cost).abs(),
            CostMeasure::Digits => size.ln_1p() / std::f64::consts::LN_10,
            CostMeasure::Information => size.ln_1p() / std::f64::consts::LN_10 / (size + 1.0),
            CostMeasure::Inverse => 1.0 / (size + 1.0),
            CostMeasure::RoundedSize => first_digit(size),
            CostMeasure::Distance(_) => {
                let node = |position| table.cube.coordinate(cell, position) as usize;
                let above = steps.iter().enumerate().map(|(position, steps)| steps[node(position)]);
                1.0 + above.sum::<f64>()
            }
        }
    }
}

/// A number rounded to its first digit.
fn first_digit(size: f64) -> f64 {
    if size < 1.0 {
        return size.round();
    }
    let power = 10_f64.powf(size.log10().floor());
    (size / power).round() * power
}

/// For each code, the weights of the steps from its deepest leaf up to it, added up.
fn steps_up(hierarchy: &Hierarchy, weights: &[f64]) -> Vec<f64> {
    let mut heights = vec![0_usize; hierarchy.len()];
    // A code's height is that of its highest part plus one. Codes come in any order, so this
    // is repeated until nothing changes: at most as often as there are levels.
    let mut changed = true;
    while changed {
        changed = false;
        for sum in hierarchy.sums() {
            let below = sum.parts.iter().map(|&part| heights[part as usize]).max().unwrap_or(0);
            let height = &mut heights[sum.total as usize];
            if *height <= below {
                *height = below + 1;
                changed = true;
            }
        }
    }
    let weight = |step: usize| {
        let given = weights.get(step).or(weights.last());
        given.copied().unwrap_or(1.0)
    };
    (0..hierarchy.len() as NodeId)
        .map(|node| (0..heights[node as usize]).map(weight).sum())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_distance_repeats() {
        let hierarchy = Hierarchy::balanced(&[2, 2, 2]);
        let steps = steps_up(&hierarchy, &[1.0, 3.0]);
        assert_eq!(steps[0], 1.0 + 3.0 + 3.0);
        assert_eq!(steps[hierarchy.len() - 1], 0.0);
        assert_eq!(steps_up(&hierarchy, &[])[0], 3.0);
    }

    #[test]
    fn sizes_are_rounded_to_their_first_digit() {
        assert_eq!(first_digit(1_234.0), 1_000.0);
        assert_eq!(first_digit(0.4), 0.0);
        assert_eq!(first_digit(97.0), 100.0);
    }

    #[test]
    fn lambda_is_a_power_and_zero_is_the_logarithm() {
        assert_eq!(Transformation::from_lambda(1.0).apply(7.0), 7.0);
        assert_eq!(Transformation::from_lambda(0.5).apply(9.0), 3.0);
        assert_eq!(Transformation::from_lambda(0.0).apply(0.0), 0.0);
    }
}
