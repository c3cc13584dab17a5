//! A table protected by a method in a process of its own, so that its memory is known, and
//! audited by `quell audit` in another, which sees nothing but the file.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use clap::Args;
use quell_attack::unpick;
use quell_formats::jj;
use quell_model::{Budget, Pattern, Silent};
use quell_suppress::{Method, Proposal, Task, protect};
use serde::{Deserialize, Serialize};

use crate::kept::{self, Again, Kept};
use crate::measure::{Cost, Watched, measured, peak_memory, watched};
use crate::methods::method;
use crate::results::Circumstances;
use crate::seconds::seconds;
use crate::tables::table;

/// What is asked: a table, a method and its limits.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Asked {
    /// The table, as [`table`] names it.
    pub table: String,
    /// Its seed.
    pub table_seed: u64,
    /// The method, as [`method`] names it.
    pub method: String,
    /// Seconds the method may search.
    pub seconds: f64,
    /// The method's seed.
    pub seed: u64,
    /// Threads of the method and of the audits.
    pub threads: usize,
}

/// What came of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Protected {
    /// Cells of the table.
    pub cells: usize,
    /// Its primaries.
    pub primaries: usize,
    /// Primaries that unpicking exposes before protection: the paper's E_u and K_u.
    pub unpicked: usize,
    /// What the primaries cost; the paper adds it to the cost of the secondaries.
    pub primaries_cost: f64,
    /// Secondaries chosen.
    pub secondaries: usize,
    /// What they cost.
    pub cost: f64,
    /// No safe pattern costs less.
    pub lower_bound: f64,
    /// Secondaries that the first audit had to add.
    pub repaired: usize,
    /// Whether the audit inside proves every primary safe.
    pub safe: bool,
    /// Simplex iterations of the method.
    pub iterations: u64,
    /// Seconds of the method alone, by the clock and of the processors.
    pub method_wall: f64,
    /// Processor seconds of the method alone.
    pub method_cpu: f64,
    /// Seconds of method, audit and repair.
    pub wall: f64,
    /// Processor seconds of method, audit and repair.
    pub cpu: f64,
    /// The most memory held, in MiB, the table included.
    pub peak_mib: f64,
}

/// What the separate audit says.
#[derive(Debug, Clone, Copy)]
pub struct Audited {
    /// Whether every primary is proven safe.
    pub safe: bool,
    /// Its seconds, reading the file included.
    pub wall: f64,
    /// The most memory it held, in MiB.
    pub peak_mib: f64,
}

/// The columns of raw results, those of [`Asked`] first.
const COLUMNS: [&str; 24] = [
    "table",
    "table_seed",
    "method",
    "seconds_allowed",
    "seed",
    "threads",
    "cells",
    "primaries",
    "e_u",
    "primaries_cost",
    "secondaries",
    "cost",
    "lower_bound",
    "repaired",
    "simplex_iterations",
    "method_wall_s",
    "method_cpu_s",
    "wall_s",
    "cpu_s",
    "peak_mib",
    "safe",
    "audit_wall_s",
    "audit_peak_mib",
    "audit_safe",
];

/// How many of [`COLUMNS`] say what was asked.
const ASKED: usize = 6;

/// A result by the names of its columns.
#[derive(Debug, Clone)]
pub struct Row(kept::Row);

impl Row {
    /// What stands in a column.
    pub fn text(&self, column: &str) -> &str {
        let position = COLUMNS.iter().position(|&name| name == column);
        position.and_then(|position| self.0.values.get(position)).map_or("", String::as_str)
    }

    /// When it was measured.
    pub fn date(&self) -> &str {
        &self.0.date
    }

    /// The number in a column.
    pub fn number(&self, column: &str) -> f64 {
        self.text(column).parse().unwrap_or(f64::NAN)
    }
}

/// How tables are protected and audited.
#[derive(Debug, Args)]
pub struct Limits {
    /// Time a method may search, such as 60s, 5m or 1h
    #[arg(long, value_name = "TIME", value_parser = seconds, default_value = "5m")]
    pub time: f64,

    /// The seed of the methods
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Threads of the methods and the audits
    #[arg(long, default_value_t = crate::measure::cores())]
    pub threads: usize,

    /// The command quell that audits; by default the one beside this program
    #[arg(long, value_name = "FILE")]
    quell: Option<PathBuf>,

    #[command(flatten)]
    again: Again,
}

impl Limits {
    /// The result of a table and a method: the last one in the results of `measurement`, or a
    /// new one, which is added there.
    ///
    /// # Errors
    /// If a process fails, or the results cannot be read or written.
    pub fn result(
        &self,
        measurement: &str,
        (table, table_seed): (&str, u64),
        method: &str,
    ) -> Result<Row, Box<dyn Error>> {
        let asked = Asked {
            table: table.to_owned(),
            table_seed,
            method: method.to_owned(),
            seconds: self.time,
            seed: self.seed,
            threads: self.threads,
        };
        let mut kept = Kept::open(measurement, &COLUMNS, ASKED, self.again)?;
        if kept.is_due(&asked.row()) {
            eprintln!("{table} {table_seed} {method} …");
            let circumstances = Circumstances::now();
            let (found, audit) = self.run(&asked)?;
            kept.add(asked.row(), found_row(&found, &audit), &circumstances)?;
        }
        let row = kept.latest(&asked.row()).ok_or("the result was not kept")?;
        Ok(Row(row.clone()))
    }

    fn command(&self) -> Result<PathBuf, Box<dyn Error>> {
        let path = match &self.quell {
            Some(path) => path.clone(),
            None => std::env::current_exe()?.with_file_name("quell"),
        };
        if path.exists() {
            return Ok(path);
        }
        Err(format!("there is no {}; build it or name it with --quell", path.display()).into())
    }

    /// Protects a table and has it audited, each in a process of its own.
    fn run(&self, asked: &Asked) -> Result<(Protected, Audited), Box<dyn Error>> {
        let quell = self.command()?;
        let file = std::env::temp_dir().join(format!("quell-bench-{}.jj", std::process::id()));
        let both = protected(asked, &file)
            .and_then(|protected| Ok((protected, audited(&quell, asked, &file)?)));
        // The numbers of contributors lie beside the table.
        for file in [&file, &file.with_extension("frq")] {
            let _ = std::fs::remove_file(file);
        }
        both
    }
}

impl Asked {
    fn row(&self) -> Vec<String> {
        vec![
            self.table.clone(),
            self.table_seed.to_string(),
            self.method.clone(),
            self.seconds.to_string(),
            self.seed.to_string(),
            self.threads.to_string(),
        ]
    }
}

fn found_row(found: &Protected, audit: &Audited) -> Vec<String> {
    vec![
        found.cells.to_string(),
        found.primaries.to_string(),
        found.unpicked.to_string(),
        format!("{:.2}", found.primaries_cost),
        found.secondaries.to_string(),
        format!("{:.2}", found.cost),
        format!("{:.2}", found.lower_bound),
        found.repaired.to_string(),
        found.iterations.to_string(),
        format!("{:.1}", found.method_wall),
        format!("{:.1}", found.method_cpu),
        format!("{:.1}", found.wall),
        format!("{:.1}", found.cpu),
        format!("{:.0}", found.peak_mib),
        found.safe.to_string(),
        format!("{:.1}", audit.wall),
        format!("{:.0}", audit.peak_mib),
        audit.safe.to_string(),
    ]
}

fn protected(asked: &Asked, file: &Path) -> Result<Protected, Box<dyn Error>> {
    let output = Command::new(std::env::current_exe()?)
        .arg("alone")
        .arg(serde_json::to_string(asked)?)
        .arg(file)
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(format!("{} by {}: {}", asked.table, asked.method, output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn audited(quell: &Path, asked: &Asked, file: &Path) -> Result<Audited, Box<dyn Error>> {
    let threads = asked.threads.to_string();
    let mut command = Command::new(quell);
    command.arg("audit").arg(file).args(["--threads", &threads]).stdout(Stdio::null());
    let Watched { status, wall, peak_mib } = watched(&mut command)?;
    match status.code() {
        Some(code @ (0 | 2)) => Ok(Audited { safe: code == 0, wall, peak_mib }),
        _ => Err(format!("quell audit of {} by {}: {status}", asked.table, asked.method).into()),
    }
}

/// What the process of its own does.
#[derive(Debug, Args)]
pub struct AloneArguments {
    /// What is asked, as JSON
    asked: String,

    /// Where the protected table goes
    file: PathBuf,
}

/// How many cells, primaries and primaries exposed by unpicking a table has.
///
/// # Errors
/// If there is no such table.
pub fn counts(name: &str, seed: u64) -> Result<[usize; 3], Box<dyn Error>> {
    let problem = table(name, seed)?;
    let unpicked = unpick(&problem, &Pattern::of_primaries(&problem));
    Ok([problem.cell_count(), problem.primaries().count(), unpicked.exposures.len()])
}

/// Protects a table, writes it and prints what came of it as JSON.
pub fn run_alone(arguments: &AloneArguments) -> Result<(), Box<dyn Error>> {
    let asked: Asked = serde_json::from_str(&arguments.asked)?;
    let problem = table(&asked.table, asked.table_seed)?;
    let unpicked = unpick(&problem, &Pattern::of_primaries(&problem)).exposures.len();
    let timed = Timed { method: method(&asked.method)?, cost: Mutex::new(None) };
    let budget = Budget::default()
        .with_time(Duration::from_secs_f64(asked.seconds))
        .with_seed(asked.seed)
        .with_threads(asked.threads);
    let (outcome, cost) = measured(|| protect(&timed, &problem, &budget, &Silent));
    let outcome = outcome?;
    let of_method = timed.cost.lock().ok().and_then(|cost| *cost);
    let result = Protected {
        cells: problem.cell_count(),
        primaries: problem.primaries().count(),
        unpicked,
        primaries_cost: problem.primaries().map(|cell| problem.weight(cell)).sum(),
        secondaries: outcome.secondaries,
        cost: outcome.cost,
        lower_bound: outcome.lower_bound,
        repaired: outcome.repaired,
        safe: outcome.audit.is_safe(),
        iterations: outcome.iterations,
        method_wall: of_method.map_or(0.0, |cost| cost.wall),
        method_cpu: of_method.map_or(0.0, |cost| cost.cpu),
        wall: cost.wall,
        cpu: cost.cpu,
        peak_mib: peak_memory(),
    };
    let statuses = outcome.pattern.statuses(&problem);
    jj::write(&arguments.file, &problem.with_statuses(statuses))?;
    println!("{}", serde_json::to_string(&result)?);
    Ok(())
}

/// A method with a clock, so that its time is known without that of the audit.
pub struct Timed {
    /// The method.
    pub method: Box<dyn Method>,
    /// What it took, once it has run.
    pub cost: Mutex<Option<Cost>>,
}

impl Method for Timed {
    fn name(&self) -> &'static str {
        self.method.name()
    }

    fn suppress(&self, task: &Task) -> Result<Proposal, quell_suppress::Error> {
        let (result, cost) = measured(|| self.method.suppress(task));
        if let Ok(mut slot) = self.cost.lock() {
            *slot = Some(cost);
        }
        result
    }
}
