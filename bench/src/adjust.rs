//! The tables of cox-2005: two-way, three-way, any size; every method, percent error against
//! the best proven bound of the same table (the optimum where a method proved it).
//!
//! Instance `i` of a size is the table of seed `i`. A run that is in the results already is
//! not repeated unless `--again` asks for it, so a long measurement can be stopped and taken up
//! again.

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use quell_adjust::{Distance, Exact, Hybrid, Method, Options, RandomDirections, adjust, method};
use quell_gen::Cta;
use quell_model::{Budget, Problem, Silent};

use crate::figures::{Figure, place};
use crate::kept::{Again, Kept, Row, dates};
use crate::measure::{measured, peak_memory};
use crate::plot::{Axis, Chart, Line};
use crate::results::{Circumstances, print};

/// HiGHS alone on the paper's program.
const PLAIN: &str = "highs-alone";

/// What is measured.
#[derive(Debug, Clone, Args)]
pub struct AdjustArguments {
    /// The sizes and methods of a figure of the paper, and draw it into docs
    #[arg(long, value_enum, conflicts_with_all = ["sizes", "files", "methods"])]
    figure: Option<Figure>,

    /// Sizes of the tables, such as 25x25,10x10x20
    #[arg(long, value_delimiter = ',', value_name = "SIZES", default_value = "25x25")]
    sizes: Vec<String>,

    /// Tables in JJ files instead
    #[arg(long, value_delimiter = ',', value_name = "FILES")]
    files: Vec<PathBuf>,

    /// Instances a size: the tables of the seeds 1 to this
    #[arg(long, default_value_t = 10)]
    instances: u64,

    /// Share of internal entries that are sensitive
    #[arg(long, default_value_t = 0.3)]
    sensitive: f64,

    /// Methods by name; besides quell's own: highs-alone, random-1000, hybrid-16
    #[arg(long, value_delimiter = ',', value_name = "NAMES", default_value = "auto")]
    methods: Vec<String>,

    /// Time a method may take for one table, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    time: f64,

    /// The seed of the methods
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Threads of the methods
    #[arg(long, default_value_t = crate::measure::cores())]
    threads: usize,

    #[command(flatten)]
    again: Again,
}

const COLUMNS: [&str; 17] = [
    "table",
    "sensitive_share",
    "instance",
    "method",
    "seconds_allowed",
    "seed",
    "threads",
    "cells",
    "sensitive",
    "cost",
    "lower_bound",
    "gap",
    "safe",
    "breaches",
    "cpu_s",
    "wall_s",
    "peak_mib",
];

/// How many of [`COLUMNS`] say what was asked; the rest is what was found.
const ASKED: usize = 7;

const HEADER: [&str; 10] = [
    "table",
    "method",
    "tables",
    "cost",
    "own gap %",
    "worst %",
    "error %",
    "wall s",
    "safe",
    "measured",
];

/// A table to measure: its name, its number and where it comes from.
struct Given {
    name: String,
    instance: u64,
    source: Source,
}

enum Source {
    Class(Cta),
    File(PathBuf),
}

impl Given {
    fn problem(&self) -> Result<Problem, Box<dyn Error>> {
        match &self.source {
            Source::Class(class) => Ok(class.generate(self.instance)?),
            Source::File(path) => {
                let text = std::fs::read(path)?;
                Ok(quell_formats::jj::parse(&path.display().to_string(), &text)?)
            }
        }
    }
}

fn given(arguments: &AdjustArguments) -> Result<Vec<Given>, Box<dyn Error>> {
    let mut all = Vec::new();
    for path in &arguments.files {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        all.push(Given { name, instance: 1, source: Source::File(path.clone()) });
    }
    if !all.is_empty() {
        return Ok(all);
    }
    for name in &arguments.sizes {
        let sizes: Result<Vec<usize>, _> = name.split('x').map(str::parse).collect();
        let sizes = sizes.map_err(|_| format!("{name} is no size; expected 25x25 or 10x10x20"))?;
        let class = Cta { sizes, sensitive: arguments.sensitive, ..Cta::default() };
        all.extend((1..=arguments.instances).map(|instance| Given {
            name: name.clone(),
            instance,
            source: Source::Class(class.clone()),
        }));
    }
    Ok(all)
}

/// A method by name.
fn named(name: &str) -> Result<Box<dyn Method>, quell_adjust::Error> {
    Ok(match name {
        PLAIN => Box::new(Exact { plain: true }),
        "random-1000" => Box::new(RandomDirections { choices: 1000 }),
        "hybrid-16" => Box::new(Hybrid { fewest: 16, most: 16, swaps: false }),
        _ => method(name)?,
    })
}

pub fn run(arguments: &AdjustArguments) -> Result<(), Box<dyn Error>> {
    let mut arguments = arguments.clone();
    if let Some(figure) = arguments.figure {
        (arguments.sizes, arguments.methods) = (figure.sizes(), figure.methods());
    }
    let arguments = &arguments;
    for name in &arguments.methods {
        named(name)?;
    }
    let mut done = Kept::open("adjust", &COLUMNS, ASKED, arguments.again)?;
    let first = Circumstances::now();
    let tables = given(arguments)?;
    for table in &tables {
        for name in &arguments.methods {
            let asked = asked(arguments, table, name);
            if !done.is_due(&asked) {
                continue;
            }
            eprintln!("{} {} {name} …", table.name, table.instance);
            let circumstances = Circumstances::now();
            let found = measure(table, name, arguments)?;
            done.add(asked, found, &circumstances)?;
        }
    }
    println!("{}; {} s a table, seed {}\n", done.describe(&first), arguments.time, arguments.seed);
    let rows = summary(arguments, &tables, &done);
    print(&HEADER, &rows);
    match arguments.figure {
        Some(figure) => draw(figure, arguments, &rows),
        None => Ok(()),
    }
}

/// The columns that say what was asked for.
fn asked(arguments: &AdjustArguments, table: &Given, name: &str) -> Vec<String> {
    let share = match table.source {
        Source::Class(_) => arguments.sensitive.to_string(),
        Source::File(_) => "file".to_owned(),
    };
    vec![
        table.name.clone(),
        share,
        table.instance.to_string(),
        name.to_owned(),
        arguments.time.to_string(),
        arguments.seed.to_string(),
        arguments.threads.to_string(),
    ]
}

/// The columns that say what was found.
fn measure(
    table: &Given,
    name: &str,
    arguments: &AdjustArguments,
) -> Result<Vec<String>, Box<dyn Error>> {
    let budget = Budget::default()
        .with_time(Duration::from_secs_f64(arguments.time))
        .with_seed(arguments.seed)
        .with_threads(arguments.threads);
    let method = named(name)?;
    // The library's tables are given for distances of at least their levels.
    let distance = match table.source {
        Source::Class(_) => Distance::Minimal,
        Source::File(_) => Distance::AtLeast,
    };
    let options = Options { distance, ..Options::default() };
    let problem = &table.problem()?;
    let (outcome, cost) = measured(|| adjust(method.as_ref(), problem, &options, &budget, &Silent));
    let outcome = outcome?;
    Ok(vec![
        problem.cell_count().to_string(),
        problem.primaries().count().to_string(),
        format!("{:.2}", outcome.cost),
        format!("{:.2}", outcome.lower_bound),
        format!("{:.5}", outcome.gap()),
        outcome.audit.is_safe().to_string(),
        outcome.audit.breaches.len().to_string(),
        format!("{:.2}", cost.cpu),
        format!("{:.2}", cost.wall),
        format!("{:.0}", peak_memory()),
    ])
}

/// Draws the errors of a summary.
fn draw(
    figure: Figure,
    arguments: &AdjustArguments,
    rows: &[Vec<String>],
) -> Result<(), Box<dyn Error>> {
    let [table, method, error] = ["table", "method", "error %"]
        .map(|name| HEADER.iter().position(|&column| column == name).unwrap_or(0));
    let line = |name: &String| {
        let of = rows.iter().filter(|row| &row[method] == name);
        let point = |row: &Vec<String>| Some((place(&row[table]), row[error].parse().ok()?));
        Line { name: name.clone(), points: of.filter_map(point).collect() }
    };
    let chart = Chart {
        title: format!("{} ({} s a table)", figure.title(), arguments.time),
        x: ("N", Axis::Linear),
        y: ("error, %", Axis::Linear),
        lines: arguments.methods.iter().map(line).collect(),
    };
    Ok(chart.write(figure.name())?)
}

/// Averages a table and method.
fn summary(arguments: &AdjustArguments, tables: &[Given], done: &Kept) -> Vec<Vec<String>> {
    let column = |name: &str| COLUMNS.iter().position(|&column| column == name).unwrap_or(0);
    let (cost, bound, gap) = (column("cost"), column("lower_bound"), column("gap"));
    let (safe, wall) = (column("safe"), column("wall_s"));
    let number = |row: &[String], column: usize| row[column].parse::<f64>().unwrap_or(f64::NAN);
    // The best bound of a table, whoever proved it and however long it took.
    let best_bound = |row: &[String]| {
        let same = done.all().iter().filter(|other| other.values[..3] == row[..3]);
        same.map(|other| number(&other.values, bound)).fold(0.0, f64::max)
    };
    let mut names: Vec<&String> = tables.iter().map(|table| &table.name).collect();
    names.dedup();
    let mut rows = Vec::new();
    for name in names {
        for method in &arguments.methods {
            let of = tables.iter().filter(|table| &table.name == name);
            let runs: Vec<&Row> =
                of.filter_map(|table| done.latest(&asked(arguments, table, method))).collect();
            let mean = |of: &dyn Fn(&[String]) -> f64| {
                runs.iter().map(|run| of(&run.values)).sum::<f64>() / runs.len().max(1) as f64
            };
            // An optimum of zero that is met has no error.
            let error = |run: &[String]| match number(run, cost) {
                0.0 => 0.0,
                cost => 100.0 * (cost / best_bound(run) - 1.0),
            };
            let worst = runs.iter().map(|run| number(&run.values, gap)).fold(0.0, f64::max);
            rows.push(vec![
                name.clone(),
                method.clone(),
                runs.len().to_string(),
                format!("{:.0}", mean(&|run| number(run, cost))),
                format!("{:.2}", 100.0 * mean(&|run| number(run, gap))),
                format!("{:.2}", 100.0 * worst),
                format!("{:.2}", mean(&error)),
                format!("{:.1}", mean(&|run| number(run, wall))),
                format!(
                    "{} of {}",
                    runs.iter().filter(|run| run.values[safe] == "true").count(),
                    runs.len()
                ),
                dates(runs.iter().copied()),
            ]);
        }
    }
    rows
}
