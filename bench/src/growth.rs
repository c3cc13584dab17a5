//! How time and memory grow with the table: flat three-way tables from ten thousand to three
//! million cells, 17 % of them primary.

use std::error::Error;

use clap::Args;

use crate::plot::{Axis, Chart, Line};
use crate::protected::{Limits, Row};
use crate::results::{grouped, print};

/// What is measured.
#[derive(Debug, Args)]
pub struct GrowthArguments {
    /// Cells, about
    #[arg(long, value_delimiter = ',', value_name = "N",
        default_values_t = [10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000])]
    cells: Vec<usize>,

    /// The method
    #[arg(long, default_value = "auto")]
    method: String,

    #[command(flatten)]
    limits: Limits,
}

const HEADER: [&str; 9] = [
    "cells",
    "primaries",
    "E_u",
    "secondaries",
    "with audit, wall s",
    "CPU s",
    "peak, MiB",
    "safe",
    "measured",
];

pub fn run(arguments: &GrowthArguments) -> Result<(), Box<dyn Error>> {
    let mut rows: Vec<Row> = Vec::new();
    for cells in &arguments.cells {
        let name = format!("cube:{cells}");
        rows.push(arguments.limits.result("growth", (&name, 1), &arguments.method)?);
    }
    let whole = |row: &Row, column: &str| grouped(row.number(column) as usize);
    let shown: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let mut shown: Vec<String> =
                ["cells", "primaries", "e_u", "secondaries"].map(|name| whole(row, name)).to_vec();
            let rest = ["wall_s", "cpu_s", "peak_mib", "audit_safe"];
            shown.extend(rest.map(|name| row.text(name).to_owned()));
            shown.push(row.date().to_owned());
            shown
        })
        .collect();
    println!("{} s a table\n", arguments.limits.time);
    print(&HEADER, &shown);
    let points = |column: &str| -> Vec<(f64, f64)> {
        rows.iter().map(|row| (row.number("cells"), row.number(column).max(0.1))).collect()
    };
    let (seconds, memory) = (points("cpu_s"), points("peak_mib"));
    println!(
        "\nCPU time grows as cells^{:.2}, memory as cells^{:.2}",
        exponent(&seconds),
        exponent(&memory)
    );
    let line = |name: &str, points| Line { name: name.to_owned(), points };
    let chart = Chart {
        title: format!("Growth of {} with the table", arguments.method),
        x: ("cells", Axis::Logarithmic),
        y: ("s, MiB", Axis::Logarithmic),
        lines: vec![line("CPU seconds", seconds), line("memory, MiB", memory)],
    };
    Ok(chart.write("growth")?)
}

/// The slope of the line of least squares through the logarithms.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
    let count = logs.len().max(1) as f64;
    let mean = |part: fn(&(f64, f64)) -> f64| logs.iter().map(part).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let covariance: f64 = logs.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    covariance / logs.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_has_its_exponent() {
        let points: Vec<(f64, f64)> =
            [10.0, 200.0, 3_000.0].map(|x: f64| (x, 5.0 * x.powf(1.3))).to_vec();
        assert!((exponent(&points) - 1.3).abs() < 1e-9);
    }
}
