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

use crate::measure::{Cost, Watched, measured, peak_memory, watched};
use crate::methods::method;
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

/// Where the command `quell` is.
#[derive(Debug, Args)]
pub struct Auditor {
    /// The command quell that audits; by default the one beside this program
    #[arg(long, value_name = "FILE")]
    quell: Option<PathBuf>,
}

impl Auditor {
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
    ///
    /// # Errors
    /// If a process fails.
    pub fn run(&self, asked: &Asked) -> Result<(Protected, Audited), Box<dyn Error>> {
        let quell = self.command()?;
        let file = std::env::temp_dir().join(format!("quell-bench-{}.jj", std::process::id()));
        let both = protected(asked, &file)
            .and_then(|protected| Ok((protected, audited(&quell, asked, &file)?)));
        let _ = std::fs::remove_file(&file);
        both
    }
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
