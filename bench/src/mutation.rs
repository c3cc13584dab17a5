//! Figure 2 of serpell-2011: the self-adaptive genetic algorithm against four with a fixed
//! mutation operator, on a two-way table with one hierarchical dimension, 748 cells and 105
//! primaries.
//!
//! Every run evaluates the same number of orders of all primaries, one linear program a
//! primary and level, without pre-selection, as the algorithm stood then.

use std::error::Error;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;
use quell_gen::{Contributors, DimensionSize, EmptyCells, Ons};
use quell_model::{Budget, Problem, Silent};
use quell_suppress::{
    Candidates, Evolution, Hybrid, HybridSettings, MutationChoice, OrderMutation, Preselection,
    SurrogateLevels, Task,
};

use crate::kept::{Again, Kept, Row, dates};
use crate::plot::{Axis, Chart, Line};
use crate::results::{Circumstances, print};

/// Primaries of the paper's table.
const PRIMARIES: usize = 105;

/// Share of empty cells, published as zeros. Without any the order hardly matters.
const ZEROS: f64 = 0.2;

/// What is measured.
#[derive(Debug, Args)]
pub struct MutationArguments {
    /// Runs of each algorithm: the seeds 1 to this
    #[arg(long, default_value_t = 30)]
    runs: u64,

    /// Calls of the fitness function in a run
    #[arg(long, default_value_t = 40)]
    calls: usize,

    /// Runs at the same time
    #[arg(long, default_value_t = crate::measure::cores())]
    threads: usize,

    #[command(flatten)]
    again: Again,
}

const COLUMNS: [&str; 6] =
    ["algorithm", "seed", "calls", "programs", "simplex_iterations", "costs"];

/// How many of [`COLUMNS`] say what was asked.
const ASKED: usize = 3;

fn algorithms() -> Vec<(&'static str, MutationChoice)> {
    let fixed =
        OrderMutation::ALL.map(|mutation| (mutation.name(), MutationChoice::Fixed(mutation)));
    [("self-adaptive", MutationChoice::SelfAdaptive)].into_iter().chain(fixed).collect()
}

/// The first table of 22 × 34(H) cells with as many primaries as the paper's.
fn table() -> Result<Problem, Box<dyn Error>> {
    let parameters = Ons {
        dimensions: vec![DimensionSize::hierarchical(34), DimensionSize::flat(22)],
        contributors: Contributors::PrimaryShare(PRIMARIES as f64 / 748.0),
        zeros: ZEROS,
        empty_cells: EmptyCells::Published,
        ..Ons::default()
    };
    for seed in 1..1_000 {
        let problem = parameters.generate(seed)?;
        if problem.primaries().count() == PRIMARIES && problem.cell_count() == 748 {
            return Ok(problem);
        }
    }
    Err("no seed gives a table like the paper's".into())
}

pub fn run(arguments: &MutationArguments) -> Result<(), Box<dyn Error>> {
    let problem = table()?;
    let done = Kept::open("mutation", &COLUMNS, ASKED, arguments.again)?;
    let asked: Vec<(MutationChoice, Vec<String>)> = (1..=arguments.runs)
        .flat_map(|seed| {
            algorithms().into_iter().map(move |(name, choice)| {
                (choice, vec![name.to_owned(), seed.to_string(), arguments.calls.to_string()])
            })
        })
        .filter(|(_, asked)| done.is_due(asked))
        .collect();
    let first = Circumstances::now();
    let next = AtomicUsize::new(0);
    let (done, failed) = (Mutex::new(done), Mutex::new(None));
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads.max(1) {
            scope.spawn(|| {
                while let Some((choice, asked)) = asked.get(next.fetch_add(1, Ordering::Relaxed)) {
                    eprintln!("{} …", asked.join(" "));
                    let found = one(&problem, *choice, asked);
                    let Ok(mut done) = done.lock() else { return };
                    let added = found.and_then(|found| done.add(asked.clone(), found, &first));
                    if let (Err(error), Ok(mut failed)) = (added, failed.lock()) {
                        failed.get_or_insert(error.to_string());
                    }
                }
            });
        }
    });
    match failed.into_inner()? {
        Some(error) => Err(error.into()),
        None => show(arguments, &done.into_inner()?, &first),
    }
}

fn one(
    problem: &Problem,
    mutation: MutationChoice,
    asked: &[String],
) -> Result<[String; 3], Box<dyn Error>> {
    let calls: usize = asked[2].parse()?;
    let settings = HybridSettings {
        evolution: Evolution {
            mutation,
            most_calls: calls,
            calls_without_gain: usize::MAX,
            ..Evolution::default()
        },
        candidates: Candidates::All,
        levels: SurrogateLevels::Both,
        preselection: Preselection::None,
        ..HybridSettings::for_cells(problem.cell_count())
    };
    let budget = Budget::default().with_seed(asked[1].parse()?).with_threads(1);
    let task = Task::new(problem, &budget, &Silent);
    let run = Hybrid { settings: Some(settings) }.run(&task)?;
    let costs: Vec<String> =
        run.trace.iter().take(calls).map(|cost| format!("{cost:.2}")).collect();
    Ok([run.programs.to_string(), run.iterations.to_string(), costs.join(" ")])
}

/// Average costs by call, printed at some calls and drawn at all.
fn show(
    arguments: &MutationArguments,
    done: &Kept,
    first: &Circumstances,
) -> Result<(), Box<dyn Error>> {
    let mut marks = vec![10, 20, 40, arguments.calls];
    marks.retain(|&mark| mark <= arguments.calls);
    marks.dedup();
    let mut rows = Vec::new();
    let mut lines = Vec::new();
    for (name, _) in algorithms() {
        let kept: Vec<&Row> = (1..=arguments.runs)
            .filter_map(|seed| {
                done.latest(&[name.to_owned(), seed.to_string(), arguments.calls.to_string()])
            })
            .collect();
        let costs = |row: &&Row| -> Option<Vec<f64>> {
            row.values[COLUMNS.len() - 1].split(' ').map(|cost| cost.parse().ok()).collect()
        };
        let runs: Vec<Vec<f64>> = kept.iter().filter_map(costs).collect();
        let mean = |call: usize| {
            let costs = runs.iter().filter_map(|costs| costs.get(call - 1));
            costs.sum::<f64>() / runs.len().max(1) as f64
        };
        let mut last: Vec<f64> = runs.iter().filter_map(|costs| costs.last().copied()).collect();
        last.sort_by(f64::total_cmp);
        let median = last.get(last.len() / 2).copied().unwrap_or(f64::NAN);
        let best = last.first().copied().unwrap_or(f64::NAN);
        let mut row = vec![name.to_owned(), runs.len().to_string()];
        row.extend(marks.iter().map(|&mark| format!("{:.0}", mean(mark))));
        row.extend([format!("{median:.0}"), format!("{best:.0}"), dates(kept.iter().copied())]);
        rows.push(row);
        let points = (1..=arguments.calls).map(|call| (call as f64, mean(call))).collect();
        lines.push(Line { name: name.to_owned(), points });
    }
    println!("{}; {} calls a run\n", done.describe(first), arguments.calls);
    let after: Vec<String> = marks.iter().map(|mark| format!("after {mark}")).collect();
    let header: Vec<&str> = ["algorithm", "runs"]
        .into_iter()
        .chain(after.iter().map(String::as_str))
        .chain(["median at the end", "best", "measured"])
        .collect();
    print(&header, &rows);
    let title = format!("Cost by calls of the fitness function, mean of {} runs", arguments.runs);
    let chart = Chart {
        title,
        x: ("calls of the fitness function", Axis::Linear),
        y: ("cost", Axis::Linear),
        lines,
    };
    Ok(chart.write("mutation")?)
}
