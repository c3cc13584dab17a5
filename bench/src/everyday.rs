//! Tables of everyday size, 400 to 33,000 cells: hierarchical, linked, of three and four dimensions.
//! Every method within a time that includes its audit, as `quell suppress --time` has it; whatever
//! comes out is audited anew, from the table and the pattern alone.
//!
//! The tables are generated, so that everybody can measure them; with `--folder` those of a folder
//! of JJ files come in addition.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use quell_attack::audit;
use quell_model::{Budget, Problem, Silent};
use quell_suppress::{Task, protect_within, time_for_audit};

use crate::kept::{Again, Kept, Row};
use crate::measure::{Cost, measured};
use crate::methods::method;
use crate::results::{Circumstances, grouped, print};
use crate::seconds::seconds;
use crate::tables::table;

/// The generated tables: flat, with one to three hierarchies, of four dimensions, linked, and one as
/// an office publishes it.
const TABLES: [&str; 9] = [
    "ons:13Hx7x7",
    "ons:13Hx13x7",
    "ons:13Hx13Hx13",
    "ons:16Hx16Hx16H",
    "ons:12x12x12",
    "ons:20x20x20",
    "ons:9Hx8x7x6",
    "linked:1500",
    "office",
];

/// The share of the time that the search leaves to the audit at most, as in the command.
const AUDIT_SHARE: f64 = 1.0 / 3.0;

/// The method whose cost the others are compared with.
const COMPARED_WITH: &str = "kelly-lp";

/// What is measured.
#[derive(Debug, Args)]
pub struct EverydayArguments {
    /// Tables by name: ons:SIZES, linked:CELLS, office, office:BASE-CELLS
    #[arg(long, value_delimiter = ',', value_name = "NAMES", default_values = TABLES)]
    tables: Vec<String>,

    /// A folder of JJ files to be protected as well
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,

    /// Names of the files in the folder, without .jj; all by default
    #[arg(long, value_delimiter = ',', value_name = "NAMES", requires = "folder")]
    files: Vec<String>,

    /// Each generated table with the seeds 1 to this
    #[arg(long, default_value_t = 1)]
    seeds: u64,

    /// Methods by name
    #[arg(long, value_delimiter = ',', value_name = "NAMES",
        default_values = ["auto", "kelly-lp", "local-lp"])]
    methods: Vec<String>,

    /// Times, audit included, such as 10s,60s,5m
    #[arg(long, value_delimiter = ',', value_name = "TIMES", value_parser = seconds,
        default_value = "60s")]
    times: Vec<f64>,

    /// The seed of the methods
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Threads of the methods and the audits
    #[arg(long, default_value_t = crate::measure::cores())]
    threads: usize,

    #[command(flatten)]
    again: Again,
}

const COLUMNS: [&str; 18] = [
    "table",
    "table_seed",
    "method",
    "seconds_allowed",
    "seed",
    "threads",
    "cells",
    "primaries",
    "secondaries",
    "cost",
    "lower_bound",
    "repaired",
    "safe",
    "wall_s",
    "cpu_s",
    "audit_safe",
    "audit_wall_s",
    "audit_cpu_s",
];

/// How many of [`COLUMNS`] say what was asked; the rest is what was found.
const ASKED: usize = 6;

const HEADER: [&str; 12] = [
    "table",
    "cells",
    "primaries",
    "method",
    "time",
    "cost",
    "bound",
    "gap %",
    "wall s",
    "CPU s",
    "safe",
    "measured",
];

pub fn run(arguments: &EverydayArguments) -> Result<(), Box<dyn Error>> {
    for name in &arguments.methods {
        method(name)?;
    }
    let mut kept = Kept::open("everyday", &COLUMNS, ASKED, arguments.again)?;
    let first = Circumstances::now();
    let generated = arguments
        .tables
        .iter()
        .flat_map(|name| (1..=arguments.seeds).map(move |seed| (name.clone(), seed)));
    let files = files(arguments)?;
    let mut runs = Vec::new();
    for (name, table_seed) in generated.chain(files.into_iter().map(|name| (name, 0))) {
        let mut problem: Option<Problem> = None;
        for method in &arguments.methods {
            for &time in &arguments.times {
                let asked = asked(arguments, (&name, table_seed), method, time);
                if kept.is_due(&asked) {
                    let problem = match &mut problem {
                        Some(problem) => problem,
                        none => none.insert(load(arguments, &name, table_seed)?),
                    };
                    eprintln!("{name} {table_seed} {method} {time} s …");
                    let circumstances = Circumstances::now();
                    let found = measure(problem, method, time, arguments)?;
                    kept.add(asked.clone(), found, &circumstances)?;
                }
                runs.push(asked);
            }
        }
    }
    let rows: Vec<&Row> = runs.iter().filter_map(|asked| kept.latest(asked)).collect();
    println!("{}; seed {}\n", kept.describe(&first), arguments.seed);
    print(&HEADER, &rows.iter().map(|row| shown(row)).collect::<Vec<_>>());
    println!();
    for method in arguments.methods.iter().filter(|method| *method != COMPARED_WITH) {
        for &time in &arguments.times {
            if let Some((ratio, tables)) = compared(&rows, method, time) {
                println!(
                    "{method} in {time} s costs {ratio:.3} times what {COMPARED_WITH} does \
                     (geometric mean of {tables} tables)"
                );
            }
        }
    }
    Ok(())
}

/// The names of the tables in the folder.
fn files(arguments: &EverydayArguments) -> Result<Vec<String>, Box<dyn Error>> {
    let Some(folder) = &arguments.folder else { return Ok(Vec::new()) };
    if !arguments.files.is_empty() {
        return Ok(arguments.files.iter().map(|name| format!("{name}.jj")).collect());
    }
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        names.extend(Path::new(&name).extension().is_some_and(|end| end == "jj").then_some(name));
    }
    names.sort();
    Ok(names)
}

fn load(arguments: &EverydayArguments, name: &str, seed: u64) -> Result<Problem, Box<dyn Error>> {
    match &arguments.folder {
        Some(folder) if name.ends_with(".jj") => Ok(quell_formats::jj::read(&folder.join(name))?),
        _ => table(name, seed),
    }
}

fn asked(
    arguments: &EverydayArguments,
    (table, table_seed): (&str, u64),
    method: &str,
    time: f64,
) -> Vec<String> {
    vec![
        table.to_owned(),
        table_seed.to_string(),
        method.to_owned(),
        time.to_string(),
        arguments.seed.to_string(),
        arguments.threads.to_string(),
    ]
}

/// Protects a table in the time given and audits it anew.
fn measure(
    problem: &Problem,
    name: &str,
    time: f64,
    arguments: &EverydayArguments,
) -> Result<Vec<String>, Box<dyn Error>> {
    let method = method(name)?;
    let plain = Budget::default().with_seed(arguments.seed).with_threads(arguments.threads);
    let (outcome, Cost { wall, cpu }) = measured(|| {
        let whole = plain.clone().with_time(Duration::from_secs_f64(time));
        let share = Duration::from_secs_f64(time * AUDIT_SHARE);
        let search = whole.keeping_back(share.min(time_for_audit(problem)), 0);
        protect_within(method.as_ref(), &Task::new(problem, &search, &Silent), &whole)
    });
    let outcome = outcome?;
    let (audited, auditing) =
        measured(|| audit(problem, &outcome.pattern, &plain.without_work_limit(), &Silent));
    Ok(vec![
        problem.cell_count().to_string(),
        problem.primaries().count().to_string(),
        outcome.secondaries.to_string(),
        format!("{:.2}", outcome.cost),
        format!("{:.2}", outcome.lower_bound),
        outcome.repaired.to_string(),
        outcome.is_safe().to_string(),
        format!("{wall:.1}"),
        format!("{cpu:.1}"),
        audited?.is_safe().to_string(),
        format!("{:.1}", auditing.wall),
        format!("{:.1}", auditing.cpu),
    ])
}

/// What stands in a column of a row.
fn text<'r>(row: &'r Row, column: &str) -> &'r str {
    let position = COLUMNS.iter().position(|&name| name == column);
    position.and_then(|position| row.values.get(position)).map_or("", String::as_str)
}

fn number(row: &Row, column: &str) -> f64 {
    text(row, column).parse().unwrap_or(f64::NAN)
}

fn is_safe(row: &Row) -> bool {
    text(row, "safe") == "true" && text(row, "audit_safe") == "true"
}

fn shown(row: &Row) -> Vec<String> {
    let (cost, bound) = (number(row, "cost"), number(row, "lower_bound"));
    let whole = |column: &str| grouped(text(row, column).parse().unwrap_or(0));
    let name = match text(row, "table_seed") {
        "0" => text(row, "table").to_owned(),
        seed => format!("{}, seed {seed}", text(row, "table")),
    };
    vec![
        name,
        whole("cells"),
        whole("primaries"),
        text(row, "method").to_owned(),
        format!("{} s", text(row, "seconds_allowed")),
        format!("{cost:.0}"),
        format!("{bound:.0}"),
        format!("{:.1}", if cost > 0.0 { 100.0 * (cost - bound) / cost } else { 0.0 }),
        text(row, "wall_s").to_owned(),
        text(row, "cpu_s").to_owned(),
        match (is_safe(row), text(row, "audit_safe")) {
            (true, _) => "yes",
            (false, "true") => "later",
            _ => "NO",
        }
        .to_owned(),
        row.date.clone(),
    ]
}

/// The geometric mean, over the tables that both protect, of a method's cost as a share of that of
/// the method compared with in the same time; and how many tables these are.
fn compared(rows: &[&Row], method: &str, time: f64) -> Option<(f64, usize)> {
    let of = |name: &str, like: &Row| {
        rows.iter().copied().find(|row| {
            let same = |column: &str| text(row, column) == text(like, column);
            text(row, "method") == name
                && ["table", "table_seed", "seconds_allowed"].into_iter().all(same)
        })
    };
    let own = rows.iter().filter(|row| {
        text(row, "method") == method && text(row, "seconds_allowed") == time.to_string()
    });
    let ratios: Vec<f64> = own
        .filter_map(|row| Some((row, of(COMPARED_WITH, row)?)))
        .filter(|(row, other)| is_safe(row) && is_safe(other) && number(other, "cost") > 0.0)
        .map(|(row, other)| number(row, "cost") / number(other, "cost"))
        .filter(|&ratio| ratio > 0.0)
        .collect();
    let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64;
    (!ratios.is_empty()).then(|| (mean.exp(), ratios.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(table: &str, method: &str, cost: f64, safe: bool) -> Row {
        let mut values = vec![String::new(); COLUMNS.len()];
        let mut set = |column: &str, value: String| {
            let position = COLUMNS.iter().position(|&name| name == column);
            values[position.expect("a column")] = value;
        };
        set("table", table.to_owned());
        set("method", method.to_owned());
        set("seconds_allowed", "60".to_owned());
        set("cost", cost.to_string());
        set("safe", safe.to_string());
        set("audit_safe", safe.to_string());
        Row { date: "2026-01-02".to_owned(), values }
    }

    #[test]
    fn costs_are_compared_table_by_table_where_both_are_safe() {
        let rows = [
            row("a", "auto", 50.0, true),
            row("a", "kelly-lp", 100.0, true),
            row("b", "auto", 200.0, true),
            row("b", "kelly-lp", 100.0, true),
            row("c", "auto", 1.0, true),
            row("c", "kelly-lp", 100.0, false),
            row("d", "auto", 1.0, true),
        ];
        let rows: Vec<&Row> = rows.iter().collect();
        let (ratio, tables) = compared(&rows, "auto", 60.0).expect("two tables");
        assert!((ratio - 1.0).abs() < 1e-12 && tables == 2, "{ratio} of {tables}");
        assert_eq!(compared(&rows, "auto", 10.0), None);
    }

    #[test]
    fn the_tables_are_of_everyday_size() {
        for name in TABLES {
            let cells = table(name, 1).expect("a table").cell_count();
            assert!((400..35_000).contains(&cells), "{name}: {cells}");
        }
    }
}
