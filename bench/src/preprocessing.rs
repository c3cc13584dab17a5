//! The experiments of serpell-2013: which primaries need protecting (§3.2), and what that
//! saves three methods (§4).
//!
//! Tables are drawn like the paper's: the class ONS, in the proportions of its Table 2,
//! with sizes and shares drawn by chance. A method is called directly, without the repair
//! that everything else in Quell goes through, and its pattern audited. Effort is counted
//! in solver iterations, so that it can be repeated.

use std::collections::BTreeMap;
use std::error::Error;
use std::time::Duration;

use clap::Args;
use quell_attack::{CandidateAlgorithm, ExposureSets, audit};
use quell_gen::{Contributors, DimensionSize, Ons};
use quell_model::{Budget, Pattern, Problem, Random, Silent, Status};
use quell_suppress::{EliminationLp, KellyIlp, KellyLp, Method, Order, Task};

use crate::kept::{Again, Kept, period};
use crate::results::{Circumstances, print};

/// What is measured.
#[derive(Debug, Args)]
pub struct PreprocessingArguments {
    /// Number of tables; the paper has 313
    #[arg(long, default_value_t = 300)]
    tables: u64,

    /// Seconds kelly-ilp may take for a table; what it does not finish is not counted
    #[arg(long, default_value_t = 20)]
    seconds: u64,

    #[command(flatten)]
    again: Again,
}

/// A table of the experiment.
struct Table {
    shape: String,
    problem: Problem,
}

/// The tables of the paper's Table 2: dimensions, how many of them are hierarchical, and
/// how many tables there are.
const CLASSES: [(usize, usize, u64); 4] = [(2, 0, 155), (2, 1, 137), (2, 2, 1), (3, 0, 20)];

/// How often a table is drawn again because it has no primaries, or some that nothing can
/// protect.
const DRAWS: u64 = 200;

impl Table {
    /// Table `number` of `tables`.
    fn draw(number: u64, tables: u64) -> Result<Self, Box<dyn Error>> {
        let total: u64 = CLASSES.iter().map(|&(.., count)| count).sum();
        let mut rank = number * total / tables;
        let class = CLASSES.into_iter().find(|&(.., count)| {
            let inside = rank < count;
            rank = rank.saturating_sub(count);
            inside
        });
        let (dimensions, hierarchical, _) = class.ok_or("there is no such table")?;
        for draw in 0..DRAWS {
            let mut random = Random::new(number, draw);
            let mut between = |low: usize, high: usize| low + random.below(high - low + 1);
            let sizes: Vec<DimensionSize> = (0..dimensions)
                .map(|dimension| match (dimension < hierarchical, dimensions) {
                    (true, _) => DimensionSize::hierarchical(between(8, 18)),
                    (false, 2) => DimensionSize::flat(between(4, 10)),
                    (false, _) => DimensionSize::flat(between(3, 5)),
                })
                .collect();
            let shape: Vec<String> = sizes.iter().map(DimensionSize::to_string).collect();
            let parameters = Ons {
                dimensions: sizes,
                contributors: Contributors::PrimaryShare(between(5, 30) as f64 / 100.0),
                zeros: between(0, 30) as f64 / 100.0,
                ..Ons::default()
            };
            let problem = parameters.generate(number * DRAWS + draw)?;
            if problem.primaries().next().is_some() && can_be_protected(&problem)? {
                return Ok(Self { shape: shape.join("x"), problem });
            }
        }
        Err(format!("no table {number} that can be protected").into())
    }
}

fn can_be_protected(problem: &Problem) -> Result<bool, Box<dyn Error>> {
    let mut everything = Pattern::of_primaries(problem);
    for cell in problem.system().cells() {
        if problem.status(cell) != Status::Protected {
            everything.suppress(cell);
        }
    }
    Ok(audit(problem, &everything, &Budget::default(), &Silent)?.is_safe())
}

/// The methods compared, by the names in the results.
const METHODS: [&str; 4] = ["kelly-ilp", "kelly-lp", "kelly-lp-default", "elimination-lp"];

fn method(name: &str, candidates: Option<CandidateAlgorithm>) -> Box<dyn Method> {
    match name {
        "kelly-ilp" => Box::new(KellyIlp { candidates }),
        // As in the paper: no order, no clean-up, each program solved once.
        "kelly-lp" => Box::new(KellyLp {
            order: Order::AsGiven,
            candidates,
            clean_up: false,
            reweightings: 0,
        }),
        "kelly-lp-default" => Box::new(KellyLp { candidates, ..KellyLp::default() }),
        _ => Box::new(EliminationLp { candidates, ..EliminationLp::default() }),
    }
}

/// What one run gave.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Run {
    finished: bool,
    protected: bool,
    cost: f64,
    iterations: u64,
}

fn run_one(
    table: &Table,
    name: &str,
    candidates: Option<CandidateAlgorithm>,
    seconds: u64,
) -> Result<Run, Box<dyn Error>> {
    let budget = Budget::default().with_threads(1);
    let budget = match name {
        "kelly-ilp" => budget.with_time(Duration::from_secs(seconds)),
        _ => budget,
    };
    let problem = &table.problem;
    let task = Task::new(problem, &budget, &Silent);
    let proposal = method(name, candidates).suppress(&task)?;
    let checked = audit(problem, &proposal.pattern, &Budget::default(), &Silent)?;
    Ok(Run {
        finished: budget.stop().is_none(),
        protected: checked.is_safe(),
        cost: proposal.pattern.cost(problem),
        iterations: proposal.iterations,
    })
}

/// The word for an algorithm, or for none.
fn word(algorithm: Option<CandidateAlgorithm>) -> String {
    algorithm.map_or("none".to_owned(), |algorithm| algorithm.to_string())
}

/// Without preprocessing, and with each algorithm.
fn variants() -> [Option<CandidateAlgorithm>; 5] {
    let [e, k1, k3, k5] = CandidateAlgorithm::ALL.map(Some);
    [None, e, k1, k3, k5]
}

/// Table, method and algorithm.
type Key = (u64, String, String);

/// Runs with their dates, and the primaries that each algorithm leaves.
#[derive(Default)]
struct Done {
    runs: BTreeMap<Key, Run>,
    dates: BTreeMap<Key, String>,
    saving: BTreeMap<(u64, String), f64>,
}

const COLUMNS: [&str; 12] = [
    "tables",
    "table",
    "shape",
    "cells",
    "primaries",
    "method",
    "algorithm",
    "candidates",
    "finished",
    "protected",
    "cost",
    "iterations",
];

/// How many of [`COLUMNS`] say what was asked, the table with what it has.
const ASKED: usize = 7;

impl Done {
    /// What earlier calls with as many tables have measured.
    fn of(kept: &Kept, tables: u64) -> Result<Self, Box<dyn Error>> {
        let mut done = Self::default();
        let column = |name: &str| COLUMNS.iter().position(|&column| column == name).unwrap_or(0);
        for row in kept.all() {
            let field = |name: &str| row.values[column(name)].as_str();
            if field("tables").parse() != Ok(tables) {
                continue;
            }
            let run = Run {
                finished: field("finished").parse()?,
                protected: field("protected").parse()?,
                cost: field("cost").parse()?,
                iterations: field("iterations").parse()?,
            };
            let [primaries, candidates]: [f64; 2] =
                [field("primaries").parse()?, field("candidates").parse()?];
            let (table, algorithm) = (field("table").parse()?, field("algorithm").to_owned());
            done.saving.insert((table, algorithm.clone()), 1.0 - candidates / primaries);
            let key = (table, field("method").to_owned(), algorithm);
            done.dates.insert(key.clone(), row.date.clone());
            done.runs.insert(key, run);
        }
        Ok(done)
    }

    /// When the runs of a method, of an algorithm, were made.
    fn measured(&self, of: impl Fn(&Key) -> bool) -> String {
        period(self.dates.iter().filter(|(key, _)| of(key)).map(|(_, date)| date.as_str()))
    }

    fn get(&self, table: u64, method: &str, algorithm: &str) -> Option<&Run> {
        self.runs.get(&(table, method.to_owned(), algorithm.to_owned()))
    }
}

pub fn run(arguments: &PreprocessingArguments) -> Result<(), Box<dyn Error>> {
    let circumstances = Circumstances::now();
    let tables = arguments.tables.max(1);
    let mut kept = Kept::open("preprocessing", &COLUMNS, ASKED, arguments.again)?;
    let before = Done::of(&kept, tables)?;
    for number in 0..tables {
        let missing = METHODS.iter().any(|name| {
            variants().iter().any(|&variant| before.get(number, name, &word(variant)).is_none())
        });
        if missing || arguments.again.again {
            measure(arguments, number, &mut kept, &circumstances)?;
        }
    }
    let done = Done::of(&kept, tables)?;
    println!("{}; {tables} tables\n", kept.describe(&circumstances));
    print_success(tables, &done);
    println!();
    print_effort(tables, &done);
    Ok(())
}

/// Runs what is due of one table.
fn measure(
    arguments: &PreprocessingArguments,
    number: u64,
    kept: &mut Kept,
    circumstances: &Circumstances,
) -> Result<(), Box<dyn Error>> {
    let tables = arguments.tables.max(1);
    let table = Table::draw(number, tables)?;
    let sets = ExposureSets::find(&table.problem, &Budget::default(), &Silent)?;
    let primaries = table.problem.primaries().count();
    for name in METHODS {
        for variant in variants() {
            let asked = vec![
                tables.to_string(),
                number.to_string(),
                table.shape.clone(),
                table.problem.cell_count().to_string(),
                primaries.to_string(),
                name.to_owned(),
                word(variant),
            ];
            if !kept.is_due(&asked) {
                continue;
            }
            let candidates = variant.map_or(primaries, |one| sets.candidates(one).len());
            let run = run_one(&table, name, variant, arguments.seconds)?;
            let found = [
                candidates.to_string(),
                run.finished.to_string(),
                run.protected.to_string(),
                format!("{:.2}", run.cost),
                run.iterations.to_string(),
            ];
            kept.add(asked, found, circumstances)?;
        }
    }
    Ok(())
}

/// The paper's Table 3: saving and share of tables protected.
const PAPER: [(&str, f64, f64); 4] =
    [("e", 9.27, 100.0), ("k1", 23.64, 96.5), ("k3", 28.81, 68.2), ("k5", 11.75, 100.0)];

/// How many tables each method protects with the candidates of each algorithm.
fn print_success(tables: u64, done: &Done) {
    let mut rows = Vec::new();
    for (algorithm, saving, protected) in PAPER {
        let savings: Vec<f64> = (0..tables)
            .filter_map(|table| done.saving.get(&(table, algorithm.to_owned())).copied())
            .collect();
        let mut row = vec![
            algorithm.to_uppercase(),
            format!("{saving:.2}"),
            format!("{:.2}", 100.0 * savings.iter().sum::<f64>() / savings.len().max(1) as f64),
            format!("{protected:.1}"),
        ];
        for name in METHODS {
            let runs = (0..tables).filter_map(|table| done.get(table, name, algorithm));
            let (mut all, mut safe) = (0_u32, 0_u32);
            for run in runs.filter(|run| run.finished) {
                all += 1;
                safe += u32::from(run.protected);
            }
            row.push(format!("{:.1} ({safe}/{all})", percent(safe, all)));
        }
        row.push(done.measured(|key| key.2 == algorithm));
        rows.push(row);
    }
    let mut columns =
        vec!["algorithm", "saving %, paper", "saving %", "protected %, paper (kelly-ilp)"];
    columns.extend(METHODS);
    columns.push("measured");
    print(&columns, &rows);
}

fn percent(part: u32, all: u32) -> f64 {
    100.0 * f64::from(part) / f64::from(all.max(1))
}

/// The paper's Table 6: tables that took less with K5, less without, equal.
const PAPER_EFFORT: [(&str, &str); 4] = [
    ("kelly-ilp", "71.3 / 26.4 / 2.3"),
    ("kelly-lp", "90.2 / 7.9 / 1.9"),
    ("kelly-lp-default", "–"),
    ("elimination-lp", "91.0 / 4.5 / 4.5"),
];

/// Iterations and cost with K5 against without.
fn print_effort(tables: u64, done: &Done) {
    let mut rows = Vec::new();
    for (name, paper) in PAPER_EFFORT {
        let (mut effort, mut cost) = ([0_u32; 3], [0_u32; 3]);
        let mut iterations = [0_u64; 2];
        for table in 0..tables {
            let (Some(with), Some(without)) =
                (done.get(table, name, "k5"), done.get(table, name, "none"))
            else {
                continue;
            };
            if !(with.finished && without.finished) {
                continue;
            }
            effort[place(with.iterations as f64, without.iterations as f64)] += 1;
            cost[place(with.cost, without.cost)] += 1;
            iterations[0] += with.iterations;
            iterations[1] += without.iterations;
        }
        let all: u32 = effort.iter().sum();
        let shares = |counts: [u32; 3]| {
            counts.map(|count| format!("{:.1}", percent(count, all))).join(" / ")
        };
        rows.push(vec![
            name.to_owned(),
            all.to_string(),
            paper.to_owned(),
            shares(effort),
            format!("{} / {}", iterations[0], iterations[1]),
            shares(cost),
            done.measured(|key| key.1 == name && ["k5", "none"].contains(&key.2.as_str())),
        ]);
    }
    print(
        &[
            "method",
            "tables",
            "less CPU with K5 / without / equal, paper, %",
            "fewer iterations with / without / equal, %",
            "iterations with / without",
            "cheaper with / without / equal, %",
            "measured",
        ],
        &rows,
    );
}

/// 0: the first is less, 1: the second, 2: equal.
fn place(with: f64, without: f64) -> usize {
    match with.total_cmp(&without) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Greater => 1,
        std::cmp::Ordering::Equal => 2,
    }
}
