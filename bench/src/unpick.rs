//! Unpicking alone: seconds, where the audit takes minutes.

use std::error::Error;

use clap::Args;
use quell_gen::Preset;
use quell_model::Pattern;

use crate::audit::PAPER_UNPICK_MILLION;
use crate::measure::measured;
use crate::results::{Circumstances, grouped, log, print};

/// What is measured.
#[derive(Debug, Args)]
pub struct UnpickArguments {
    /// Tables by shape
    #[arg(long = "preset", value_name = "NAME",
        default_values = ["20x20x20", "100x66x38", "100x73x35", "100x100x100"])]
    presets: Vec<String>,

    /// The seed of the tables
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// How often each table is unpicked; the mean counts
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    times: u32,
}

pub fn run(arguments: &UnpickArguments) -> Result<(), Box<dyn Error>> {
    let circumstances = Circumstances::now();
    let mut rows = Vec::new();
    for name in &arguments.presets {
        let preset = Preset::find(name).ok_or_else(|| format!("there is no table {name}"))?;
        let problem = preset.parameters().generate(arguments.seed)?;
        let pattern = Pattern::of_primaries(&problem);
        let (unpicked, cost) = measured(|| {
            let again = || quell_attack::unpick(&problem, &pattern);
            (1..arguments.times).fold(again(), |_, _| again())
        });
        let seconds = cost.cpu / f64::from(arguments.times);
        let primaries = problem.primaries().count();
        let found = unpicked.exposures.len();
        let raw = vec![
            arguments.seed.to_string(),
            arguments.times.to_string(),
            name.clone(),
            problem.cell_count().to_string(),
            primaries.to_string(),
            format!("{seconds:.3}"),
            unpicked.rounds.to_string(),
            found.to_string(),
        ];
        log("unpick", &COLUMNS, [raw], &circumstances)?;
        let paper = if problem.cell_count() == 1_000_000 { PAPER_UNPICK_MILLION } else { "–" };
        rows.push(vec![
            name.clone(),
            grouped(problem.cell_count()),
            grouped(primaries),
            format!("{seconds:.3}"),
            paper.to_owned(),
            unpicked.rounds.to_string(),
            grouped(found),
        ]);
    }
    println!("{}; seed {}, 1 thread\n", circumstances.describe(), arguments.seed);
    print(&["table", "cells", "primaries", "CPU s", "paper, s", "rounds", "E_u"], &rows);
    Ok(())
}

const COLUMNS: [&str; 8] =
    ["seed", "times", "table", "cells", "primaries", "cpu_s", "rounds", "e_u"];
