//! Random tables of every shape, protected by every method in turn, attacked by a second auditor.
//!
//! Tests of the crates do this for some hundred tables at every change. This is the same for as
//! many as one has time for: each table is protected by the next method that can treat it; half
//! of them have contributors as attackers. The second auditor writes every attacker's linear
//! programs out in full for another solver, shares no code with the first, and is asked
//!
//! - whether a pattern that is called safe is safe from every attacker;
//! - whether what is called exposed is exposed, and could not have been protected by hiding more.
//!
//! Every fault is printed with the number of its table: `--first N --tables 1` runs it alone.

#[path = "../../../crates/quell-suppress/tests/it/attacker.rs"]
#[allow(dead_code, clippy::expect_used, reason = "shared with tests, which use more of it")]
mod second_auditor;
mod table;

use std::collections::BTreeMap;
use std::error::Error;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{iter, thread};

use clap::Args;
use quell_model::{Budget, Silent};
use quell_suppress::{METHODS, Outcome, method, protect};

use self::table::{AttackedTable, table};
use crate::measure::measured;
use crate::results::{self, Circumstances};

/// The name of the file of raw numbers.
const NAME: &str = "campaign";

/// Tables between two lines of progress.
const AT_ONCE: u64 = 1_000;

/// Columns of the file and of the printed table.
const COLUMNS: &[&str] = &[
    "first",
    "tables",
    "cells",
    "work",
    "method",
    "protected",
    "declined",
    "safe",
    "hopeless",
    "faults",
    "cpu_seconds",
];

/// What is run.
#[derive(Debug, Args)]
pub struct CampaignArguments {
    /// How many tables
    #[arg(long, default_value_t = 10_000)]
    tables: u64,

    /// The number of the first table, which is also its seed
    #[arg(long, default_value_t = 0)]
    first: u64,

    /// Cells of a table, about
    #[arg(long, default_value_t = 36)]
    cells: usize,

    /// The work limit of each method
    #[arg(long, default_value_t = 2_000)]
    work: u64,

    /// The methods, separated by commas; all of them if not given
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    methods: Vec<String>,
}

/// What became of the tables of one method.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    protected: u64,
    declined: u64,
    safe: u64,
    /// Tables with a primary that no pattern protects from somebody.
    hopeless: u64,
    faults: u64,
}

/// What became of one table.
struct Ran {
    declined: Vec<&'static str>,
    /// The method that treated it.
    method: Option<&'static str>,
    is_safe: bool,
    is_hopeless: bool,
    faults: Vec<String>,
}

/// Runs the campaign.
///
/// # Errors
/// If a method is unknown, results cannot be written, or there is a fault.
pub fn run(arguments: &CampaignArguments) -> Result<(), Box<dyn Error>> {
    let methods = methods(&arguments.methods)?;
    let circumstances = Circumstances::now();
    // A panic is a fault of a table, and is shown as one.
    std::panic::set_hook(Box::new(|_| ()));
    let (all, cost) = measured(|| every_table(arguments, &methods));
    let _ = std::panic::take_hook();
    let faults: u64 = all.values().map(|tally| tally.faults).sum();
    let row = |(name, tally): (&&str, &Tally)| {
        let Tally { protected, declined, safe, hopeless, faults } = *tally;
        let asked = [arguments.first, arguments.tables, arguments.cells as u64, arguments.work];
        let found = [protected, declined, safe, hopeless, faults];
        let mut row: Vec<String> = asked.iter().map(u64::to_string).collect();
        row.push((*name).to_owned());
        row.extend(found.iter().map(u64::to_string));
        row.push(format!("{:.0}", cost.cpu));
        row
    };
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    results::log(NAME, COLUMNS, rows.clone(), &circumstances)?;
    println!("{} tables ({})\n", arguments.tables, circumstances.describe());
    let shown: Vec<Vec<String>> = rows.into_iter().map(|row| row[4..].to_vec()).collect();
    results::print(&COLUMNS[4..], &shown);
    match faults {
        0 => Ok(()),
        faults => Err(format!("{faults} faults").into()),
    }
}

fn methods(names: &[String]) -> Result<Vec<&'static str>, Box<dyn Error>> {
    for name in names {
        method(name)?;
    }
    let wanted = |name: &&str| names.is_empty() || names.iter().any(|one| one == name);
    Ok(METHODS.iter().copied().filter(wanted).collect())
}

fn every_table(
    arguments: &CampaignArguments,
    methods: &[&'static str],
) -> BTreeMap<&'static str, Tally> {
    let mut all: BTreeMap<&'static str, Tally> = BTreeMap::new();
    let end = arguments.first + arguments.tables;
    let mut next = arguments.first;
    while next < end {
        let until = end.min(next + AT_ONCE);
        let ran = side_by_side(next..until, |number| one_table(number, arguments, methods));
        for (number, ran) in ran {
            for fault in &ran.faults {
                println!("table {number}: {fault}");
            }
            count(&mut all, &ran);
        }
        next = until;
        eprintln!("{} of {} tables", next - arguments.first, arguments.tables);
    }
    all
}

/// What came of each number, in order, as many at once as there are cores. Not by a pool of threads:
/// a thread of one that waits for a part of its table would begin the next table on top of it, and
/// the next on top of that.
fn side_by_side(numbers: Range<u64>, run: impl Fn(u64) -> Ran + Sync) -> Vec<(u64, Ran)> {
    let (next, end) = (AtomicU64::new(numbers.start), numbers.end);
    let worker = || -> Vec<(u64, Ran)> {
        let numbers = iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        numbers.take_while(|&number| number < end).map(|number| (number, run(number))).collect()
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut all: Vec<(u64, Ran)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().flat_map(|one| one.join().unwrap_or_default()).collect()
    });
    all.sort_unstable_by_key(|&(number, _)| number);
    all
}

fn count(all: &mut BTreeMap<&'static str, Tally>, ran: &Ran) {
    for name in &ran.declined {
        all.entry(*name).or_default().declined += 1;
    }
    let tally = all.entry(ran.method.unwrap_or("none")).or_default();
    tally.protected += 1;
    tally.safe += u64::from(ran.is_safe);
    tally.hopeless += u64::from(ran.is_hopeless);
    tally.faults += ran.faults.len() as u64;
}

/// Protects a table by the method whose turn it is, or the next that can treat it.
fn one_table(number: u64, arguments: &CampaignArguments, methods: &[&'static str]) -> Ran {
    let table = table(number, arguments.cells);
    let turn = number as usize % methods.len();
    let mut ran = Ran {
        declined: Vec::new(),
        method: None,
        is_safe: false,
        is_hopeless: false,
        faults: Vec::new(),
    };
    for &name in methods[turn..].iter().chain(&methods[..turn]) {
        let done = catch_unwind(AssertUnwindSafe(|| {
            let budget =
                Budget::default().with_work(arguments.work).with_seed(number).with_threads(1);
            let method = method(name)?;
            protect(method.as_ref(), table.problem(), &budget, &Silent)
        }));
        match done {
            Ok(Err(quell_suppress::Error::NotForThisTable { .. })) => ran.declined.push(name),
            Ok(Err(error)) => return failed(ran, name, format!("{name}: {error}")),
            Err(_) => return failed(ran, name, format!("{name} panicked")),
            Ok(Ok(outcome)) => {
                ran.method = Some(name);
                return judged(ran, &table, &outcome);
            }
        }
    }
    ran
}

fn failed(ran: Ran, name: &'static str, fault: String) -> Ran {
    Ran { method: Some(name), faults: vec![fault], ..ran }
}

/// What the second auditor says of a pattern.
fn judged(mut ran: Ran, table: &AttackedTable, outcome: &Outcome) -> Ran {
    let method = ran.method.unwrap_or_default();
    ran.is_safe = outcome.is_safe();
    match catch_unwind(AssertUnwindSafe(|| table.compare(outcome))) {
        Ok(compared) => {
            ran.is_hopeless = compared.is_hopeless;
            ran.faults =
                compared.faults.into_iter().map(|what| format!("{method}: {what}")).collect();
        }
        Err(_) => ran.faults.push(format!("{method}: the second auditor failed")),
    }
    ran
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that unwraps fails loudly")]

    use quell_model::Pattern;

    use super::*;

    fn arguments(tables: u64) -> CampaignArguments {
        CampaignArguments { tables, first: 0, cells: 24, work: 500, methods: Vec::new() }
    }

    #[test]
    fn every_method_has_its_turn_and_nothing_is_unsafe() {
        let all = every_table(&arguments(45), METHODS);
        let treated: u64 = all.values().map(|tally| tally.protected).sum();
        assert_eq!(treated, 45);
        assert!(all.values().all(|tally| tally.faults == 0), "{all:?}");
        assert!(METHODS.iter().all(|name| all.contains_key(name)), "{all:?}");
    }

    /// What it is for: a pattern that is not safe although it is called so.
    #[test]
    fn a_wrong_verdict_is_a_fault() {
        let mut found = 0;
        for number in 0..40 {
            let table = table(number, 24);
            let method = method("kelly-lp").unwrap();
            let budget = Budget::default().with_work(500).with_threads(1);
            let mut outcome = protect(method.as_ref(), table.problem(), &budget, &Silent).unwrap();
            assert_eq!(table.compare(&outcome).faults, Vec::<String>::new());
            if outcome.is_safe() && outcome.secondaries > 0 {
                outcome.pattern = Pattern::of_primaries(table.problem());
                found += usize::from(!table.compare(&outcome).faults.is_empty());
            }
        }
        assert!(found > 5, "{found}");
    }
}
