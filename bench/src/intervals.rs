//! The exact intervals of all hidden cells of a 20×20×20 table, against solving each
//! linear program from scratch as one would with HiGHS alone.
//!
//! From scratch means: a fresh instance for every program, all hidden cells and their
//! equations as they stand, dual simplex and presolve as HiGHS has them by default. Only
//! some of these programs are solved and their mean is taken for all.

use std::error::Error;

use clap::Args;
use quell_attack::{Interval, intervals};
use quell_gen::Preset;
use quell_model::{Budget, CellId, Direction, Pattern, Problem, Random, Silent, Value};
use quell_solve::{Model, Outcome, Sense, Solver, Strategy, Vectors};

use crate::measure::measured;
use crate::results::{Circumstances, grouped, log, print};

/// Task number of the random secondaries.
const SECONDARIES: u64 = 1;

/// How far the two answers may differ, relative to the size of the interval.
const AGREEMENT: f64 = 1e-6;

/// What is measured.
#[derive(Debug, Args)]
pub struct IntervalsArguments {
    /// The table by its shape
    #[arg(long, default_value = "20x20x20")]
    preset: String,

    /// The seed of the table and of its secondaries
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Cells whose two programs are solved from scratch
    #[arg(long, default_value_t = 40)]
    sample: usize,

    /// Shares of the other cells that are hidden at random as well
    #[arg(long, value_delimiter = ',', default_values_t = [0.0, 0.2])]
    secondaries: Vec<f64>,
}

/// The measurement of one pattern.
struct Measured {
    secondaries: f64,
    hidden: usize,
    ours: f64,
    solved: usize,
    scratch: f64,
    difference: f64,
}

impl Measured {
    fn programs(&self) -> usize {
        2 * self.hidden
    }

    /// Seconds for all programs from scratch, if the others take as long as those solved.
    fn scratch_all(&self) -> f64 {
        self.scratch / self.solved as f64 * self.programs() as f64
    }

    fn ratio(&self) -> f64 {
        self.scratch_all() / self.ours
    }
}

pub fn run(arguments: &IntervalsArguments) -> Result<(), Box<dyn Error>> {
    let preset = Preset::find(&arguments.preset).ok_or("there is no such table")?;
    let problem = preset.parameters().generate(arguments.seed)?;
    let circumstances = Circumstances::now();
    let mut rows = Vec::new();
    for &share in &arguments.secondaries {
        eprintln!("{} with {} of the other cells hidden …", arguments.preset, share);
        let measured = measure(&problem, share, arguments)?;
        log("intervals", &COLUMNS, [raw(&measured, arguments)], &circumstances)?;
        rows.push(shown(&measured, arguments));
    }
    println!("{}; seed {}, 1 thread\n", circumstances.describe(), arguments.seed);
    print(&HEADER, &rows);
    Ok(())
}

fn measure(
    problem: &Problem,
    share: f64,
    arguments: &IntervalsArguments,
) -> Result<Measured, Box<dyn Error>> {
    let mut pattern = Pattern::of_primaries(problem);
    let mut random = Random::new(arguments.seed, SECONDARIES);
    for cell in problem.system().cells() {
        if random.chance(share) {
            pattern.suppress(cell);
        }
    }
    let budget = Budget::default().with_threads(1);
    let (ours, cost) = measured(|| intervals(problem, &pattern, &budget, &Silent));
    let ours = ours?.ok_or("the budget has no end, and still it ended")?;

    let step = (ours.len() / arguments.sample.max(1)).max(1);
    let sample: Vec<&Interval> = ours.iter().step_by(step).take(arguments.sample).collect();
    let scratch = Scratch::new(problem, &pattern);
    let (ends, scratch_cost) = measured(|| -> Result<Vec<[f64; 2]>, Box<dyn Error>> {
        sample.iter().map(|interval| scratch.ends(interval.cell)).collect()
    });
    let mut difference: f64 = 0.0;
    for (interval, ends) in sample.iter().zip(ends?) {
        for (ours, theirs) in [interval.down, interval.up].into_iter().zip(ends) {
            difference = difference.max((ours - theirs).abs() / theirs.abs().max(1.0));
        }
    }
    if difference > AGREEMENT {
        return Err(format!("the answers differ by {difference:e}").into());
    }
    Ok(Measured {
        secondaries: share,
        hidden: ours.len(),
        ours: cost.cpu,
        solved: 2 * sample.len(),
        scratch: scratch_cost.cpu,
        difference,
    })
}

/// The attacker's program as one would write it down: hidden cells as columns, the
/// equations they stand in as rows.
struct Scratch {
    cells: Vec<CellId>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    zeros: Vec<f64>,
    rows: usize,
    columns: Vectors,
}

impl Scratch {
    fn new(problem: &Problem, pattern: &Pattern) -> Self {
        let system = problem.system();
        let cells: Vec<CellId> = pattern.suppressed().collect();
        let mut rows = vec![None; system.equation_count()];
        let mut row_count = 0;
        let mut columns = Vectors::default();
        for &cell in &cells {
            columns.push(system.equations_of(cell).map(|(equation, coefficient)| {
                let row = *rows[equation.index()].get_or_insert_with(|| {
                    row_count += 1;
                    row_count - 1
                });
                (row, f64::from(coefficient))
            }));
        }
        let room = |room: Value| if room == Value::MAX { f64::INFINITY } else { room as f64 };
        let rows = row_count;
        Self {
            lower: cells.iter().map(|&cell| -room(problem.room_down(cell))).collect(),
            upper: cells.iter().map(|&cell| room(problem.room_up(cell))).collect(),
            zeros: vec![0.0; rows.max(cells.len())],
            cells,
            rows,
            columns,
        }
    }

    /// How far a cell falls and rises.
    fn ends(&self, cell: CellId) -> Result<[f64; 2], Box<dyn Error>> {
        let column = self.cells.binary_search(&cell).map_err(|_| "a cell that is not hidden")?;
        let mut ends = [0.0; 2];
        for direction in Direction::BOTH {
            let mut costs = self.zeros[..self.cells.len()].to_vec();
            costs[column] = direction.sign() as f64;
            let mut solver = Solver::new()?;
            solver.set_strategy(Strategy::Dual);
            solver.pass(&Model {
                sense: Sense::Maximise,
                offset: 0.0,
                costs: &costs,
                lower: &self.lower,
                upper: &self.upper,
                row_lower: &self.zeros[..self.rows],
                row_upper: &self.zeros[..self.rows],
                matrix: self.columns.as_columns(),
                kinds: None,
            })?;
            ends[direction as usize] = match solver.solve()? {
                Outcome::Optimal => solver.objective(),
                outcome => return Err(format!("HiGHS ended with {outcome:?}").into()),
            };
        }
        Ok(ends)
    }
}

const COLUMNS: [&str; 11] = [
    "seed",
    "table",
    "secondaries",
    "hidden",
    "programs",
    "quell_cpu_s",
    "scratch_solved",
    "scratch_cpu_s",
    "scratch_all_cpu_s",
    "ratio",
    "largest_difference",
];

fn raw(measured: &Measured, arguments: &IntervalsArguments) -> Vec<String> {
    vec![
        arguments.seed.to_string(),
        arguments.preset.clone(),
        measured.secondaries.to_string(),
        measured.hidden.to_string(),
        measured.programs().to_string(),
        format!("{:.2}", measured.ours),
        measured.solved.to_string(),
        format!("{:.2}", measured.scratch),
        format!("{:.1}", measured.scratch_all()),
        format!("{:.1}", measured.ratio()),
        format!("{:e}", measured.difference),
    ]
}

const HEADER: [&str; 8] = [
    "table",
    "others hidden",
    "hidden cells",
    "programs",
    "Quell, CPU s",
    "from scratch, CPU s each",
    "from scratch, CPU s for all (extrapolated)",
    "ratio",
];

fn shown(measured: &Measured, arguments: &IntervalsArguments) -> Vec<String> {
    vec![
        arguments.preset.clone(),
        format!("{:.0} %", 100.0 * measured.secondaries),
        grouped(measured.hidden),
        grouped(measured.programs()),
        format!("{:.1}", measured.ours),
        format!("{:.3}", measured.scratch / measured.solved as f64),
        format!("{:.0}", measured.scratch_all()),
        format!("{:.0}", measured.ratio()),
    ]
}
