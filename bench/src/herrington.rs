//! The tables of herrington-2015 (Tables 5–18): seven classes, ten instances each, every
//! method; average cost and processor time beside the thesis' averages.
//!
//! Instance `i` of a class is the table of seed `i`. A run that is in the results already
//! is not repeated unless `--again` asks for it, so a long measurement can be stopped and taken
//! up again.

use std::error::Error;
use std::sync::Mutex;
use std::time::Duration;

use clap::Args;
use quell_gen::Herrington;
use quell_model::{Budget, Silent};
use quell_suppress::{GenSup, Method, method, protect};

use crate::kept::{Again, Kept, Row, dates};
use crate::measure::measured;
use crate::protected::Timed;
use crate::results::{Circumstances, print};
use crate::seconds::seconds;

/// The averages of one method over one class in the thesis: cost and processor seconds.
type Averages = (f64, f64);

/// What the thesis reports for each class: HyperCube, GenSup, HeurGene.
const THESIS: [(&str, [Averages; 3]); 7] = [
    ("10000Cells0.5", [(5768.0, 0.0468), (5530.0, 220.26), (5445.0, 11.12)]),
    ("10000Cells1", [(6885.0, 0.0936), (5441.0, 472.22), (6066.0, 20.19)]),
    ("10000Cells3", [(2922.0, 0.3106), (2304.0, 811.28), (2603.0, 64.56)]),
    ("100000CellsRC", [(17810.0, 2.8555), (17777.0, 12_024.02), (17230.0, 511.14)]),
    ("100000Cells0.5", [(17156.0, 5.84), (15337.0, 22_452.63), (16469.0, 2_089.52)]),
    ("100000Cells1", [(9418.0, 11.39), (7868.0, 74_161.45), (9065.0, 7_383.42)]),
    ("100000Cells3", [(145.0, 34.41), (134.0, 3_781.76), (143.0, 12_434.86)]),
];

/// GenSup as the thesis runs it.
const GENSUP_OF_THESIS: &str = "gensup-of-thesis";

/// The methods of the thesis, in the order of [`THESIS`].
const THESIS_METHODS: [&str; 3] = ["hypercube", GENSUP_OF_THESIS, "heurgene"];

/// What is measured.
#[derive(Debug, Args)]
pub struct HerringtonArguments {
    /// Classes by the thesis' names; all by default
    #[arg(long, value_delimiter = ',', value_name = "NAMES",
        default_values = THESIS.map(|(name, _)| name))]
    classes: Vec<String>,

    /// Instances a class: the tables of the seeds 1 to this
    #[arg(long, default_value_t = 10)]
    instances: u64,

    /// Methods by name; gensup-of-thesis is GenSup as the thesis runs it
    #[arg(long, value_delimiter = ',', value_name = "NAMES", default_values = THESIS_METHODS)]
    methods: Vec<String>,

    /// Time a method may take for one table, such as 60s
    #[arg(long, value_name = "TIME", value_parser = seconds, default_value = "60s")]
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

const COLUMNS: [&str; 15] = [
    "class",
    "instance",
    "method",
    "seconds_allowed",
    "seed",
    "threads",
    "primaries",
    "secondaries",
    "cost",
    "lower_bound",
    "gap",
    "safe",
    "repaired",
    "method_cpu_s",
    "total_wall_s",
];

/// How many of [`COLUMNS`] say what was asked; the rest is what was found.
const ASKED: usize = 6;

const HEADER: [&str; 11] = [
    "class",
    "method",
    "tables",
    "cost",
    "thesis",
    "thesis' best",
    "gap %",
    "CPU s",
    "thesis CPU s",
    "safe",
    "measured",
];

pub fn run(arguments: &HerringtonArguments) -> Result<(), Box<dyn Error>> {
    for name in &arguments.methods {
        named(name)?;
    }
    let mut done = Kept::open("herrington", &COLUMNS, ASKED, arguments.again)?;
    let first = Circumstances::now();
    for class in &arguments.classes {
        let table = preset(class)?;
        for instance in 1..=arguments.instances {
            let problem = table.generate(instance)?;
            for name in &arguments.methods {
                let asked = asked(arguments, class, instance, name);
                if !done.is_due(&asked) {
                    continue;
                }
                eprintln!("{class} {instance} {name} …");
                let circumstances = Circumstances::now();
                let found = measure(&problem, name, arguments)?;
                done.add(asked, found, &circumstances)?;
            }
        }
    }
    println!("{}; {} s a table, seed {}\n", done.describe(&first), arguments.time, arguments.seed);
    print(&HEADER, &summary(arguments, &done));
    Ok(())
}

/// A method by name.
fn named(name: &str) -> Result<Box<dyn Method>, quell_suppress::Error> {
    match name {
        GENSUP_OF_THESIS => Ok(Box::new(GenSup::of_thesis())),
        _ => method(name),
    }
}

fn preset(class: &str) -> Result<Herrington, Box<dyn Error>> {
    let presets = Herrington::presets();
    let names = || Herrington::presets().map(|(name, _)| name).join(", ");
    let found = presets.into_iter().find(|(name, _)| *name == class);
    found
        .map(|(_, table)| table)
        .ok_or_else(|| format!("there is no class {class}; there are {}", names()).into())
}

/// The columns that say what was asked for.
fn asked(arguments: &HerringtonArguments, class: &str, instance: u64, name: &str) -> Vec<String> {
    vec![
        class.to_owned(),
        instance.to_string(),
        name.to_owned(),
        arguments.time.to_string(),
        arguments.seed.to_string(),
        arguments.threads.to_string(),
    ]
}

/// The columns that say what was found.
fn measure(
    problem: &quell_model::Problem,
    name: &str,
    arguments: &HerringtonArguments,
) -> Result<Vec<String>, Box<dyn Error>> {
    let timed = Timed { method: named(name)?, cost: Mutex::new(None) };
    let budget = Budget::default()
        .with_time(Duration::from_secs_f64(arguments.time))
        .with_seed(arguments.seed)
        .with_threads(arguments.threads);
    let (outcome, total) = measured(|| protect(&timed, problem, &budget, &Silent));
    let outcome = outcome?;
    let cpu = timed.cost.lock().ok().and_then(|cost| *cost).map_or(0.0, |cost| cost.cpu);
    Ok(vec![
        problem.primaries().count().to_string(),
        outcome.secondaries.to_string(),
        format!("{:.2}", outcome.cost),
        format!("{:.2}", outcome.lower_bound),
        format!("{:.4}", outcome.gap()),
        outcome.audit.is_safe().to_string(),
        outcome.repaired.to_string(),
        format!("{cpu:.2}"),
        format!("{:.2}", total.wall),
    ])
}

/// Averages a class and method, with the thesis' beside them.
fn summary(arguments: &HerringtonArguments, done: &Kept) -> Vec<Vec<String>> {
    let column = |name: &str| COLUMNS.iter().position(|&column| column == name).unwrap_or(0);
    let (cost, gap, safe, cpu) =
        (column("cost"), column("gap"), column("safe"), column("method_cpu_s"));
    let mut rows = Vec::new();
    for class in &arguments.classes {
        let of_class = THESIS.iter().find(|(name, _)| name == class).map(|(_, averages)| averages);
        let best =
            of_class.map(|of| of.iter().map(|&(cost, _)| cost).fold(f64::INFINITY, f64::min));
        for name in &arguments.methods {
            let runs: Vec<&Row> = (1..=arguments.instances)
                .filter_map(|instance| done.latest(&asked(arguments, class, instance, name)))
                .collect();
            let mean = |column: usize| {
                let numbers = runs.iter().filter_map(|run| run.values[column].parse::<f64>().ok());
                let sum: f64 = numbers.sum();
                sum / runs.len().max(1) as f64
            };
            let number = THESIS_METHODS.iter().position(|method| method == name);
            let thesis = number.and_then(|number| of_class.map(|of| of[number]));
            let or_dash = |number: Option<String>| number.unwrap_or_else(|| "–".to_owned());
            rows.push(vec![
                class.clone(),
                name.clone(),
                runs.len().to_string(),
                format!("{:.0}", mean(cost)),
                or_dash(thesis.map(|(cost, _)| format!("{cost:.0}"))),
                or_dash(best.map(|cost| format!("{cost:.0}"))),
                format!("{:.1}", 100.0 * mean(gap)),
                format!("{:.2}", mean(cpu)),
                or_dash(thesis.map(|(_, cpu)| format!("{cpu:.2}"))),
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
