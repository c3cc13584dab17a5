//! The ablation of serpell-2011, §3.6: how primaries are grouped and what is pre-selected,
//! with the linear programs and simplex iterations that takes.

use std::error::Error;

use clap::Args;
use quell_gen::{Contributors, DimensionSize, Ons};
use quell_model::{Budget, Silent};
use quell_suppress::{Evolution, Hybrid, HybridSettings, Task};

use crate::kept::{Again, Kept, Row, dates};
use crate::measure::measured;
use crate::methods::VARIANTS;
use crate::results::{Circumstances, grouped, print};

/// What is measured.
#[derive(Debug, Args)]
pub struct GroupingArguments {
    /// Sizes of the tables, totals included, H for sub-totals
    #[arg(long, value_delimiter = ',', value_name = "SHAPES",
        default_values = ["12x12x12", "15x15x15", "20x12x12", "24Hx12x6", "30Hx8x8", "40Hx40"])]
    tables: Vec<String>,

    /// Tables of each shape: the seeds 1 to this
    #[arg(long, default_value_t = 4)]
    instances: u64,

    /// Share of primaries
    #[arg(long, default_value_t = 0.17)]
    primary_share: f64,

    /// Groups wished
    #[arg(long, default_value_t = 2)]
    groups: usize,

    /// The most orders evaluated
    #[arg(long, default_value_t = 40)]
    calls: usize,

    #[command(flatten)]
    again: Again,
}

const COLUMNS: [&str; 16] = [
    "table",
    "instance",
    "primary_share",
    "groups_wished",
    "calls",
    "variant",
    "cells",
    "primaries",
    "candidates",
    "groups",
    "preselected",
    "programs",
    "simplex_iterations",
    "orders",
    "cost",
    "cpu_s",
];

/// How many of [`COLUMNS`] say what was asked.
const ASKED: usize = 6;

pub fn run(arguments: &GroupingArguments) -> Result<(), Box<dyn Error>> {
    let mut done = Kept::open("grouping", &COLUMNS, ASKED, arguments.again)?;
    let first = Circumstances::now();
    for shape in &arguments.tables {
        for instance in 1..=arguments.instances {
            for (variant, (name, ..)) in VARIANTS.iter().enumerate() {
                let asked = asked(arguments, shape, instance, variant);
                if !done.is_due(&asked) {
                    continue;
                }
                eprintln!("{shape} {instance} {name} …");
                let circumstances = Circumstances::now();
                let found = measure(arguments, shape, instance, variant)?;
                done.add(asked, found, &circumstances)?;
            }
        }
    }
    println!("{}\n", done.describe(&first));
    print(&HEADER, &summary(arguments, &done));
    Ok(())
}

fn asked(arguments: &GroupingArguments, shape: &str, instance: u64, variant: usize) -> Vec<String> {
    vec![
        shape.to_owned(),
        instance.to_string(),
        arguments.primary_share.to_string(),
        arguments.groups.to_string(),
        arguments.calls.to_string(),
        VARIANTS[variant].0.to_owned(),
    ]
}

fn measure(
    arguments: &GroupingArguments,
    shape: &str,
    instance: u64,
    variant: usize,
) -> Result<Vec<String>, Box<dyn Error>> {
    let dimensions: Result<Vec<DimensionSize>, _> = shape.split('x').map(str::parse).collect();
    let table = Ons {
        dimensions: dimensions?,
        contributors: Contributors::PrimaryShare(arguments.primary_share),
        ..Ons::default()
    };
    let problem = table.generate(instance)?;
    let (_, grouping, preselection) = VARIANTS[variant];
    let large = HybridSettings::for_cells(usize::MAX);
    let evolution = Evolution { most_calls: arguments.calls, ..Evolution::default() };
    let settings =
        HybridSettings { grouping, preselection, evolution, groups: arguments.groups, ..large };
    let budget = Budget::default().with_threads(1);
    let task = Task::new(&problem, &budget, &Silent);
    let (run, cost) = measured(|| Hybrid { settings: Some(settings) }.run(&task));
    let run = run?;
    Ok(vec![
        problem.cell_count().to_string(),
        problem.primaries().count().to_string(),
        run.candidates.to_string(),
        run.groups.to_string(),
        run.preselected.to_string(),
        run.programs.to_string(),
        run.iterations.to_string(),
        run.trace.len().to_string(),
        format!("{:.2}", run.pattern.cost(&problem)),
        format!("{:.2}", cost.cpu),
    ])
}

const HEADER: [&str; 11] = [
    "variant",
    "tables",
    "groups",
    "pre-selected",
    "orders",
    "LPs",
    "LPs an order",
    "simplex iterations",
    "CPU s",
    "cost, against the first",
    "measured",
];

/// Sums over all tables for each variant, and the geometric mean of its costs against those of
/// the first variant.
fn summary(arguments: &GroupingArguments, done: &Kept) -> Vec<Vec<String>> {
    let column = |name: &str| COLUMNS.iter().position(|&column| column == name).unwrap_or(0);
    let number =
        |row: &Row, name: &str| row.values[column(name)].parse::<f64>().unwrap_or(f64::NAN);
    let row_of = |shape: &str, instance: u64, variant: usize| {
        done.latest(&asked(arguments, shape, instance, variant))
    };
    let tables: Vec<(&String, u64)> = (arguments.tables.iter())
        .flat_map(|shape| (1..=arguments.instances).map(move |instance| (shape, instance)))
        .collect();
    let mut rows = Vec::new();
    for (variant, (name, ..)) in VARIANTS.iter().enumerate() {
        let runs: Vec<&Row> = tables
            .iter()
            .filter_map(|&(shape, instance)| row_of(shape, instance, variant))
            .collect();
        let sum = |name: &str| runs.iter().map(|row| number(row, name)).sum::<f64>();
        let ratios: Vec<f64> = tables
            .iter()
            .filter_map(|&(shape, instance)| {
                let cost = number(row_of(shape, instance, variant)?, "cost");
                let base = number(row_of(shape, instance, 0)?, "cost");
                (base > 0.0 && cost > 0.0).then(|| (cost / base).ln())
            })
            .collect();
        let mean = (ratios.iter().sum::<f64>() / ratios.len().max(1) as f64).exp();
        let each = |name: &str| format!("{:.1}", sum(name) / runs.len().max(1) as f64);
        rows.push(vec![
            (*name).to_owned(),
            runs.len().to_string(),
            each("groups"),
            each("preselected"),
            each("orders"),
            grouped(sum("programs") as usize),
            format!("{:.1}", sum("programs") / sum("orders").max(1.0)),
            grouped(sum("simplex_iterations") as usize),
            format!("{:.1}", sum("cpu_s")),
            format!("{mean:.3}"),
            dates(runs.iter().copied()),
        ]);
    }
    rows
}
