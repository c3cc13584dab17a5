//! How much an adjusted table differs from the original.

use quell_model::{CellId, Labels, Problem, Value};
use serde::Serialize;

/// The changes at one level of totals.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Level {
    /// In how many dimensions these cells are totals; of a table without dimensions 0 for
    /// cells that are no totals and 1 for those that are.
    pub level: usize,
    /// Cells.
    pub cells: usize,
    /// Cells that changed.
    pub changed: usize,
    /// Sum of absolute changes.
    pub absolute: f64,
    /// Mean change in percent of the value, over cells that are not zero.
    pub relative_percent: f64,
    /// The largest change in percent of the value.
    pub most_percent: f64,
}

/// How much an adjusted table differs from the original.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Quality {
    /// By level of totals, base cells first.
    pub levels: Vec<Level>,
    /// Change of the largest total in percent.
    pub total_percent: f64,
    /// Correlation of values and adjusted values over the base cells.
    pub correlation: f64,
    /// Slope of the regression of adjusted values on values over the base cells.
    pub slope: f64,
    /// Variance of the adjusted values over that of the values, base cells.
    pub variance_ratio: f64,
}

/// Compares adjusted values with the original ones.
pub fn quality(problem: &Problem, adjusted: &[Value]) -> Quality {
    let scale = problem.decimals().scale() as f64;
    let base = crate::quality_row::base_cells(problem);
    let mut is_base = vec![false; problem.cell_count()];
    base.iter().for_each(|cell| is_base[cell.index()] = true);
    let level = |cell: CellId| match problem.labels() {
        Labels::Cube(cube) => (0..cube.dimensions().len())
            .filter(|&dimension| {
                let hierarchy = &cube.dimensions()[dimension].hierarchy;
                !hierarchy.total_of(cube.coordinate(cell, dimension)).is_empty()
            })
            .count(),
        _ => usize::from(!is_base[cell.index()]),
    };
    let mut levels: Vec<Level> = Vec::new();
    let mut counted: Vec<usize> = Vec::new();
    for cell in problem.system().cells() {
        let (before, after) = (problem.value(cell), adjusted[cell.index()]);
        let number = level(cell);
        while levels.len() <= number {
            levels.push(Level { level: levels.len(), ..Level::default() });
            counted.push(0);
        }
        let at = &mut levels[number];
        let change = (after - before).abs() as f64;
        at.cells += 1;
        at.changed += usize::from(after != before);
        at.absolute += change / scale;
        if before != 0 {
            let percent = 100.0 * change / before.abs() as f64;
            at.relative_percent += percent;
            at.most_percent = at.most_percent.max(percent);
            counted[number] += 1;
        }
    }
    for (level, &count) in levels.iter_mut().zip(&counted) {
        level.relative_percent /= count.max(1) as f64;
    }
    levels.retain(|level| level.cells > 0);
    let largest = problem.system().cells().max_by_key(|&cell| problem.value(cell).abs());
    let total_percent = largest.map_or(0.0, |cell| {
        let before = problem.value(cell) as f64;
        let after = adjusted[cell.index()] as f64;
        if before == 0.0 { 0.0 } else { 100.0 * (after - before) / before.abs() }
    });
    let pairs = || base.iter().map(|c| (problem.value(*c) as f64, adjusted[c.index()] as f64));
    let count = base.len().max(1) as f64;
    let mean_x = pairs().map(|pair| pair.0).sum::<f64>() / count;
    let mean_y = pairs().map(|pair| pair.1).sum::<f64>() / count;
    let var_x: f64 = pairs().map(|(x, _)| (x - mean_x).powi(2)).sum();
    let var_y: f64 = pairs().map(|(_, y)| (y - mean_y).powi(2)).sum();
    let both: f64 = pairs().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let ratio = |over: f64, under: f64| if under > 0.0 { over / under } else { 1.0 };
    Quality {
        levels,
        total_percent,
        correlation: ratio(both, (var_x * var_y).sqrt()),
        slope: ratio(both, var_x),
        variance_ratio: ratio(var_y, var_x),
    }
}
