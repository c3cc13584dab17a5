//! Unpicking and the audit of ONS-class tables before protection.
//!
//! Every table runs in a process of its own, so that memory is that of one table.

use std::error::Error;
use std::process::{Command, Stdio};
use std::time::Duration;

use clap::Args;
use quell_attack::{Counts, audit, unpick};
use quell_gen::{PRESETS, Preset};
use quell_model::{Budget, Pattern, Silent};
use serde::{Deserialize, Serialize};

use crate::measure::{measured, peak_memory};
use crate::results::{Circumstances, grouped, log, print};

/// What serpell-2011 reports for unpicking a table of one million cells, in seconds.
pub const PAPER_UNPICK_MILLION: &str = "42";

/// What is measured.
#[derive(Debug, Args)]
pub struct AuditArguments {
    /// Tables by shape
    #[arg(long = "preset", value_name = "NAME",
        default_values = ["20x20x20", "100x66x38", "100x73x35", "100x100x100"])]
    presets: Vec<String>,

    /// The seed of the tables
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Threads of the audit
    #[arg(long, default_value_t = crate::measure::cores())]
    threads: usize,

    /// Seconds a table may take
    #[arg(long, default_value_t = 300)]
    seconds: u64,

    /// Measure one table and print it as JSON
    #[arg(long, hide = true)]
    alone: bool,
}

/// The measurement of one table.
#[derive(Debug, Serialize, Deserialize)]
struct Measured {
    table: String,
    cells: usize,
    primaries: usize,
    unpick_cpu: f64,
    unpicked: usize,
    audit_wall: f64,
    audit_cpu: f64,
    peak_mib: f64,
    certificates: usize,
    safe: usize,
    exposed_exactly: usize,
    exposed_within: usize,
    undecided: usize,
}

pub fn run(arguments: &AuditArguments) -> Result<(), Box<dyn Error>> {
    for name in &arguments.presets {
        find(name)?;
    }
    if arguments.alone {
        let name = arguments.presets.first().ok_or("no table")?;
        println!("{}", serde_json::to_string(&measure(name, arguments)?)?);
        return Ok(());
    }
    let mut rows = Vec::new();
    let first = Circumstances::now();
    for name in &arguments.presets {
        let circumstances = Circumstances::now();
        eprintln!("{name} …");
        let measured = in_own_process(name, arguments)?;
        log("audit", &COLUMNS, [raw(&measured, arguments)], &circumstances)?;
        rows.push(shown(&measured));
    }
    println!("{}; seed {}, {} threads\n", first.describe(), arguments.seed, arguments.threads);
    print(&HEADER, &rows);
    Ok(())
}

fn find(name: &str) -> Result<Preset, Box<dyn Error>> {
    let names = || PRESETS.map(|preset| preset.name).join(", ");
    Preset::find(name)
        .ok_or_else(|| format!("there is no table {name}; there are {}", names()).into())
}

fn measure(name: &str, arguments: &AuditArguments) -> Result<Measured, Box<dyn Error>> {
    let problem = find(name)?.parameters().generate(arguments.seed)?;
    let pattern = Pattern::of_primaries(&problem);
    let (unpicked, unpick_cost) = measured(|| unpick(&problem, &pattern));
    let budget = Budget::default()
        .with_threads(arguments.threads)
        .with_time(Duration::from_secs(arguments.seconds));
    let (audit, cost) = measured(|| audit(&problem, &pattern, &budget, &Silent));
    let audit = audit?;
    let Counts { safe, exposed_exactly, exposed_within, undecided } = audit.counts();
    Ok(Measured {
        table: name.to_owned(),
        cells: problem.cell_count(),
        primaries: audit.primaries.len(),
        unpick_cpu: unpick_cost.cpu,
        unpicked: unpicked.exposures.len(),
        audit_wall: cost.wall,
        audit_cpu: cost.cpu,
        peak_mib: peak_memory(),
        certificates: audit.certificates.len(),
        safe,
        exposed_exactly,
        exposed_within,
        undecided,
    })
}

fn in_own_process(name: &str, arguments: &AuditArguments) -> Result<Measured, Box<dyn Error>> {
    let output = Command::new(std::env::current_exe()?)
        .args(["audit", "--alone", "--preset", name])
        .args(["--seed", &arguments.seed.to_string()])
        .args(["--threads", &arguments.threads.to_string()])
        .args(["--seconds", &arguments.seconds.to_string()])
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("{name}: {}", output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

const COLUMNS: [&str; 16] = [
    "seed",
    "threads",
    "seconds_allowed",
    "table",
    "cells",
    "primaries",
    "unpick_cpu_s",
    "e_u",
    "audit_wall_s",
    "audit_cpu_s",
    "peak_mib",
    "certificates",
    "safe",
    "exposed_exactly",
    "exposed_within",
    "undecided",
];

fn raw(measured: &Measured, arguments: &AuditArguments) -> Vec<String> {
    vec![
        arguments.seed.to_string(),
        arguments.threads.to_string(),
        arguments.seconds.to_string(),
        measured.table.clone(),
        measured.cells.to_string(),
        measured.primaries.to_string(),
        format!("{:.2}", measured.unpick_cpu),
        measured.unpicked.to_string(),
        format!("{:.2}", measured.audit_wall),
        format!("{:.2}", measured.audit_cpu),
        format!("{:.0}", measured.peak_mib),
        measured.certificates.to_string(),
        measured.safe.to_string(),
        measured.exposed_exactly.to_string(),
        measured.exposed_within.to_string(),
        measured.undecided.to_string(),
    ]
}

const HEADER: [&str; 14] = [
    "table",
    "cells",
    "primaries",
    "unpick, CPU s",
    "paper, s",
    "E_u",
    "audit, wall s",
    "audit, CPU s",
    "peak, MiB",
    "certificates",
    "safe",
    "exposed exactly",
    "exposed within",
    "undecided",
];

fn shown(measured: &Measured) -> Vec<String> {
    let paper = if measured.cells == 1_000_000 { PAPER_UNPICK_MILLION } else { "–" };
    vec![
        measured.table.clone(),
        grouped(measured.cells),
        grouped(measured.primaries),
        format!("{:.2}", measured.unpick_cpu),
        paper.to_owned(),
        grouped(measured.unpicked),
        format!("{:.1}", measured.audit_wall),
        format!("{:.1}", measured.audit_cpu),
        format!("{:.0}", measured.peak_mib),
        grouped(measured.certificates),
        grouped(measured.safe),
        grouped(measured.exposed_exactly),
        grouped(measured.exposed_within),
        grouped(measured.undecided),
    ]
}
