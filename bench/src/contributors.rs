//! What contributors as attackers cost: the same tables protected from the outsider alone, from
//! contributors as well, and from sums of hidden cells as well, in money and in time.
//!
//! Generated tables know who contributes. Those in files of a folder do not: contributors are made
//! up for them, the same in every run.

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use quell_attack::{audit, contributor_attack};
use quell_model::{
    Budget, Contributions, ContributorId, LeastContributors, Problem, Random, Share, Silent, Value,
};
use quell_suppress::{Task, protect_within};

use crate::kept::{Again, Kept, Row};
use crate::measure::{Cost, measured, peak_memory};
use crate::methods::method;
use crate::results::{Circumstances, grouped, print};
use crate::seconds::seconds;
use crate::tables::table;

/// Who attacks.
const ATTACKERS: [&str; 3] = ["outsider", "contributors", "contributors and sums"];

/// The rule for sums where contributors are made up: fewer are too few, and such a sum must be
/// uncertain by so many percent.
const SUMS: LeastContributors = LeastContributors { at_least: 3, percent: 20 };

/// How many contributors of a cell are listed.
const LISTED: usize = 3;

/// What is measured.
#[derive(Debug, Args)]
pub struct ContributorsArguments {
    /// Tables by name: firms:SIZES, such as firms:30x20
    #[arg(long, value_delimiter = ',', value_name = "NAMES",
        default_values = ["firms:20x20", "firms:8x8x8", "firms:50x50"])]
    tables: Vec<String>,

    /// A folder of JJ files to be protected as well, with contributors made up
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,

    /// Names of the files in the folder, without .jj
    #[arg(long, value_delimiter = ',', value_name = "NAMES", requires = "folder")]
    files: Vec<String>,

    /// Methods by name
    #[arg(long, value_delimiter = ',', value_name = "NAMES", default_values = ["auto"])]
    methods: Vec<String>,

    /// How long the search may take; audits and repairs take what they need
    #[arg(long, value_name = "TIME", value_parser = seconds, default_value = "60s")]
    time: f64,

    /// Only these attackers: outsider, contributors, contributors and sums
    #[arg(long, value_delimiter = ',', value_name = "WHO", default_values = ATTACKERS)]
    attackers: Vec<String>,

    /// The seed of tables and methods
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Threads
    #[arg(long, default_value_t = crate::measure::cores())]
    threads: usize,

    #[command(flatten)]
    again: Again,
}

const COLUMNS: [&str; 20] = [
    "table",
    "method",
    "attackers",
    "seconds_allowed",
    "seed",
    "threads",
    "cells",
    "primaries",
    "contributors",
    "singletons",
    "secondaries",
    "cost",
    "lower_bound",
    "safe",
    "wall_s",
    "cpu_s",
    "audit_safe",
    "audit_wall_s",
    "audit_cpu_s",
    "peak_mib",
];

/// How many of [`COLUMNS`] say what was asked; the rest is what was found.
const ASKED: usize = 6;

const HEADER: [&str; 13] = [
    "table",
    "cells",
    "primaries",
    "method",
    "attackers",
    "cost",
    "bound",
    "wall s",
    "CPU s",
    "times the outsider's",
    "audit s",
    "safe",
    "measured",
];

pub fn run(arguments: &ContributorsArguments) -> Result<(), Box<dyn Error>> {
    if let Some(unknown) = arguments.attackers.iter().find(|who| !ATTACKERS.contains(&&***who)) {
        return Err(format!("there are no attackers {unknown}").into());
    }
    let mut kept = Kept::open("contributors", &COLUMNS, ASKED, arguments.again)?;
    let first = Circumstances::now();
    let files = arguments.files.iter().map(|name| format!("{name}.jj"));
    let mut runs = Vec::new();
    for name in arguments.tables.iter().filter(|name| !name.is_empty()).cloned().chain(files) {
        let mut problem: Option<Problem> = None;
        for method in &arguments.methods {
            for who in &arguments.attackers {
                let asked = vec![
                    name.clone(),
                    method.clone(),
                    who.clone(),
                    arguments.time.to_string(),
                    arguments.seed.to_string(),
                    arguments.threads.to_string(),
                ];
                if kept.is_due(&asked) {
                    let problem = match &problem {
                        Some(problem) => problem,
                        None => problem.insert(load(arguments, &name)?),
                    };
                    eprintln!("{name} {method} {who} …");
                    let circumstances = Circumstances::now();
                    let found = measure(&attacked_by(problem, who), method, arguments)?;
                    kept.add(asked.clone(), found, &circumstances)?;
                }
                runs.push(asked);
            }
        }
    }
    let rows: Vec<&Row> = runs.iter().filter_map(|asked| kept.latest(asked)).collect();
    println!("{}; seed {}\n", kept.describe(&first), arguments.seed);
    print(&HEADER, &rows.iter().map(|row| shown(row, &rows)).collect::<Vec<_>>());
    Ok(())
}

fn load(arguments: &ContributorsArguments, name: &str) -> Result<Problem, Box<dyn Error>> {
    match &arguments.folder {
        Some(folder) if name.ends_with(".jj") => {
            Ok(made_up(quell_formats::jj::read(&folder.join(name))?))
        }
        _ => table(name, arguments.seed),
    }
}

/// A table with contributors made up: one or two to a primary, more to others; each firm to a few
/// cells.
fn made_up(problem: Problem) -> Problem {
    let mut random = Random::new(1, 0);
    let firms = problem.primaries().count().max(8);
    let mut cells = Vec::new();
    for cell in problem.system().cells() {
        let count = match problem.status(cell).is_primary() {
            true => 1 + random.below(3) / 2,
            false => LISTED + random.below(9),
        };
        let mut left = problem.value(cell).saturating_abs();
        let shares: Vec<Share> = (0..count.min(LISTED))
            .map(|place| {
                let all = place + 1 == count;
                let amount = if all { left } else { (left as f64 * 0.5) as Value };
                left -= amount;
                // Three numbers in a row, so that no firm is listed twice.
                let first = random.below(firms) / LISTED * LISTED;
                Share { contributor: ContributorId((first + place) as u32), amount }
            })
            .collect();
        cells.push((count as u32, shares));
    }
    let counts = cells.iter().map(|(count, _)| *count).collect();
    problem.with_contributors(counts).with_contributions(Contributions::new(cells))
}

/// The table with these attackers.
fn attacked_by(problem: &Problem, who: &str) -> Problem {
    let Some(contributions) = problem.contributions().filter(|_| who != ATTACKERS[0]) else {
        return problem.clone().without_contributions();
    };
    let known = problem
        .system()
        .cells()
        .map(|cell| (contributions.count(cell), contributions.shares(cell).to_vec()));
    let known = Contributions::new(known.collect::<Vec<_>>());
    let known = match who == ATTACKERS[2] {
        true => known.with_rule(std::sync::Arc::new(SUMS)),
        false => known,
    };
    problem.clone().with_contributions(known)
}

/// Protects a table, and audits it anew against all its attackers.
fn measure(
    problem: &Problem,
    name: &str,
    arguments: &ContributorsArguments,
) -> Result<Vec<String>, Box<dyn Error>> {
    let method = method(name)?;
    let plain = Budget::default().with_seed(arguments.seed).with_threads(arguments.threads);
    let (outcome, Cost { wall, cpu }) = measured(|| {
        let search = plain.clone().with_time(Duration::from_secs_f64(arguments.time));
        protect_within(method.as_ref(), &Task::new(problem, &search, &Silent), &plain)
    });
    let outcome = outcome?;
    let (audited, auditing) = measured(|| {
        let audit = audit(problem, &outcome.pattern, &plain, &Silent)?;
        let contributors = contributor_attack(problem, &outcome.pattern, &audit, &plain, &Silent)?;
        Ok::<bool, Box<dyn Error>>(audit.is_safe() && contributors.is_safe())
    });
    let single = |count: &&u32| **count == 1;
    Ok(vec![
        problem.cell_count().to_string(),
        problem.primaries().count().to_string(),
        problem.contributions().map_or(0, |known| known.contributors().len()).to_string(),
        problem.contributors().unwrap_or_default().iter().filter(single).count().to_string(),
        outcome.secondaries.to_string(),
        format!("{:.2}", outcome.cost),
        format!("{:.2}", outcome.lower_bound),
        outcome.is_safe().to_string(),
        format!("{wall:.2}"),
        format!("{cpu:.2}"),
        audited?.to_string(),
        format!("{:.2}", auditing.wall),
        format!("{:.2}", auditing.cpu),
        format!("{:.0}", peak_memory()),
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

fn shown(row: &Row, rows: &[&Row]) -> Vec<String> {
    let same = |other: &&&Row| {
        ["table", "method"].into_iter().all(|column| text(row, column) == text(other, column))
    };
    let outsider = rows.iter().filter(same).find(|other| text(other, "attackers") == ATTACKERS[0]);
    let times = outsider.map_or(f64::NAN, |other| number(row, "wall_s") / number(other, "wall_s"));
    let whole = |column: &str| grouped(text(row, column).parse().unwrap_or(0));
    let is_safe = text(row, "safe") == "true" && text(row, "audit_safe") == "true";
    vec![
        text(row, "table").to_owned(),
        whole("cells"),
        whole("primaries"),
        text(row, "method").to_owned(),
        text(row, "attackers").to_owned(),
        format!("{:.0}", number(row, "cost")),
        format!("{:.0}", number(row, "lower_bound")),
        text(row, "wall_s").to_owned(),
        text(row, "cpu_s").to_owned(),
        format!("{times:.2}"),
        text(row, "audit_wall_s").to_owned(),
        if is_safe { "yes" } else { "NO" }.to_owned(),
        row.date.clone(),
    ]
}
