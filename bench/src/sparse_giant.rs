//! The sparse giant of sdcTools/UserSupport #146: 650,000 base cells over 3,000 places in
//! three levels × 10 × 2 × 75 × 10, threshold 3; sdcTable did not finish it in 48 hours.

use std::error::Error;

use clap::Args;
use quell_attack::unpick;
use quell_model::Pattern;

use crate::measure::measured;
use crate::protected::{Asked, Auditor};
use crate::results::{Circumstances, grouped, log, print};
use crate::seconds::seconds;
use crate::tables::table;

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

    /// Time the method may search: 50m
    #[arg(long, value_name = "TIME", value_parser = seconds, default_value = "45m")]
    time: f64,

    /// The seed of the method
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Threads of the method and the audits
    #[arg(long, default_value_t = crate::measure::cores())]
    threads: usize,

    #[command(flatten)]
    auditor: Auditor,
}

const COLUMNS: [&str; 18] = [
    "base_cells",
    "table_seed",
    "method",
    "seconds_allowed",
    "seed",
    "threads",
    "cells",
    "primaries",
    "e_u",
    "secondaries",
    "cost",
    "method_wall_s",
    "wall_s",
    "peak_mib",
    "safe",
    "audit_wall_s",
    "audit_peak_mib",
    "audit_safe",
];

pub fn run(arguments: &SparseGiantArguments) -> Result<(), Box<dyn Error>> {
    let name = format!("giant:{}", arguments.base_cells);
    if arguments.counts {
        return counts(&name, arguments.table_seed);
    }
    let circumstances = Circumstances::now();
    let asked = Asked {
        table: name,
        table_seed: arguments.table_seed,
        method: arguments.method.clone(),
        seconds: arguments.time,
        seed: arguments.seed,
        threads: arguments.threads,
    };
    let (found, audit) = arguments.auditor.run(&asked)?;
    let row = vec![
        arguments.base_cells.to_string(),
        asked.table_seed.to_string(),
        asked.method.clone(),
        asked.seconds.to_string(),
        asked.seed.to_string(),
        asked.threads.to_string(),
        found.cells.to_string(),
        found.primaries.to_string(),
        found.unpicked.to_string(),
        found.secondaries.to_string(),
        format!("{:.2}", found.cost),
        format!("{:.1}", found.method_wall),
        format!("{:.1}", found.wall),
        format!("{:.0}", found.peak_mib),
        found.safe.to_string(),
        format!("{:.1}", audit.wall),
        format!("{:.0}", audit.peak_mib),
        audit.safe.to_string(),
    ];
    log("sparse-giant", &COLUMNS, [row.clone()], &circumstances)?;
    println!("{}\n", circumstances.describe());
    print(&COLUMNS, &[row]);
    Ok(())
}

fn counts(name: &str, seed: u64) -> Result<(), Box<dyn Error>> {
    let (problem, generated) = measured(|| table(name, seed));
    let problem = problem?;
    let pattern = Pattern::of_primaries(&problem);
    let (unpicked, cost) = measured(|| unpick(&problem, &pattern));
    println!(
        "{} cells, {} equations, {} primaries, generated in {:.1} s; {} exposed by unpicking in {:.1} s",
        grouped(problem.cell_count()),
        grouped(problem.system().equation_count()),
        grouped(problem.primaries().count()),
        generated.wall,
        grouped(unpicked.exposures.len()),
        cost.wall,
    );
    Ok(())
}
