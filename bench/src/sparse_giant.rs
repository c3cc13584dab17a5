//! The sparse giant of sdcTools/UserSupport #146: 650,000 base cells over 3,000 places in
//! three levels × 10 × 2 × 75 × 10, threshold 3; sdcTable did not finish it in 48 hours.

use std::error::Error;

use clap::Args;

use crate::protected::{Limits, counts};
use crate::results::{grouped, print};

/// What is measured.
#[derive(Debug, Args)]
pub struct SparseGiantArguments {
    /// Base cells that are not empty
    #[arg(long, default_value_t = 650_000)]
    base_cells: usize,

    /// The seed of the table
    #[arg(long, default_value_t = 1)]
    table_seed: u64,

    /// Only generate and unpick, to see the counts
    #[arg(long)]
    counts: bool,

    /// The method
    #[arg(long, default_value = "auto")]
    method: String,

    #[command(flatten)]
    limits: Limits,
}

const SHOWN: [&str; 11] = [
    "table",
    "method",
    "cells",
    "primaries",
    "secondaries",
    "cost",
    "wall_s",
    "peak_mib",
    "audit_wall_s",
    "audit_peak_mib",
    "audit_safe",
];

pub fn run(arguments: &SparseGiantArguments) -> Result<(), Box<dyn Error>> {
    let name = format!("giant:{}", arguments.base_cells);
    let table = (name.as_str(), arguments.table_seed);
    if arguments.counts {
        let [cells, primaries, exposed] = counts(table.0, table.1)?.map(grouped);
        println!("{cells} cells, {primaries} primaries, {exposed} exposed by unpicking");
        return Ok(());
    }
    let row = arguments.limits.result("sparse-giant", table, &arguments.method)?;
    let values = SHOWN.map(|column| row.text(column).to_owned());
    let columns: Vec<&str> = SHOWN.into_iter().chain(["measured"]).collect();
    let shown = values.into_iter().chain([row.date().to_owned()]).collect();
    print(&columns, &[shown]);
    Ok(())
}
